/** The body of a request, received and parsed as JSON. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { ServiceError } from "./serviceError";

/** A body as received. */
export interface Body {
  readonly contentType: string | undefined;
  /** Empty when there is no body. */
  readonly text: string;
}

export async function receiveBody(request: IncomingMessage): Promise<Body> {
  return { contentType: request.headers["content-type"], text: await text(request) };
}

/** The value of a body, or undefined when there is none. @throws ServiceError for anything other than JSON. */
export function jsonOf({ contentType = "", text }: Body): unknown {
  if (text === "") return undefined;
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    throw new ServiceError(400, ["Content-Type must be application/json"]);
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(400, ["the body is not valid JSON"]);
  }
}

/** The body of a request, received and parsed as JSON. */
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { ServiceError } from "./serviceError";

export interface Body {
  readonly contentType: string | undefined;
  /** Empty when there is no body. */
  readonly text: string;
  /** Whether the text has everything that was sent. */
  readonly isUtf8: boolean;
}

export async function receiveBody(request: IncomingMessage): Promise<Body> {
  const bytes = await buffer(request);
  return { contentType: request.headers["content-type"], text: bytes.toString(), isUtf8: isUtf8(bytes) };
}

/** The value of a body, or undefined when there is none. @throws ServiceError for anything other than JSON. */
export function jsonOf({ contentType = "", text, isUtf8 }: Body): unknown {
  if (text === "") return undefined;
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    throw new ServiceError(400, ["Content-Type must be application/json"]);
  if (!isUtf8) throw new ServiceError(400, ["the body is not valid UTF-8"]);
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(400, ["the body is not valid JSON"]);
  }
}

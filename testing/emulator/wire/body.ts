/** The body of a request, received and parsed as JSON. */
import type { IncomingMessage } from "node:http";
import { ServiceError } from "./serviceError";

/** A body as received. */
export interface Body {
  readonly contentType: string | undefined;
  /** Empty when there is no body, or when it cannot be read. */
  readonly text: string;
  /** Why it cannot be read. */
  readonly problem?: string;
}

const LIMIT_BYTES = 1_000_000;

/** Reads a body to its end, but keeps at most the limit. */
export async function receiveBody(request: IncomingMessage): Promise<Body> {
  const contentType = request.headers["content-type"];
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes <= LIMIT_BYTES) chunks.push(chunk as Buffer);
  }
  if (bytes > LIMIT_BYTES)
    return { contentType, text: "", problem: `the body is larger than ${LIMIT_BYTES} bytes` };
  try {
    return { contentType, text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { contentType, text: "", problem: "the body is not valid UTF-8" };
  }
}

/** The value of a body, or undefined when there is none. @throws ServiceError for anything other than JSON. */
export function jsonOf({ contentType = "", text, problem }: Body): unknown {
  if (problem !== undefined) throw new ServiceError(400, [problem]);
  if (text === "") return undefined;
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    throw new ServiceError(400, ["Content-Type must be application/json"]);
  try {
    return JSON.parse(text);
  } catch {
    throw new ServiceError(400, ["the body is not valid JSON"]);
  }
}

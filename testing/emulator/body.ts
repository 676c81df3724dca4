// The body of a request: bytes that are to be JSON.
import type { IncomingMessage } from "node:http";
import { Refusal } from "./refusal";

/** A body as it arrived. */
export interface Body {
  contentType: string | undefined;
  /** Empty when there is none, or when it cannot be read. */
  text: string;
  /** Why it cannot be read. */
  problem?: string;
}

const limitBytes = 1_000_000;

/** Reads a body to its end, and keeps no more of it than the limit. */
export async function receiveBody(request: IncomingMessage): Promise<Body> {
  const contentType = request.headers["content-type"];
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes <= limitBytes) chunks.push(chunk as Buffer);
  }
  if (bytes > limitBytes)
    return { contentType, text: "", problem: `the body is larger than ${limitBytes} bytes` };
  try {
    return { contentType, text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { contentType, text: "", problem: "the body is not valid UTF-8" };
  }
}

/** The value of a body, or undefined when there is none. Throws a Refusal for anything other than JSON. */
export function jsonOf({ contentType = "", text, problem }: Body): unknown {
  if (problem !== undefined) throw new Refusal(400, [problem]);
  if (text === "") return undefined;
  if (!/^application\/json\s*(;|$)/i.test(contentType))
    throw new Refusal(400, ["Content-Type must be application/json"]);
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, ["the body is not valid JSON"]);
  }
}

/** Responses, before they are sent. */
import { STATUS_CODES } from "node:http";

export interface Reply {
  readonly status: number;
  /** Undefined for a response without content. */
  readonly body?: object | undefined;
  /** Sent instead of the body, as is. */
  readonly text?: string | undefined;
  /** Default: those that the body needs. */
  readonly headers?: { readonly [name: string]: string };
}

export function errorReply(status: number, message: string | readonly string[]): Reply {
  const error = STATUS_CODES[status];
  return { status, body: { statusCode: status, message, ...(error !== undefined && { error }) } };
}

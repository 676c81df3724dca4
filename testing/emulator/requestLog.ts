// What the emulator remembers of the requests that arrived.
import type { OperationId } from "./operations";

/** One request. The key is never in it, only the prefix of a key that the emulator knows. */
export interface RequestRecord {
  /** When it arrived, by the emulator's clock, as ISO 8601. */
  time: string;
  method: string;
  /** Without the query. */
  path: string;
  query: { [name: string]: string };
  /** Null when there is no such operation. */
  operationId: OperationId | null;
  /** The first six characters of a key that exists, revoked or not; otherwise null. */
  keyPrefix: string | null;
  /** What the caller sent as `x-request-id`, or what the emulator made up. */
  requestId: string;
  /** The JSON body; the text when it is not JSON; undefined when there is none, or as long as it is on its way. */
  body: unknown;
  /** The status that was answered; null while there is none, and for ever when the connection broke. */
  status: number | null;
}

/** An answer of the emulator itself that breaks the interface. It was sent as a 500. */
export interface Violation {
  operationId: OperationId;
  /** The status that was meant to be sent. */
  status: number;
  errors: string[];
}

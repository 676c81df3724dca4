/** What the emulator logs: requests, and its own invalid responses. */
import type { OperationId } from "../operations";
import type { FaultEffect } from "./faultEffects";

/** A request. It never contains the key, only the prefix of a key that exists. */
export interface RequestRecord {
  /** The time of arrival by the emulator's clock, in ISO 8601 format. */
  readonly time: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly query: { readonly [name: string]: string };
  /** Null for an unknown operation. */
  readonly operationId: OperationId | null;
  /** The first six characters of the key if it exists, even if revoked; otherwise null. */
  readonly keyPrefix: string | null;
  /** The `x-request-id` that the caller sent, or a generated one. */
  readonly requestId: string;
  /** The JSON body; its text if it is not JSON; undefined if there is none or it has not arrived yet. */
  readonly body: unknown;
  /** The status of the response; null until it is sent, and if the connection broke before. */
  readonly status: number | null;
  /** The effect of the fault that was applied to it, with `"…"` in place of texts and bodies; null if there was none. */
  readonly fault: FaultEffect | null;
}

/** What a request asked for: its path and its query. */
export function targetOf({ path, query }: Pick<RequestRecord, "path" | "query">): string {
  const search = String(new URLSearchParams(query));
  return search === "" ? path : `${path}?${search}`;
}

/** A response of the emulator that violated the API description. The emulator sent a 500 instead. */
export interface Violation {
  readonly operationId: OperationId;
  /** The status of the invalid response. */
  readonly status: number;
  readonly errors: readonly string[];
}

/** What the emulator has recorded since its start or its last reset. */
export function newRecords() {
  return { requests: [] as RequestRecord[], violations: [] as Violation[] };
}

export type Records = ReturnType<typeof newRecords>;

import type { Scope } from "../../client";
import type { OperationContext } from "../description";

/**
 * Runs a read, or returns undefined if the key lacks its scope. If the key has the scope and the read is refused
 * nevertheless, that is an error: objects that were not seen may exist.
 */
export async function ifVisible<Value>(
  { scopes }: OperationContext,
  scope: Scope,
  read: () => Promise<Value>,
): Promise<Value | undefined> {
  return scopes.includes(scope) ? await read() : undefined;
}

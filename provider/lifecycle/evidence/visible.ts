import type { Scope } from "../../client";
import type { OperationContext } from "../description";

/** Runs a read. Undefined if the key lacks its scope; a refusal despite the scope is an error, because there may be objects. */
export async function ifVisible<Value>(
  { scopes }: OperationContext,
  scope: Scope,
  read: () => Promise<Value>,
): Promise<Value | undefined> {
  return scopes.includes(scope) ? await read() : undefined;
}

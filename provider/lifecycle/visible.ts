/** Reading what the key may not be allowed to read. */
import type { Scope } from "../client";
import type { OperationContext } from "./description";

/**
 * What is read, or undefined when the key lacks the scope for it. A key that has the scope and is refused all the same
 * is an error like any other: what it did not see may be there.
 */
export async function ifVisible<Value>(
  { scopes }: OperationContext,
  scope: Scope,
  read: () => Promise<Value>,
): Promise<Value | undefined> {
  return scopes.includes(scope) ? await read() : undefined;
}

/** Reading what the key may not be allowed to read. */
import type { Scope } from "../client";
import type { OperationContext } from "./operations";

/**
 * What is read, or undefined when the key lacks the scope for it. A key that has the scope and is refused all the same
 * is an error like any other: what it did not see may be there.
 */
export async function ifVisible<Value>(
  { session }: OperationContext,
  scope: Scope,
  read: () => Promise<Value>,
): Promise<Value | undefined> {
  const { scopes } = await session.identity();
  return scopes.includes(scope) ? await read() : undefined;
}

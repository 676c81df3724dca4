import type { Client, OperationFunctions } from "./client";
import { type OperationId, operations } from "./operations";
import type { CallOptions } from "./options";

/** A function of a client, whatever its operation. */
type AnyCall = (request: unknown, options?: CallOptions) => Promise<unknown>;

/** Creates a view of a client, whose functions are what `viewOf` returns for those of the client. */
export function clientView(
  client: Client,
  viewOf: (call: AnyCall, operation: OperationId) => AnyCall,
): Client {
  const views = Object.keys(operations).map((name) => {
    const operation = name as OperationId;
    return [name, viewOf(client[operation] as AnyCall, operation)] as const;
  });
  return { ...client, ...(Object.fromEntries(views) as unknown as OperationFunctions) };
}

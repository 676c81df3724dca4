import type { CallOptions, Client, OperationFunctions } from "./client";
import { type OperationId, operations } from "./operations";

type AnyFunction = (request: unknown, options?: CallOptions) => Promise<unknown>;

/** Creates a view of a client. It calls the functions of the client, with the options that `optionsFor` returns. */
export function clientView(
  client: Client,
  optionsFor: (operation: OperationId, options: CallOptions | undefined) => CallOptions | undefined,
): Client {
  const views = Object.keys(operations).map((name) => {
    const operation = name as OperationId;
    const call = client[operation] as AnyFunction;
    return [
      name,
      (request: unknown, options?: CallOptions) => call(request, optionsFor(operation, options)),
    ] as const;
  });
  return { ...client, ...(Object.fromEntries(views) as unknown as OperationFunctions) };
}

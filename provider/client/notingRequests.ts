import type { CallOptions, Client, OperationFunctions } from "./client";
import { operations } from "./operations";

type AnyFunction = (request: unknown, options?: CallOptions) => Promise<unknown>;

/** Creates the view. It calls the functions of the client, and `note` with the id of each request. */
export function notingRequests(client: Client, note: (requestId: string) => void): Client {
  const noting = Object.keys(operations).map((name) => {
    const call = client[name as keyof OperationFunctions] as AnyFunction;
    return [
      name,
      (request: unknown, options?: CallOptions) => call(request, { ...options, onRequest: note }),
    ] as const;
  });
  return { ...client, ...(Object.fromEntries(noting) as unknown as OperationFunctions) };
}

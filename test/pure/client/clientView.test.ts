/** Views of a client, which change what its functions do. */
import type { CallOptions, Client } from "../../../provider/client";
import { clientView } from "../../../provider/client/clientView";
import { operations } from "../../../provider/client/operations";
import { withRequestIds } from "../../../provider/client/withRequestIds";

const CALLS = Object.keys(operations).map((operation) => [
  operation,
  async (request: unknown, options: CallOptions = {}) => {
    options.onRequest?.(`id of ${operation}`);
    return { operation, request, options };
  },
]);
const CLIENT = { ...Object.fromEntries(CALLS), serviceTime: () => undefined } as Client;

test("a view has the functions that are made for it, and the others of the client", async () => {
  const view = clientView(CLIENT, (call, operation) => async (request, options) => ({
    by: operation,
    result: await call(request, options),
  }));
  for (const operation of Object.keys(operations)) {
    const call = Reflect.get(view, operation) as (request: unknown, options: unknown) => unknown;
    const result = { operation, request: { a: 1 }, options: { maxAttempts: 2 } };
    expect(await call({ a: 1 }, { maxAttempts: 2 })).toEqual({ by: operation, result });
  }
  expect(view.serviceTime).toBe(CLIENT.serviceTime);
});

test("a view reports the id of each request", async () => {
  const ids: string[] = [];
  const view = withRequestIds(CLIENT, (id) => ids.push(id));
  expect(await view.getLink({ linkId: "l" }, { maxAttempts: 2 })).toMatchObject({
    operation: "getLink",
    request: { linkId: "l" },
    options: { maxAttempts: 2 },
  });
  expect(ids).toEqual(["id of getLink"]);
});

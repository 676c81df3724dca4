/** Requests of a run itself, by operation. */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../provider/client";
import { loadContract } from "../../testing/emulator/contract/contract";
import type { OperationId } from "../../testing/emulator/operations";
import type { Exchange, Gateway } from "./gateway";
import type { Settings } from "./settings";

/** Sends the request of an operation. Values that its path does not have are in its query. */
export type Call = (
  operation: OperationId,
  values?: Readonly<Record<string, string>>,
  body?: object,
) => Promise<Exchange>;

const MAX_REFUSALS = 5;
const DEFAULT_WAIT_SECONDS = 5;

/** Calls with the key of the settings. The path's organization is that of the settings. */
export function callsTo(
  gateway: Gateway,
  { apiKey, organization }: Pick<Settings, "apiKey" | "organization">,
  clock: Clock,
): Call {
  const { operations } = loadContract("openapi.yaml");
  return async (operationId, values = {}, body) => {
    const operation = operations.find((each) => each.operationId === operationId);
    if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
    const all: Record<string, string> = { organization_id: organization, ...values };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => all[name] ?? "");
    const query = Object.entries(values).filter(([name]) => !operation.path.includes(`{${name}}`));
    const request = {
      method: operation.method.toUpperCase(),
      target: query.length === 0 ? path : `${path}?${new URLSearchParams(query)}`,
      content: body && JSON.stringify(body),
    };
    for (let refusals = 0; ; refusals++) {
      const headers = {
        "x-api-key": apiKey,
        "x-request-id": randomUUID(),
        ...(body && { "content-type": "application/json" }),
      };
      const exchanged = await gateway.exchange({ ...request, headers });
      if (exchanged.status !== 429 || refusals === MAX_REFUSALS) return exchanged;
      const { "retry-after": retryAfter } = exchanged.headers;
      await clock.sleep((Number(retryAfter) || DEFAULT_WAIT_SECONDS) * 1_000);
    }
  };
}

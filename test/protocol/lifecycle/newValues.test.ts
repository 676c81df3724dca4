/** Values that the service adds to its enumerations after this release: they stop no command. Requests stay strict. */
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { requireScopes } from "../../../provider/session/session";
import type { OperationId } from "../../../testing/emulator";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, seedWith } from "../../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const NEW_STATUS = "IN_REVIEW";

const tools = inProcessTools({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) }, KEY);

async function bodyOf(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${tools.service.url}${path}`, { headers: { "x-api-key": KEY } });
  return (await response.json()) as Record<string, unknown>;
}

function show(operation: OperationId, body: unknown, count = Infinity): void {
  tools.service.inject({
    operation,
    count,
    effect: { body, status: operation.startsWith("create") ? 201 : 200 },
  });
}

test("a new scope is not one of those that are required", async () => {
  const credential = await bodyOf("/api/v2/api-credentials/current");
  show("getCurrentApiCredential", { ...credential, scopes: ["projects:read", "projects:write:all"] });
  const { session } = tools.inProcess.run;
  const required = requireScopes(session, ["projects:read", "projects:write"], "a project");
  await expect(required).rejects.toThrow(/lacks the scope projects:write, which a project needs/);
});

test("an activation waits while the status is a new one", async () => {
  const { id } = tools.service.createCustomDomain(PROJECT, { hostname: "links.shop.example" });
  const body = await bodyOf(`/api/v2/custom-domains/${id}`);
  show("getCustomDomain", { ...body, lifecycle_status: NEW_STATUS }, 3);
  const { create } = operationsOf(customDomainActivationDescription, tools.inProcess);
  const { state } = await create({ customDomainId: id });
  expect(state).toMatchObject({ hostname: "links.shop.example" });
  expect(tools.inProcess.waits).toHaveLength(3);
  expect(tools.inProcess.reports.join("\n")).toContain(
    `links.shop.example is ${NEW_STATUS}: npx pulumi-dynamiclink domains shows what to set`,
  );
});

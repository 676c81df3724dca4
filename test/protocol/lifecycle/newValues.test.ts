/** Values that the service adds to its enumerations after this release: they stop no command. Requests stay strict. */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { requireScopes } from "../../../provider/session/session";
import type { OperationId } from "../../../testing/emulator";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { type Declaration, type DeclaredStack, emulatedStack } from "../../support/stacks/declaredStack";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const NEW_SCOPE = "statistics:read";
const NEW_PLATFORM = "TELEVISION";
const NEW_STATUS = "IN_REVIEW";

const tools = inProcessTools({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) }, KEY);

/** The body of a response of the emulator. */
async function bodyOf(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${tools.service.url}${path}`, { headers: { "x-api-key": KEY } });
  return (await response.json()) as Record<string, unknown>;
}

/** Lets requests of an operation see an object with other values. */
function show(operation: OperationId, body: unknown, count = Infinity): void {
  tools.service.inject({
    operation,
    count,
    effect: { body, status: operation.startsWith("create") ? 201 : 200 },
  });
}

async function showNewScope(): Promise<void> {
  const credential = await bodyOf("/api/v2/api-credentials/current");
  show("getCurrentApiCredential", { ...credential, scopes: [NEW_SCOPE, ...(credential.scopes as string[])] });
}

const application = { projectId: PROJECT, appType: "WEB" };
const DECLARED: readonly Declaration[] = [
  { kind: "Application", name: "one", properties: application },
  { kind: "Application", name: "two", properties: application },
];

describe.each([DYNAMIC_HOST, NATIVE_HOST])("with the classes of $module", (host) => {
  let stack: DeclaredStack;
  beforeEach(() => {
    stack = emulatedStack(tools.service, KEY, { host });
  });

  test("a key with a new scope works with every command", async () => {
    await showNewScope();
    expect(await stack.up(DECLARED)).toMatchObject({ failed: false });
    expect(await stack.preview(DECLARED)).toMatchObject({ failed: false, changes: { same: 3 } });
    expect(await stack.refresh()).toMatchObject({ failed: false });
    expect(await stack.destroy()).toMatchObject({ failed: false });
    expect(tools.service.state.applications).toEqual([]);
  });

  test("an application of a new platform does not fail the refresh of others, which reads the list", async () => {
    await stack.up(DECLARED);
    const before = stack.resources;
    const path = `/api/v2/organizations/${ORGANIZATION}/projects/${PROJECT}/applications`;
    const { applications } = (await bodyOf(path)) as { applications: object[] };
    const foreign = { ...applications[0], id: ORGANIZATION, app_type: NEW_PLATFORM };
    show("listApplications", { applications: [foreign, ...applications] });
    tools.service.clearRequests();
    expect(await stack.refresh()).toMatchObject({ failed: false });
    const reads = tools.service.requests.map(({ operationId }) => operationId);
    expect(reads).toContain("listApplications");
    expect(reads).not.toContain("getApplication");
    expect(stack.resources).toEqual(before);
  });
});

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

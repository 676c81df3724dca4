/** Values that the service adds to its enumerations after this release: they stop no command. Requests stay strict. */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { applicationDescription } from "../../../provider/resources/application";
import { customDomainDescription } from "../../../provider/resources/customDomain";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import * as lookups from "../../../provider/resources/lookups";
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

test("an application whose platform is changed to a new one outside Pulumi is refreshed, and an update sets the declared one", async () => {
  const { create, read, update } = operationsOf(applicationDescription, tools.inProcess);
  const { uuid, state } = await create(application);
  const body = await bodyOf(`/api/v2/applications/${uuid}`);
  show("getApplication", { ...body, app_type: NEW_PLATFORM }, 2);
  const refreshed = await read(uuid, state);
  expect(refreshed?.inputs).toEqual({ projectId: PROJECT, appType: NEW_PLATFORM });
  expect(await update(uuid, refreshed?.state ?? {}, application)).toMatchObject({ appType: "WEB" });
});

test("an activation waits while the status is a new one", async () => {
  const { id } = tools.service.createCustomDomain(PROJECT, { hostname: "links.shop.example" });
  const body = await bodyOf(`/api/v2/custom-domains/${id}`);
  show("getCustomDomain", { ...body, lifecycle_status: NEW_STATUS }, 3);
  const { create } = operationsOf(customDomainActivationDescription, tools.inProcess);
  const { state } = await create({ customDomainId: id });
  expect(state).toMatchObject({ hostname: "links.shop.example" });
  expect(tools.inProcess.waits).toHaveLength(2);
  expect(tools.inProcess.reports.join("\n")).toContain(`${NEW_STATUS}: CNAME`);
});

test("a create of a custom domain waits for its CNAME target while the status is a new one", async () => {
  const shows = (operation: OperationId, values: object, count: number) =>
    tools.service.inject({
      operation,
      count,
      effect: { body: (domain: object) => ({ ...domain, ...values }) },
    });
  const pending = { lifecycle_status: "NOT_FAILED", cname_target: null };
  shows("createCustomDomain", pending, 1);
  shows("getCustomDomain", pending, 2);
  shows("getCustomDomain", { cname_target: "edge.dynamiclink.example" }, 1);
  const { create } = operationsOf(customDomainDescription, tools.inProcess);
  const { state } = await create({ projectId: PROJECT, hostname: "other.shop.example" });
  expect(state).toMatchObject({ cnameTarget: "edge.dynamiclink.example" });
  expect(tools.inProcess.waits).toHaveLength(2);
});

test("lookups return new values as they are", async () => {
  const { session } = tools.inProcess.run;
  const app = tools.service.createApplication(PROJECT, { appType: "WEB" }).id;
  const domain = tools.service.createCustomDomain(PROJECT, { hostname: "links.shop.example" }).id;
  const link = tools.service.createLink(PROJECT, { url: "https://shop.example/", name: "Shop" }).id;
  const application = await bodyOf(`/api/v2/applications/${app}`);
  show("getApplication", { ...application, app_type: NEW_PLATFORM });
  const customDomain = await bodyOf(`/api/v2/custom-domains/${domain}`);
  show("getCustomDomain", { ...customDomain, lifecycle_status: NEW_STATUS, last_error: "Quota exceeded." });
  show("getLink", { ...(await bodyOf(`/api/v2/links/${link}`)), domain_type: "SHARED" });
  expect(await lookups.getApplication(session, { id: app })).toMatchObject({ appType: NEW_PLATFORM });
  expect(await lookups.getCustomDomain(session, { id: domain })).toMatchObject({
    lifecycleStatus: NEW_STATUS,
    lastError: "Quota exceeded.",
  });
  expect(await lookups.getLink(session, { id: link })).toMatchObject({ domainType: "SHARED" });
});

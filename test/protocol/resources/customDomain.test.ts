/** Replacing a custom domain, and moving it to another project: what the provider checks and reports beforehand. */
import * as operations from "../../../provider/lifecycle/operations";
import { customDomainDescription } from "../../../provider/resources/customDomain";
import { KEY, seedWith } from "../../support/values/organizations";
import { inProcessTools, operationsOf, resourceRun } from "../inProcess";

const OLD = "0c0c0c0c-0000-4000-8000-000000000003";
const NEW = "0c0c0c0c-0000-4000-8000-00000000000a";
const DOMAIN = "0e0e0e0e-0000-4000-8000-000000000007";
const MISSING = "0f0f0f0f-0000-4000-8000-000000000006";
const UNKNOWN = "an unknown value";
const before = { projectId: OLD, hostname: "links.shop.example" };

function warning(to: string) {
  return `A custom domain moves from project ${OLD} to ${to}. It is deleted before the new one is created, because a hostname can be in only one project at a time. Whether the new project has the Pro entitlement that custom domains need cannot be checked in advance.`;
}

const tools = inProcessTools({
  seed: seedWith([
    { id: OLD, name: "Shop", customDomains: [{ id: DOMAIN, hostname: "Links.shop.example" }] },
    { id: NEW, name: "Market" },
  ]),
});

async function check(changed: Partial<typeof before>, retainOnDelete?: boolean): Promise<string[]> {
  const { run: host } = tools.inProcess;
  const knowing = { ...tools.inProcess, run: { ...host, isUnknown: (value: unknown) => value === UNKNOWN } };
  const { failures } = await operations.check(resourceRun(customDomainDescription, knowing), {
    inputs: { ...before, ...changed },
    before: { ...before },
    isNew: false,
    retainOnDelete,
  });
  return failures;
}

function requests(): string[] {
  return tools.service.requests.map(({ operationId, status }) => `${operationId} ${status}`);
}

const KEY_READ = "getCurrentApiCredential 200";
const PROJECT_READ = [KEY_READ, "getProject 200"];
const GO = { hostname: "go.shop.example" };
const LINKS_READ = ["listCustomDomains 200", "listCustomDomainLinks 200"];

test.each<[string, changed: Partial<typeof before>, to: string | undefined, sent: readonly string[]]>([
  ["a move to a project that exists", { projectId: NEW }, `project ${NEW}`, [...PROJECT_READ, ...LINKS_READ]],
  [
    "a move to a project that is not known yet",
    { projectId: UNKNOWN },
    "another project, which is not known yet",
    [KEY_READ, ...LINKS_READ],
  ],
  // It deletes nothing first.
  ["a move under another hostname", { projectId: NEW, ...GO }, undefined, [...PROJECT_READ, ...LINKS_READ]],
  ["no change", before, undefined, [KEY_READ]],
  ["other cases", { projectId: OLD.toUpperCase(), hostname: "LINKS.shop.example." }, undefined, [KEY_READ]],
])("what is reported and read for %s", async (_, changed, to, sent) => {
  expect(await check(changed)).toEqual([]);
  expect(tools.inProcess.reports).toEqual(to === undefined ? [] : [warning(to)]);
  expect(requests()).toEqual(sent);
});

test.each<[string, () => void]>([
  [
    "that the list of its project does not contain yet",
    () => tools.service.inject({ operation: "listCustomDomains", effect: { body: { custom_domains: [] } } }),
  ],
  ["that no longer exists", () => tools.service.deleteCustomDomain(DOMAIN)],
  ["whose project no longer exists", () => tools.service.deleteProject(OLD)],
])("a move of a custom domain %s is reported, and that its links were not checked", async (_, prepare) => {
  prepare();
  expect(await check({ projectId: NEW })).toEqual([]);
  expect(tools.inProcess.reports).toEqual([
    `${warning(`project ${NEW}`)} The service does not list the custom domain, so it was not checked whether the custom domain contains links. The service may delete them together with it, or refuse to delete it.`,
  ]);
});

test.each([{}, GO])("a move to a missing project fails, with %j", async (changed) => {
  await expect(check({ projectId: MISSING, ...changed })).rejects.toThrow(MISSING);
  expect(tools.inProcess.reports).toEqual([]);
});

test("a move to a new project of the stack waits until reads find it, and fails if none does", async () => {
  const { memory, clock } = tools.inProcess.run;
  const object = `project ${NEW}`;
  memory.ledger.record({ is: "young", object, untilMs: clock.now() + 30_000 });
  tools.service.inject({ operation: "getProject", effect: { status: 404 }, count: 3 });
  expect(await check({ projectId: NEW })).toEqual([]);
  expect(clock.now()).toBe(1_750);
  tools.service.deleteProject(NEW);
  await expect(check({ projectId: NEW })).rejects.toThrow(`There is no project ${NEW}`);
  expect(clock.now()).toBe(30_000);
});

test("a move fails when the new project cannot be read, because it would delete the domain first", async () => {
  tools.service.inject({ operation: "getProject", effect: { status: 500, message: "Broken." } });
  await expect(check({ projectId: NEW })).rejects.toThrow("500 Internal Server Error");
});

test("a key that may not read projects finds with the list of its domains whether the new project exists, and links are reported as unchecked", async () => {
  tools.service.setScopes(KEY, ["domains:read", "domains:write"]);
  expect(await check({ projectId: NEW })).toEqual([]);
  expect(tools.inProcess.reports).toEqual([
    `${warning(`project ${NEW}`)} The API key lacks links:read, so it was not checked whether the custom domain contains links. The service may delete them together with it, or refuse to delete it.`,
  ]);
  expect(requests()).toEqual([KEY_READ, "listCustomDomains 200", "listCustomDomains 200"]);
  await expect(check({ projectId: MISSING })).rejects.toThrow(MISSING);
});

test("a conflict names the domain with the hostname, although a listed project is not found", async () => {
  const withMissing = ({ projects }: { readonly projects: readonly object[] }) => ({
    projects: [{ ...projects[0], id: MISSING }, ...projects],
  });
  tools.service.inject({ operation: "listProjects", effect: { body: withMissing as never } });
  const { create } = operationsOf(customDomainDescription, tools.inProcess);
  await expect(create({ ...before, projectId: NEW })).rejects.toThrow(
    `The hostname is used by custom domain ${DOMAIN}`,
  );
});

describe("a domain that contains a link", () => {
  const LINK = "0a0a0a0a-0000-4000-8000-000000000009";
  const first = "Delete the links first, in the console, or with `deleteLink` of `pulumi-dynamiclink/client`";
  const contents = `Custom domain ${before.hostname} (${DOMAIN}) still contains 1 link (${LINK})`;
  const unchecked = "The hostname of a custom domain changes. The API key lacks links:read, so";

  beforeEach(() => {
    tools.service.createLink(OLD, {
      id: LINK,
      url: "https://shop.example/",
      name: "Home",
      customDomainId: DOMAIN,
    });
  });

  test.each<[string, object, option: "retained" | "hidden" | "", refusal: string, report: string]>([
    ["changes its hostname", GO, "", `${first}, or leave its hostname`, ""],
    ["moves", { projectId: NEW }, "", `${first}, or leave the custom domain in project ${OLD}.`, ""],
    ["moves and stays", { projectId: NEW }, "retained", "Remove the option, run `pulumi up`, and", ""],
    ["stays", GO, "retained", "", `${contents}, and stays in the service`],
    ["may change its hostname", { hostname: UNKNOWN }, "", "", `${contents}, so it cannot be replaced if`],
    ["changes its hostname unseen", GO, "hidden", "", unchecked],
  ])("and %s", async (_what, changed, option, refusal, report) => {
    if (option === "hidden") tools.service.setScopes(KEY, ["domains:read", "domains:write", "projects:read"]);
    const checked = check(changed, option === "retained" || undefined);
    if (refusal === "") expect(await checked).toEqual([]);
    else await expect(checked).rejects.toThrow(refusal);
    expect(tools.inProcess.reports).toEqual(report === "" ? [] : [expect.stringContaining(report)]);
  });
});

/** Replacing a custom domain, and moving it to another project: what the provider checks and reports beforehand. */
import * as operations from "../../../provider/lifecycle/operations";
import { customDomainDescription } from "../../../provider/resources/customDomain";
import { inProcessTools, resourceRun } from "../../support/providers/inProcess";
import { KEY, seedWith } from "../../support/values/organizations";

const OLD = "0c0c0c0c-0000-4000-8000-000000000003";
const NEW = "0c0c0c0c-0000-4000-8000-00000000000a";
const DOMAIN = "0e0e0e0e-0000-4000-8000-000000000007";
const MISSING = "0f0f0f0f-0000-4000-8000-000000000006";
const UNKNOWN = "an unknown value";
const before = { projectId: OLD, hostname: "links.shop.example" };

function warning(from: string, to: string) {
  return `A custom domain moves from project ${from} to ${to}. It is deleted before the new one is created, because a hostname can be in only one project at a time. Whether the new project has the Pro entitlement that custom domains need cannot be checked in advance.`;
}

const tools = inProcessTools(
  {
    seed: seedWith([
      { id: OLD, name: "Shop", customDomains: [{ id: DOMAIN, hostname: "Links.shop.example" }] },
      { id: NEW, name: "Market" },
    ]),
  },
  KEY,
);

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

function reads(): string[] {
  return tools.service.requests.map(({ operationId, status }) => `${operationId} ${status}`);
}

const KEY_READ = "getCurrentApiCredential 200";
const PROJECT_READ = [KEY_READ, "getProject 200"];
const GO = { hostname: "go.shop.example" };
const LINKS_READ = ["listCustomDomains 200", "listCustomDomainLinks 200"];

test.each<[string, changed: Partial<typeof before>, to: string | undefined, sent: readonly string[]]>([
  ["a move to a project that exists", { projectId: NEW }, NEW, [...PROJECT_READ, ...LINKS_READ]],
  [
    "a move to a project that is not known yet",
    { projectId: UNKNOWN },
    "another project, which is not known yet",
    [KEY_READ, ...LINKS_READ],
  ],
  // It deletes nothing first.
  ["a move under another hostname", { projectId: NEW, ...GO }, undefined, [...PROJECT_READ, ...LINKS_READ]],
  ["no change", before, undefined, [KEY_READ]],
  [
    "another spelling",
    { projectId: OLD.toUpperCase(), hostname: "LINKS.shop.example." },
    undefined,
    [KEY_READ],
  ],
])("what is reported and read for %s", async (_, changed, to, sent) => {
  expect(await check(changed)).toEqual([]);
  expect(tools.inProcess.reports).toEqual(to === undefined ? [] : [warning(OLD, to)]);
  expect(reads()).toEqual(sent);
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
    `${warning(OLD, NEW)} The service does not list the custom domain, so it was not checked whether the custom domain contains links. The service may delete them together with it, or refuse to delete it.`,
  ]);
});

test.each([{}, GO])("a move to a missing project fails, with %j", async (changed) => {
  await expect(check({ projectId: MISSING, ...changed })).rejects.toThrow(MISSING);
  expect(tools.inProcess.reports).toEqual([]);
});

test("a move to a new project of the stack does not wait until reads find it, unless it was deleted since", async () => {
  const { memory, clock } = tools.inProcess.run;
  const object = `project ${NEW}`;
  memory.ledger.record({ is: "young", object, untilMs: clock.now() + 30_000 });
  tools.service.inject({ operation: "getProject", effect: { status: 404 }, count: 3 });
  expect(await check({ projectId: NEW })).toEqual([]);
  // Lists are ahead of reads.
  memory.ledger.record({ is: "found", object });
  expect(await check({ projectId: NEW })).toEqual([]);
  tools.service.deleteProject(NEW);
  await expect(check({ projectId: NEW })).rejects.toThrow(`There is no project ${NEW}`);
});

test("a move fails when the new project cannot be read, because it would delete the domain first", async () => {
  tools.service.inject({ operation: "getProject", effect: { status: 500, message: "Broken." } });
  await expect(check({ projectId: NEW })).rejects.toThrow("500 Internal Server Error");
});

test("a key that may not read projects finds with the list of its domains whether the new project exists, and links are reported as unchecked", async () => {
  tools.service.setScopes(KEY, ["domains:read", "domains:write"]);
  expect(await check({ projectId: NEW })).toEqual([]);
  expect(tools.inProcess.reports).toEqual([
    `${warning(OLD, NEW)} The API key lacks links:read, so it was not checked whether the custom domain contains links. The service may delete them together with it, or refuse to delete it.`,
  ]);
  expect(reads()).toEqual([KEY_READ, "listCustomDomains 200", "listCustomDomains 200"]);
  await expect(check({ projectId: MISSING })).rejects.toThrow(MISSING);
});

describe("a domain that contains a link", () => {
  const LINK = "0a0a0a0a-0000-4000-8000-000000000009";
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
    ["changes its hostname", GO, "", "declare a second custom domain beside it.", ""],
    ["moves", { projectId: NEW }, "", `or leave the custom domain in project ${OLD}.`, ""],
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

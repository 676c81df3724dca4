/**
 * Responses that break the interface or are not from the service: the command fails, loses no state, and the next one
 * works. The tests of the client have the kinds of such responses.
 */
import { type Emulator, type Fault, type OperationId, startEmulator } from "../../../testing/emulator";
import {
  type Declaration,
  type DeclaredStack,
  emulatedStack,
  type Outcome,
} from "../../support/stacks/declaredStack";
import { KEY, seedWith } from "../../support/values/organizations";

const SEEDED = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER = "0f0f0f0f-0000-4000-8000-00000000000f";

const project: Declaration = { kind: "Project", name: "shop", properties: { name: "Shop" } };
const application: Declaration = {
  kind: "Application",
  name: "android",
  properties: {
    projectId: SEEDED,
    appType: "ANDROID",
    androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop" },
  },
};
const domain: Declaration = {
  kind: "CustomDomain",
  name: "links",
  properties: { projectId: SEEDED, hostname: "links.shop.example" },
};
const activation: Declaration = {
  kind: "CustomDomainActivation",
  name: "active",
  properties: { customDomainId: { idOf: "links" } },
};

/** A success without the fields of an object, and a page. */
const INVALID = { body: {} };
const FOREIGN = { foreign: 404 };
const OTHER_KEY = {
  body: {
    id: OTHER,
    organization_id: OTHER,
    key_prefix: "canary",
    scopes: ["projects:read", "projects:write"],
  },
};

let service: Emulator;
let stack: DeclaredStack;

beforeEach(async () => {
  service = await startEmulator({ seed: seedWith([{ id: SEEDED, name: "Seeded" }]) });
  service.clock.advance(5_000);
  stack = emulatedStack(service, KEY);
});
afterEach(async () => {
  expect(service.violations).toEqual([]);
  await service.close();
});

async function worked(command: Promise<Outcome>): Promise<void> {
  expect(await command).toMatchObject({ failed: false });
}

function refresh(): Promise<Outcome> {
  return stack.refresh();
}

function destroy(): Promise<Outcome> {
  return stack.destroy();
}

function up(...declarations: Declaration[]): () => Promise<Outcome> {
  return () => stack.up(declarations);
}

const WEB = up({ ...application, properties: { projectId: SEEDED, appType: "WEB" } });
const RENAMED = up({ ...project, properties: { name: "The shop" } });
const ADOPTING = up({ ...project, properties: { name: "Seeded" }, adopt: SEEDED });

/** The response to an operation, what the state has before, and the command that fails because of it. */
type Case = [string, OperationId, Fault["effect"], before: readonly Declaration[], typeof refresh];

const CASES: readonly Case[] = [
  ...[project, application, domain].flatMap((one): Case[] => [
    ["a refresh, invalid", `get${one.kind}` as OperationId, INVALID, [one], refresh],
    ["a refresh, foreign", `get${one.kind}` as OperationId, FOREIGN, [one], refresh],
    ["a deletion, foreign", `delete${one.kind}` as OperationId, FOREIGN, [one], destroy],
    ["a deletion, 200", `delete${one.kind}` as OperationId, { foreign: 200 }, [one], destroy],
  ]),
  ["an update", "updateProject", INVALID, [project], RENAMED],
  ["the read of an update", "getApplication", INVALID, [application], WEB],
  ["an update", "updateApplication", INVALID, [application], WEB],
  ["an adoption", "getProject", INVALID, [], ADOPTING],
  ["a poll after a deletion, invalid", "getCustomDomain", INVALID, [domain], destroy],
  ["a poll after a deletion, foreign", "getCustomDomain", FOREIGN, [domain], destroy],
  ["a poll of an activation", "getCustomDomain", INVALID, [domain], up(domain, activation)],
  ["the lookup of the key", "getCurrentApiCredential", INVALID, [], up(project)],
  ["the lookup of the key before a refresh", "getCurrentApiCredential", FOREIGN, [project], refresh],
  ["the lookup of the key before a deletion", "getCurrentApiCredential", FOREIGN, [project], destroy],
];

async function expectFailure(
  before: readonly Declaration[],
  fault: Fault,
  run: typeof refresh,
  prepare = () => {},
) {
  await worked(stack.up(before));
  const { resources } = stack;
  prepare();
  service.inject(fault);
  expect(await run()).toMatchObject({ failed: true });
  expect(service.faultsUsed).toHaveLength(1);
  expect(stack.resources).toEqual(resources);
  await worked(run());
}

test.each(CASES)(
  "%s, %s with %j: the command fails, the state stays, and the next command works",
  (_what, operation, effect, before, run) => expectFailure(before, { operation, effect }, run),
);

// The key may be that of another organization by then, in which there is no such object.
test.each(
  [INVALID, FOREIGN, OTHER_KEY].flatMap((effect) => [refresh, destroy].map((run) => [effect, run] as const)),
)("the lookup of the key after a 404 of a deleted object with %j: the same", (effect, run) =>
  expectFailure([project], { operation: "getCurrentApiCredential", skip: 1, effect }, run, () => {
    for (const { id = "" } of stack.resources) service.deleteProject(id);
  }),
);

test.each([
  ["listProjects", [project, { ...project, name: "market", properties: { name: "Market" } }]],
  ["listApplications", [application, { ...application, name: "second" }]],
] as const)("an invalid response to %s is not used, and each object is read", async (operation, program) => {
  await worked(stack.up(program));
  service.inject({ operation, effect: INVALID });
  await worked(stack.refresh());
  expect(service.faultsUsed).toHaveLength(1);
  expect(stack.resources).toHaveLength(2);
});

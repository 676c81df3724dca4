/** What the option `import` guarantees: no command deletes or replaces an adopted object unexpectedly. */
import { resourceOperations } from "../../../provider/lifecycle/operations";
import { projectDescription } from "../../../provider/resources/project";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { inProcessRun, operationsOf } from "../../support/providers/inProcess";
import {
  type Declaration,
  type DeclaredStack,
  errorOf,
  type Outcome,
  urnOf,
} from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import {
  KEY,
  ORGANIZATION,
  OTHER_KEY,
  OTHER_ORGANIZATION,
  seedWith,
} from "../../support/values/organizations";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const MARKET = "0d0d0d0d-0000-4000-8000-000000000004";
const WEB = "0e0e0e0e-0000-4000-8000-000000000005";

let service: Emulator;
let stack: DeclaredStack;
let key: string;

beforeEach(async () => {
  key = KEY;
  service = await startEmulator({
    seed: seedWith([
      { id: SHOP, name: "Shop", applications: [{ id: WEB, appType: "WEB" }] },
      { id: MARKET, name: "Market" },
    ]),
  });
  service.clock.advance(5_000);
  stack = emulatedStack(service, KEY, { environment: () => ({ DYNAMICLINK_API_KEY: key }) });
});
afterEach(async () => {
  expect(service.violations).toEqual([]);
  await stack.close();
  await service.close();
});

/** An adopted project without Pulumi's own protection, so that only the provider protects it. */
const adopted: Declaration = {
  kind: "Project",
  name: "market",
  properties: { name: "Market" },
  adopt: MARKET,
  protect: false,
  retainOnDelete: false,
};
/** The same object as an ordinary resource, as after an import with an import file. */
const { adopt: _, ...ordinary } = adopted;
/** An adopted application without Pulumi's own protection, so that only the provider protects it. */
const application: Declaration = {
  kind: "Application",
  name: "web",
  properties: { projectId: SHOP, appType: "WEB" },
  adopt: WEB,
  protect: false,
  retainOnDelete: false,
};

function write(declaration: Declaration): Declaration {
  return { ...declaration, protect: false, retainOnDelete: false };
}

async function worked(command: Promise<Outcome>): Promise<Outcome> {
  const outcome = await command;
  expect(outcome.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(outcome.failed).toBe(false);
  return outcome;
}

/**
 * Runs `up` with a last resource that fails, so that replaced and removed resources stay pending deletion.
 *
 * @param before the resource that the last one depends on.
 * @returns the number of entries in the state afterwards.
 */
async function upThatFails(
  declarations: readonly Declaration[],
  before: Declaration,
  replace: string[] = [],
): Promise<number> {
  const projectId = before.kind === "Project" ? { idOf: before.name } : SHOP;
  const failing: Declaration = {
    kind: "Application",
    name: "failing",
    properties: {
      projectId,
      appType: "IOS",
      appleInfo: { appName: "Failing", appScheme: "failing", bundleId: "example.failing" },
    },
  };
  service.inject({
    match: ({ operationId, body }) =>
      operationId === "createApplication" && JSON.stringify(body).includes("Failing"),
    effect: { status: 400 },
  });
  expect(errorOf(await stack.up([...declarations, failing], { replace }))).toContain("400 Bad Request");
  service.clearFaults();
  return stack.resources.length;
}

function writes(): string[] {
  return service.requests
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
}

function projects(): string[] {
  return service.state.projects.map(({ id }) => id).sort();
}

function live(): string[][] {
  return stack.resources.filter((one) => !one.delete).map(({ urn, id = "" }) => [urn, id]);
}

const ADOPTS = `Adopts project ${MARKET} and sends no write. Pulumi shows it as a create.`;
const KEPT = `Project ${MARKET} is kept, because another entry of the state manages it, or the option import has adopted it. Only the removed entry is deleted from the state.`;

function messages({ diagnostics }: Outcome): string[] {
  return diagnostics.filter(({ ephemeral }) => ephemeral !== true).map(({ message }) => message);
}

describe("the option import", () => {
  test("writes nothing, and keeping it is no change, even after a refresh", async () => {
    await worked(stack.up([adopted]));
    await worked(stack.refresh());
    expect((await worked(stack.up([adopted]))).changes).toEqual({ same: 2 });
    expect(writes()).toEqual([]);
  });

  test("implies protect and retainOnDelete", async () => {
    const { protect: _protect, retainOnDelete: _retain, ...plain } = adopted;
    await worked(stack.up([plain]));
    expect(stack.resources).toMatchObject([{ id: MARKET, protect: true, retainOnDelete: true }]);
    expect(errorOf(await stack.up([]))).toContain("is protected");
    await worked(stack.up([{ ...plain, protect: false }]));
    await worked(stack.up([]));
    expect(projects()).toContain(MARKET);
    expect(stack.resources).toEqual([]);
    expect(writes()).toEqual([]);
  });

  test("is removed by an update that a preview shows and that writes nothing", async () => {
    await worked(stack.up([adopted]));
    expect((await worked(stack.preview([ordinary]))).changes).toMatchObject({ update: 1 });
    expect((await worked(stack.up([ordinary]))).changes).toMatchObject({ update: 1 });
    expect((await worked(stack.up([ordinary]))).changes).toEqual({ same: 2 });
    await worked(stack.refresh());
    expect((await worked(stack.preview([ordinary]))).changes).toEqual({ same: 2 });
    expect(writes()).toEqual([]);
  });

  test("can be added to a resource of the stack, and keeping it is no change after a refresh", async () => {
    await worked(stack.up([write({ kind: "Project", name: "new", properties: { name: "New" } })]));
    const [{ id = "" } = {}] = stack.resources;
    const held = write({ kind: "Project", name: "new", properties: { name: "New" }, adopt: id });
    expect((await worked(stack.up([held]))).changes).toMatchObject({ update: 1 });
    await worked(stack.refresh());
    expect((await worked(stack.preview([held]))).changes).toEqual({ same: 2 });
    expect(writes()).toEqual([`POST /api/v2/organizations/${ORGANIZATION}/projects`]);
  });

  test("is rejected with another UUID than the stack has, even for an adopted object", async () => {
    await worked(stack.up([adopted]));
    expect(errorOf(await stack.preview([{ ...adopted, adopt: SHOP }]))).toBe(
      `The program declares import: "${SHOP}", but this resource already manages project ${MARKET}. Remove the option to keep ${MARKET}; to adopt ${SHOP} as well, declare it under another name. If a replacement failed because ${SHOP} uses the name, remove the option, and delete ${SHOP} in the service or choose another name.`,
    );
  });

  test("does not say that there is no such object when it cannot be read", async () => {
    service.deleteProject(MARKET);
    service.inject({ operation: "getProject", effect: { status: 500 }, count: Number.POSITIVE_INFINITY });
    const error = errorOf(await stack.preview([adopted]));
    expect(error).toContain(`Reading project ${MARKET} failed: 500`);
    expect(error).not.toContain("There is no project");
    expect(stack.resources).toEqual([]);
  });

  test("replaces a deleted object when it has another UUID", async () => {
    await worked(stack.up([adopted]));
    service.deleteProject(MARKET);
    const other = { ...adopted, adopt: SHOP, properties: { name: "Shop" } };
    expect((await worked(stack.preview([other]))).changes).toMatchObject({ replace: 1 });
    await worked(stack.up([other]));
    expect(live()).toEqual([[urnOf(adopted), SHOP]]);
    expect((await worked(stack.up([other]))).changes).toEqual({ same: 2 });
  });

  test("adopts the object of a replacement whose answer was lost, as the error advises", async () => {
    const web = write({ kind: "Application", name: "new", properties: { projectId: SHOP, appType: "WEB" } });
    const replaced = { ...web, deleteBeforeReplace: true };
    await worked(stack.up([replaced]));
    service.inject({ operation: "createApplication", effect: { reset: "after" } });
    const error = errorOf(await stack.up([replaced], { replace: [urnOf(web)] }));
    const adopt = /import: "([0-9a-f-]+)"/.exec(error)?.[1] as string;
    await worked(stack.up([{ ...replaced, adopt }]));
    expect(live()).toEqual([[urnOf(web), adopt]]);
    expect(service.state.applications.map(({ id }) => id).sort()).toEqual([adopt, WEB].sort());
  });

  test("does not keep an object when option, resource and protection are removed in one run", async () => {
    await worked(stack.up([adopted]));
    await worked(stack.up([]));
    expect(projects()).toEqual([SHOP]);
  });

  test("does not keep an object when the resource is removed after the option", async () => {
    await worked(stack.up([adopted]));
    await worked(stack.up([ordinary]));
    await worked(stack.up([]));
    expect(projects()).toEqual([SHOP]);
  });
});

describe("a replacement of an adopted object", () => {
  const moved: Declaration = { ...application, properties: { projectId: MARKET, appType: "WEB" } };
  const MESSAGE = [
    `Application ${WEB} was adopted with the option import, and changing projectId would replace it.`,
    "To replace and delete it, first remove import from the program, change nothing else, and run `pulumi up`.",
    "To keep it, undo the change, and declare the new one under another name.",
  ].join("\n");
  const { adopt: _adopt, ...dropped } = moved;

  test.each([
    ["while the option is declared", moved, false],
    ["in the run that removes the option", dropped, false],
    ["in that run after a refresh", dropped, true],
  ])("is rejected %s, in preview and in up", async (_name, change, isRefreshed) => {
    await worked(stack.up([application]));
    if (isRefreshed) await worked(stack.refresh());
    expect(errorOf(await stack.preview([change]))).toBe(MESSAGE);
    expect(errorOf(await stack.up([change]))).toBe(MESSAGE);
    expect(writes()).toEqual([]);
  });

  test("is rejected in the run that adds the option", async () => {
    const { adopt: _adopt, ...ordinaryApplication } = application;
    await worked(stack.up([ordinaryApplication]));
    const [created] = stack.resources;
    const change = { ...moved, adopt: created?.id ?? "" };
    expect(errorOf(await stack.preview([change]))).toBe(MESSAGE.replace(WEB, change.adopt));
  });

  test("is allowed after an earlier run removed the option", async () => {
    await worked(stack.up([application]));
    const { adopt: _adopt, ...first } = application;
    await worked(stack.up([first]));
    await worked(stack.up([dropped]));
    expect(service.state.applications.map(({ projectId }) => projectId)).toEqual([MARKET]);
    expect(service.state.applications.map(({ id }) => id)).not.toContain(WEB);
  });

  test("by replaceOnChanges is rejected with what to do first", async () => {
    await worked(stack.up([{ ...adopted, replaceOnChanges: ["name"] }]));
    const error = errorOf(
      await stack.up([{ ...adopted, replaceOnChanges: ["name"], properties: { name: "Bazaar" } }]),
    );
    expect(error).toContain(
      `This resource already manages project ${MARKET}, so the change would replace it. To replace it, first remove the option import and run \`pulumi up\`.`,
    );
    expect(writes()).toEqual([]);
  });

  test.each([false, true])("forced with deleteBeforeReplace %s keeps it", async (deleteBeforeReplace) => {
    const declaration = { ...adopted, deleteBeforeReplace };
    await worked(stack.up([declaration]));
    const outcome = await worked(stack.up([declaration], { replace: [urnOf(adopted)] }));
    expect(messages(outcome)).toEqual([ADOPTS, KEPT]);
    expect(live()).toEqual([[urnOf(adopted), MARKET]]);
    expect((await worked(stack.up([declaration]))).changes).toEqual({ same: 2 });
    expect(writes()).toEqual([]);
  });

  test("forced in a run that fails keeps it in the next run", async () => {
    await worked(stack.up([adopted]));
    expect(await upThatFails([adopted], adopted, [urnOf(adopted)])).toBe(2);
    await worked(stack.up([adopted]));
    expect(projects()).toEqual([SHOP, MARKET]);
    expect(stack.resources).toHaveLength(1);
  });

  test("forced in a run that fails keeps it, even if the next run removes the option and fails too", async () => {
    await worked(stack.up([adopted]));
    expect(await upThatFails([adopted], adopted, [urnOf(adopted)])).toBe(2);
    expect(await upThatFails([ordinary], ordinary)).toBe(2);
    await worked(stack.up([ordinary]));
    expect(projects()).toEqual([SHOP, MARKET]);
    expect(stack.resources).toHaveLength(1);
    await worked(stack.up([]));
    expect(projects()).toEqual([SHOP]);
  });

  test("with its project keeps it, although dependents are deleted first", async () => {
    const shop: Declaration = {
      kind: "Project",
      name: "shop",
      properties: { name: "Shop" },
      adopt: SHOP,
      protect: false,
      retainOnDelete: false,
      deleteBeforeReplace: true,
    };
    const web = { ...application, properties: { projectId: { idOf: "shop" }, appType: "WEB" } };
    await worked(stack.up([shop, web]));
    await worked(stack.up([shop, web], { replace: [urnOf(shop)] }));
    expect(service.state.applications.map(({ id }) => id)).toEqual([WEB]);
    expect(projects()).toEqual([SHOP, MARKET]);
    expect(writes()).toEqual([]);
  });
});

describe("an object that another resource adopts", () => {
  const renamed: Declaration = { ...adopted, name: "bazaar" };

  /** Creates a project, and returns the resource, another one that declares the same, and the UUID. */
  async function ordinaryProject() {
    const shop = write({ kind: "Project", name: "one", properties: { name: "One" } });
    await worked(stack.up([shop]));
    const [{ id = "" } = {}] = stack.resources;
    return { shop, store: { ...shop, name: "two" }, id };
  }

  test("is kept when its old resource had adopted it", async () => {
    await worked(stack.up([adopted]));
    expect(messages(await worked(stack.up([renamed])))).toEqual([ADOPTS, KEPT]);
    expect(live()).toEqual([[urnOf(renamed), MARKET]]);
    expect(writes()).toEqual([]);
  });

  test("is kept when another resource of that run fails and the next run has no option", async () => {
    await worked(stack.up([adopted]));
    expect(await upThatFails([renamed], renamed)).toBe(2);
    const { adopt: _adopt, ...dropped } = renamed;
    await worked(stack.up([dropped]));
    expect(projects()).toContain(MARKET);
    expect(live()).toEqual([[urnOf(renamed), MARKET]]);
    expect((await worked(stack.up([dropped]))).changes).toEqual({ same: 2 });
  });

  test("is kept when an ordinary resource is renamed and adopted as the conflict error advises", async () => {
    const { store, id } = await ordinaryProject();
    expect(errorOf(await stack.up([store]))).toContain(
      `The name is used by project ${id}. To manage that one, add the option { import: "${id}" }. If this stack manages it under another name, add the option \`aliases\` instead; if this run replaces it, the option \`deleteBeforeReplace\`.`,
    );
    expect(await upThatFails([{ ...store, adopt: id }], store)).toBe(2);
    await worked(stack.up([{ ...store, adopt: id }]));
    expect(projects()).toContain(id);
    expect(live()).toEqual([[urnOf(store), id]]);
  });

  test("is kept when the option is removed before its old resource leaves the state", async () => {
    const { store, id } = await ordinaryProject();
    expect(await upThatFails([{ ...store, adopt: id }], store)).toBe(2);
    expect(await upThatFails([store], store)).toBe(2);
    await worked(stack.up([store]));
    expect(projects()).toContain(id);
    expect(live()).toEqual([[urnOf(store), id]]);
  });

  test("is kept when its old, ordinary resource is removed later", async () => {
    const { shop, store, id } = await ordinaryProject();
    await worked(stack.up([shop, { ...store, adopt: id }]));
    await worked(stack.up([{ ...store, adopt: id }]));
    expect(projects()).toContain(id);
    expect(live()).toEqual([[urnOf(store), id]]);
  });

  test("is kept when the new resource is in a component with its own provider", async () => {
    await worked(stack.up([adopted]));
    const inside: Declaration = { ...adopted, component: "group", provider: "second" };
    const { retainOnDelete: _retain, ...asDeclared } = adopted;
    await worked(stack.up([asDeclared]));
    await worked(stack.up([inside]));
    expect(projects()).toContain(MARKET);
    expect(live()).toEqual([[urnOf(inside), MARKET]]);
    expect(writes()).toEqual([]);
  });

  test("is kept when an ordinary resource adopts it in place first, then moves to a component with its own provider", async () => {
    const shop: Declaration = { kind: "Project", name: "one", properties: { name: "One" } };
    await worked(stack.up([shop]));
    const [{ id = "" } = {}] = stack.resources;
    await worked(stack.up([{ ...shop, adopt: id, protect: false }]));
    const inside: Declaration = { ...shop, adopt: id, component: "group", provider: "second" };
    await worked(stack.up([inside]));
    expect(projects()).toContain(id);
    expect(live()).toEqual([[urnOf(inside), id]]);
  });

  test("is kept when only the old inputs show the option, as in states of 0.4.0", async () => {
    const { run: host, reports } = inProcessRun(service, KEY);
    const operations = resourceOperations(projectDescription);
    const inputs = { name: "Market" };
    await operations.check(host, { inputs, before: inputs, adoptBefore: MARKET, isNew: false });
    await operations.delete(host, { uuid: MARKET, state: { ...inputs, __organization: ORGANIZATION } });
    expect(reports).toEqual([
      `The option import of project ${MARKET} was removed, and with it protect and retainOnDelete, unless the program sets them. After \`pulumi up\`, the object can be deleted and replaced like any other.`,
      KEPT,
    ]);
    expect(writes()).toEqual([]);
  });

  test("stays the same resource with an alias", async () => {
    await worked(stack.up([adopted]));
    const inside: Declaration = {
      ...adopted,
      name: "bazaar",
      component: "group",
      provider: "second",
      aliases: [{ kind: "Project", name: "market" }],
    };
    await worked(stack.up([inside]));
    expect(live()).toEqual([[urnOf(inside), MARKET]]);
    expect(writes()).toEqual([]);
  });
});

describe("an ordinary resource next to adopted ones", () => {
  test("is deleted exactly once when it leaves the program", async () => {
    await worked(stack.up([adopted, write({ kind: "Project", name: "one", properties: { name: "One" } })]));
    service.clearRequests();
    await worked(stack.up([adopted]));
    expect(writes()).toHaveLength(1);
    expect(projects()).toEqual([SHOP, MARKET]);
  });

  test("that is pending deletion after a failed replacement is deleted exactly once", async () => {
    const web = write({ kind: "Application", name: "new", properties: { projectId: SHOP, appType: "WEB" } });
    const moved = { ...web, properties: { projectId: MARKET, appType: "WEB" } };
    await worked(stack.up([adopted, web]));
    const [old] = stack.resources.filter(({ urn }) => urn === urnOf(web));
    expect(await upThatFails([adopted, moved], moved)).toBe(3);
    service.clearRequests();
    await worked(stack.up([adopted, moved]));
    expect(writes()).toEqual([`DELETE /api/v2/applications/${old?.id}`]);
    expect(service.state.applications.map(({ projectId }) => projectId).sort()).toEqual([SHOP, MARKET]);
  });
});

describe("a forced replacement under another organization's key", () => {
  const one = write({ kind: "Project", name: "one", properties: { name: "One" } });
  const two = write({ kind: "Project", name: "two", properties: { name: "Two" } });

  test("creates nothing after the run has read an object of the owner, and reports both organizations", async () => {
    await worked(stack.up([two, one]));
    key = OTHER_KEY;
    service.clearRequests();
    const dependent = write({ ...application, properties: { projectId: { idOf: "two" }, appType: "WEB" } });
    const error = errorOf(
      await stack.up([two, { ...one, deleteBeforeReplace: true }, dependent], { replace: [urnOf(one)] }),
    );
    expect(error).toContain(
      `belongs to organization ${ORGANIZATION}, but the API key belongs to organization ${OTHER_ORGANIZATION}. Use a key of organization ${ORGANIZATION}: set the environment variable or the provider that this stack was deployed with.`,
    );
    expect(error).not.toContain("Nothing was changed");
    expect(writes()).toEqual([]);
  });

  test("is rejected by the create, whichever step found the owner", async () => {
    const host = inProcessRun(service, OTHER_KEY);
    const { read, create } = operationsOf(projectDescription, host);
    await expect(read(SHOP, { name: "Shop", __organization: ORGANIZATION })).rejects.toThrow(
      `Project ${SHOP} belongs to organization ${ORGANIZATION}`,
    );
    await expect(create({ name: "Shop" })).rejects.toThrow(
      `No project was created: the API key belongs to organization ${OTHER_ORGANIZATION}, but this stack has objects of organization ${ORGANIZATION}.`,
    );
    expect(writes()).toEqual([]);
  });
});

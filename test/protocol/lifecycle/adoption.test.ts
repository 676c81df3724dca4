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

  test("does not keep an object when option, resource and protection are removed in one run", async () => {
    await worked(stack.up([adopted]));
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

  test("is rejected in the run that adds the option", async () => {
    const { adopt: _adopt, ...ordinaryApplication } = application;
    await worked(stack.up([ordinaryApplication]));
    const [created] = stack.resources;
    const change = { ...moved, adopt: created?.id ?? "" };
    expect(errorOf(await stack.preview([change]))).toBe(MESSAGE.replace(WEB, change.adopt));
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
});

describe("an ordinary resource next to adopted ones", () => {});

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

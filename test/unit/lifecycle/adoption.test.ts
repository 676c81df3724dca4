/** What the option `import` guarantees: no command deletes or replaces an adopted object unexpectedly. */
import { resourceOperations } from "../../../provider/lifecycle/operations";
import { projectDescription } from "../../../provider/resources/project";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { inProcessRun } from "../../support/providers/inProcess";
import {
  type Declaration,
  type DeclaredStack,
  errorOf,
  type Outcome,
  urnOf,
} from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const MARKET = "0d0d0d0d-0000-4000-8000-000000000004";
const WEB = "0e0e0e0e-0000-4000-8000-000000000005";

let service: Emulator;
let stack: DeclaredStack;

beforeEach(async () => {
  service = await startEmulator({
    seed: seedWith([
      { id: SHOP, name: "Shop", applications: [{ id: WEB, appType: "WEB" }] },
      { id: MARKET, name: "Market" },
    ]),
  });
  service.clock.advance(5_000);
  stack = emulatedStack(service, KEY);
});
afterEach(async () => {
  expect(service.violations).toEqual([]);
  await stack.close();
  await service.close();
});

const adopted = unprotected({
  kind: "Project",
  name: "market",
  properties: { name: "Market" },
  adopt: MARKET,
});
/** The same object as an ordinary resource, as after an import with an import file. */
const { adopt: _, ...ordinary } = adopted;
/** A declaration without Pulumi's own protection, so that only the provider protects its object. */
function unprotected(declaration: Declaration): Declaration {
  return { ...declaration, protect: false, retainOnDelete: false };
}

async function worked(command: Promise<Outcome>): Promise<Outcome> {
  const outcome = await command;
  expect(outcome.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(outcome.failed).toBe(false);
  return outcome;
}

/** Runs `up` with a last resource that fails, so that what is replaced stays in the state, pending deletion. */
async function upThatFails(declaration: Declaration, replace: string[] = []): Promise<void> {
  const failing: Declaration = {
    kind: "Application",
    name: "failing",
    properties: { projectId: { idOf: declaration.name }, appType: "WEB" },
  };
  service.inject({ operation: "createApplication", effect: { status: 400 } });
  expect(errorOf(await stack.up([declaration, failing], { replace }))).toContain("400 Bad Request");
  expect(stack.resources).toHaveLength(2);
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
    const web = unprotected({
      kind: "Application",
      name: "new",
      properties: { projectId: SHOP, appType: "WEB" },
    });
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
});

describe("a replacement of an adopted object", () => {
  test.each([false, true])("forced with deleteBeforeReplace %s keeps it", async (deleteBeforeReplace) => {
    const declaration = { ...adopted, deleteBeforeReplace };
    await worked(stack.up([declaration]));
    const outcome = await worked(stack.up([declaration], { replace: [urnOf(adopted)] }));
    expect(messages(outcome)).toEqual([ADOPTS, KEPT]);
    expect(live()).toEqual([[urnOf(adopted), MARKET]]);
    expect((await worked(stack.up([declaration]))).changes).toEqual({ same: 2 });
    expect(writes()).toEqual([]);
  });

  test("forced in a run that fails keeps it, even if the next run removes the option and fails too", async () => {
    await worked(stack.up([adopted]));
    await upThatFails(adopted, [urnOf(adopted)]);
    await upThatFails(ordinary);
    await worked(stack.up([ordinary]));
    expect(projects()).toEqual([SHOP, MARKET]);
    expect(stack.resources).toHaveLength(1);
    await worked(stack.up([]));
    expect(projects()).toEqual([SHOP]);
  });

  test("with its project keeps it, although dependents are deleted first", async () => {
    const shop = unprotected({
      kind: "Project",
      name: "shop",
      properties: { name: "Shop" },
      adopt: SHOP,
      deleteBeforeReplace: true,
    });
    const web = unprotected({
      kind: "Application",
      name: "web",
      properties: { projectId: { idOf: "shop" }, appType: "WEB" },
      adopt: WEB,
    });
    await worked(stack.up([shop, web]));
    await worked(stack.up([shop, web], { replace: [urnOf(shop)] }));
    expect(service.state.applications.map(({ id }) => id)).toEqual([WEB]);
    expect(projects()).toEqual([SHOP, MARKET]);
    expect(writes()).toEqual([]);
  });
});

describe("an object that another resource adopts", () => {
  const renamed: Declaration = { ...adopted, name: "bazaar" };

  test("is kept when its old resource had adopted it", async () => {
    await worked(stack.up([adopted]));
    expect(messages(await worked(stack.up([renamed])))).toEqual([ADOPTS, KEPT]);
    expect(live()).toEqual([[urnOf(renamed), MARKET]]);
    expect(writes()).toEqual([]);
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

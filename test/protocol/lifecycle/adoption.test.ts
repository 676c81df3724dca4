/** What the option `import` guarantees where Pulumi's own protection is off: paths that no scenario goes. */
import { getProject } from "../../../provider/resources/lookups";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { inProcessRun } from "../../support/providers/inProcess";
import {
  type Declaration,
  type DeclaredStack,
  type Outcome,
  urnOf,
} from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { writesIn } from "../../support/stacks/scenarios";
import { KEY, seedWith } from "../../support/values/organizations";

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

const UNPROTECTED = { protect: false, retainOnDelete: false };

function project(name: string, adopt: string): Declaration {
  return { kind: "Project", name: "adopted", properties: { name }, adopt, ...UNPROTECTED };
}

function application(projectId: Declaration["properties"][string], adopt?: string): Declaration {
  return {
    kind: "Application",
    name: "web",
    properties: { projectId, appType: "WEB" },
    ...(adopt !== undefined && { adopt }),
    ...UNPROTECTED,
  };
}

async function worked(command: Promise<Outcome>): Promise<Outcome> {
  const outcome = await command;
  expect(outcome.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(outcome.failed).toBe(false);
  return outcome;
}

test("a deleted object is replaced by one with another UUID", async () => {
  await worked(stack.up([project("Market", MARKET)]));
  service.deleteProject(MARKET);
  const other = project("Shop", SHOP);
  expect((await worked(stack.preview([other]))).changes).toMatchObject({ replace: 1 });
  await worked(stack.up([other]));
  const live = stack.resources.filter((one) => !one.delete);
  expect(live.map(({ urn, id }) => [urn, id])).toEqual([[urnOf(other), SHOP]]);
  expect((await worked(stack.up([other]))).changes).toEqual({ same: 2 });
});

test("an object is kept when its project is replaced and dependents are deleted first", async () => {
  const shop = { ...project("Shop", SHOP), deleteBeforeReplace: true };
  const web = application({ idOf: shop.name }, WEB);
  await worked(stack.up([shop, web]));
  await worked(stack.up([shop, web], { replace: [urnOf(shop)] }));
  expect(service.state.applications.map(({ id }) => id)).toEqual([WEB]);
  expect(service.state.projects.map(({ id }) => id)).toEqual([SHOP, MARKET]);
  expect(writesIn(service)).toEqual([]);
});

test("a function does not report an object that cannot be read as one that does not exist", async () => {
  service.inject({ operation: "getProject", effect: { status: 500 }, count: Number.POSITIVE_INFINITY });
  const { session } = inProcessRun(service, KEY).run;
  await expect(getProject(session, { id: MARKET })).rejects.toThrow(`Reading project ${MARKET} failed: 500`);
  await session.client.close();
});

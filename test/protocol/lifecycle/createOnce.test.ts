/** Creates whose outcome other operations must respect. The clock does not wait. */
import { resourceOperations } from "../../../provider/lifecycle/operations";
import { projectDescription } from "../../../provider/resources/project";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { inProcessRun } from "../../support/providers/inProcess";
import { type Declaration, type DeclaredStack, errorOf } from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { KEY, seedWith } from "../../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const project: Declaration = { kind: "Project", name: "shop", properties: { name: "Shop" } };

let service: Emulator;
let stack: DeclaredStack;

beforeEach(async () => {
  service = await startEmulator({ seed: seedWith([{ id: PROJECT, name: "Seeded" }]) });
  // The seed is older than anything that is created from now on, even in whole seconds.
  service.clock.advance(5_000);
  stack = emulatedStack(service, KEY);
});
afterEach(async () => {
  jest.useRealTimers();
  expect(service.violations).toEqual([]);
  await service.close();
});

function made(): string[] {
  return service.state.projects.map(({ id }) => id).filter((id) => id !== PROJECT);
}

test("a 409 to a create that was sent again after a 429 means that the first request created the object", async () => {
  // The service should not respond with 429 after it created the object; the 409 shows that it did.
  service.inject({ operation: "createProject", effect: { status: 429, retryAfter: 0, afterEffect: true } });
  expect((await stack.up([project])).failed).toBe(false);
  expect(stack.resources.map(({ id }) => id)).toEqual(made());
});

test("an object that changes between comparison and adoption is not adopted", async () => {
  let readings = 0;
  service.inject({
    match: ({ operationId }) => {
      if (operationId === "getProject" && ++readings === 2)
        service.updateProject(PROJECT, { name: "Renamed" });
      return false;
    },
    effect: { delayMs: 0 },
  });
  const adopting: Declaration = { ...project, properties: { name: "Seeded" }, adopt: PROJECT };
  expect(errorOf(await stack.up([adopting]))).toContain(PROJECT);
  expect(readings).toBe(2);
  expect(stack.resources).toEqual([]);
});

/** Time passes only when the clock of the service is advanced. Timers run as always. */
function stopClocks(): void {
  jest.useFakeTimers({
    doNotFake: [
      "clearImmediate",
      "clearInterval",
      "clearTimeout",
      "hrtime",
      "nextTick",
      "queueMicrotask",
      "setImmediate",
      "setInterval",
      "setTimeout",
    ],
  });
}

test("if the engine shows later that a resource has the result of a lost create, that is an error, and nothing is deleted", async () => {
  stopClocks();
  service.setBehaviour({ uniqueProjectNames: false, dateHeader: { secondsBehind: 60 } });
  await stack.up([project]);
  const [id = ""] = made();
  const { run } = inProcessRun(service, KEY);
  const { create, diff, delete: remove } = resourceOperations(projectDescription);
  // Otherwise the list shows that it was there before, or its time that the Date header is behind.
  service.inject({ operation: "listProjects", effect: { status: 403 } });
  service.clock.advance(60_000);
  service.inject({ operation: "createProject", effect: { reset: "before" } });
  const one = { ...run, urn: "urn:one" };
  const other = { ...run, urn: "urn:other" };
  const created = await create(one, { inputs: { name: "Shop" } });
  expect(created.uuid).toBe(id);
  const subject = { uuid: id, state: created.state };
  await expect(diff(other, { ...subject, inputs: { name: "Shop" } })).rejects.toThrow(
    `pulumi state delete "urn:one"`,
  );
  service.clearRequests();
  await remove(other, subject);
  expect(service.requests).toEqual([]);
  expect(made()).toEqual([id]);
  await run.session.client.close();
});

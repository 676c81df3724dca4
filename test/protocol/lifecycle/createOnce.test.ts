/** Creates and adoptions whose outcome other operations must respect. */
import { objectKey } from "../../../provider/lifecycle/ledger/facts";
import { resourceOperations } from "../../../provider/lifecycle/operations";
import { projectDescription } from "../../../provider/resources/project";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { inProcessRun } from "../../support/providers/inProcess";
import type { Declaration, DeclaredStack } from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { KEY, ORGANIZATION, seedWith, writesIn } from "../../support/stacks/scenarios";

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

test("if the engine shows later that a resource has the result of a lost create, that is an error, and nothing is deleted", async () => {
  const { run } = inProcessRun(service, KEY);
  const { diff, delete: remove } = resourceOperations(projectDescription);
  run.memory.ledger.record({ is: "recovered", object: objectKey("project", PROJECT), by: "urn:one" });
  const other = { ...run, urn: "urn:other" };
  const subject = { uuid: PROJECT, state: { name: "Seeded", __organization: ORGANIZATION } };
  await expect(diff(other, { ...subject, inputs: { name: "Seeded" } })).rejects.toThrow(
    `pulumi state delete "urn:one"`,
  );
  await remove(other, subject);
  expect(writesIn(service)).toEqual([]);
  await run.session.client.close();
});

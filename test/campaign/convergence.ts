/**
 * What a user does when the disruption is over: deletes what no stack manages, and follows the messages. Then the stack must
 * converge.
 */
import type { Outcome } from "../support/stacks/declaredStack";
import { runCommand } from "./command";
import { deleteManually } from "./console";
import { BrokenRule, messagesOf, type Request } from "./oracle";
import { agrees, createsObject, type Scene, UUIDS } from "./scene";

/** The time limit of a request after the faults have stopped. */
const CALM_TIMEOUT_MS = 10_000;
/** How many times the user follows the instructions of errors before everything must succeed. */
const MAX_INSTRUCTIONS = 12;
/** An error about an adopted object, which the user then gives up. */
const REFUSED = /remove (the option )?import|differ, so it was not adopted/;
/** An error about a project with contents. */
const CONTAINS = /was not deleted because it still contains/;
/** The UUID of the object that has the name of another one, in an error. The program no longer declares it there. */
const CONFLICT = /(?:`import` to "|is used by [a-z ]+)([0-9a-f-]{36})/;

export async function converge(scene: Scene): Promise<void> {
  const { stack } = scene;
  becomeCalm(scene);
  deleteUnmanaged(scene);
  await succeeds(scene, { do: "refresh" });
  for (let instruction = 0; ; instruction++) {
    const outcome = await runCommand(scene, { do: "up", program: scene.program() });
    // A native import shows that an object has no value. One that the console has added since, and that the program then
    // declares as null, stays until the refresh that the message advises.
    const hasDrift = outcome.diagnostics.some(({ message }) => /changed outside Pulumi/.test(message));
    if (!outcome.failed && !hasDrift) break;
    const followed = instruction < MAX_INSTRUCTIONS && (hasDrift || followInstructions(scene, outcome));
    if (!followed) throw new BrokenRule("convergence", `up failed: ${messagesOf(outcome)}`);
    await succeeds(scene, { do: "refresh" });
  }
  // An update may have left an object that it says is kept.
  deleteUnmanaged(scene, scene.kept);
  checkEqual(scene);
  const preview = { do: "preview", program: scene.program() } as const;
  expectUnchanged("preview", await succeeds(scene, preview));
  await succeeds(scene, { do: "refresh" });
  checkEqual(scene);
  expectUnchanged("up", await succeeds(scene, { ...preview, do: "up" }));
  await succeeds(scene, { do: "destroy" });
  if (scene.things().length > 0 || stack.resources.length > 0)
    throw new BrokenRule("orphan", `after destroy there is ${JSON.stringify(scene.things())}`);
}

/** Ends everything that goes wrong, in the service and with the key, and deletions that are under way. */
function becomeCalm(scene: Scene): void {
  const { service } = scene;
  scene.timeoutMs = CALM_TIMEOUT_MS;
  service.clearFaults();
  service.setBehaviour({ readLag: "atOnce", listLag: "atOnce" });
  scene.replaceKey();
  for (const { id, properties } of scene.things())
    if (properties.lifecycleStatus === "DELETING") service.advanceDomain(id);
}

async function succeeds(scene: Scene, request: Request): Promise<Outcome> {
  const outcome = await runCommand(scene, request);
  if (outcome.failed) throw new BrokenRule("convergence", `${request.do} failed: ${messagesOf(outcome)}`);
  return outcome;
}

function expectUnchanged(command: string, { changes }: Outcome): void {
  const { same: _, ...others } = changes;
  if (Object.keys(others).length > 0)
    throw new BrokenRule("convergence", `a second ${command} would ${JSON.stringify(others)}`);
}

/** Deletes the links, and the objects that are not in the state, which the program no longer adopts. */
function deleteUnmanaged(scene: Scene, ids: Iterable<string> = scene.things().map(({ id }) => id)): void {
  for (const { id } of scene.service.state.links) scene.service.deleteLink(id);
  scene.adoptions.clear();
  const managed = new Set(scene.stack.resources.map(({ id }) => id));
  // It may be gone with its project, or before.
  for (const id of ids) if (!managed.has(id)) deleteManually(scene, scene.thing(id));
}

/** Deletes the objects that errors name. Returns whether there were any. */
function followInstructions(scene: Scene, { diagnostics }: Outcome): boolean {
  const ids = diagnostics.flatMap(({ message }) => {
    // What the state no longer has, such as an application whose import was refused, holds its project.
    if (CONTAINS.test(message)) return message.match(UUIDS)?.filter((id) => scene.kept.has(id)) ?? [];
    return (REFUSED.test(message) ? message.match(UUIDS)?.[0] : CONFLICT.exec(message)?.[1]) ?? [];
  });
  for (const id of ids) deleteManually(scene, scene.thing(id));
  return ids.length > 0;
}

function checkEqual(scene: Scene): void {
  const things = scene.things();
  const { resources } = scene.stack;
  const expected = scene.declarations.filter(({ kind }) => createsObject(kind));
  for (const declaration of scene.declarations) {
    const { kind, name } = declaration;
    const resource = resources.find(({ urn }) => urn === scene.urn(declaration));
    const thing = things.find(({ id }) => id === resource?.id);
    if (resource === undefined || thing === undefined)
      throw new BrokenRule("convergence", `${name} is missing in ${resource ? "the service" : "the state"}`);
    const properties = scene.resolved(declaration);
    if (!createsObject(kind)) continue;
    if (!agrees(properties, thing.properties)) {
      throw new BrokenRule(
        "convergence",
        `${name} is ${JSON.stringify(thing.properties)}, not ${JSON.stringify(properties)}`,
      );
    }
    if (!agrees(properties, resource.outputs ?? {}))
      throw new BrokenRule("convergence", `the state of ${name} is ${JSON.stringify(resource.outputs)}`);
  }
  if (resources.length !== scene.declarations.length)
    throw new BrokenRule("convergence", `the state has ${resources.map(({ urn }) => urn)}`);
  if (things.length !== expected.length)
    throw new BrokenRule("duplicate", `${things.length} objects for ${expected.length} resources`);
}

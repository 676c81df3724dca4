/** What a user does when the disruption is over: follows the messages. Then the stack must converge. */
import { DESCRIPTIONS } from "../../provider/resources";
import { parseReference, parseUrn } from "../../testing/engine/protocol/urn";
import type { ResourceState } from "../../testing/engine/state/snapshot";
import type { Declaration, Declared, Outcome } from "../support/stacks/declaredStack";
import { runCommand } from "./command";
import { deleteManually } from "./console";
import { messagesOf, type Request } from "./oracle";
import { agrees, createsObject, kindOf, NO_OPTIONS, type Scene, UUIDS } from "./scene";
import { BrokenRule } from "./tally";

/** The time limit of a request after the faults have stopped. */
const CALM_TIMEOUT_MS = 10_000;
/** How many times the user follows the instructions of errors before everything must succeed. */
const MAX_INSTRUCTIONS = 12;
/** The instruction of an object that was not deleted because it has contents. */
const CONTENTS = /delete (them|the links) first/i;

export async function converge(scene: Scene): Promise<void> {
  const { stack } = scene;
  becomeCalm(scene);
  finishDeletions(scene);
  followMessages(scene);
  await succeeds(scene, { do: "refresh" });
  for (let instruction = 0; ; instruction++) {
    dropUselessOptions(scene);
    const outcome = await runCommand(scene, { do: "up", program: scene.program() });
    // A native import shows that an object has no value. One that the console has added since, and that the program then
    // declares as null, stays until the refresh that the message advises.
    const hasDrift = outcome.diagnostics.some(({ message }) => /changed outside Pulumi/.test(message));
    if (!outcome.failed && !hasDrift) break;
    const followed =
      instruction < MAX_INSTRUCTIONS && (hasDrift || (await followInstruction(scene, outcome)));
    if (!followed) throw new BrokenRule("convergence", `up failed: ${messagesOf(outcome)}`);
    await succeeds(scene, { do: "refresh" });
  }
  deleteUnmanaged(scene);
  checkEqual(scene);
  const preview = { do: "preview", program: scene.program() } as const;
  expectUnchanged("preview", await succeeds(scene, preview));
  await succeeds(scene, { do: "refresh" });
  checkEqual(scene);
  expectUnchanged("up", await succeeds(scene, { ...preview, do: "up" }));
  // A project or a domain with links is not deleted.
  for (const { id } of scene.service.state.links) scene.service.deleteLink(id);
  await succeeds(scene, { do: "destroy" });
  if (scene.things().length > 0 || stack.resources.length > 0)
    throw new BrokenRule("orphan", `after destroy there is ${JSON.stringify(scene.things())}`);
}

/** Ends everything that goes wrong: in the service, with the key, and in the program. */
function becomeCalm(scene: Scene): void {
  const { service, placements } = scene;
  scene.timeoutMs = CALM_TIMEOUT_MS;
  service.clearFaults();
  service.setBehaviour({ readLag: "atOnce", listLag: "atOnce" });
  scene.replaceKey();
  for (const [name, placement] of placements) placements.set(name, { ...placement, options: NO_OPTIONS });
}

function finishDeletions(scene: Scene): void {
  for (const { id, properties } of scene.things())
    if (properties.lifecycleStatus === "DELETING") scene.service.advanceDomain(id);
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

/**
 * Adopts or deletes each object that the user knows of and the stack does not have. What may be the result of a lost
 * create, and fits a resource of the program, is left to the provider to report.
 */
function followMessages(scene: Scene): void {
  const { adoptions } = scene;
  const managed = new Set(scene.stack.resources.map(({ id }) => id));
  for (const [name, id] of adoptions)
    if (managed.has(id) || scene.thing(id) === undefined) adoptions.delete(name);
  for (const thing of scene.things()) {
    if (managed.has(thing.id) || scene.thing(thing.id) === undefined) continue;
    const fits = (declaration: Declaration) =>
      declaration.kind === thing.kind &&
      scene.liveId(declaration) === undefined &&
      agrees(scene.resolved(declaration), thing.properties);
    // A resource that already adopts the object has precedence.
    const owner =
      scene.declarations.find((one) => adoptions.get(one.name) === thing.id && fits(one)) ??
      scene.declarations.find((one) => !adoptions.has(one.name) && fits(one));
    const isKnown = scene.foreign.has(thing.id) || scene.reported.has(thing.id);
    const isLeaving = thing.properties.lifecycleStatus === "DELETING";
    if (owner !== undefined && !isKnown && !isLeaving) continue;
    // Only one resource can adopt an object.
    for (const [name, id] of adoptions) if (id === thing.id) adoptions.delete(name);
    if (owner === undefined || isLeaving) deleteManually(scene, thing);
    else adoptions.set(owner.name, thing.id);
  }
}

/**
 * Deletes objects that are not in the state and that the user knows of: retained ones, those that were reported, and
 * results of interrupted creates, for which docs/errors.md says to look. The provider reports those only before it
 * creates another one, which is checked then.
 */
function deleteUnmanaged(scene: Scene): void {
  const { foreign, reported, uncertain } = scene;
  const managed = new Set(scene.stack.resources.map(({ id }) => id));
  for (const thing of scene.things())
    if (!managed.has(thing.id) && [foreign, reported, uncertain].some((known) => known.has(thing.id)))
      // It may be gone with its project.
      deleteManually(scene, scene.thing(thing.id));
}

/** Removes `import` options whose object no longer exists or differs from the program. */
function dropUselessOptions(scene: Scene): void {
  for (const [name, id] of scene.adoptions) {
    const declaration = scene.declarations.find((one) => one.name === name);
    const thing = scene.thing(id);
    const live = declaration && scene.liveId(declaration);
    const properties = declaration && scene.resolved(declaration);
    const differs = thing && properties !== undefined && !agrees(properties, thing.properties);
    const elsewhere = live !== undefined && live !== id;
    if (declaration === undefined || thing === undefined || differs || elsewhere)
      scene.adoptions.delete(name);
  }
}

/** Follows the instructions of errors. Returns whether there were any. */
async function followInstruction(scene: Scene, { diagnostics }: Outcome): Promise<boolean> {
  let followed = false;
  for (const { message, urn } of diagnostics) {
    const adopted = uuidIf(/remove (the option )?import/, message);
    if (adopted !== undefined) {
      followed = true;
      await removeOption(scene, adopted);
      continue;
    }
    const refused = uuidIf(/differ, so it was not adopted/, message);
    if (refused !== undefined) {
      followed = true;
      deleteManually(scene, scene.thing(refused));
      continue;
    }
    // Another resource of the run may have been renamed since, so that the next run succeeds.
    if (/finds no .* in this organization that uses/.test(message)) followed = true;
    if (CONTENTS.test(message)) followed = deleteContents(scene, message);
    const uuid = /(?:`import` to "|is used by [a-z ]+)([0-9a-f-]{36})/.exec(message)?.[1];
    const declaration = scene.declarations.find((one) => scene.urn(one) === urn);
    if (uuid === undefined || declaration === undefined) continue;
    followed = true;
    if (message.includes("Remove the option to keep")) {
      scene.adoptions.delete(declaration.name);
      if (message.includes(`delete ${uuid} in the service`)) deleteTaking(scene, declaration, uuid);
    } else resolveConflict(scene, declaration, uuid);
  }
  return followed;
}

/** The first UUID in a message, if the message matches. */
function uuidIf(pattern: RegExp, message: string): string | undefined {
  return pattern.test(message) ? message.match(UUIDS)?.[0] : undefined;
}

/** Deletes what, according to a message, prevents the deletion of an object, unless the program declares it. */
function deleteContents(scene: Scene, message: string): boolean {
  const wanted = new Set(scene.declarations.map((declaration) => scene.liveId(declaration)));
  const named: readonly string[] = message.match(UUIDS) ?? [];
  for (const thing of scene.things())
    if (thing.kind !== "Project" && named.includes(thing.id) && !wanted.has(thing.id))
      deleteManually(scene, thing);
  for (const { id } of scene.service.state.links) if (named.includes(id)) scene.service.deleteLink(id);
  finishDeletions(scene);
  // Objects that the same run deleted may have disappeared since.
  const ids = [...scene.things(), ...scene.service.state.links].map(({ id }) => id);
  return named.some((id) => !ids.includes(id));
}

/** Resolves a conflict with an object that has the same unique value, in one of the ways that the error offers. */
function resolveConflict(scene: Scene, declaration: Declaration, uuid: string): void {
  const thing = scene.thing(uuid);
  const holder = scene.stack.resources.find(({ id }) => id === uuid);
  const wanted = holder !== undefined && scene.declarations.some((one) => scene.urn(one) === holder.urn);
  const live = scene.liveId(declaration) !== undefined;
  // Objects that the stack is still to delete after an interrupted update are deleted in the service, and so are
  // retained ones.
  const fits = thing !== undefined && agrees(scene.resolved(declaration), thing.properties);
  const waits = holder?.delete || holder?.pendingReplacement || (live && !wanted);
  if (waits || (holder === undefined && !fits)) deleteManually(scene, thing);
  else if (holder === undefined || (fits && uuid < "8")) scene.adoptions.set(declaration.name, uuid);
  else addAlias(scene, declaration, holder.urn);
}

/** Deletes an object whose unique value a replacement needs, unless the state has the object. */
function deleteTaking(scene: Scene, { kind, properties }: Declaration, uuid: string): void {
  const thing = scene.thing(uuid);
  const unique = DESCRIPTIONS[kind].uniqueBy;
  const taking = unique !== undefined && thing?.properties[unique] === properties[unique];
  if (taking && !scene.stack.resources.some(({ id }) => id === uuid)) deleteManually(scene, thing);
}

function addAlias(scene: Scene, { name }: Declaration, urn: string): void {
  const placement = scene.placement(name);
  const { name: oldName, qualifiedType } = parseUrn(urn);
  const before = { name: oldName, ...(qualifiedType.includes("$") && { component: "group" }) };
  scene.placements.set(name, { ...placement, before: [...placement.before, before] });
}

/** Removes the option `import` of a resource with a program that otherwise equals the state. */
async function removeOption(scene: Scene, uuid: string): Promise<void> {
  const live = scene.liveEntries();
  const adopting = live.filter((one) => scene.adopts(one));
  const declared = live.filter(({ urn }) => scene.declarations.some((one) => scene.urn(one) === urn));
  const isSame = (one: ResourceState, other: ResourceState) =>
    one.id === other.id && kindOf(one.urn) === kindOf(other.urn);
  const program = live
    // The state still has the other entry of an object that was adopted or imported again. The program does not.
    .filter((one) => [...adopting, ...declared, ...live].find((other) => isSame(one, other)) === one)
    .map((one): Declaration => {
      const { name, qualifiedType } = parseUrn(one.urn);
      const { __import: adopt, __provider: _text, ...properties } = one.inputs as Record<string, Declared>;
      const provider = one.provider && parseUrn(parseReference(one.provider).urn).name;
      return {
        kind: kindOf(one.urn),
        name,
        properties,
        ...(qualifiedType.includes("$") && { component: "group" }),
        ...(provider && !provider.startsWith("default") && { provider }),
        ...(adopt !== undefined && adopt !== uuid && { adopt: String(adopt) }),
        protect: false,
        retainOnDelete: one.retainOnDelete ?? false,
      };
    });
  await runCommand(scene, { do: "up", program });
  for (const [name, id] of scene.adoptions) if (id === uuid) scene.adoptions.delete(name);
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

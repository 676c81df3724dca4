/** The invariants of the campaign, which are checked after every command. */
import { isDeepStrictEqual } from "node:util";
import { DESCRIPTIONS } from "../../provider/resources";
import { isRecord, valueAt } from "../../provider/values/walk";
import type { RequestRecord } from "../../testing/emulator";
import type { UpdateOptions } from "../../testing/engine";
import type { ResourceState } from "../../testing/engine/state/snapshot";
import { type Declaration, isIdOf, type Kind, type Outcome } from "../support/stacks/declaredStack";
import { placesWith } from "../support/values/placesWith";
import { CANARY, type Incident, OTHER_KEY, REDIRECT_TARGET } from "./disruptions";
import { canonicalText, createsObject, kindOf, type Scene, type Thing, UUIDS } from "./scene";

type Rule = "duplicate" | "orphan" | "leak" | "loss" | "write" | "convergence" | "emulator";

/** A broken invariant. The message begins with its kind. */
export class BrokenRule extends Error {
  constructor(rule: Rule, detail: string) {
    super(`${rule}: ${detail}`);
  }
}

/** What an error says if a create may have had an effect. */
const POSSIBLE_CREATE = /It is unknown whether the .* was created|It may have been created nevertheless/;

/** What a message says of an object that a provider keeps although its entry is deleted. */
const KEPT = /([0-9a-f-]{36})\)? is kept/g;

/** What a message says if a list could not be read before a create. */
const UNCHECKED = /It could not be checked whether an interrupted run left/;

/** What a command is asked to do. */
export type Request =
  | {
      readonly do: "up" | "preview";
      readonly program: readonly Declaration[];
      readonly options?: UpdateOptions | undefined;
    }
  | { readonly do: "refresh" | "destroy" };

/** State and service at one time. */
export function snapshotOf(scene: Scene) {
  return {
    entries: structuredClone(scene.stack.resources),
    things: scene.things(),
    others: scene.things(false),
    links: scene.service.state.links,
    /** The URNs of entries whose deletion was under way when the engine died. */
    deleting: scene.stack.pending("deleting"),
  };
}

type Snapshot = ReturnType<typeof snapshotOf>;

export interface Finished {
  readonly request: Request;
  /** The program of an update. Empty for the other commands. */
  readonly program: readonly Declaration[];
  readonly outcome: Outcome;
  readonly before: Snapshot;
  readonly after: Snapshot;
  /** The objects that were changed in the console meanwhile, after the last change, by their ids. */
  readonly changedInConsole: ReadonlyMap<string, Thing>;
  /** The requests that the service turned away, so that they may be repeated. */
  readonly turnedAway: ReadonlySet<RequestRecord>;
  /** The requests whose response denied objects that exist. */
  readonly lagging: ReadonlySet<RequestRecord>;
  /** What has happened to the processes. */
  readonly incidents: ReadonlySet<Incident>;
  /** Whether no fault has disturbed the command. */
  readonly isServed: boolean;
}

/** Checks all invariants, and records what the user knows now. @throws BrokenRule */
export function checkInvariants(scene: Scene, finished: Finished): void {
  const possibleCreates = readMessages(scene, finished);
  checkOthers(finished);
  checkState(scene, finished);
  checkAdoptions(finished);
  checkSurvivors(scene, finished);
  checkLinks(finished);
  checkDoubles(scene, finished);
  checkObjects(scene, finished, possibleCreates);
  checkCancelled(finished);
  checkCreates(scene, finished);
  checkChanges(scene, finished);
  checkDeletions(scene, finished);
  checkApplied(scene, finished);
  checkUndeclared(scene, finished);
  checkSecrets(scene, finished);
  const { violations } = scene.service;
  if (violations.length > 0) throw new BrokenRule("emulator", JSON.stringify(violations));
}

/** Records what the messages report to the user. Returns the kinds of creates that may have had an effect. */
function readMessages(scene: Scene, finished: Finished): Kind[] {
  const { stack, reported } = scene;
  const { diagnostics } = finished.outcome;
  const kinds = stack.pending("creating").map(kindOf);
  stack.clearPending();
  for (const { message, urn, severity } of diagnostics) {
    for (const uuid of message.match(UUIDS) ?? []) reported.add(uuid);
    for (const uuid of keptIn(message)) scene.kept.add(uuid);
    const died = reportsDeath(finished, severity);
    if (urn !== undefined && (died || POSSIBLE_CREATE.test(message))) kinds.push(kindOf(urn));
  }
  return kinds;
}

/** The objects that a message says are kept. */
function keptIn(message: string): string[] {
  return [...message.matchAll(KEPT)].map(([, uuid = ""]) => uuid);
}

/** Whether a message is about the resource whose provider has died. The engine keeps no pending operation of it. */
function reportsDeath({ incidents }: Finished, severity: string): boolean {
  return incidents.has("providers") && severity === "error";
}

/** No command touches objects of another organization, whatever key it has. */
function checkOthers({ before, after }: Finished): void {
  if (!isDeepStrictEqual(before.others, after.others))
    throw new BrokenRule("write", `another organization has ${JSON.stringify(after.others)}`);
}

/** Only deleted or kept objects leave the state, and only an adopted object can be in the state twice. */
function checkState(scene: Scene, { request, outcome, before, after }: Finished): void {
  const ids = new Set(after.entries.map(({ id }) => id));
  const existing = new Set(after.things.map(({ id }) => id));
  for (const { id = "", urn, pendingReplacement } of before.entries) {
    // A resource that creates no object has the id of another one.
    if (ids.has(id) || !existing.has(id) || !createsObject(kindOf(urn))) continue;
    // The provider says that it keeps an object whose import was refused, or an adopted one whose project is replaced in
    // the run that removes it. If that run fails, the engine removes the entry, whose deletion has succeeded, in the next.
    const kept =
      outcome.diagnostics.some(({ message }) => keptIn(message).includes(id)) ||
      (pendingReplacement && scene.kept.has(id));
    if (!kept) throw new BrokenRule("loss", `${id} left the state and still exists`);
    scene.foreign.add(id);
  }
  const updated = request.do === "up" && !outcome.failed;
  const live = after.entries.filter((one) => !one.delete && createsObject(kindOf(one.urn)));
  for (const { id = "", urn } of live) {
    const others = live.filter((one) => one.id === id && one.urn !== urn);
    if (others.length === 0) continue;
    // Two entries can have the same object only until an update succeeds, if one of them adopted it.
    if (updated || ![...others, { urn, id }].some((one) => scene.adopts(one)))
      throw new BrokenRule("duplicate", `${id} is ${urn} and ${others.map((one) => one.urn)}`);
  }
}

/** An object that existed before comes into the state only by the option `import`. */
function checkAdoptions({ program, outcome, before, after }: Finished): void {
  const known = new Set(before.entries.map(({ id }) => id));
  const existed = new Set(before.things.map(({ id }) => id));
  for (const { id = "", urn } of after.entries.filter((one) => createsObject(kindOf(one.urn)))) {
    const adopted = program.some(({ adopt }) => adopt === id);
    if (existed.has(id) && !known.has(id) && !adopted)
      throw new BrokenRule("write", `${urn} has ${id}, which existed before: ${messagesOf(outcome)}`);
  }
}

/**
 * Objects disappear only if the provider deletes them. Objects that the program adopts, or that a resource in the state
 * still has, never disappear.
 */
function checkSurvivors(scene: Scene, finished: Finished): void {
  const { request, program, outcome, before, after } = finished;
  const failed = outcome.diagnostics.filter(({ severity }) => reportsDeath(finished, severity));
  const deleting = new Set([...after.deleting, ...failed.map(({ urn }) => urn)]);
  const ids = new Set(after.things.map(({ id }) => id));
  const gone = before.things.filter(
    ({ id, properties }) => !ids.has(id) && properties.lifecycleStatus !== "DELETING",
  );
  const deletions = writes(scene, "DELETE");
  const replaced = request.do === "up" ? (request.options?.replace ?? []) : [];
  const declared = new Set<unknown>();
  const held = new Set<unknown>();
  for (const declaration of program) {
    const urns = urnsOf(scene, declaration);
    const live = before.entries.filter((one) => !one.delete);
    // The engine uses the first URN that the state has. It deletes an entry with another one of them.
    const entry = urns.map((urn) => live.find((one) => one.urn === urn)).find((one) => one !== undefined);
    declared.add(urns[0]).add(entry?.urn);
    held.add(declaration.adopt);
    if (!replaced.some((urn) => urn === urns[0])) held.add(entry?.inputs?.__import);
  }
  for (const { id } of gone) {
    if (!deletions.some(({ path }) => path.endsWith(id)))
      throw new BrokenRule("loss", `${id} is gone, though nothing asked for its deletion`);
    if (held.has(id)) throw new BrokenRule("loss", `${id} is gone, which the program holds by import`);
    // If two entries had the object and the program declares one of them, the deletion of the other one must keep it. That
    // of the declared one, for a replacement, deletes it.
    const having = (states: readonly ResourceState[]) =>
      states.filter((one) => one.id === id && createsObject(kindOf(one.urn)));
    const kept = having(after.entries).find(
      ({ urn, delete: gone, pendingReplacement }) =>
        declared.has(urn) && !gone && !pendingReplacement && !deleting.has(urn),
    );
    if (kept !== undefined && having(before.entries).length > 1)
      throw new BrokenRule("loss", `${id} is gone, which ${kept.urn} still has`);
  }
}

/** Links are not managed, so nothing deletes them. */
function checkLinks({ before, after }: Finished): void {
  for (const { id, customDomainId } of before.links)
    if (!after.links.some((link) => link.id === id))
      throw new BrokenRule("loss", `link ${id} is gone, of ${customDomainId ?? "the default domain"}`);
}

/**
 * A command that creates a second object next to an equal one reports the first one, unless the stack has it or no list
 * shows it. If the command dies first, the next one reports both.
 */
function checkDoubles(scene: Scene, finished: Finished): void {
  const { program, outcome, before, after } = finished;
  const died = finished.incidents.has("providers") || finished.incidents.has("machine");
  const isUnseen = finished.lagging.size > 0 || scene.service.behaviour.listLag !== "atOnce";
  const isUnchecked = outcome.diagnostics.some(({ message }) => UNCHECKED.test(message));
  if (died || isUnseen || isUnchecked) return;
  const existed = new Set(before.things.map(({ id }) => id));
  const managed = new Set([...before.entries, ...after.entries].map(({ id }) => id));
  for (const created of after.things.filter(({ id }) => !existed.has(id))) {
    const equal = after.things.filter(
      (thing) =>
        existed.has(thing.id) &&
        !managed.has(thing.id) &&
        // A run that fails before the adoption leaves it to the next one.
        !program.some(({ adopt }) => adopt === thing.id) &&
        isEqual(thing, created) &&
        isDeclared(thing, program),
    );
    for (const { id, kind } of equal.filter((one) => !scene.reported.has(one.id)))
      throw new BrokenRule("duplicate", `${kind} ${created.id} equals ${id}, which no message has reported`);
  }
}

/**
 * Whether the user may have declared both objects with the same resource: they have the same unique value in the same
 * parent, because the program may have changed the others since, else the same declarable values.
 */
function isEqual(left: Thing, right: Thing): boolean {
  const valuesOf = ({ kind, properties }: Thing) => {
    const { uniqueBy, parentId = "", inputs } = DESCRIPTIONS[kind];
    const names = uniqueBy === undefined ? Object.keys(inputs.shape) : [uniqueBy, parentId];
    return JSON.stringify([kind, ...names.map((name) => properties[name] ?? null)]);
  };
  return valuesOf(left) === valuesOf(right);
}

/** Whether the program declares the unique value of an object as the service has it. Only then can the provider find it. */
function isDeclared({ kind, properties }: Thing, program: readonly Declaration[]): boolean {
  const { uniqueBy } = DESCRIPTIONS[kind];
  if (uniqueBy === undefined) return true;
  return program.some((one) => one.kind === kind && one.properties[uniqueBy] === properties[uniqueBy]);
}

/** Every object is in the state, was created outside Pulumi, was reported, or may be the result of a reported create. */
function checkObjects(scene: Scene, { after }: Finished, possibleCreates: readonly Kind[]): void {
  const excuses = [...possibleCreates];
  const { foreign, reported, uncertain } = scene;
  const managed = new Set(after.entries.map(({ id }) => id));
  for (const { id, kind } of after.things) {
    if (managed.has(id) || foreign.has(id) || reported.has(id) || uncertain.has(id)) continue;
    const excuse = excuses.indexOf(kind);
    if (excuse < 0) throw new BrokenRule("orphan", `no message says that ${kind} ${id} exists`);
    excuses.splice(excuse, 1);
    uncertain.add(id);
  }
}

/** The result of each create that was sent before Ctrl-C is saved. */
function checkCancelled({ incidents, isServed, outcome, before, after }: Finished): void {
  const isOnlyCancelled = isServed && incidents.size === 1 && incidents.has("cancel");
  // On a busy machine, requests time out without a fault.
  if (!isOnlyCancelled || /no response within/.test(messagesOf(outcome))) return;
  const known = new Set([...before.things, ...after.entries].map(({ id }) => id));
  const unsaved = after.things.find(({ id }) => !known.has(id));
  if (unsaved !== undefined)
    throw new BrokenRule("orphan", `${unsaved.kind} ${unsaved.id} was not saved: ${messagesOf(outcome)}`);
}

/** Each create is sent once for each resource that declares it, and again only after a response that it had no effect. */
function checkCreates(scene: Scene, { program, turnedAway, outcome }: Finished): void {
  const groups = Map.groupBy(writes(scene, "POST"), ({ path, body }) => `${path} ${JSON.stringify(body)}`);
  for (const [what, requests] of groups) {
    const declared = program.filter(({ properties }) => sameBody(properties, requests[0]?.body)).length;
    // Without a fault, the service itself does not find the project, which may be new.
    const isRefused = ({ status, fault }: RequestRecord) =>
      status === 429 || (status === 404 && fault === null);
    const again = requests.filter((one) => turnedAway.has(one) || isRefused(one)).length;
    if (requests.length > declared + again)
      throw new BrokenRule("write", `${requests.length} times ${what}: ${messagesOf(outcome)}`);
  }
}

/** Only resources of the program are changed, and an adoption changes nothing. */
function checkChanges(scene: Scene, { program, before, after, outcome }: Finished): void {
  const changeable = new Set(
    program.flatMap((declaration) => {
      const urns = urnsOf(scene, declaration);
      const idsIn = ({ entries }: Snapshot) =>
        entries.filter(({ urn }) => urns.includes(urn)).map(({ id }) => id);
      const earlier = idsIn(before);
      const own = new Set([...earlier, ...idsIn(after)]);
      // The run that adopts an object does not change it.
      if (!earlier.includes(declaration.adopt)) own.delete(declaration.adopt);
      return [...own];
    }),
  );
  const other = writes(scene, "PATCH").find((one) => !changeable.has(idIn(one)));
  if (other !== undefined)
    throw new BrokenRule("write", `nothing declares ${JSON.stringify(other)}: ${messagesOf(outcome)}`);
}

/** Only objects of the stack are deleted, and only by an update or `destroy`. */
function checkDeletions(scene: Scene, { request, before }: Finished): void {
  const deletable = new Set(
    request.do === "up" || request.do === "destroy"
      ? before.entries.filter(({ urn }) => createsObject(kindOf(urn))).map(({ id }) => id)
      : [],
  );
  const other = writes(scene, "DELETE").find((one) => !deletable.has(idIn(one)));
  if (other !== undefined) throw new BrokenRule("write", `nothing removes ${other.path}`);
}

/**
 * After an update that succeeds, the service has the declared values, except those that were changed outside Pulumi. If it
 * has changed such an object, a message says so.
 */
function checkApplied(scene: Scene, { request, outcome, before, after, changedInConsole }: Finished): void {
  if (request.do !== "up" || outcome.failed) return;
  const updated = new Set(writes(scene, "PATCH").map(idIn));
  for (const declaration of request.program.filter(({ kind }) => createsObject(kind))) {
    const urn = scene.stack.urnOf(declaration);
    const { id } = after.entries.find((one) => one.urn === urn && !one.delete) ?? {};
    const now = after.things.find((one) => one.id === id);
    if (id === undefined || now === undefined) continue;
    const was = before.things.find((one) => one.id === id);
    const entries = before.entries.filter((one) => one.id === id);
    // Two entries can have one object; they do not declare the same values.
    const saved = (entries.find((one) => one.urn === urn) ?? entries[0])?.inputs ?? {};
    const isReported = outcome.diagnostics.some(
      ({ message }) => message.includes(id) && message.includes("changed outside Pulumi"),
    );
    for (const path of declaredPaths(declaration.properties)) {
      const [wanted, is] = [declaration, now].map(({ properties }) => valueAt(properties, path));
      if (canonicalText(is) === canonicalText(wanted)) continue;
      const wasChanged =
        changedInConsole.has(id) ||
        (was !== undefined && !isDeepStrictEqual(valueAt(was.properties, path), valueAt(saved, path)));
      if (wasChanged && (isReported || !updated.has(id))) continue;
      // An adoption compares with what a read returns, which may lag behind an earlier change: see SECURITY.md.
      if (declaration.adopt === id && !updated.has(id) && scene.service.behaviour.readLag !== "atOnce")
        continue;
      throw new BrokenRule(
        "write",
        `${path.join(".")} of ${declaration.kind} ${id} is ${JSON.stringify(is)} after an update, not ${JSON.stringify(wanted)}`,
      );
    }
  }
}

/** The paths of declared values that are not references. */
function declaredPaths(properties: Declaration["properties"]): string[][] {
  return Object.entries(properties).flatMap(([name, value]) => {
    if (isIdOf(value)) return [];
    return isRecord(value) ? Object.keys(value).map((part) => [name, part]) : [[name]];
  });
}

/** Values that the program does not declare, and did not declare, stay as they are. */
function checkUndeclared(scene: Scene, { program, before, after, changedInConsole }: Finished): void {
  const { readLag, patchInfo } = scene.service.behaviour;
  for (const thing of before.things) {
    const now = after.things.find(({ id }) => id === thing.id);
    if (now === undefined) continue;
    // Another platform has other values.
    if (now.properties.appType !== thing.properties.appType) continue;
    const entries = [...before.entries, ...after.entries].filter(({ id }) => id === thing.id);
    const urns = new Set(entries.map(({ urn }) => urn));
    const declared = [
      ...entries.map(({ inputs = {} }) => inputs),
      ...program
        .filter((one) => urnsOf(scene, one).some((urn) => urns.has(urn)))
        .map(({ properties }) => properties),
    ];
    const edited = changedInConsole.get(thing.id);
    // An update of an application sends what it has read: docs/properties.md says which changes that can overwrite.
    const isOutdated = thing.kind === "Application" && (edited !== undefined || readLag !== "atOnce");
    for (const path of OPTIONAL_VALUES[thing.kind] ?? []) {
      if (declared.some((properties) => valueAt(properties, path.split(".")) !== undefined)) continue;
      const [was, is] = [edited ?? thing, now].map(({ properties }) =>
        JSON.stringify(valueAt(properties, path.split(".")) ?? null),
      );
      if (was === is || (isOutdated && (is !== "null" || patchInfo === "replace"))) continue;
      throw new BrokenRule("write", `${path} of ${thing.kind} ${thing.id} was ${was} and is ${is}`);
    }
  }
}

/** Values that a program can leave to others, by kind. */
const OPTIONAL_VALUES: Readonly<Partial<Record<string, readonly string[]>>> = {
  Project: ["name", "defaultHookupMsg"],
  Application: ["appleInfo.appScheme", "appleInfo.appStoreId", "androidInfo.sha256Fingerprints"],
};

function checkSecrets({ stack, service }: Scene, { outcome: { diagnostics } }: Finished): void {
  const places = {
    messages: JSON.stringify(diagnostics),
    state: stack.stateText(),
    requests: JSON.stringify(service.requests),
  };
  for (const key of [CANARY, OTHER_KEY]) {
    const found = placesWith(key, places);
    if (found.length > 0) throw new BrokenRule("leak", `a key is in ${found.join(" and ")}`);
  }
  if (service.requests.some(({ path }) => REDIRECT_TARGET.endsWith(path)))
    throw new BrokenRule("leak", "a redirect was followed");
}

export function messagesOf({ diagnostics }: Outcome): string {
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message, urn = "" }) => `${urn}: ${message}`)
    .join("\n");
}

/** The URNs of a declared resource: its own, and its former ones. */
function urnsOf(scene: Scene, declaration: Declaration): string[] {
  return [declaration, ...(declaration.aliases ?? [])].map((one) => scene.stack.urnOf(one));
}

function writes({ service }: Scene, wanted: "POST" | "PATCH" | "DELETE"): RequestRecord[] {
  return service.requests.filter(({ method }) => method === wanted);
}

/** The last UUID in a path: that of the object. */
function idIn({ path }: RequestRecord): string | undefined {
  return path.match(UUIDS)?.at(-1);
}

/** Whether the body of a request contains the values of a declaration. */
function sameBody(properties: Declaration["properties"], body: unknown): boolean {
  const values = Object.values(properties).filter((value) => !isIdOf(value));
  const sent = canonicalText(body);
  return values.every((value) =>
    typeof value === "object"
      ? // Null is not in the request of a create.
        Object.values(value ?? {}).every((part) => sent.includes(canonicalText(part)))
      : sent.includes(canonicalText(value)),
  );
}

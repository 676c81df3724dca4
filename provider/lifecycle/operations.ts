/**
 * The operations of all resources: check, diff, create, read, update and delete. A description defines how to read and
 * write one kind of object; everything that is the same for all kinds is here. The module does not depend on a host,
 * which handles gRPC and the format of its calls.
 */

import { randomUUID } from "node:crypto";
import type { Scope } from "../client";
import { ConflictError, NotFoundError } from "../client/errors";
import { NotReadyError, UserError } from "../errors";
import { requireScopes, type Session } from "../session/session";
import { canonicalValues } from "../shapes/canonical";
import { checkValue } from "../shapes/check";
import { type ObjectShape, object, type Shape } from "../shapes/shape";
import { checkUuid, isUuid } from "../shapes/uuid";
import { stepsOf, valueAt } from "../shapes/walk";
import { capitalized, withArticle } from "../shapes/words";
import {
  adoptExisting,
  alreadyManages,
  checkAdoption,
  readExisting,
  refusalOf,
  reportUnprotected,
  requireAdoptable,
  wouldReplaceAdopted,
} from "./adoption";
import { explainConflict } from "./create/conflict";
import { type Created, createOnce, creatorKey } from "./create/createOnce";
import type { Change, Found, OperationContext, Replacement, ResourceDescription } from "./description";
import { contradictionOf, projectNotFoundError } from "./evidence/absence";
import { ifVisible } from "./evidence/visible";
import { explain, explained } from "./explain";
import {
  ADOPTED_PROPERTY,
  IMPORT_PROPERTY,
  ORGANIZATION_PROPERTY,
  UPDATED_AT_PROPERTY,
} from "./hiddenProperties";
import { isCreatedInRun, isOwn, isTaken, mayDelete } from "./ledger/decisions";
import { digest, type Fact, objectKey } from "./ledger/facts";
import { refused } from "./ledger/ledger";
import { confirmDeleted, requireKnownOrganization } from "./ownership";
import {
  changedPaths,
  declaredPart,
  declaredValues,
  differences,
  newlyNull,
  type Properties,
  partAt,
  sortedJson,
  withoutNulls,
} from "./properties";
import { contextFor, type ResourceRun, type RunContext } from "./run/runContext";
import { adoptionIn, declaredIn, importableInputs, importIn, stateOf } from "./state";
import { showsChanges, versionAfter } from "./version";

export interface ManagedObject {
  readonly uuid: string;
  readonly state: Properties;
}

/** An object that is read. */
interface Read extends ManagedObject {
  /** What to do if there is no such object, as a sentence. */
  readonly advice?: string | undefined;
}

interface Declared {
  readonly inputs: Properties;
  /** The UUID of the option `import`. */
  readonly adopt?: unknown;
}

/** What the program declares, with what `check` compares it with. */
interface Checked extends Declared {
  /** The previous inputs; empty for a new resource. */
  readonly before?: Properties;
  /** The UUID of the option `import` at the last `up`. */
  readonly adoptBefore?: unknown;
  readonly isNew: boolean;
  /** Identifies the resource in this run. Default: its URN. */
  readonly resource?: string | undefined;
  /** Whether messages may show the values of a property. Default: none, because values may be secret. */
  mayShow?(name: string): boolean;
}

/** What the program declares for an object that Pulumi itself has imported. */
interface Compared extends ManagedObject {
  readonly inputs: Properties;
  mayShow(name: string): boolean;
}

/** An entry that is removed from the state. */
interface Removed extends ManagedObject {
  /** Why the host keeps the object, if it does, as a clause. */
  readonly keptBecause?: string | undefined;
}

/** The result of reading an object. */
export interface Reading extends ManagedObject {
  /** The declared inputs, with their current values. */
  readonly inputs: Properties;
  /** The UUID of the option `import`, from the state. */
  readonly adopt?: unknown;
  /** Whether the object can be used. If not, the next update resumes the resource. */
  readonly ready: boolean;
  /** The stage of its lifecycle, if the object has one. */
  readonly lifecycle?: string;
}

export type ResourceOperations = ReturnType<typeof resourceOperations>;

export function resourceOperations<Inputs extends object, Outputs extends object>(
  typed: ResourceDescription<Inputs, Outputs>,
) {
  // Hosts pass untyped values. `check` has validated those that the functions of a description receive.
  const description = typed as unknown as ResourceDescription;

  function ofKind<Request, Result>(operation: (run: ResourceRun, request: Request) => Promise<Result>) {
    return (run: RunContext, request: Request) => operation({ ...run, description }, request);
  }

  /** Records that an entry of the state has an object. States of import files can have its UUID in upper case. */
  function onObject<Request extends ManagedObject, Result>(
    operation: (run: ResourceRun, request: Request) => Promise<Result>,
  ) {
    return (run: RunContext, request: Request) => {
      run.memory.ledger.record({ is: "seen", object: objectKey(description.title, request.uuid) });
      return operation({ ...run, description }, { ...request, uuid: request.uuid.toLowerCase() });
    };
  }

  return {
    description,
    check: ofKind(check),
    diff: onObject(diff),
    create: ofKind(create),
    read: onObject(read),
    imported: (organizationId: string, found: Found) => imported(description, organizationId, found),
    compare: ofKind(compare),
    update: onObject(update),
    delete: onObject(remove),
  };
}

/**
 * Validates the inputs and returns them in canonical form, with all violations. Looks up the key, reads the object
 * that a new resource will adopt, and checks replacements; writes nothing.
 */
async function check(
  run: ResourceRun,
  request: Checked,
): Promise<{ inputs: Properties; failures: string[]; adopt?: string }> {
  const { callers, ledger } = run.memory;
  const { resource = run.urn, adopt, isNew, mayShow = () => false } = request;
  const checked = { ...request, resource, mayShow };
  // Even if the check fails: nothing of this run deletes what the program declares with `import`.
  const by = resource ?? (isNew ? `unidentified ${randomUUID()}` : undefined);
  for (const fact of importFacts(run.description, { ...checked, by })) ledger.record(fact);
  const { inputs, failures, isValid } = await validated(run, checked);
  if (!isValid) return { inputs, failures };
  const uuid = adopt === undefined ? undefined : String(adopt).toLowerCase();
  if (isNew) {
    callers.checkedNew(resource);
    if (uuid === undefined) callers.creates(creatorKey(run.description.title, inputs), resource);
    for (const fact of replacedFacts(run, resource)) ledger.record(fact);
  } else {
    callers.checked(keyOf(run, { inputs, adopt: uuid }), resource);
  }
  if (uuid === undefined) {
    if (isNew) await requireProject(run, inputs);
    if (!isNew && isUuid(request.adoptBefore)) reportUnprotected(run, request.adoptBefore);
    return { inputs, failures: [] };
  }
  const refusals = by === undefined ? [] : requireAdoptable(run, uuid, { by, isNew });
  if (!isNew || refusals.length > 0) return { inputs, failures: refusals, adopt: uuid };
  return {
    inputs,
    failures: await checkAdoption(run, { inputs, uuid, mayShow }),
    adopt: uuid,
  };
}

/** The objects that a resource declares with `import`, or did at the last `up`. */
function importFacts(
  { title }: ResourceDescription,
  { adopt, adoptBefore, by }: Checked & { readonly by: string | undefined },
): readonly Fact[] {
  const facts: Fact[] = [];
  if (isUuid(adoptBefore)) facts.push({ is: "adoptedBefore", object: objectKey(title, adoptBefore), by });
  // Nothing can tell a resource that is not identified from another one.
  if (isUuid(adopt))
    facts.push({ is: by === undefined ? "adoptedBefore" : "adopting", object: objectKey(title, adopt), by });
  return facts;
}

/** The objects of a resource that is checked as new: the engine replaces them, so the resource no longer keeps them. */
function replacedFacts({ memory }: ResourceRun, by: string | undefined): readonly Fact[] {
  if (by === undefined) return [];
  const declared = memory.ledger
    .facts()
    .by(by)
    .filter(({ is }) => is === "declared");
  return declared.map(({ object }) => ({ is: "replacing", object, by }));
}

/** The inputs in canonical form, or what is wrong with them. Also checks a replacement. */
async function validated(
  run: ResourceRun,
  { inputs, before = {}, adopt, mayShow }: Checked & { mayShow(name: string): boolean },
): Promise<{ readonly inputs: Properties; readonly failures: string[]; readonly isValid: boolean }> {
  const { description } = run;
  const declared = withoutNulls(inputs);
  const failures = [
    ...failuresOf(run, declared),
    ...(adopt === undefined ? [] : checkUuid(adopt, run.isUnknown).map((reason) => `import: ${reason}`)),
  ];
  if (failures.length > 0) return { inputs, failures, isValid: false };
  const { title } = description;
  await explained(() =>
    requireScopes(run.session, scopesFor(description, run.session, declared), withArticle(title)),
  );
  const news = canonicalValues(description.inputs, withEnforcedNulls(description, inputs));
  for (const name of description.shownInMessages ?? [])
    if (mayShow(name)) run.memory.shown.add(String(news[name]));
  const compared = {
    before: canonicalValues(description.inputs, before),
    inputs: news,
    isUnknown: run.isUnknown,
  };
  if (replacingInputs(description, compared).length > 0) {
    const context = await contextFor(run);
    const project = projectKey(description, news);
    const isInNewProject = isCreatedInRun(run.memory.ledger.facts(), project);
    await explained(
      async () => await description.checkReplacement?.(context, { ...compared, isInNewProject }),
    );
    // The engine checks the replacement again, as a new resource.
    if (description.checkReplacement) run.memory.projects.set(project, Promise.resolve());
  }
  return { inputs: news, failures, isValid: true };
}

/**
 * Requires that the project of a new object exists, which usually another resource of the program shows. Otherwise it is
 * read, once in this process. If that fails or the key lacks the scope, the create reports what is wrong.
 *
 * @throws UserError if the organization has no such project.
 */
async function requireProject(run: ResourceRun, inputs: Properties): Promise<void> {
  const { description } = run;
  const { parentId } = description;
  const { ledger, projects } = run.memory;
  if (parentId === undefined || run.isUnknown(inputs[parentId])) return;
  const key = projectKey(description, inputs);
  if (isTaken(ledger.facts(), key)) return;
  const projectId = String(inputs[parentId]);
  const context = await contextFor(run);
  const { client, organizationId, signal } = context;
  const read =
    projects.get(key) ??
    ifVisible(context, "projects:read", () =>
      client.getProject({ organizationId, projectId }, { signal }),
    ).catch(async (error: unknown) => {
      if (error instanceof NotFoundError) throw await projectNotFoundError(context, projectId, error);
    });
  projects.set(key, read);
  await explained(() => read);
}

function projectKey({ parentId = "" }: ResourceDescription, inputs: Properties): string {
  return objectKey("project", String(inputs[parentId]));
}

/** The violations in declared values, each with its path. */
function failuresOf(
  { description, isUnknown, nameOf = (name) => name }: ResourceRun,
  declared: Properties,
): string[] {
  const shape = shapeOf(description, declared);
  return checkValue(shape, declared, { isUnknown, nameOf }).map(({ path, reason }) => {
    if (path in description.inputs && !(path in shape.fields))
      return `${nameOf(path)} is not allowed with ${selectorOf(shape, nameOf)}`;
    return path === "" ? reason : `${path} ${reason}`;
  });
}

/**
 * The declared values, with null where it is enforced: where the service can have no value, unless the service may add
 * one itself.
 */
function withEnforcedNulls(description: ResourceDescription, inputs: Properties): Properties {
  const shape = shapeOf(description, inputs);
  return declaredValues(inputs, (path) => {
    const field = stepsOf(path).reduce<Shape | undefined>((at, name) => at?.fields?.[name], shape);
    return field?.nullable === true && !description.computed?.includes(path);
  });
}

/** The shapes of kinds that have one for all inputs. A validator is compiled for each shape. */
const SHAPES = new WeakMap<ResourceDescription, ObjectShape>();

function shapeOf(description: ResourceDescription, inputs: Properties): ObjectShape {
  if (description.shapeFor) return description.shapeFor(inputs);
  const shape = SHAPES.get(description) ?? object(description.inputs);
  SHAPES.set(description, shape);
  return shape;
}

/** The scopes that a program needs to declare a resource: in read-only mode, those to read it. */
export function scopesFor(
  { scopes }: ResourceDescription,
  { readOnly }: Pick<Session, "readOnly">,
  inputs: Properties,
): readonly Scope[] {
  if (readOnly) return scopes.read;
  return [...scopes.read, ...(typeof scopes.write === "function" ? scopes.write(inputs) : scopes.write)];
}

/**
 * Decides which changes replace the resource, and finds those that Pulumi does not see. Sends only the lookup of the key,
 * and one read if the program imports another object.
 */
async function diff(
  run: ResourceRun,
  { uuid, state, inputs, adopt }: ManagedObject & Declared,
): Promise<{ replaces: string[]; deleteBeforeReplace: boolean; newlyNull: string[] }> {
  const { description } = run;
  const { title } = description;
  const { callers, ledger } = run.memory;
  const object = objectKey(title, uuid);
  const key = keyOf(run, { inputs, adopt });
  callers.compared(key, object);
  const by = callers.ownerOf(key, object) ?? run.urn;
  for (const fact of adoptionFacts(description, { uuid, state, by })) ledger.record(fact);
  requireOwn(run, object);
  const context = await contextFor(run, { uuid, state });
  const before = canonicalValues(description.inputs, state);
  const replaces = replacingInputs(description, { before, inputs, isUnknown: run.isUnknown });
  const certain = replaces.filter((name) => !run.isUnknown(inputs[name]));
  if (certain.length > 0 && [adopt, importIn(state)].includes(uuid))
    throw wouldReplaceAdopted(description, uuid, certain);
  if (certain.length > 0) ledger.record({ is: "replacing", object, by });
  // A replacement may adopt an existing object, such as the result of an interrupted replacement. Without a
  // replacement, that is possible only if the object of the state no longer exists.
  if (replaces.length === 0 && adopt !== undefined && adopt !== uuid) {
    if (await isDeleted(run, context, { uuid, state }))
      return { replaces: [IMPORT_PROPERTY], deleteBeforeReplace: false, newlyNull: [] };
    throw alreadyManages(description, uuid, adopt);
  }
  // With a change, the engine may still replace the resource, because of `replaceOnChanges`. Otherwise it updates it.
  const declaredBefore = declaredIn(description, before);
  const isUnchanged = changedPaths(declaredBefore, inputs).length === 0;
  if (replaces.length === 0 && isUnchanged) recordDeclared(run, key, object);
  const deleteFirst = replaces.length > 0 && description.deleteBeforeReplace?.(inputs, before);
  return {
    replaces,
    deleteBeforeReplace: deleteFirst || false,
    newlyNull: newlyNull(declaredBefore, inputs),
  };
}

/**
 * The inputs that have changed, or may have changed, and cannot change in place: none of a new resource. A value that is
 * missing or invalid in the state, which was edited then, is no evidence of a change: a replacement deletes the object.
 */
function replacingInputs(
  { inputs: shapes, replaceOnChanges }: ResourceDescription,
  { before, inputs, isUnknown }: Omit<Replacement, "isInNewProject">,
): string[] {
  return Object.entries(shapes)
    .filter(([name]) => replaceOnChanges.includes(name) && inputs[name] !== before[name])
    .filter(([name, shape]) => checkValue(shape, before[name], { isUnknown }).length === 0)
    .map(([name]) => name);
}

/** What the state says of the adoption of an object. */
function adoptionFacts(
  { title, replaceOnChanges }: ResourceDescription,
  { uuid, state, by }: ManagedObject & { readonly by: string | undefined },
): readonly Fact[] {
  const object = objectKey(title, uuid);
  const facts: Fact[] = [];
  if (importIn(state) === uuid) facts.push({ is: "adoptedBefore", object, by });
  if (state[ADOPTED_PROPERTY] === uuid)
    facts.push({ is: "adopted", object, by, fixed: fixedIn(replaceOnChanges, state) });
  return facts;
}

/** What cannot change in place. */
export function fixedIn(names: readonly string[], properties: Properties): string {
  return digest(names.map((name) => properties[name]));
}

/** Records that a resource of the program keeps its object, so that no other entry of the state deletes it. */
function recordDeclared(
  { description: { creates }, memory: { callers, ledger }, urn }: ResourceRun,
  key: string,
  object: string,
): void {
  if (creates !== "object" || !callers.isDeclared(key)) return;
  ledger.record({ is: "declared", object, by: callers.ownerOf(key, object) ?? urn });
}

/**
 * Requires that no create of this run has the object of a resource as its result: both would have the same object.
 *
 * @throws UserError with both resources.
 */
function requireOwn({ memory, urn }: ResourceRun, object: string): void {
  const answer = isOwn(memory.ledger.facts(), { object, by: urn });
  if (answer.is !== "no") return;
  const { is, by = "" } = answer.because;
  const other = by.startsWith("urn:") ? by : undefined;
  const how =
    is === "created"
      ? "because the service's response to its create was about this object"
      : "because the response to its create was lost and this object was found instead";
  throw new UserError(
    [
      `${capitalized(object)} of ${urn ?? "this resource"} was adopted by ${other ?? "another resource with the same properties"} in this run, ${how}. Both are in the state now.`,
      "Remove the other resource from the state, and run `pulumi up` again, which creates an object for it:",
      `  pulumi state delete "${other ?? "<URN>"}"`,
      "`pulumi stack --show-urns --show-ids` lists both.",
    ].join("\n"),
  );
}

/** What the calls for a resource of the program have in common: its URN, else what it declares. */
function keyOf({ description: { title }, urn }: ResourceRun, declared: Declared): string {
  return urn ?? `${title} ${sortedJson(declared)}`;
}

/** Whether the object of a state was certainly deleted. */
async function isDeleted(
  run: ResourceRun,
  context: OperationContext,
  { uuid, state }: ManagedObject,
): Promise<boolean> {
  try {
    await run.description.read(context, uuid, state);
    return false;
  } catch (error) {
    await requireDeleted(run, context, { uuid, state }, error);
    return true;
  }
}

/** Confirms that an error means that the object was deleted. @throws UserError if the object may still exist. */
async function requireDeleted(
  { description, session, memory }: ResourceRun,
  context: OperationContext,
  { uuid, state }: ManagedObject,
  error: unknown,
): Promise<void> {
  if (!(error instanceof NotFoundError)) throw explain(error);
  await explained(async () => {
    await confirmDeleted(session, state[ORGANIZATION_PROPERTY], `${description.title} ${uuid}`);
    const sought = { description, context, uuid, state };
    const contradiction = await contradictionOf(sought, error, memory.reads.evidenceFor(sought));
    if (contradiction !== undefined) throw contradiction;
  });
}

async function create(run: ResourceRun, { inputs, adopt }: Declared): Promise<ManagedObject> {
  const { description } = run;
  const context = await contextFor(run);
  if (typeof adopt === "string") return await adoptExisting(run, context, { inputs, uuid: adopt });
  const { organizationId } = context;
  requireKnownOrganization(run.memory.owners, organizationId, description.title);
  const created = await explained(() => writing(run, () => createOnce(run, context, withoutNulls(inputs))));
  const kept = { organizationId, declared: inputs };
  try {
    const found = created.isResumed
      ? await withDeclared(run, context, { inputs, created, kept })
      : created.found;
    const current = await whenReady(description, context, found, kept);
    const state = stateOf(description, kept, current);
    const mismatch = notApplied(description, { inputs, changed: Object.keys(inputs) }, current);
    // The object exists, so it is saved. The next update applies the values again.
    if (mismatch !== undefined) throw new NotReadyError(current.uuid, state, [mismatch]);
    created.end("returned");
    return { uuid: current.uuid, state };
  } catch (error) {
    created.end("created");
    throw error;
  }
}

/**
 * Brings an object that an earlier call has created to the declared values, as an update would.
 *
 * @throws NotReadyError if that fails: the engine does not have the object yet.
 */
async function withDeclared(
  run: ResourceRun,
  context: OperationContext,
  { inputs, created, kept }: { readonly inputs: Properties; readonly created: Created; readonly kept: Kept },
): Promise<Found> {
  const { description } = run;
  const { uuid } = created.found;
  let { found } = created;
  try {
    const state = stateOf(description, kept, found);
    found = await description.read(context, uuid, state);
    const changed = differences(inputs, found.properties).map(({ path }) => path);
    if (changed.length === 0) return found;
    return await writing(run, () =>
      updated(description, context, { uuid, state }, { inputs, changed, state }),
    );
  } catch (error) {
    throw new NotReadyError(uuid, stateOf(description, kept, found), [explain(error).message]);
  }
}

/** Compares an object that Pulumi itself has imported with the program. Returns its properties, and why it cannot be adopted. */
async function compare(
  run: ResourceRun,
  { uuid, state, inputs, mayShow }: Compared,
): Promise<{ readonly properties: Properties; readonly refusal?: string | undefined }> {
  const { description } = run;
  const context = await contextFor(run, { uuid, state });
  const { properties } = await readExisting({ description, context, uuid, state });
  return { properties, refusal: refusalOf(run, { inputs, uuid, properties, mayShow }) };
}

/** Runs a write. Lists that were requested before or during it may be outdated, so they are discarded. */
async function writing<Value>(
  { description, memory: { reads } }: ResourceRun,
  write: () => Promise<Value>,
): Promise<Value> {
  reads.forget(description);
  try {
    return await write();
  } finally {
    reads.forget(description);
  }
}

type Kept = Parameters<typeof stateOf>[1];

/** Waits until the object can be used. If that times out, or fails after a create, the object is saved as not ready. */
async function whenReady(
  description: ResourceDescription,
  context: OperationContext,
  found: Found,
  kept: Kept,
  before?: Properties,
): Promise<Found> {
  try {
    return (await description.waitUntilReady?.(context, found, before)) ?? found;
  } catch (error) {
    // An object that was just created must be saved after any error. A resource that only waits creates none.
    const created = before === undefined && description.creates !== "nothing";
    if (!(error instanceof NotReadyError) && !created) throw explain(error);
    const reasons = error instanceof NotReadyError ? error.reasons : [explain(error).message];
    const properties = error instanceof NotReadyError ? error.state : found.properties;
    throw new NotReadyError(found.uuid, stateOf(description, kept, { properties }), reasons);
  }
}

/** The error if the service did not apply what was sent: changed values, and values that are no longer declared. */
function notApplied(
  { title, computed }: ResourceDescription,
  { inputs, changed }: Pick<Change, "inputs" | "changed">,
  { uuid, properties }: Found,
): string | undefined {
  const differing = differences(partAt(inputs, changed), properties);
  const kept = changed
    .filter((path) => {
      const steps = stepsOf(path);
      return valueAt(inputs, steps) == null && valueAt(properties, steps) != null;
    })
    .filter((path) => !computed?.includes(path));
  const paths = new Set([...differing.map(({ path }) => path), ...kept]);
  if (paths.size === 0) return undefined;
  return `The service did not apply ${[...paths].join(", ")} of ${title} ${uuid}. Run \`pulumi refresh\` to see what it has.`;
}

/** Reports values that were changed outside Pulumi and that an update left unchanged. Returns their paths. */
function reportDrift(
  { description: { title }, report }: ResourceRun,
  inputs: Properties,
  { uuid, properties }: Found,
): string[] {
  const drift = differences(inputs, properties).map(({ path }) => path);
  if (drift.length === 0) return drift;
  const [were, them] = drift.length === 1 ? ["was", "it"] : ["were", "them"];
  report(
    `${drift.join(", ")} of ${title} ${uuid} ${were} changed outside Pulumi, and this update left ${them} unchanged. Run \`pulumi refresh\` to see the difference.`,
    { persistent: true },
  );
  return drift;
}

/** Reads the object for a refresh, or for a program's `get`. Undefined if it was deleted. */
async function read(run: ResourceRun, { uuid, state, advice }: Read): Promise<Reading | undefined> {
  const { description } = run;
  const { title, scopes } = description;
  const failures = checkUuid(uuid, run.isUnknown);
  if (failures.length > 0) throw new UserError(failures.join("\n"));
  const context = await contextFor(run, { uuid, state });
  const { organizationId } = context;
  await requireScopes(run.session, scopes.read, `reading ${withArticle(title)}`);
  // Without a state of this package it is unknown what the program declares, so all values of the object are returned.
  if (state[ORGANIZATION_PROPERTY] === undefined) {
    const found = await readExisting({ description, context, uuid, state, advice });
    return imported(description, organizationId, found);
  }
  try {
    const { updatedAt, ...rest } = await run.memory.reads.read({ description, context, uuid, state });
    // The engine compares all outputs of a resource that a program only reads. One more would be a change to it.
    const found = UPDATED_AT_PROPERTY in state ? { ...rest, updatedAt } : rest;
    const declared = declaredIn(description, state);
    const current = stateOf(description, { organizationId, declared, hidden: adoptionIn(state) }, found);
    return {
      uuid,
      state: current,
      inputs: declaredPart(declared, found.properties),
      adopt: importIn(state),
      ready: description.isReady?.(current) ?? true,
    };
  } catch (error) {
    await requireDeleted(run, context, { uuid, state }, error);
    return undefined;
  }
}

/** The state and inputs of an object that no program declares yet, as if all its values were declared. */
function imported(description: ResourceDescription, organizationId: string, found: Found): Reading {
  const { uuid, lifecycle } = found;
  const inputs = importableInputs(description, found.properties);
  const state = stateOf(description, { organizationId, declared: inputs }, found);
  return { uuid, state, inputs, ready: true, ...(lifecycle !== undefined && { lifecycle }) };
}

async function update(
  run: ResourceRun,
  { uuid, state, inputs, adopt }: ManagedObject & Declared,
): Promise<Properties> {
  const { description } = run;
  recordDeclared(run, keyOf(run, { inputs, adopt }), objectKey(description.title, uuid));
  const context = await contextFor(run, { uuid, state });
  const before = canonicalValues(description.inputs, declaredIn(description, state));
  const change: Change = { inputs, changed: changedPaths(before, inputs), state };
  const found = await explained(() =>
    writing(run, () => updated(description, context, { uuid, state }, change)),
  );
  const { changed } = change;
  const mismatch = notApplied(description, { inputs, changed: [...changed, ...(found.sent ?? [])] }, found);
  if (mismatch !== undefined) throw new UserError(mismatch);
  // A response to a write does not lag.
  const isCurrent = changed.length > 0 || showsChanges(found, state);
  const drift = isCurrent ? reportDrift(run, inputs, found) : undefined;
  // After the option is removed, the state of an adopted object contains "", so that a refresh can tell that it was
  // removed.
  const option = adopt ?? (ADOPTED_PROPERTY in state ? "" : undefined);
  const kept = {
    organizationId: context.organizationId,
    declared: inputs,
    hidden: { ...adoptionIn(state), ...versionAfter(found, state, drift), [IMPORT_PROPERTY]: option },
  };
  const current = await explained(() => whenReady(description, context, found, kept, state));
  // A value that was changed outside Pulumi is not saved before a refresh. If it were, the next update would consider
  // it changed by the program and overwrite it.
  return stateOf(description, kept, { properties: { ...current.properties, ...inputs } });
}

/**
 * Updates the object. If another object already has a unique value, the error contains its UUID. Without changes, the
 * object is only read, to resume a resource that was not ready.
 */
async function updated(
  description: ResourceDescription,
  context: OperationContext,
  { uuid, state }: ManagedObject,
  change: Change,
): Promise<Found> {
  const { uniqueBy } = description;
  if (description.update === undefined || change.changed.length === 0)
    return await description.read(context, uuid, { ...state, ...change.inputs });
  try {
    return await description.update(context, uuid, change);
  } catch (error) {
    if (!(error instanceof ConflictError) || uniqueBy === undefined || !change.changed.includes(uniqueBy))
      throw error;
    const advice = () =>
      `Rename or delete that one, or choose another ${uniqueBy}. If this stack must still delete it after an interrupted replacement, delete it in the service and run \`pulumi refresh\`.`;
    throw await explainConflict({ description, context, inputs: change.inputs }, error, { advice });
  }
}

/** Deletes the object. Succeeds if it was already deleted. */
async function remove(run: ResourceRun, { uuid, state, keptBecause }: Removed): Promise<void> {
  const { description } = run;
  const subject = `${description.title} ${uuid}`;
  const reason = keptBecause ?? reasonToKeep(run, uuid, state);
  const context = await contextFor(run, { uuid, state });
  if (reason !== undefined) {
    run.report(`${capitalized(subject)} is kept, because ${reason}.`, { persistent: true });
    return;
  }
  try {
    await writing(run, () => description.delete(context, uuid, state));
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw explain(error);
    if (await isDeleted(run, context, { uuid, state })) return;
    throw new UserError(
      `${error.message}\nHowever, reading ${subject} finds it, so it stays in the state. Run this again later.`,
      { cause: error },
    );
  }
}

/** Why the object of a removed entry stays, as a clause. @throws UserError if it is not known whether it may be deleted. */
function reasonToKeep(
  { description: { creates, title, replaceOnChanges }, memory, urn }: ResourceRun,
  uuid: string,
  state: Properties,
): string | undefined {
  if (creates !== "object") return undefined;
  const object = objectKey(title, uuid);
  const answer = mayDelete(memory.ledger.facts(), {
    object,
    by: urn,
    isCreated: state[ADOPTED_PROPERTY] !== uuid,
    fixed: fixedIn(replaceOnChanges, state),
  });
  if (answer.is === "unknown")
    throw refused(`${capitalized(title)} ${uuid} was not deleted.`, answer.because);
  if (answer.is === "yes") return undefined;
  if (answer.because.object !== object)
    return `the resource now imports ${answer.because.object.split(" ").at(-1)}. If you no longer need it, delete it in the service`;
  return "another entry of the state manages it, or the option import has adopted it. Only the removed entry is deleted from the state";
}

/** The values that selected a shape, such as `appType "WEB"`. */
function selectorOf({ fields }: ObjectShape, nameOf: (name: string) => string): string {
  return Object.entries(fields)
    .filter(([, { values }]) => values?.length === 1)
    .map(([name, { values }]) => `${nameOf(name)} ${JSON.stringify(values?.[0])}`)
    .join(", ");
}

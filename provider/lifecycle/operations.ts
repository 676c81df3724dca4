/**
 * The operations of all resources: check, diff, create, read, update and delete. A description defines how to read and
 * write one kind of object; everything that is the same for all kinds is here. The module does not depend on a host,
 * which handles gRPC and the format of its calls.
 */

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
  claimFailure,
  markHeld,
  noteAdoption,
  readExisting,
  refusalOf,
  reportUnprotected,
  wouldReplaceAdopted,
} from "./adoption";
import { createOnce, explainConflict, requireOwn } from "./create/createOnce";
import type { Change, Found, OperationContext, Replacement, ResourceDescription } from "./description";
import { contradictionOf, projectNotFoundError } from "./evidence/absence";
import { ifVisible } from "./evidence/visible";
import { explain, explained } from "./explain";
import { ADOPTED_PROPERTY, IMPORT_PROPERTY, ORGANIZATION_PROPERTY } from "./hiddenProperties";
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
import { orRefuse, unlessUnusable } from "./run/marks";
import { contextFor, type ResourceRun, type RunContext } from "./run/runContext";
import { objectKey } from "./run/runMemory";
import { adoptionIn, declaredIn, importableInputs, importIn, stateOf } from "./state";

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
      run.memory.known.add(objectKey(description.title, request.uuid));
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
  { inputs, before = {}, adopt, adoptBefore, isNew, resource = run.urn, mayShow = () => false }: Checked,
): Promise<{ inputs: Properties; failures: string[]; adopt?: string }> {
  const { description } = run;
  markHeld(run, adopt, adoptBefore);
  const declared = withoutNulls(inputs);
  const failures = [
    ...failuresOf(run, declared),
    ...(adopt === undefined ? [] : checkUuid(adopt, run.isUnknown).map((reason) => `import: ${reason}`)),
  ];
  if (failures.length > 0) return { inputs, failures };
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
    const isInNewProject =
      unlessUnusable(() => run.memory.created.has(projectKey(description, news))) ?? false;
    const replacement = { ...compared, isInNewProject };
    await explained(async () => await description.checkReplacement?.(context, replacement));
    // The engine checks the replacement again, as a new resource.
    if (description.checkReplacement)
      run.memory.projects.set(projectKey(description, news), Promise.resolve());
  }
  const uuid = adopt === undefined ? undefined : String(adopt).toLowerCase();
  if (isNew) run.memory.declared.removeReplaced(resource);
  else run.memory.declared.addDeclared(keyOf(run, { inputs: news, adopt: uuid }), resource);
  if (uuid === undefined) {
    if (isNew) await requireProject(run, news);
    if (!isNew && isUuid(adoptBefore)) reportUnprotected(run, adoptBefore);
    return { inputs: news, failures };
  }
  failures.push(...claimFailure(run, uuid, { resource, isNew }));
  if (isNew && failures.length === 0)
    failures.push(...(await checkAdoption(run, { inputs: news, uuid, mayShow })));
  return { inputs: news, failures, adopt: uuid };
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
  const { known, created, held, projects } = run.memory;
  if (parentId === undefined || run.isUnknown(inputs[parentId])) return;
  const key = projectKey(description, inputs);
  if (known.has(key) || unlessUnusable(() => created.has(key) || held.has(key))) return;
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
  noteAdoption(run, uuid, state);
  requireOwn(run, uuid);
  const key = keyOf(run, { inputs, adopt });
  run.memory.declared.addCompared(key, objectKey(title, uuid));
  const context = await contextFor(run, { uuid, state });
  const before = canonicalValues(description.inputs, state);
  const replaces = replacingInputs(description, { before, inputs, isUnknown: run.isUnknown });
  const certain = replaces.filter((name) => !run.isUnknown(inputs[name]));
  if (certain.length > 0 && [adopt, importIn(state)].includes(uuid))
    throw wouldReplaceAdopted(description, uuid, certain);
  if (certain.length > 0) run.memory.replaced.add(objectKey(title, uuid));
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
  if (replaces.length === 0 && isUnchanged) noteKept(run, key, uuid);
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

/** Records that a resource of the program keeps its object, so that no other entry of the state deletes it. */
function noteKept({ description: { creates, title }, memory }: ResourceRun, key: string, uuid: string): void {
  if (creates === "object") memory.declared.addKept(key, objectKey(title, uuid));
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
  const found = await explained(() => writing(run, () => createOnce(run, context, withoutNulls(inputs))));
  const kept = { organizationId, declared: inputs };
  const current = await whenReady(description, context, found, kept);
  const state = stateOf(description, kept, current);
  const mismatch = notApplied(description, { inputs, changed: Object.keys(inputs) }, current);
  // The object exists, so it is saved. The next update applies the values again.
  if (mismatch !== undefined) throw new NotReadyError(current.uuid, state, [mismatch]);
  return { uuid: current.uuid, state };
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

/** Waits until the object can be used. If that times out, or fails after a create, the object is saved as not ready. */
async function whenReady(
  description: ResourceDescription,
  context: OperationContext,
  found: Found,
  kept: Parameters<typeof stateOf>[1],
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
  { inputs, changed }: Change,
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

/** Reports values that were changed outside Pulumi and that an update left unchanged. */
function reportDrift(
  { description: { title }, report }: ResourceRun,
  inputs: Properties,
  { uuid, properties }: Found,
): void {
  const drift = differences(inputs, properties);
  if (drift.length === 0) return;
  const [were, them] = drift.length === 1 ? ["was", "it"] : ["were", "them"];
  const paths = drift.map(({ path }) => path).join(", ");
  report(
    `${paths} of ${title} ${uuid} ${were} changed outside Pulumi, and this update left ${them} unchanged. Run \`pulumi refresh\` to see the difference.`,
    { persistent: true },
  );
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
    const found = await run.memory.reads.read({ description, context, uuid, state });
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
  noteKept(run, keyOf(run, { inputs, adopt }), uuid);
  const context = await contextFor(run, { uuid, state });
  const before = canonicalValues(description.inputs, declaredIn(description, state));
  const change: Change = { inputs, changed: changedPaths(before, inputs) };
  const found = await explained(() =>
    writing(run, () => updated(description, context, { uuid, state }, change)),
  );
  const mismatch = notApplied(description, change, found);
  if (mismatch !== undefined) throw new UserError(mismatch);
  reportDrift(run, inputs, found);
  // After the option is removed, the state of an adopted object contains "", so that a refresh can tell that it was
  // removed.
  const option = adopt ?? (ADOPTED_PROPERTY in state ? "" : undefined);
  const kept = {
    organizationId: context.organizationId,
    declared: inputs,
    hidden: { ...adoptionIn(state), [IMPORT_PROPERTY]: option },
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
async function remove(
  run: ResourceRun,
  { uuid, state, keptBecause = reasonToKeep(run, uuid) }: Removed,
): Promise<void> {
  const { description } = run;
  const subject = `${description.title} ${uuid}`;
  const context = await contextFor(run, { uuid, state });
  if (keptBecause !== undefined) {
    run.report(`${capitalized(subject)} is kept, because ${keptBecause}.`, { persistent: true });
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

/** Why the object of a removed entry stays: another entry has it, or it may be adopted. @throws UserError if that cannot be known. */
function reasonToKeep(
  { description: { creates, title }, memory }: ResourceRun,
  uuid: string,
): string | undefined {
  if (creates !== "object") return undefined;
  const key = objectKey(title, uuid);
  const isKept = orRefuse(
    `${capitalized(title)} ${uuid} was not deleted.`,
    () => memory.held.has(key) || memory.declared.has(key),
  );
  return isKept
    ? "another entry of the state manages it, or the option import has adopted it. Only the removed entry is deleted from the state"
    : undefined;
}

/** The values that selected a shape, such as `appType "WEB"`. */
function selectorOf({ fields }: ObjectShape, nameOf: (name: string) => string): string {
  return Object.entries(fields)
    .filter(([, { values }]) => values?.length === 1)
    .map(([name, { values }]) => `${nameOf(name)} ${JSON.stringify(values?.[0])}`)
    .join(", ");
}

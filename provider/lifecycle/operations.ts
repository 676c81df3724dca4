/**
 * What every resource does: check, diff, create, read, update, delete. A description says how its kind of object is
 * read and written; all that is the same for every kind is here. It knows the service's client and no host: gRPC and
 * the forms of calls are the host's.
 */
import type { Scope } from "../client";
import { ConflictError, NotFoundError } from "../client/errors";
import { requireScopes, type Session } from "../session/session";
import { canonicalValues } from "../shapes/canonical";
import { checkValue } from "../shapes/check";
import { type ObjectShape, object } from "../shapes/shape";
import { checkUuid } from "../shapes/uuid";
import { valueAt } from "../shapes/walk";
import { capitalized, withArticle } from "../shapes/words";
import {
  adoptExisting,
  checkAdoption,
  hold,
  isKept,
  noteAdoption,
  readExisting,
  wouldReplaceAdopted,
} from "./adoption";
import { createOnce, namingHolder } from "./createOnce";
import type { Change, Found, OperationContext, Replacement, ResourceDescription } from "./description";
import { NotReadyError, UserError } from "./errors";
import { explain, explained } from "./explain";
import { confirmGone, ORGANIZATION_PROPERTY, requireKnownOrganization } from "./ownership";
import { changedPaths, declaredPart, differences, type Properties, partAt, withoutNulls } from "./properties";
import { contextFor, type RunContext } from "./runContext";
import {
  ADOPTED_PROPERTY,
  adoptionIn,
  declaredIn,
  IMPORT_PROPERTY,
  importableInputs,
  importIn,
  stateOf,
} from "./state";

/** Which object an operation is about. */
export interface Subject {
  readonly uuid: string;
  readonly state: Properties;
}

/** What a program declares. */
interface Declared {
  readonly inputs: Properties;
  /** The UUID that the option `import` names. */
  readonly adopt?: unknown;
}

/** What a program declares, to be checked. */
interface Checked extends Declared {
  /** The inputs as they were; empty for a new resource. */
  readonly before?: Properties;
  /** The UUID that the option `import` named at the last `up`. */
  readonly adoptBefore?: unknown;
  readonly isNew: boolean;
}

/** What reading an object gives. */
export interface Reading extends Subject {
  /** What the program declares of it, as it is now. */
  readonly inputs: Properties;
  /** The UUID that the option `import` names, as the state remembers it. */
  readonly adopt?: unknown;
  /** Whether it can be used; if not, the next update resumes. */
  readonly ready: boolean;
  /** The stage of its lifecycle, for an object that has one. */
  readonly lifecycle?: string;
}

/** The operations of one resource. */
export type ResourceOperations = ReturnType<typeof resourceOperations>;

/** The operations of the resource that a description describes. */
export function resourceOperations<Inputs extends object, Outputs extends object>(
  typed: ResourceDescription<Inputs, Outputs>,
) {
  // The host hands over values without types; what a description's functions get has passed the check.
  const description = typed as unknown as ResourceDescription;
  return {
    description,
    check: (run: RunContext, request: Checked) => check(description, run, request),
    diff: (run: RunContext, request: Subject & Declared) => diff(description, run, request),
    create: (run: RunContext, request: Declared) => create(description, run, request),
    read: (run: RunContext, subject: Subject) => read(description, run, subject),
    imported: (organizationId: string, found: Found) => imported(description, organizationId, found),
    update: (run: RunContext, request: Subject & Declared) => update(description, run, request),
    delete: (run: RunContext, subject: Subject) => remove(description, run, subject),
  };
}

/**
 * The inputs as they go on, and everything that is wrong with them. Sends nothing but the look-up of the key,
 * and reads the object that a new resource is to adopt.
 */
async function check(
  description: ResourceDescription,
  run: RunContext,
  { inputs, before = {}, adopt, adoptBefore, isNew }: Checked,
): Promise<{ inputs: Properties; failures: string[]; adopt?: string }> {
  hold(description, run, adopt, adoptBefore);
  const declared = withoutNulls(inputs);
  const failures = [
    ...failuresOf(description, run, declared),
    ...(adopt === undefined ? [] : checkUuid(adopt, run.isUnknown).map((reason) => `import: ${reason}`)),
  ];
  if (failures.length > 0) return { inputs, failures };
  const { title } = description;
  await explained(() =>
    requireScopes(run.session, scopesFor(description, run.session, declared), withArticle(title)),
  );
  const news = canonicalValues(description.inputs, declared);
  const replacement = {
    before: canonicalValues(description.inputs, before),
    inputs: news,
    isUnknown: run.isUnknown,
  };
  if (replacing(description, replacement).some((name) => name in replacement.before)) {
    const context = await contextFor(run, undefined, title);
    await explained(async () => await description.checkReplacement?.(context, replacement));
  }
  if (adopt === undefined) return { inputs: news, failures };
  const uuid = String(adopt).toLowerCase();
  if (isNew) failures.push(...(await checkAdoption(description, run, { inputs: news, adopt: uuid })));
  return { inputs: news, failures, adopt: uuid };
}

/** What is wrong with declared values, each with its path. */
function failuresOf(
  description: ResourceDescription,
  { isUnknown }: RunContext,
  declared: Properties,
): string[] {
  const shape = description.shapeFor?.(declared) ?? object(description.inputs);
  return checkValue(shape, declared, { isUnknown }).map(({ path, reason }) => {
    const misplaced = path in description.inputs && !(path in shape.fields);
    if (misplaced) return `${path} is not allowed with ${chosenIn(shape)}`;
    return path === "" ? reason : `${path} ${reason}`;
  });
}

function scopesFor({ scopes }: ResourceDescription, session: Session, inputs: Properties): readonly Scope[] {
  if (session.readOnly) return scopes.read;
  return [...scopes.read, ...(typeof scopes.write === "function" ? scopes.write(inputs) : scopes.write)];
}

/** How the declared inputs differ from the state. Asks nothing of the network but whose key it is. */
async function diff(
  description: ResourceDescription,
  run: RunContext,
  { uuid, state, inputs, adopt }: Subject & Declared,
): Promise<{ replaces: string[]; deleteBeforeReplace: boolean }> {
  const { title } = description;
  noteAdoption(description, run, uuid, state);
  const context = await contextFor(run, state[ORGANIZATION_PROPERTY], `${title} ${uuid}`);
  const before = canonicalValues(description.inputs, state);
  const replaces = replacing(description, { before, inputs, isUnknown: run.isUnknown });
  const certain = replaces.filter((name) => !run.isUnknown(inputs[name]));
  if (certain.length > 0 && [adopt, importIn(state)].includes(uuid))
    throw wouldReplaceAdopted(description, uuid, certain);
  // What is replaced, or gone, may be replaced by an object that exists: the lost result of an earlier replacement.
  if (replaces.length === 0 && adopt !== undefined && adopt !== uuid) {
    if (await isGone(description, run, context, { uuid, state }))
      return { replaces: [IMPORT_PROPERTY], deleteBeforeReplace: false };
    throw new UserError(
      `The program declares import: "${adopt}", but the stack has ${title} ${uuid} here. Remove the option to keep ${uuid}; to adopt ${adopt} as well, declare it under another name.`,
    );
  }
  const deleteFirst = replaces.length > 0 && description.deleteBeforeReplace?.(inputs, before);
  return { replaces, deleteBeforeReplace: deleteFirst || false };
}

/** The inputs that changed, or may have changed, and cannot change in place. */
function replacing(
  { replaceOnChanges }: ResourceDescription,
  { before, inputs, isUnknown }: Replacement,
): string[] {
  return replaceOnChanges.filter((name) => isUnknown(inputs[name]) || inputs[name] !== before[name]);
}

/** Whether the object of a state is surely gone. */
async function isGone(
  description: ResourceDescription,
  run: RunContext,
  context: OperationContext,
  { uuid, state }: Subject,
): Promise<boolean> {
  try {
    await description.read(context, uuid, state);
    return false;
  } catch (error) {
    await requireGone(description, run, { uuid, state }, error);
    return true;
  }
}

/** Returns when an error says that the object of a state is surely gone. @throws in every other case. */
async function requireGone(
  { title }: ResourceDescription,
  { session }: RunContext,
  { uuid, state }: Subject,
  error: unknown,
): Promise<void> {
  if (!(error instanceof NotFoundError)) throw explain(error);
  await explained(() => confirmGone(session, state[ORGANIZATION_PROPERTY], `${title} ${uuid}`));
}

/** Creates the object, or adopts the one that exists. */
async function create(
  description: ResourceDescription,
  run: RunContext,
  { inputs, adopt }: Declared,
): Promise<Subject> {
  const context = await contextFor(run, undefined, description.title);
  if (typeof adopt === "string")
    return await adoptExisting(description, run, context, { inputs, uuid: adopt });
  const { organizationId } = context;
  requireKnownOrganization(run.memory.owners, organizationId, description.title);
  const found = await explained(() =>
    writing(description, run, () => createOnce(description, run, context, inputs)),
  );
  const kept = { organizationId, declared: inputs };
  const current = await settled(description, context, found, kept);
  const state = stateOf(description, kept, current);
  const mismatch = notApplied(description, { inputs, changed: Object.keys(inputs) }, current);
  // It is there, so it is saved: the next update tries again to bring it to what is declared.
  if (mismatch !== undefined) throw new NotReadyError(current.uuid, state, [mismatch]);
  return { uuid: current.uuid, state };
}

/** Runs a write. Lists asked for before or during it may show what was before. */
async function writing<Value>(
  description: ResourceDescription,
  { memory: { reads } }: RunContext,
  write: () => Promise<Value>,
): Promise<Value> {
  reads.forget(description);
  try {
    return await write();
  } finally {
    reads.forget(description);
  }
}

/** Waits until the object can be used. What is there is saved when that takes too long, or fails after a create. */
async function settled(
  description: ResourceDescription,
  context: OperationContext,
  found: Found,
  kept: Parameters<typeof stateOf>[1],
  before?: Properties,
): Promise<Found> {
  try {
    return (await description.settle?.(context, found, before)) ?? found;
  } catch (error) {
    // Only what was created just now has to be saved whatever happens; a mere wait creates nothing.
    const created = before === undefined && description.creates !== "nothing";
    if (!(error instanceof NotReadyError) && !created) throw explain(error);
    const reasons = error instanceof NotReadyError ? error.reasons : [explain(error).message];
    const properties = error instanceof NotReadyError ? error.state : found.properties;
    throw new NotReadyError(found.uuid, stateOf(description, kept, { properties }), reasons);
  }
}

/** What was sent and the service has otherwise: values that are declared, and those that are not any more. */
function notApplied(
  { title, filledIn }: ResourceDescription,
  { inputs, changed }: Change,
  { uuid, properties }: Found,
): string | undefined {
  const differing = differences(partAt(inputs, changed), properties, () => false);
  const kept = changed
    .filter((path) => {
      const steps = path.split(".");
      return valueAt(inputs, steps) == null && valueAt(properties, steps) != null;
    })
    .filter((path) => !filledIn?.includes(path));
  const paths = [...differing.map(({ path }) => path), ...kept];
  if (paths.length === 0) return undefined;
  return `The service did not apply ${paths.join(", ")} of ${title} ${uuid}. Run \`pulumi refresh\` to see what it has.`;
}

/** Reports what an update found changed by someone else, and left so. */
function reportDrift(
  { title }: ResourceDescription,
  { report }: RunContext,
  inputs: Properties,
  { uuid, properties }: Found,
): void {
  const drift = differences(inputs, properties, () => false);
  if (drift.length === 0) return;
  const [were, them] = drift.length === 1 ? ["was", "it"] : ["were", "them"];
  const paths = drift.map(({ path }) => path).join(", ");
  report(
    `${paths} of ${title} ${uuid} ${were} changed outside Pulumi, and this update left ${them} unchanged. Run \`pulumi refresh\` to see the difference.`,
    { persistent: true },
  );
}

/** Reads the object for a refresh, or for a program's `get`. Undefined when it is gone. */
async function read(
  description: ResourceDescription,
  run: RunContext,
  { uuid, state }: Subject,
): Promise<Reading | undefined> {
  const { title, scopes } = description;
  const failures = checkUuid(uuid, run.isUnknown);
  if (failures.length > 0) throw new UserError(failures.join("\n"));
  const owner = state[ORGANIZATION_PROPERTY];
  const context = await contextFor(run, owner, `${title} ${uuid}`);
  const { organizationId } = context;
  await requireScopes(run.session, scopes.read, `reading ${withArticle(title)}`);
  // Only our own state says what the program declared; for anything else all that the service has counts.
  if (owner === undefined) {
    const found = await readExisting(description, context, uuid.toLowerCase());
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
    await requireGone(description, run, { uuid, state }, error);
    return undefined;
  }
}

/** An object that no program has declared yet, as the one that declares all that is set of it would have it. */
function imported(description: ResourceDescription, organizationId: string, found: Found): Reading {
  const { uuid, lifecycle } = found;
  const inputs = importableInputs(description, found.properties);
  const state = stateOf(description, { organizationId, declared: inputs }, found);
  return { uuid, state, inputs, ready: true, ...(lifecycle !== undefined && { lifecycle }) };
}

/** Brings the object to what is declared. */
async function update(
  description: ResourceDescription,
  run: RunContext,
  { uuid, state, inputs, adopt }: Subject & Declared,
): Promise<Properties> {
  const context = await contextFor(run, state[ORGANIZATION_PROPERTY], `${description.title} ${uuid}`);
  const before = canonicalValues(description.inputs, declaredIn(description, state));
  const change: Change = { inputs, changed: changedPaths(before, inputs) };
  const found = await explained(() =>
    writing(description, run, () => changed(description, context, { uuid, state }, change)),
  );
  const mismatch = notApplied(description, change, found);
  if (mismatch !== undefined) throw new UserError(mismatch);
  reportDrift(description, run, inputs, found);
  // A state that adopted its object says so when the option is gone, or a refresh could not tell.
  const option = adopt ?? (ADOPTED_PROPERTY in state ? "" : undefined);
  const kept = {
    organizationId: context.organizationId,
    declared: inputs,
    hidden: { ...adoptionIn(state), [IMPORT_PROPERTY]: option },
  };
  const current = await explained(() => settled(description, context, found, kept, state));
  // A value that someone else changed stays out of the state until a refresh: with it there, the next update would
  // take it for a change of the program and overwrite it.
  return stateOf(description, kept, { properties: { ...current.properties, ...inputs } });
}

/**
 * Changes the object; when another one has what must be unique, says which. Where nothing is to be changed, a resource
 * that was not ready is resumed: the object is read.
 */
async function changed(
  description: ResourceDescription,
  context: OperationContext,
  { uuid, state }: Subject,
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
      `Rename or delete that one, or choose another ${uniqueBy}. If this stack is still to delete it, after a replacement that was interrupted, delete it in the service and run \`pulumi refresh\`.`;
    throw await namingHolder(description, context, change.inputs, error, advice);
  }
}

/** Deletes the object; one that is surely gone already is as good as deleted. */
async function remove(
  description: ResourceDescription,
  run: RunContext,
  { uuid, state }: Subject,
): Promise<void> {
  const subject = `${description.title} ${uuid}`;
  const context = await contextFor(run, state[ORGANIZATION_PROPERTY], subject);
  if (isKept(description, run, uuid, state)) {
    run.report(
      `${capitalized(subject)} is kept: the stack holds it by the option import. Only the removed entry leaves the state.`,
      { persistent: true },
    );
    return;
  }
  try {
    await writing(description, run, () => description.delete(context, uuid, state));
  } catch (error) {
    await requireGone(description, run, { uuid, state }, error);
  }
}

/** The words by which a shape was chosen, as in `appType "WEB"`. */
function chosenIn({ fields }: ObjectShape): string {
  return Object.entries(fields)
    .filter(([, { values }]) => values?.length === 1)
    .map(([name, { values }]) => `${name} ${JSON.stringify(values?.[0])}`)
    .join(", ");
}

/** The calls of Pulumi's ResourceProvider protocol for a resource, with decoded property values. */
import { NotReadyError, UserError } from "../../errors";
import { IF_DELETED, recordImport, requireLasting } from "../../lifecycle/adoption";
import { DECLARATION_PROPERTY, IMPORTED_PROPERTY, REFUSED_PROPERTY } from "../../lifecycle/hiddenProperties";
import { objectKey } from "../../lifecycle/ledger/facts";
import * as operations from "../../lifecycle/operations";
import { requireValid } from "../../lifecycle/operations/inputs";
import { reportInUse } from "../../lifecycle/operations/inUse";
import { fixedIn } from "../../lifecycle/operations/replacement";
import type { Properties } from "../../lifecycle/properties";
import { contextFor, type ResourceRun } from "../../lifecycle/run/runContext";
import { declaredIn, type ManagedObject } from "../../lifecycle/state";
import { capitalized } from "../../values/phrases";
import { checkUuid, isUuid } from "../../values/uuid";
import type { Declaration } from "../dynamicNames";
import { withoutHidden } from "../values";
import { UnreadyResource } from "./failures";
import { coreState, hiddenIn, narrowed, nativeState, previewed } from "./nativeState";
import { type ResourceDiff, resourceDiff } from "./resourceDiff";
import type { PropertyValues } from "./wire";

export type SentName = "news" | "olds" | "oldInputs" | "properties" | "inputs";

/** The engine's request about a resource. Each method has some of the fields. */
export interface Sent extends Readonly<Record<SentName, PropertyValues | undefined>> {
  readonly id: string;
  readonly isPreview: boolean;
}

const NO_PROPERTIES: PropertyValues = { values: {}, secrets: [] };

export async function check(run: ResourceRun, sent: Sent) {
  const { olds = NO_PROPERTIES, news = NO_PROPERTIES } = sent;
  const declaration: Partial<Declaration> = Object(news.values[DECLARATION_PROPERTY]);
  const checked = await operations.check(run, {
    inputs: withoutHidden(news.values),
    retainOnDelete: declaration.retainOnDelete,
    deleteBeforeReplace: declaration.deleteBeforeReplace,
    // The values of an object that is being imported are not those of a resource that may be replaced.
    before: isImported(run) ? {} : withoutHidden(olds.values),
    isNew: Object.keys(olds.values).length === 0,
    mayShow: (name) => !news.secrets.includes(name),
  });
  return { inputs: { values: checked.inputs, secrets: news.secrets }, failures: checked.failures };
}

export async function diff(run: ResourceRun, sent: Sent): Promise<ResourceDiff> {
  const { description } = run;
  const { values: state } = sent.olds ?? NO_PROPERTIES;
  const before = sent.oldInputs?.values ?? declaredIn(description, state);
  const adopts = isAdoption(run, state);
  // An adoption changes no values: the update refuses declared values that differ.
  const declared = adopts ? declaredIn(description, state) : declaredBy(sent, "news");
  const applied = IMPORTED_PROPERTY in before ? narrowed(description, state, declared) : state;
  const entry = { uuid: uuidOf(run, sent), state: coreState(applied) };
  const decided = await operations.diff(run, { ...entry, inputs: declared });
  return resourceDiff(description, { state, before, declared, adopts }, decided);
}

export async function create(run: ResourceRun, sent: Sent): Promise<Saved> {
  const inputs = declaredBy(sent, "properties");
  const { secrets } = present(sent, "properties");
  if (sent.isPreview) {
    requireValid(run, inputs, true);
    await reportInUse(run, { by: run.urn ?? "", inputs, isPreview: true });
    const { organizationId } = await contextFor(run);
    return { id: "", values: previewed(run.description, inputs, { organizationId }), secrets };
  }
  return await saved({ before: {}, secrets }, () =>
    operations.create(run, { inputs }).catch((error: unknown) => {
      throw error instanceof UserError ? withOldEntry(run, error) : error;
    }),
  );
}

/** The error of a create. The engine keeps the entry of an old object that a replacement has deleted, also beside an adopted one. */
function withOldEntry({ description, memory, session, urn = "" }: ResourceRun, error: UserError) {
  const isReplacement = memory.ledger.by(urn).some(({ is }) => is === "deleted" || is === "replacing");
  if (!isReplacement || !/\bimport\b/.test(error.message)) return error;
  const old = session.client.sanitized(urn);
  return new UserError(
    `${error.message}\nIf this replacement has deleted its old ${description.title}, run \`pulumi state delete '${old}' --target-dependents\` before you adopt another one.`,
    { cause: error },
  );
}

/** Reads for a refresh or `.get`, or without a state for an import. Undefined if the object does not exist. */
export async function read(run: ResourceRun, { id, properties, inputs = NO_PROPERTIES }: Sent) {
  const { description } = run;
  const { values, secrets } = properties ?? NO_PROPERTIES;
  const isImport = properties === undefined && isUuid(id);
  const adoption = isImport ? recordImport(run, id.toLowerCase(), run.urn ?? "") : {};
  const advice = isImport ? IF_DELETED : undefined;
  const found = await operations.read(run, { uuid: id, state: coreState(values), advice });
  if (found === undefined) return undefined;
  const { uuid } = found;
  if (isImport) {
    requireLasting(description, found);
    const fixed = fixedIn(description.replaceOnChanges, found.state);
    const object = objectKey(description.title, uuid);
    run.memory.ledger.record({ is: "adoptedEntry", object, by: run.urn ?? "", fixed });
  }
  const unapplied = isImport ? { [IMPORTED_PROPERTY]: true } : {};
  const result = {
    id: uuid,
    outputs: { values: { ...nativeState(found.state, values), ...adoption }, secrets },
    inputs: {
      values: { ...found.inputs, ...hiddenIn(inputs.values), ...unapplied },
      secrets: inputs.secrets,
    },
  };
  if (found.notReady === undefined) return result;
  throw new UnreadyResource(uuid, [found.notReady], result);
}

export async function update(run: ResourceRun, sent: Sent): Promise<Saved> {
  const { description } = run;
  const inputs = declaredBy(sent, "news");
  const uuid = uuidOf(run, sent);
  // Properties that are not inputs stay secret if they were.
  const kept = (sent.olds?.secrets ?? []).filter((name) => !(name in description.inputs.shape));
  const secrets = [...present(sent, "news").secrets, ...kept];
  const before = await stateBefore(run, sent);
  if (sent.isPreview) {
    requireValid(run, inputs, false);
    await reportInUse(run, { by: run.urn ?? "", uuid: uuid.toLowerCase(), inputs, before, isPreview: true });
    return { id: uuid, values: previewed(description, inputs, before), secrets };
  }
  return await saved({ before, secrets }, async () => {
    const state = await operations.update(run, { uuid, state: coreState(before), inputs });
    return { uuid, state };
  });
}

interface Saved extends PropertyValues {
  readonly id: string;
}

/** Runs a write. If it leaves a resource that is not ready, the engine saves the resource. */
async function saved(
  { before, secrets }: { readonly before: Properties; readonly secrets: readonly string[] },
  write: () => Promise<ManagedObject>,
): Promise<Saved> {
  try {
    const { uuid, state } = await write();
    return { id: uuid, values: nativeState(state, before), secrets };
  } catch (error) {
    if (!(error instanceof NotReadyError)) throw error;
    const outputs = { values: nativeState(error.state, before), secrets };
    throw new UnreadyResource(error.uuid, error.reasons, { outputs });
  }
}

/** The state that an update starts from. An adoption has compared it with the object. @throws UserError if they differ. */
async function stateBefore(run: ResourceRun, sent: Sent): Promise<Properties> {
  const { description } = run;
  const { id, olds = NO_PROPERTIES, oldInputs = NO_PROPERTIES } = sent;
  const inputs = declaredBy(sent, "news");
  if (!isAdoption(run, olds.values))
    return IMPORTED_PROPERTY in oldInputs.values ? narrowed(description, olds.values, inputs) : olds.values;
  const { properties, refusal } = await operations.compare(run, {
    uuid: id,
    state: coreState(olds.values),
    inputs,
    mayShow: (name) => ![...present(sent, "news").secrets, ...olds.secrets].includes(name),
  });
  if (refusal !== undefined) throw refused(sent, capitalized(refusal));
  const { [REFUSED_PROPERTY]: _refusal, ...rest } = olds.values;
  return narrowed(description, { ...rest, ...properties }, inputs);
}

/** The error for an object that differs from the program. The engine has imported it already, so it stays in the state. */
function refused({ id, olds = NO_PROPERTIES, isPreview }: Sent, refusal: string): UserError {
  if (isPreview) return new UserError(refusal);
  const values = { ...olds.values, [REFUSED_PROPERTY]: true };
  return new UnreadyResource(id, [refusal], { outputs: { ...olds, values } });
}

export async function remove(run: ResourceRun, sent: Sent): Promise<void> {
  const { values: state } = sent.properties ?? NO_PROPERTIES;
  const refusal = "its import was refused. Only the entry is deleted from the state";
  const keptBecause = REFUSED_PROPERTY in state ? refusal : undefined;
  await operations.remove(run, { uuid: uuidOf(run, sent), state: coreState(state), keptBecause });
}

function declaredBy(sent: Sent, name: SentName): Properties {
  return withoutHidden(present(sent, name).values);
}

/** Properties that a request must have. @throws UserError if they are missing. */
function present(sent: Sent, name: SentName): PropertyValues {
  const { [name]: properties } = sent;
  if (properties !== undefined) return properties;
  throw new UserError(`The request lacks the field ${name}. Update the Pulumi CLI and pulumi-dynamiclink.`);
}

/** The id of an entry in the state. @throws UserError if it was edited. */
function uuidOf({ description: { title } }: ResourceRun, { id }: Sent): string {
  const [failure] = checkUuid(id);
  if (failure !== undefined) throw new UserError(`The id of the ${title} ${failure}`);
  return id;
}

/** Whether the resource is imported in this run by Pulumi itself. */
function isImported({ urn, memory }: ResourceRun): boolean {
  const facts = urn === undefined ? [] : memory.ledger.by(urn);
  return facts.some(({ is }) => is === "adopting");
}

/** Whether an update adopts the object: in the run that imports it, and after a refusal. It then sends no write. */
function isAdoption(run: ResourceRun, state: Properties): boolean {
  return isImported(run) || REFUSED_PROPERTY in state;
}

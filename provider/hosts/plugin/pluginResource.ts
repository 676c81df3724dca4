/** The calls of Pulumi's ResourceProvider protocol for a resource, with decoded property values. */
import { NotReadyError, UserError } from "../../errors";
import { compareImport, recordImport, requireLasting } from "../../lifecycle/adoption";
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
import type { ProgramFacts } from "../dynamicNames";
import { withoutHidden } from "../values";
import { UnreadyResource } from "./failures";
import {
  coreState,
  type Entry,
  hiddenIn,
  isUndeclared,
  narrowed,
  nativeState,
  previewed,
  stageOf,
} from "./nativeState";
import { type ResourceDiff, resourceDiff } from "./resourceDiff";
import type { PropertyValues } from "./wire";

export type FieldName = "news" | "olds" | "oldInputs" | "properties" | "inputs";

/** The engine's request about a resource. Each method has some of the fields. */
export interface Request {
  readonly id: string;
  readonly isPreview: boolean;
  readonly fields: Readonly<Record<FieldName, PropertyValues | undefined>>;
}

const NO_PROPERTIES: PropertyValues = { values: {}, secrets: [] };

export async function check(run: ResourceRun, request: Request) {
  const { olds = NO_PROPERTIES, news = NO_PROPERTIES } = request.fields;
  const declaration: Partial<ProgramFacts> = Object(news.values[DECLARATION_PROPERTY]);
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

export async function diff(run: ResourceRun, request: Request): Promise<ResourceDiff> {
  const { description } = run;
  const entry = entryOf(run, request);
  const { uuid, state, stage } = entry;
  // An adoption changes no values: the update refuses declared values that differ.
  const inputs = stage === "adopting" ? declaredIn(description, state) : declaredBy(request, "news").inputs;
  const compared = coreState(narrowed(description, entry, state, inputs));
  const decided = await operations.diff(run, { uuid, state: compared, inputs });
  return resourceDiff(description, entry, inputs, decided);
}

export async function create(run: ResourceRun, request: Request): Promise<Saved> {
  const { inputs, secrets } = declaredBy(request, "properties");
  if (request.isPreview) {
    requireValid(run, inputs, true);
    const context = await contextFor(run);
    const { organizationId } = context;
    await reportInUse(run, context, { by: run.urn ?? "", inputs });
    return { id: "", values: previewed(run.description, inputs, { organizationId }), secrets };
  }
  return await writeAndSave({ before: {}, secrets }, () =>
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

/** Reads for a refresh or `.get`, or for an import: see docs/internals/native-host.md#import-calls. Undefined if there is no object. */
export async function read(run: ResourceRun, { id, fields }: Request) {
  const { description } = run;
  const { properties, inputs = NO_PROPERTIES } = fields;
  const { values, secrets } = properties ?? NO_PROPERTIES;
  const isImport = properties === undefined && isUuid(id);
  const adoption = isImport ? recordImport(run, id.toLowerCase(), run.urn ?? "") : {};
  const reading = await operations.read(run, {
    uuid: id,
    state: coreState(values),
    isImport,
    isUndeclared: isUndeclared(inputs.values),
  });
  if (reading === undefined) return undefined;
  const { uuid } = reading;
  if (isImport) {
    requireLasting(description, reading);
    const fixed = fixedIn(description.replaceOnChanges, reading.state);
    const object = objectKey(description.title, uuid);
    run.memory.ledger.record({ is: "adoptedEntry", object, by: run.urn ?? "", fixed });
  }
  const unapplied = isImport ? { [IMPORTED_PROPERTY]: true } : {};
  const result = {
    id: uuid,
    outputs: { values: { ...nativeState(reading.state, values), ...adoption }, secrets },
    inputs: {
      values: { ...reading.inputs, ...hiddenIn(inputs.values), ...unapplied },
      secrets: inputs.secrets,
    },
  };
  if (reading.notReady === undefined) return result;
  throw new UnreadyResource(uuid, [reading.notReady], result);
}

export async function update(run: ResourceRun, request: Request): Promise<Saved> {
  const { description } = run;
  const { inputs, ...declared } = declaredBy(request, "news");
  const entry = entryOf(run, request);
  const { uuid } = entry;
  // Properties that are not inputs stay secret if they were.
  const kept = entry.secrets.filter((name) => !(name in description.inputs.shape));
  const secrets = [...declared.secrets, ...kept];
  const before = await stateBefore(run, entry, request);
  if (request.isPreview) {
    requireValid(run, inputs, false);
    await reportInUse(run, await contextFor(run), {
      by: run.urn ?? "",
      uuid: uuid.toLowerCase(),
      inputs,
      before,
    });
    return { id: uuid, values: previewed(description, inputs, before), secrets };
  }
  return await writeAndSave({ before, secrets }, async () => {
    const state = await operations.update(run, { uuid, state: coreState(before), inputs });
    return { uuid, state };
  });
}

interface Saved extends PropertyValues {
  readonly id: string;
}

/** Runs a write. If it leaves a resource that is not ready, the engine saves the resource. */
async function writeAndSave(
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
async function stateBefore(run: ResourceRun, entry: Entry, request: Request): Promise<Properties> {
  const { description } = run;
  const { uuid, state, stage } = entry;
  const { inputs, ...declared } = declaredBy(request, "news");
  if (stage !== "adopting") return narrowed(description, entry, state, inputs);
  const { properties, refusal } = await compareImport(run, {
    uuid,
    state: coreState(state),
    inputs,
    mayShow: (name) => ![...declared.secrets, ...entry.secrets].includes(name),
  });
  if (refusal !== undefined) {
    const reason = capitalized(refusal);
    if (request.isPreview) throw new UserError(reason);
    // The engine has imported the object already, so it stays in the state.
    const values = { ...state, [REFUSED_PROPERTY]: true };
    throw new UnreadyResource(uuid, [reason], { outputs: { values, secrets: entry.secrets } });
  }
  const { [REFUSED_PROPERTY]: _refusal, ...rest } = state;
  return narrowed(description, entry, { ...rest, ...properties }, inputs);
}

export async function remove(run: ResourceRun, request: Request): Promise<void> {
  const { uuid, state } = entryOf(run, request);
  const refusal = "its import was refused. Only the entry is deleted from the state";
  const keptBecause = REFUSED_PROPERTY in state ? refusal : undefined;
  await operations.remove(run, { uuid, state: coreState(state), keptBecause });
}

/** The inputs that the program declares. @throws UserError if the request lacks them. */
function declaredBy({ fields }: Request, name: FieldName) {
  const { [name]: program } = fields;
  if (program !== undefined) return { ...program, inputs: withoutHidden(program.values) };
  throw new UserError(`The request lacks the field ${name}. Update the Pulumi CLI and pulumi-dynamiclink.`);
}

/** The entry of the state that a request is about. @throws UserError if its id was edited. */
function entryOf(run: ResourceRun, { id, fields: { olds, properties, oldInputs, news } }: Request): Entry {
  const { description } = run;
  const [failure] = checkUuid(id);
  if (failure !== undefined) throw new UserError(`The id of the ${description.title} ${failure}`);
  const { values: state, secrets } = olds ?? properties ?? NO_PROPERTIES;
  const before = oldInputs?.values ?? declaredIn(description, state);
  const stage = stageOf({ state, before, news: news?.values ?? {}, isImported: isImported(run) });
  return { uuid: id, state, secrets, before, stage };
}

/** Whether the resource is imported in this run by Pulumi itself. */
function isImported({ urn, memory }: ResourceRun): boolean {
  const facts = urn === undefined ? [] : memory.ledger.by(urn);
  return facts.some(({ is }) => is === "adopting");
}

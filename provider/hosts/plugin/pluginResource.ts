/** Runs a resource description in the plugin: the protocol's calls for a resource, with decoded property values. */
import { UserError } from "../../errors";
import { IF_DELETED, recordImport } from "../../lifecycle/adoption";
import type { ResourceDescription } from "../../lifecycle/description";
import { IMPORTED_PROPERTY, REFUSED_PROPERTY } from "../../lifecycle/hiddenProperties";
import { objectKey } from "../../lifecycle/ledger/facts";
import { type ResourceOperations, resourceOperations } from "../../lifecycle/operations";
import { reportInUse } from "../../lifecycle/operations/inUse";
import { fixedIn } from "../../lifecycle/operations/replacement";
import type { Properties } from "../../lifecycle/properties";
import { contextFor, type RunContext } from "../../lifecycle/run/runContext";
import { declaredIn } from "../../lifecycle/state";
import { capitalized } from "../../values/phrases";
import { checkUuid, isUuid } from "../../values/uuid";
import { withoutHidden } from "../values";
import { savingUnready, UnreadyResource } from "./failures";
import { coreState, hiddenIn, narrowed, nativeState, previewed } from "./nativeState";
import { type ResourceDiff, resourceDiff } from "./resourceDiff";
import { type PropertyValues, type SecretPath, secretsAt } from "./wire";

/** The output with the organization of the key, which is known before a create. */
const ORGANIZATION_OUTPUT = "organizationId";

interface CheckRequest {
  readonly before: PropertyValues;
  readonly news: PropertyValues;
}

interface DiffRequest {
  readonly id: string;
  readonly state: Properties;
  readonly before?: Properties | undefined;
  readonly inputs: Properties;
  readonly ignoreChanges: readonly string[];
}

interface CreateRequest {
  readonly inputs: PropertyValues;
  readonly preview: boolean;
}

interface ReadRequest {
  readonly id: string;
  /** None in an import. */
  readonly state: PropertyValues | undefined;
  readonly inputs: PropertyValues;
}

interface UpdateRequest extends CreateRequest {
  readonly id: string;
  readonly olds: PropertyValues;
  readonly before?: Properties | undefined;
}

interface DeleteRequest {
  readonly id: string;
  readonly state: Properties;
}

export type PluginResource = ReturnType<typeof pluginResource>;

export function pluginResource(description: ResourceDescription) {
  const operations = resourceOperations(description);

  function ofKind<Request, Result>(
    call: (operations: ResourceOperations, run: RunContext, request: Request) => Promise<Result>,
  ) {
    return async (run: RunContext, request: Request) => await call(operations, run, request);
  }

  return {
    title: description.title,
    check: ofKind(check),
    diff: ofKind(diff),
    create: ofKind(create),
    read: ofKind(read),
    update: ofKind(update),
    delete: ofKind(remove),
  };
}

async function check(operations: ResourceOperations, run: RunContext, { before, news }: CheckRequest) {
  const checked = await operations.check(run, {
    inputs: withoutHidden(news.values),
    // The values of an object that is being imported are not those of a resource that may be replaced.
    before: isImported(run) ? {} : withoutHidden(before.values),
    isNew: Object.keys(before.values).length === 0,
    mayShow: isShown(news.secrets),
  });
  return { inputs: { values: checked.inputs, secrets: news.secrets }, failures: checked.failures };
}

async function diff(
  operations: ResourceOperations,
  run: RunContext,
  request: DiffRequest,
): Promise<ResourceDiff> {
  const { description } = operations;
  const { id, state, before = declaredIn(description, state), inputs, ignoreChanges } = request;
  requireUuid(description, id);
  const adopts = isAdoption(run, state);
  // An adoption changes no values: the update refuses those that differ.
  const declared = adopts ? declaredIn(description, state) : withoutHidden(inputs);
  const isUnapplied = IMPORTED_PROPERTY in before;
  const decided = await operations.diff(run, {
    uuid: id,
    state: coreState(isUnapplied ? narrowed(description, state, declared) : state),
    inputs: declared,
  });
  const compared = { state, before, declared, adopts, isUnapplied, ignoreChanges };
  return resourceDiff(description, compared, decided);
}

async function create(
  operations: ResourceOperations,
  run: RunContext,
  { inputs: { values, secrets }, preview }: CreateRequest,
): Promise<PropertyValues & { readonly id: string }> {
  const { description } = operations;
  const declared = withoutHidden(values);
  if (preview) {
    const resource = { ...run, description };
    await reportInUse(resource, { by: run.urn ?? "", inputs: declared, isPreview: preview });
    const { organizationId } = await contextFor(resource);
    const known = { [ORGANIZATION_OUTPUT]: organizationId };
    return { id: "", values: previewed(description, declared, known), secrets };
  }
  return await savingUnready({ secrets }, async () => {
    const { uuid, state } = await operations.create(run, { inputs: declared });
    return { id: uuid, values: state, secrets };
  });
}

/** Reads for a refresh or `.get`, or without a state for an import. Undefined if the object does not exist. */
async function read(operations: ResourceOperations, run: RunContext, { id, state, inputs }: ReadRequest) {
  const { description } = operations;
  const { values, secrets } = state ?? { values: {}, secrets: [] };
  const isImport = state === undefined && isUuid(id);
  const adoption = isImport ? recordImport({ ...run, description }, id.toLowerCase(), run.urn ?? "") : {};
  const advice = isImport ? IF_DELETED : undefined;
  const found = await operations.read(run, { uuid: id, state: coreState(values), advice });
  if (found === undefined) return undefined;
  const { uuid } = found;
  if (isImport) recordEntry(description, run, found);
  const unapplied = isImport ? { [IMPORTED_PROPERTY]: true } : {};
  const result = {
    id: uuid,
    outputs: { values: { ...nativeState(found.state, values), ...adoption }, secrets },
    inputs: {
      values: { ...found.inputs, ...hiddenIn(inputs.values), ...unapplied },
      secrets: inputs.secrets,
    },
  };
  if (found.ready) return result;
  const reason = `${capitalized(description.title)} ${uuid} is not ready yet. Run \`pulumi up\` to continue.`;
  throw new UnreadyResource(uuid, [reason], result);
}

/** Records that an entry of the state adopts an object. */
function recordEntry(
  { title, replaceOnChanges }: ResourceDescription,
  { urn: by = "", memory }: RunContext,
  { uuid, state }: { readonly uuid: string; readonly state: Properties },
): void {
  const fixed = fixedIn(replaceOnChanges, state);
  memory.ledger.record({ is: "adoptedEntry", object: objectKey(title, uuid), by, fixed });
}

async function update(
  operations: ResourceOperations,
  run: RunContext,
  request: UpdateRequest,
): Promise<PropertyValues> {
  const { description } = operations;
  const { id, olds, inputs, preview } = request;
  requireUuid(description, id);
  const declared = withoutHidden(inputs.values);
  // Properties that are not inputs stay secret if they were.
  const kept = secretsAt(olds.secrets, (name) => !(name in description.inputs.shape));
  const secrets = [...inputs.secrets, ...kept];
  const before = await stateBefore(operations, run, request);
  if (preview) {
    await reportInUse(
      { ...run, description },
      { by: run.urn ?? "", inputs: declared, before, isPreview: preview },
    );
    const { changesOnUpdate = [] } = description;
    const known = Object.entries(before).filter(([name]) => !changesOnUpdate.includes(name));
    return { values: previewed(description, declared, Object.fromEntries(known)), secrets };
  }
  return await savingUnready({ ownState: (saved) => nativeState(saved, before), secrets }, async () => {
    const outputs = await operations.update(run, { uuid: id, state: coreState(before), inputs: declared });
    return { values: nativeState(outputs, before), secrets };
  });
}

/** The state that an update starts from. An adoption has compared it with the object. @throws UserError if they differ. */
async function stateBefore(
  operations: ResourceOperations,
  run: RunContext,
  { id, olds, before = {}, inputs, preview }: UpdateRequest,
): Promise<Properties> {
  const { description } = operations;
  const declared = withoutHidden(inputs.values);
  if (!isAdoption(run, olds.values))
    return IMPORTED_PROPERTY in before ? narrowed(description, olds.values, declared) : olds.values;
  const { properties, refusal } = await operations.compare(run, {
    uuid: id,
    state: coreState(olds.values),
    inputs: declared,
    mayShow: isShown([...inputs.secrets, ...olds.secrets]),
  });
  if (refusal !== undefined) throw refused(id, capitalized(refusal), olds, preview);
  const { [REFUSED_PROPERTY]: _refusal, ...rest } = olds.values;
  return narrowed(description, { ...rest, ...properties }, declared);
}

async function remove(
  operations: ResourceOperations,
  run: RunContext,
  { id, state }: DeleteRequest,
): Promise<void> {
  requireUuid(operations.description, id);
  const keptBecause =
    REFUSED_PROPERTY in state
      ? "its import was refused. Only the entry is deleted from the state"
      : undefined;
  await operations.delete(run, { uuid: id, state: coreState(state), keptBecause });
}

/** Whether messages may show the values of a property: nothing in it is secret. */
function isShown(secrets: readonly SecretPath[]): (name: string) => boolean {
  return (name) => !secrets.some(([secret]) => secret === name);
}

/** Whether the resource is imported in this run by Pulumi itself. */
function isImported({ urn, memory }: RunContext): boolean {
  return (
    urn !== undefined &&
    memory.ledger
      .facts()
      .by(urn)
      .some(({ is }) => is === "adopting")
  );
}

/** Whether an update adopts the object: in the run that imports it, and after a refusal. It then sends no write. */
function isAdoption(run: RunContext, state: Properties): boolean {
  return isImported(run) || REFUSED_PROPERTY in state;
}

/** The error for an object that differs from the program. The engine has imported it already, so it stays in the state. */
function refused(
  id: string,
  refusal: string,
  { values, secrets }: PropertyValues,
  preview: boolean,
): UserError {
  if (preview) return new UserError(refusal);
  return new UnreadyResource(id, [refusal], {
    outputs: { values: { ...values, [REFUSED_PROPERTY]: true }, secrets },
  });
}

function requireUuid({ title }: ResourceDescription, id: string): void {
  const [failure] = checkUuid(id);
  if (failure !== undefined) throw new UserError(`The id of the ${title} ${failure}`);
}

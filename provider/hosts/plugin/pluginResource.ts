/** Runs a resource description in the plugin: the protocol's calls for a resource, with decoded property values. */

import { UserError } from "../../errors";
import { IF_DELETED, recordImport } from "../../lifecycle/adoption";
import type { ResourceDescription } from "../../lifecycle/description";
import {
  ADOPTED_PROPERTY,
  CHANGED_OUTSIDE_PROPERTY,
  IMPORT_PROPERTY,
  IMPORTED_PROPERTY,
  REFUSED_PROPERTY,
  UPDATED_AT_PROPERTY,
} from "../../lifecycle/hiddenProperties";
import { objectKey } from "../../lifecycle/ledger/facts";
import { resourceOperations } from "../../lifecycle/operations";
import { reportInUse } from "../../lifecycle/operations/inUse";
import { fixedIn } from "../../lifecycle/operations/replacement";
import {
  declaredPart,
  differences,
  newlyNull as newNulls,
  type Properties,
} from "../../lifecycle/properties";
import { contextFor, type RunContext } from "../../lifecycle/run/runContext";
import { declaredIn } from "../../lifecycle/state";
import { canonicalValues } from "../../values/canonical";
import { capitalized } from "../../values/phrases";
import { checkUuid, isUuid } from "../../values/uuid";
import { propertyAt } from "../../values/walk";
import { UNKNOWN_VALUE, withoutHidden } from "../values";
import { type ChangeKind, detailedDiff } from "./detailedDiff";
import { savingUnready, UnreadyResource } from "./failures";
import { type PropertyValues, type SecretPath, secretsAt } from "./wire";

/** The output with the organization of the key, which is known before a create. */
const ORGANIZATION_OUTPUT = "organizationId";

interface DiffRequest {
  readonly id: string;
  readonly state: Properties;
  readonly before?: Properties | undefined;
  readonly inputs: Properties;
  readonly ignoreChanges: readonly string[];
}

interface UpdateRequest {
  readonly id: string;
  readonly olds: PropertyValues;
  readonly before?: Properties | undefined;
  readonly inputs: PropertyValues;
  readonly preview: boolean;
}

/** What an update or a replacement would change. */
export interface DiffResult {
  readonly changes: ReadonlyMap<string, ChangeKind>;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** The outputs that an update does not change. */
  readonly stable: readonly string[];
  /** The changed paths that are outputs. */
  readonly outputs: readonly string[];
}

export type PluginResource = ReturnType<typeof pluginResource>;

export function pluginResource(description: ResourceDescription) {
  const operations = resourceOperations(description);
  const { title } = description;

  return {
    title,

    async check(run: RunContext, before: PropertyValues, news: PropertyValues) {
      const checked = await operations.check(run, {
        inputs: withoutHidden(news.values),
        // The values of an object that is being imported are not those of a resource that may be replaced.
        before: isImported(run) ? {} : withoutHidden(before.values),
        isNew: Object.keys(before.values).length === 0,
        mayShow: isShown(news.secrets),
      });
      return { inputs: { values: checked.inputs, secrets: news.secrets }, failures: checked.failures };
    },

    async diff(run: RunContext, request: DiffRequest): Promise<DiffResult> {
      const { id, state, before = declaredIn(description, state), inputs, ignoreChanges } = request;
      requireUuid(title, id);
      // An adoption changes no values: the update refuses those that differ.
      const declared = isAdoption(run, state) ? declaredIn(description, state) : withoutHidden(inputs);
      const isUnapplied = IMPORTED_PROPERTY in before;
      const compared = isUnapplied ? narrowed(description, before, declared) : before;
      const { replaces, deleteBeforeReplace, newlyNull } = await operations.diff(run, {
        uuid: id,
        state: coreState(isUnapplied ? narrowed(description, state, declared) : state),
        inputs: declared,
      });
      const own = detailedDiff({
        before: canonicalValues(description.inputs.shape, withoutHidden(compared)),
        after: canonicalValues(description.inputs.shape, declared),
        replaces,
        ignoreChanges,
      });
      const { outputs, changesOnUpdate = [] } = description;
      const leavesOut = differences(withoutHidden(before), compared).length > 0;
      // An import stores no nulls. Without them in the state, a later run would consider them new.
      const storesNull = isUnapplied && newNulls(declaredIn(description, state), declared).length > 0;
      const isMarked = isAdoption(run, state) || leavesOut || storesNull;
      // An update resumes a resource that is not ready, even if nothing else has changed.
      const isUnready = description.isReady?.(state) === false;
      const missing = isUnready ? Object.keys(outputs.shape).filter((name) => state[name] == null) : [];
      const shown = new Set([...own.keys(), ...newlyNull].map(propertyAt));
      // What the engine must see although the inputs do not show it.
      const others: readonly (readonly [ChangeKind, readonly string[]])[] = [
        ["ADD", isMarked ? [ADOPTED_PROPERTY] : []],
        ["ADD", newlyNull.filter((path) => !own.has(path))],
        ["ADD", missing],
        ["UPDATE_REPLACE", replaces.filter((name) => !shown.has(name))],
      ];
      const changes = new Map([
        ...own,
        ...others.flatMap(([kind, paths]) => paths.map((path) => [path, kind] as const)),
      ]);
      const stable = Object.keys(outputs.shape).filter(
        (name) => state[name] != null && !changesOnUpdate.includes(name),
      );
      return { changes, replaces, deleteBeforeReplace, stable, outputs: [...missing, ADOPTED_PROPERTY] };
    },

    async create(
      run: RunContext,
      inputs: PropertyValues,
      preview: boolean,
    ): Promise<PropertyValues & { readonly id: string }> {
      const { secrets } = inputs;
      const declared = withoutHidden(inputs.values);
      if (preview) {
        const resource = { ...run, description };
        await reportInUse(resource, declared, run.urn ?? "");
        const { organizationId } = await contextFor(resource);
        const known = { [ORGANIZATION_OUTPUT]: organizationId };
        return { id: "", values: previewed(description, declared, known), secrets };
      }
      return await savingUnready({ secrets }, async () => {
        const { uuid, state } = await operations.create(run, { inputs: declared });
        return { id: uuid, values: state, secrets };
      });
    },

    /** Reads for a refresh or `.get`, or without a state for an import. Undefined if the object does not exist. */
    async read(run: RunContext, id: string, state: PropertyValues | undefined, inputs: PropertyValues) {
      const { urn = "" } = run;
      const { values, secrets } = state ?? { values: {}, secrets: [] };
      const isImport = state === undefined && isUuid(id);
      const adoption = isImport ? recordImport({ ...run, description }, id.toLowerCase(), urn) : {};
      const advice = isImport ? IF_DELETED : undefined;
      const found = await operations.read(run, { uuid: id, state: coreState(values), advice });
      if (found === undefined) return undefined;
      if (isImport) {
        const fixed = fixedIn(description.replaceOnChanges, found.state);
        run.memory.ledger.record({
          is: "adoptedEntry",
          object: objectKey(title, found.uuid),
          by: urn,
          fixed,
        });
      }
      const unapplied = isImport ? { [IMPORTED_PROPERTY]: true } : {};
      const outputs = { values: { ...ownState(found.state, values), ...adoption }, secrets };
      const read = {
        id: found.uuid,
        outputs,
        inputs: {
          values: { ...found.inputs, ...hidden(inputs.values), ...unapplied },
          secrets: inputs.secrets,
        },
      };
      if (found.ready) return read;
      const reason = `${capitalized(title)} ${found.uuid} is not ready yet. Run \`pulumi up\` to continue.`;
      throw new UnreadyResource(found.uuid, [reason], read);
    },

    async update(run: RunContext, request: UpdateRequest): Promise<PropertyValues> {
      const { id, olds, before = {}, inputs, preview } = request;
      requireUuid(title, id);
      const declared = withoutHidden(inputs.values);
      // Properties that are not inputs stay secret if they were.
      const kept = secretsAt(olds.secrets, (name) => !(name in description.inputs.shape));
      const secrets = [...inputs.secrets, ...kept];
      let state = olds.values;
      const adopts = isAdoption(run, state);
      if (adopts) {
        const mayShow = isShown([...inputs.secrets, ...olds.secrets]);
        const subject = { uuid: id, state: coreState(state), inputs: declared, mayShow };
        const { properties, refusal } = await operations.compare(run, subject);
        if (refusal !== undefined) throw refused(id, capitalized(refusal), olds, preview);
        const { [REFUSED_PROPERTY]: _refusal, ...rest } = state;
        state = { ...rest, ...properties };
      }
      if (adopts || IMPORTED_PROPERTY in before) state = narrowed(description, state, declared);
      if (preview) {
        const { changesOnUpdate = [] } = description;
        const known = Object.entries(state).filter(([name]) => !changesOnUpdate.includes(name));
        return { values: previewed(description, declared, Object.fromEntries(known)), secrets };
      }
      return await savingUnready({ ownState: (saved) => ownState(saved, state), secrets }, async () => {
        const outputs = await operations.update(run, { uuid: id, state: coreState(state), inputs: declared });
        return { values: ownState(outputs, state), secrets };
      });
    },

    async delete(run: RunContext, id: string, state: Properties): Promise<void> {
      requireUuid(title, id);
      const isRefused = REFUSED_PROPERTY in state;
      const keptBecause = isRefused
        ? "its import was refused. Only the entry is deleted from the state"
        : undefined;
      await operations.delete(run, { uuid: id, state: coreState(state), keptBecause });
    },
  };
}

/** The state that a preview returns to the program: the inputs, and the outputs as far as they are known. */
function previewed({ outputs }: ResourceDescription, inputs: Properties, known: Properties): Properties {
  const names = Object.keys(outputs.shape);
  return { ...inputs, ...Object.fromEntries(names.map((name) => [name, known[name] ?? UNKNOWN_VALUE])) };
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

/** Properties as if the program had declared only what it declares now: an import declares nothing. */
function narrowed({ inputs }: ResourceDescription, properties: Properties, declared: Properties): Properties {
  const others = Object.entries(properties).filter(([name]) => !(name in inputs.shape));
  return { ...Object.fromEntries(others), ...declaredPart(declared, properties) };
}

/**
 * The hidden properties of a state. They are never changed, so that a stack that came from the dynamic host can move
 * back to it.
 */
function hidden(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name.startsWith("__")));
}

/**
 * A state in the form that the core expects. On this host, the engine handles the option `import` and refuses to
 * replace a resource that still has it, so the core gets the state as if the option had been removed.
 */
function coreState(properties: Properties): Properties {
  return ADOPTED_PROPERTY in properties ? { ...properties, [IMPORT_PROPERTY]: "" } : properties;
}

/** A state from the core, with the hidden properties that the engine sent. Those about the version are the core's. */
function ownState(values: Properties, before: Properties): Properties {
  const { [IMPORT_PROPERTY]: _option, ...rest } = values;
  const {
    [UPDATED_AT_PROPERTY]: _time,
    [CHANGED_OUTSIDE_PROPERTY]: _paths,
    // Of a resource that was imported with the dynamic host. On this host, only the inputs are marked.
    [IMPORTED_PROPERTY]: _mark,
    ...others
  } = hidden(before);
  return { ...rest, ...others };
}

function requireUuid(title: string, id: string): void {
  const [failure] = checkUuid(id);
  if (failure !== undefined) throw new UserError(`The id of the ${title} ${failure}`);
}

/**
 * Import files: adds entries to the state, as `pulumi import --file` does. Entries of dynamic resources contain their
 * inputs and outputs; resources of a plugin are read by their ids. The provider checks the inputs.
 */
import { defaultConfiguration } from "../planning/providerReferences";
import {
  createUrn,
  DYNAMIC_PACKAGE,
  isProviderType,
  nameInUrn,
  packageOf,
  providerReference,
  providerType,
  STACK_TYPE,
} from "../protocol/urn";
import type { Properties } from "../protocol/values";
import { type Imported, readImported } from "../providers/provider";
import type { Run } from "../run/run";
import type { RunStep } from "../run/step";
import { performAll } from "../run/steps";
import type { ResourceState } from "../state/snapshot";
import { fromDeployment } from "../state/stateFile";

/** An entry of an import file: a resource with the default provider and without a parent. */
export interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** Inputs and outputs of a dynamic resource, as in the state. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** An import file. */
export interface ImportFile {
  readonly resources: readonly ImportEntry[];
}

const SUPPORTED = ["type", "name", "id", "inputs", "outputs"];

/** Imports the entries of a file. */
export async function importEntries(
  run: Run,
  file: ImportFile,
  options: { protect: boolean },
): Promise<void> {
  const entries = located(run, file);
  const present = new Map(
    run.base.resources.filter((state) => !state.delete).map((state) => [state.urn, state]),
  );
  // The resources in the state come before the imported ones.
  await performAll(
    run,
    [...present.values()].map((old) => ({ operation: "same", old, new: { ...old } })),
  );
  /** The resource in the state, which is created if there is none. */
  const ensure = async (state: ResourceState): Promise<ResourceState> => {
    const known = present.get(state.urn);
    if (known) return known;
    present.set(state.urn, state);
    await performAll(run, [{ operation: "create", new: state }]);
    return state;
  };
  const defaultProvider = (packageName: string): Promise<ResourceState> => {
    const type = providerType(packageName);
    const urn = createUrn(run.identity, type, "default");
    return ensure({ urn, custom: true, type, inputs: defaultConfiguration(run, packageName) });
  };
  const { project, stack } = run.identity;
  const stackUrn = createUrn(run.identity, STACK_TYPE, `${project}-${stack}`);
  await ensure({ urn: stackUrn, custom: false, type: STACK_TYPE, outputs: {} });
  const steps: RunStep[] = [];
  for (const entry of entries) {
    const old = present.get(entry.urn);
    if (old && old.id === entry.id) continue;
    if (old) run.outcome.abort(`resource '${entry.urn}' already exists`, entry.urn);
    const provider = await defaultProvider(packageOf(entry.type));
    const state: ResourceState = {
      urn: entry.urn,
      custom: true,
      id: entry.id,
      type: entry.type,
      inputs: fromDeployment((entry.inputs ?? {}) as Properties),
      outputs: fromDeployment((entry.outputs ?? {}) as Properties),
      parent: stackUrn,
      protect: options.protect,
      provider: providerReference(provider.urn, provider.id),
    };
    const read = packageOf(entry.type) !== DYNAMIC_PACKAGE && (await readEntry(run, state));
    steps.push({ operation: "import", new: { ...state, ...read } });
  }
  for (const step of steps) {
    await performAll(run, [step]);
    await warnOfFailures(run, step.new as ResourceState);
  }
}

/** Checks an imported entry. The import stays, whatever the check finds. */
async function warnOfFailures(run: Run, state: ResourceState): Promise<void> {
  const { urn, type, inputs = {} } = state;
  const provider = await run.providerOf(state);
  const { failures } = await provider.check({ urn, olds: inputs, news: inputs });
  for (const { reason } of failures) {
    const message = `${type} resource '${nameInUrn(urn)}' has a problem: ${reason}`;
    run.outcome.report({ severity: "warning", message, urn });
  }
}

/** Reads the object of an entry that has only an id. Stops the run if that fails. */
async function readEntry(run: Run, state: ResourceState): Promise<Imported> {
  try {
    return await readImported(await run.providerOf(state), state.urn, state.id as string);
  } catch (error) {
    return run.outcome.abortWith(error, state.urn);
  }
}

/** Finds the URN of every entry. Stops the run if an entry cannot be imported. */
function located(run: Run, { resources }: ImportFile): (ImportEntry & { readonly urn: string })[] {
  const entries = resources.map((entry) => ({
    ...entry,
    urn: createUrn(run.identity, entry.type, entry.name),
  }));
  const complaints = entries.flatMap(({ urn, ...entry }, index) => {
    const found = complaint(run, entry);
    const twice = entries.findIndex((other) => other.urn === urn) < index;
    if (twice) found.push("has the same URN as another entry. Give it another name");
    return found.map((text) => `${describe(entry)} ${text}.`);
  });
  if (complaints.length > 0) run.outcome.abort(complaints.join("\n"));
  return entries;
}

function describe({ name, type }: ImportEntry): string {
  return `resource '${name}' of type '${type}'`;
}

/** The reasons why an entry cannot be imported. */
function complaint(run: Run, entry: ImportEntry): string[] {
  const unknown = Object.keys(entry).find((field) => !SUPPORTED.includes(field));
  if (unknown) return [`has the field ${unknown}, which the test engine does not support`];
  if (isProviderType(entry.type)) return ["is a provider, which the test engine does not import"];
  const packageName = packageOf(entry.type);
  if (packageName !== DYNAMIC_PACKAGE && !run.providers.serves(packageName))
    return ["belongs to a package without a plugin here; the test engine does not import it"];
  if (!entry.id) return ["has no ID"];
  if (packageName === DYNAMIC_PACKAGE && !(entry.inputs && entry.outputs))
    return ["has no inputs and outputs; the dynamic-provider host cannot read a resource by its ID alone"];
  return [];
}

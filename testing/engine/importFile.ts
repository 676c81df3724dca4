/**
 * Import files: adds entries with inputs and outputs to the state, as `pulumi import --file` does. No resource is read;
 * the provider only checks the inputs.
 */
import type { ImportEntry, ImportFile } from "../../provider/hosts/dynamic/importFile";
import type { ResourceState } from "./deployment";
import {
  createUrn,
  DYNAMIC_PACKAGE,
  isProviderType,
  packageOf,
  parseUrn,
  providerReference,
  providerType,
  STACK_TYPE,
} from "./names";
import type { Run, RunStep } from "./run";
import { performAll } from "./steps";
import { fromDeployment, type Properties } from "./values";

const SUPPORTED = [
  "type",
  "name",
  "logicalName",
  "id",
  "parent",
  "provider",
  "component",
  "inputs",
  "outputs",
];

interface Located extends ImportEntry {
  readonly urn: string;
  readonly parentUrn: string;
}

/** Imports the entries of a file. */
export async function importEntries(
  run: Run,
  file: ImportFile,
  options: { protect: boolean },
): Promise<void> {
  const entries = locate(run, file);
  const olds = new Map(
    run.base.resources.filter((state) => !state.delete).map((state) => [state.urn, state]),
  );
  // The resources in the state come before the imported ones.
  await performAll(
    run,
    [...olds.values()].map((old) => ({ operation: "same", old, new: { ...old } })),
  );
  const stackUrn = createUrn(run.identity, STACK_TYPE, `${run.identity.project}-${run.identity.stack}`);
  if (!olds.has(stackUrn)) {
    await performAll(run, [
      { operation: "create", new: { urn: stackUrn, custom: false, type: STACK_TYPE, outputs: {} } },
    ]);
  }
  const providerUrn = createUrn(run.identity, providerType(DYNAMIC_PACKAGE), "default");
  let defaultProvider = olds.get(providerUrn);
  const steps: RunStep[] = [];
  for (const entry of entries) {
    const old = olds.get(entry.urn);
    if (old && old.id === entry.id) continue;
    if (old) run.abort(`resource '${entry.urn}' already exists`, entry.urn);
    let provider = entry.provider ? olds.get(file.nameTable?.[entry.provider] ?? "") : defaultProvider;
    if (entry.provider && !provider)
      run.abort(`The provider '${entry.provider}' of '${entry.name}' is not in the state.`);
    if (!provider && !entry.component) {
      const type = providerType(DYNAMIC_PACKAGE);
      provider = defaultProvider = { urn: providerUrn, custom: true, type, inputs: run.config };
      await performAll(run, [{ operation: "create", new: provider }]);
    }
    const state: ResourceState = {
      urn: entry.urn,
      custom: !entry.component,
      ...(entry.id !== undefined && { id: entry.id }),
      type: entry.type,
      inputs: propertiesOf(entry.inputs),
      outputs: propertiesOf(entry.outputs),
      parent: entry.parentUrn || stackUrn,
      protect: options.protect,
      ...(provider &&
        !entry.component && { provider: providerReference(provider.urn, provider.id as string) }),
    };
    steps.push({ operation: "import", new: state });
  }
  for (const step of steps) await performAll(run, [step]);
}

/** The properties of an entry, in wire form. */
function propertiesOf(properties: ImportEntry["inputs"] = {}): Properties {
  return fromDeployment(properties as Properties) as Properties;
}

/** Finds the URN of every entry, parents first. Stops the run if an entry cannot be imported. */
function locate(run: Run, { nameTable = {}, resources = [] }: ImportFile): Located[] {
  const complaints = resources.flatMap((entry) =>
    complaint(entry).map((text) => `${describe(entry)} ${text}.`),
  );
  const located: Located[] = [];
  const taken = new Set(Object.values(nameTable));
  let left = complaints.length > 0 ? [] : resources;
  while (left.length > 0) {
    const waiting = left.filter((entry) => {
      const parent = entry.parent ?? "";
      const others = resources.filter(({ name }) => name === parent);
      const found = nameTable[parent] ?? located.find(({ name }) => name === parent)?.urn;
      if (parent !== "" && found === undefined && others.length > 0) return true;
      const urn = createUrn(run.identity, entry.type, entry.logicalName ?? entry.name, found);
      if (parent !== "" && others.length > 1) complaints.push(`${describe(entry)} has an ambiguous parent.`);
      else if (parent !== "" && found === undefined) {
        complaints.push(`The parent '${parent}' of ${describe(entry)} has no entry in nameTable.`);
      }
      if (taken.has(urn))
        complaints.push(`${describe(entry)} has the same URN as another entry. Give it another name.`);
      const provider = entry.provider && nameTable[entry.provider];
      if (entry.provider && !provider) {
        complaints.push(`The provider '${entry.provider}' of ${describe(entry)} has no entry in nameTable.`);
      } else if (provider && !isProviderType(parseUrn(provider).type)) {
        complaints.push(`The provider '${entry.provider}' of ${describe(entry)} is not a provider.`);
      }
      taken.add(urn);
      located.push({ ...entry, urn, parentUrn: found ?? "" });
      return false;
    });
    if (waiting.length === left.length) {
      complaints.push(`${waiting.map(describe).join(", ")}: each is the parent of another.`);
      break;
    }
    left = waiting;
  }
  if (complaints.length > 0) run.abort(complaints.join("\n"));
  return located;
}

function describe({ name, type }: ImportEntry): string {
  return `resource '${name}' of type '${type}'`;
}

/** The reasons why an entry cannot be imported. */
function complaint(entry: ImportEntry): string[] {
  const unknown = Object.keys(entry).find((field) => !SUPPORTED.includes(field));
  if (unknown) return [`has the field ${unknown}, which the test engine does not support`];
  if (isProviderType(entry.type)) return ["is a provider, which the test engine does not import"];
  if (entry.component) return entry.id ? ["has an ID, but is marked as a component"] : [];
  if (packageOf(entry.type) !== DYNAMIC_PACKAGE)
    return ["is not a dynamic resource; the test engine imports no other"];
  if (!entry.id) return ["has no ID"];
  if (!entry.inputs || !entry.outputs) {
    return ["has no inputs and outputs; the dynamic-provider host cannot read a resource by its ID alone"];
  }
  return [];
}

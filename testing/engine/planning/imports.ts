/** Imports of the option `import`, which are performed before the resource is compared with its goal. */
import type { Goal } from "../protocol/goal";
import { isProviderType } from "../protocol/urn";
import { InitFailure } from "../providers/provider";
import type { Run } from "../run/run";
import { inOrder } from "../run/step";
import { performAll } from "../run/steps";
import type { ResourceState } from "../state/snapshot";

/** Whether a resource is imported, and not in the state with that id already. */
export function isImport({ custom, type, importId }: Goal, old: ResourceState | undefined): boolean {
  const isImportable = custom && !isProviderType(type) && importId !== "";
  return isImportable && (old === undefined || old.external === true || old.id !== importId);
}

/** Imports an object into the state. The checks that follow see it as the old state, and do not undo it if they fail. */
export async function importObject(
  run: Run,
  { importId }: Goal,
  declared: ResourceState,
  old: ResourceState | undefined,
): Promise<ResourceState> {
  const found = { ...declared, ...(await read(run, declared, importId)) };
  const isReplacement = old !== undefined && !run.deleted.has(old.urn);
  await performAll(
    run,
    isReplacement
      ? inOrder(["import-replacement", "replace"], { old, new: found })
      : [{ operation: "import", new: found }],
  );
  return found;
}

/** Reads an object, which may be not ready. Throws if it does not exist. */
async function read(run: Run, declared: ResourceState, importId: string): Promise<Partial<ResourceState>> {
  const provider = await run.providerOf(declared);
  try {
    const { id, inputs = {}, outputs } = await provider.read({ urn: declared.urn, id: importId });
    if (id === "") throw new Error(`resource '${importId}' does not exist`);
    return { id, inputs, outputs };
  } catch (error) {
    if (!(error instanceof InitFailure)) throw error;
    const { id, inputs = {}, outputs, reasons: initErrors } = error;
    return { id, inputs, outputs, initErrors };
  }
}

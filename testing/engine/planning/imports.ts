/** Imports of the option `import`, which are performed before the resource is compared with its goal. */
import type { Goal } from "../protocol/goal";
import { isProviderType } from "../protocol/urn";
import { InitFailure } from "../providers/provider";
import type { Run } from "../run/run";
import { inOrder } from "../run/step";
import { performAll } from "../run/steps";
import type { ResourceState } from "../state/snapshot";

/**
 * Imports the object that a goal names, if any, unless it is in the state already. The checks that follow see it as the old
 * state, and do not undo it if they fail.
 */
export async function importObject(
  run: Run,
  { custom, type, importId }: Goal,
  declared: ResourceState,
  old: ResourceState | undefined,
): Promise<ResourceState | undefined> {
  if (!custom || isProviderType(type) || importId === "") return undefined;
  if (old !== undefined && !old.external && old.id === importId) return undefined;
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

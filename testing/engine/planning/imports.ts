/** Imports of the option `import`, which are performed before the resource is compared with its goal. */
import type { Goal } from "../protocol/goal";
import { isProviderType } from "../protocol/urn";
import { readImported } from "../providers/provider";
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
  const read = await readImported(await run.providerOf(declared), declared.urn, importId);
  const found: ResourceState = { ...declared, ...read };
  const isReplacement = old !== undefined && !run.deleted.has(old.urn);
  await performAll(
    run,
    isReplacement
      ? inOrder(["import-replacement", "replace"], { old, new: found })
      : [{ operation: "import", new: found }],
  );
  return found;
}

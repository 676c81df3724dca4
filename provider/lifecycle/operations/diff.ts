import { UserError } from "../../errors";
import { canonicalValues } from "../../values/canonical";
import { capitalized } from "../../values/phrases";
import { alreadyManages, wouldReplaceAdopted } from "../adoption";
import { existsInService } from "../creates";
import { ADOPTED_PROPERTY, IMPORT_PROPERTY } from "../hiddenProperties";
import { isOwn } from "../ledger/decisions";
import { objectKey, parentIn, resourceOf } from "../ledger/facts";
import { changedPaths, newlyNull } from "../properties";
import { resourceKey } from "../run/checkedResources";
import { contextFor, type ResourceRun } from "../run/runContext";
import { type Declared, declaredIn, importIn, type ManagedObject } from "../state";
import { isDeleted } from "./deleted";
import { reportInUse } from "./inUse";
import { fixedIn, replacingInputs } from "./replacement";

export interface DiffResult {
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** The paths that are declared as null for the first time, which is no change to Pulumi. */
  readonly newlyNull: readonly string[];
}

/** Decides which changes replace the resource, and finds those that Pulumi does not see. Reads only if another object is imported. */
export async function diff(
  run: ResourceRun,
  { uuid, state, inputs, adopt }: ManagedObject & Declared,
): Promise<DiffResult> {
  const { description } = run;
  const { title } = description;
  const { checkedExisting, ledger } = run.memory;
  const object = objectKey(title, uuid);
  const by = run.urn ?? checkedExisting.only(resourceKey(run, { inputs, adopt }));
  const parent = parentIn(description, state);
  ledger.record({ is: "seen", object, by });
  if (importIn(state) === uuid) ledger.record({ is: "adoptedBefore", object, by, parent });
  if (state[ADOPTED_PROPERTY] === uuid)
    ledger.record({ is: "adoptedEntry", object, by, fixed: fixedIn(description.replaceOnChanges, state) });
  requireOwn(run, object);
  const context = await contextFor(run, { uuid, state });
  const before = canonicalValues(description.inputs, state);
  const replaces = replacingInputs(description, { before, inputs, isUnknown: run.isUnknown });
  const certain = replaces.filter((name) => !run.isUnknown(inputs[name]));
  if (certain.length > 0 && [adopt, importIn(state)].includes(uuid))
    throw wouldReplaceAdopted(description, uuid, certain);
  if (certain.length > 0) ledger.record({ is: "replacing", object, by, parent });
  // A replacement may adopt an existing object, such as the result of an interrupted replacement. Without a
  // replacement, that is possible only if the object of the state no longer exists.
  if (replaces.length === 0 && adopt !== undefined && adopt !== uuid) {
    if (await isDeleted(run, context, { uuid, state }))
      return { replaces: [IMPORT_PROPERTY], deleteBeforeReplace: false, newlyNull: [] };
    throw alreadyManages(description, uuid, adopt);
  }
  // With a change, the engine may still replace the resource, because of `replaceOnChanges`. Otherwise it updates it.
  const declaredBefore = declaredIn(description, before);
  if (changedPaths(declaredBefore, inputs).length === 0) recordDeclared(run, { inputs, adopt }, object);
  // The check before did not know the object.
  if (run.memory.isPreview && by !== undefined && replaces.length === 0)
    await reportInUse(run, context, { by, uuid, inputs, before });
  const deleteFirst = replaces.length > 0 && description.replacement?.deletesFirst(inputs, before);
  const nulls = newlyNull(declaredBefore, inputs);
  return { replaces, deleteBeforeReplace: deleteFirst || false, newlyNull: nulls };
}

/** Records that a resource of the program keeps its object, so that no other entry of the state deletes it. */
export function recordDeclared(run: ResourceRun, declared: Declared, object: string): void {
  const { description, memory, urn } = run;
  const key = resourceKey(run, declared);
  const parent = parentIn(description, declared.inputs);
  if (!existsInService(description) || !memory.checkedExisting.has(key)) return;
  memory.ledger.record({ is: "declared", object, by: urn ?? memory.checkedExisting.only(key), parent });
}

/** Requires that no create of this run has the same object as its result. @throws UserError with both resources. */
function requireOwn({ memory, session, urn }: ResourceRun, object: string): void {
  const answer = isOwn(memory.ledger, { object, by: urn });
  if (answer.is !== "no") return;
  const { is, by = "" } = answer.because;
  const other = resourceOf(answer.because, session.client.sanitized);
  const how =
    is === "created"
      ? "because the service's response to its create was about this object"
      : "because the response to its create was lost and this object was found instead";
  throw new UserError(
    [
      `${capitalized(object)} of ${urn ?? "this resource"} was adopted by ${other} in this run, ${how}. Both are in the state now.`,
      "Remove the other resource from the state, and run `pulumi up` again, which creates an object for it:",
      `  pulumi state delete "${by.startsWith("urn:") ? by : "<URN>"}"`,
      "`pulumi stack --show-urns --show-ids` lists both.",
    ].join("\n"),
  );
}

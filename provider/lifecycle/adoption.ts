/**
 * The option `import`: adopts existing objects, and prevents other entries of the state from deleting or replacing
 * them.
 */

import { NotFoundError } from "../client/errors";
import { UserError } from "../errors";
import { isUuid } from "../shapes/uuid";
import { propertyAt } from "../shapes/walk";
import { capitalized, uncapitalized } from "../shapes/words";
import type { Found, OperationContext, ResourceDescription } from "./description";
import { notFoundError, type Sought } from "./evidence/absence";
import { explain, explained } from "./explain";
import { ADOPTED_PROPERTY, IMPORT_PROPERTY } from "./hiddenProperties";
import { type Difference, differences, type Properties, unknownPaths } from "./properties";
import { orRefuse, unlessUnusable } from "./run/marks";
import { contextFor, type ResourceRun } from "./run/runContext";
import { objectKey } from "./run/runMemory";
import { importIn, stateOf } from "./state";

/**
 * Records objects that the program declares, or declared at the last `up`, with `import`. This run deletes none of
 * them.
 */
export function markHeld({ description: { title }, memory }: ResourceRun, ...uuids: unknown[]): void {
  for (const uuid of uuids) if (isUuid(uuid)) memory.held.add(objectKey(title, uuid));
}

/** Records which object an entry of the state has adopted, before any decision about the entry. */
export function noteAdoption(run: ResourceRun, uuid: string, state: Properties): void {
  if (importIn(state) === uuid) markHeld(run, uuid);
  if (state[ADOPTED_PROPERTY] === uuid) run.memory.adoptedBefore.add(objectKey(run.description.title, uuid));
}

/** Reports that the option was removed. Pulumi shows a change of `protect` only if nothing else changes. */
export function reportUnprotected({ description: { title }, report }: ResourceRun, uuid: string): void {
  report(
    `The option import of ${title} ${uuid} was removed, and with it protect and retainOnDelete, unless the program sets them. After \`pulumi up\`, the object can be deleted and replaced like any other.`,
    { persistent: true },
  );
}

/** The error for a change that would replace an adopted object. */
export function wouldReplaceAdopted(
  { title }: ResourceDescription,
  uuid: string,
  names: readonly string[],
): UserError {
  return new UserError(
    [
      `${capitalized(title)} ${uuid} was adopted with the option import, and changing ${names.join(" and ")} would replace it.`,
      "To replace and delete it, first remove import from the program, change nothing else, and run `pulumi up`.",
      "To keep it, undo the change, and declare the new one under another name.",
    ].join("\n"),
  );
}

/** The error for an `import` that names another object than the existing one that the resource manages. */
export function alreadyManages(
  { title, uniqueBy }: ResourceDescription,
  uuid: string,
  adopt: unknown,
): UserError {
  // A failed replacement advises the option, but without a change that replaces, nothing shows here that the engine
  // would replace the object.
  const ifTaken =
    uniqueBy === undefined
      ? ""
      : ` If a replacement failed because ${adopt} uses the ${uniqueBy}, remove the option, and delete ${adopt} in the service or choose another ${uniqueBy}.`;
  return new UserError(
    `The program declares import: "${adopt}", but this resource already manages ${title} ${uuid}. Remove the option to keep ${uuid}; to adopt ${adopt} as well, declare it under another name.${ifTaken}`,
  );
}

/** Finds the reasons why the object cannot be adopted as declared, or reports that it will be. Only reads it. */
export async function checkAdoption(
  run: ResourceRun,
  { inputs, uuid, mayShow }: Omit<Adoption, "properties">,
): Promise<string[]> {
  const { description } = run;
  const { title } = description;
  const subject = `${title} ${uuid}`;
  const context = await contextFor(run);
  const { properties } = await readExisting({
    description,
    context,
    uuid,
    state: inputs,
    advice: IF_DELETED,
  });
  const refusal = refusalOf(run, { inputs, uuid, properties, mayShow });
  if (refusal === undefined) {
    // Pulumi shows a new resource, whose create may look like one in the service.
    run.report(`Adopts ${subject} and sends no write. Pulumi shows it as a create.`, { persistent: true });
    return [];
  }
  // If the stack already manages the object, this check belongs to a replacement.
  const isReplacement = run.memory.adoptedBefore.has(objectKey(title, uuid));
  return [
    isReplacement
      ? `${refusal}\nThis resource already manages ${subject}, so the change would replace it. To replace it, first remove the option import and run \`pulumi up\`.`
      : refusal,
  ];
}

/** An object that is adopted, and what the program declares for it. */
interface Adoption {
  readonly inputs: Properties;
  readonly uuid: string;
  readonly properties: Properties;
  /** Whether messages may show the values of a property. */
  mayShow(name: string): boolean;
}

/** The reason why an object cannot be adopted as declared, if there is one. Reports what is not known yet. */
export function refusalOf(
  run: ResourceRun,
  { inputs, uuid, properties, mayShow }: Adoption,
): string | undefined {
  const { description } = run;
  const subject = `${description.title} ${uuid}`;
  const { nameOf = (name) => name } = run;
  const unknown = unknownPaths(inputs, run.isUnknown).map(nameOf);
  if (unknown.length > 0) {
    run.report(
      `${unknown.join(", ")} of ${subject} ${unknown.length === 1 ? "is" : "are"} not known yet and will be compared before the adoption.`,
      { persistent: true },
    );
  }
  const differing = differences(inputs, properties, run.isUnknown);
  if (differing.length === 0) return undefined;
  return [
    `the program and ${subject} differ, so it was not adopted:`,
    ...table(
      differing.map((difference) => [
        nameOf(difference.path),
        mayShow(propertyAt(difference.path))
          ? comparison(run.session.client.sanitized(difference))
          : withoutValues(difference),
      ]),
    ),
    ...waysToSee(description, uuid),
    "Change the program or the object so that they agree, then run this again. Properties that the program does not declare are left unchanged.",
  ].join("\n");
}

/** The resource that declares the option `import`. */
interface Claimant {
  /** Identifies the resource in this run, if the host knows it. The same one may reserve an object again. */
  readonly resource: string | undefined;
  /** Whether the resource adopts the object in this run. */
  readonly isNew: boolean;
}

/**
 * Requires that no other resource of the run declares `import` with the same UUID. Two that did would overwrite each
 * other's values, and replacing one of them would delete the object of both.
 *
 * @returns the failure of the check, if there is one.
 */
export function claimFailure(run: ResourceRun, uuid: string, claimant: Claimant): string[] {
  // Without an identity, the same resource could not be told from another one that declares the same.
  if (!claimant.isNew && claimant.resource === undefined) return [];
  if (claim(run, uuid, claimant).claimed) return [];
  return [
    `import: another resource of the program declares ${run.description.title} ${uuid} with import as well. Give each UUID to one resource, and remove the option from the other one.`,
  ];
}

/**
 * Reserves an object for the resource that declares it with `import`, in all processes of the run.
 *
 * @returns whether it is reserved; otherwise the resource that has reserved it, if this process knows it.
 * @throws UserError if the resource is new and the other processes cannot see the reservation.
 */
function claim(
  { description: { title }, memory: { claimed, claimants, replaced } }: ResourceRun,
  uuid: string,
  { resource, isNew }: Claimant,
): { readonly claimed: boolean; readonly by?: string | undefined } {
  const key = objectKey(title, uuid);
  return orRefuse(`${capitalized(title)} ${uuid} was not adopted.`, () => {
    if (isNew) claimed.requireShared();
    if (isNew && replaced.has(key)) {
      throw new UserError(
        "A change of the resource that has it replaces it in this run, which may delete it first. Undo that change, adopt the object here, and remove the other resource from the program in the same `pulumi up`. Declare it as changed in a later one.",
      );
    }
    if (!claimed.add(key)) {
      const by = claimants.get(key);
      return { claimed: by !== undefined && by === resource, by };
    }
    claimants.set(key, resource);
    // The claim is visible now. Of two that claim at the same time, at least one sees the other's.
    const isElsewhere = () => claimed.hasElsewhere(key);
    // A resource that has the object already loses nothing: no process that cannot read the marks deletes it.
    return { claimed: !(isNew ? isElsewhere() : unlessUnusable(isElsewhere)) };
  });
}

/** Adopts an object into the state. Writes nothing to the service. */
export async function adoptExisting(
  run: ResourceRun,
  context: OperationContext,
  { inputs, uuid }: { readonly inputs: Properties; readonly uuid: string },
): Promise<{ uuid: string; state: Properties }> {
  const { description } = run;
  const found = await readExisting({ description, context, uuid, state: inputs, advice: IF_DELETED });
  const differing = differences(inputs, found.properties, run.isUnknown);
  if (differing.length > 0) {
    const paths = differing.map(({ path }) => path).join(", ");
    throw new UserError(
      `${capitalized(description.title)} ${uuid} has changed since it was compared with the program: ${paths}. Run this again.`,
    );
  }
  const hidden = { [ADOPTED_PROPERTY]: uuid, [IMPORT_PROPERTY]: uuid };
  const { organizationId } = context;
  return {
    uuid: found.uuid,
    state: stateOf(description, { organizationId, declared: inputs, hidden }, found),
  };
}

/**
 * Records that Pulumi itself imports an object, and returns the hidden properties for it. No other
 * entry of the state deletes the object from then on.
 *
 * @param urn the resource that imports it.
 * @throws UserError if another resource of this run imports the object, or if that cannot be known.
 */
export function noteImport(run: ResourceRun, uuid: string, urn: string): Properties {
  const { claimed, by } = claim(run, uuid, { resource: urn, isNew: true });
  if (!claimed) {
    throw new UserError(
      `Another resource already imports ${run.description.title} ${uuid} in this run${by === undefined ? "" : `: ${by}`}. Give each UUID to one resource.`,
    );
  }
  markHeld(run, uuid);
  return { [ADOPTED_PROPERTY]: uuid };
}

/** What to do about an adopted object that no longer exists. */
export const IF_DELETED = "If it was deleted, `pulumi up` without the option import creates a new one.";

/**
 * Reads an object by a UUID that the user has given.
 *
 * @throws UserError if the organization does not have it.
 */
export async function readExisting(sought: Sought<ResourceDescription>): Promise<Found> {
  try {
    return await sought.description.read(sought.context, sought.uuid, {});
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw explain(error);
    throw await explained(() => notFoundError(sought, error));
  }
}

/** A difference with both values, which must be sanitized. */
function comparison({ declared, actual }: Difference): string {
  const service = actual == null ? "not set in the service" : `${JSON.stringify(actual)} in the service`;
  return `${JSON.stringify(declared)} in the program, ${service}`;
}

/** A difference of values that may be secret. */
function withoutValues({ declared, actual }: Difference): string {
  if (declared === null) return "declared as null, but set in the service";
  if (actual == null) return "declared, but not set in the service";
  return "declared with a value that differs from the service";
}

/** How to see the values of an object. */
function waysToSee({ type, creates }: ResourceDescription, uuid: string): string[] {
  // Only objects of the service can be looked up by these names.
  if (creates !== "object") return [];
  return [
    `To see what the service has, call get${type}({ id: "${uuid}" }) in the program, or run \`npx pulumi-dynamiclink import ${uncapitalized(type)} <name> ${uuid} --out import.json\`, which prints the code that declares it.`,
  ];
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

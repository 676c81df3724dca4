/** The option `import`: adopts existing objects, and protects them from other entries of the state: see docs/internals/adoption.md. */
import { NotFoundError } from "../client/errors";
import { UserError } from "../errors";
import { objectName } from "../values/phrases";
import { propertyAt } from "../values/walk";
import { addsObject, existsInService, subjectKey } from "./creates";
import type { Found, OperationContext, ResourceDescription } from "./description";
import { explainNotFound } from "./evidence/absence";
import type { LookupTarget } from "./evidence/lists";
import { recordYouth, whileYoung } from "./evidence/youth";
import { explain, explained } from "./explain";
import { ADOPTED_PROPERTY, IMPORT_PROPERTY } from "./hiddenProperties";
import { mayAdopt } from "./ledger/decisions";
import { objectKey, resourceOf } from "./ledger/facts";
import { serviceMs } from "./poll";
import { type Difference, differences, type Properties, unknownPaths } from "./properties";
import { contextFor, type ResourceRun, reportOnce } from "./run/runContext";
import { type ManagedObject, savedCreation, stateOf } from "./state";

/** Reports that the option was removed. Pulumi shows a change of `protect` only if nothing else changes. */
export function reportUnprotected({ description: { title }, report }: ResourceRun, uuid: string): void {
  report(
    `The option import of ${title} ${uuid} was removed, and with it protect and retainOnDelete, unless the program sets them. After \`pulumi up\`, the object can be deleted and replaced like any other.`,
    { persistent: true },
  );
}

export function wouldReplaceAdopted(
  { title }: ResourceDescription,
  uuid: string,
  names: readonly string[],
): UserError {
  return new UserError(
    [
      `${objectName(title, uuid)} was adopted with the option import, and changing ${names.join(" and ")} would replace it.`,
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
  context: OperationContext,
  { inputs, uuid, mayShow }: Omit<Adoption, "properties">,
): Promise<string[]> {
  const { description } = run;
  const { title, parentId } = description;
  const { adoptedParents, reads } = run.memory;
  if (parentId === undefined) adoptedParents.add(uuid);
  const isKnown = parentId === undefined || !run.isUnknown(inputs[parentId]);
  const parents = isKnown ? [String(inputs[parentId ?? ""])] : adoptedParents;
  const target = { description, context, uuid, state: inputs, advice: IF_DELETED };
  const refusalFor = ({ properties }: Found) => {
    // The program means a parent that this run adopts, although its UUID is not known yet.
    const isInAdopted = !isKnown && adoptedParents.has(String(properties[parentId]));
    const compared = isInAdopted ? { ...inputs, [parentId]: properties[parentId] } : inputs;
    return refusalOf(run, { inputs: compared, uuid, properties, mayShow });
  };
  const found = await readExisting(target, () => reads.readAmong(target, parents));
  requireLasting(description, found);
  // A list may be older than the object, so only a read of the object itself refuses it.
  const refusal = refusalFor(found) && refusalFor(await readExisting(target));
  if (refusal === undefined) {
    // Their creates may look like creates in the service.
    reportOnce(
      run,
      "Resources with the option import are adopted without a write to the service. Pulumi shows them as created.",
    );
    return [];
  }
  // If the stack already manages the object, this check belongs to a replacement.
  const isReplacement = run.memory.ledger.has(objectKey(title, uuid), "adoptedEntry");
  return [
    isReplacement
      ? `${refusal}\nThis resource already manages ${title} ${uuid}, so the change would replace it. To replace it, first remove the option import and run \`pulumi up\`.`
      : refusal,
  ];
}

/** Requires that an object that is adopted is not being deleted. @throws UserError */
export function requireLasting(
  { title, deletion }: ResourceDescription,
  found: Pick<Found, "uuid" | "lifecycle">,
): void {
  if (!deletion?.isUnderWay?.(found)) return;
  throw new UserError(
    `${objectName(title, found.uuid)} is being deleted, so it was not adopted. Remove the option import: the next \`pulumi up\` after the deletion creates a new one.`,
  );
}

export interface Adoption {
  readonly inputs: Properties;
  readonly uuid: string;
  readonly properties: Properties;
  mayShow(name: string): boolean;
}

/** The reason why an object cannot be adopted as declared, if there is one. Reports properties that are not known yet. */
export function refusalOf(
  run: ResourceRun,
  { inputs, uuid, properties, mayShow }: Adoption,
): string | undefined {
  const { description } = run;
  const subject = `${description.title} ${uuid}`;
  const unknown = unknownPaths(inputs, run.isUnknown);
  if (unknown.length > 0)
    run.report(
      `${unknown.join(", ")} of ${subject} ${unknown.length === 1 ? "is" : "are"} not known yet and will be compared before the adoption.`,
      { persistent: true },
    );
  const differing = differences(inputs, properties, run.isUnknown);
  if (differing.length === 0) return undefined;
  return [
    `the program and ${subject} differ, so it was not adopted:`,
    ...differenceLines(run, uuid, differing, mayShow),
    "Change the program or the object so that they agree, then run this again. Properties that the program does not declare are left unchanged.",
  ].join("\n");
}

/**
 * The failure if a resource may not adopt an object. If two did, they would overwrite each other's values, and replacing one
 * of them would delete the object of both. @throws UserError if the resource that has the object is replaced in this run.
 */
export function requireAdoptable(
  { description: { title }, memory: { ledger }, session }: ResourceRun,
  uuid: string,
  { by, isNew }: { readonly by: string; readonly isNew: boolean },
): string[] {
  const answer = mayAdopt(ledger, { object: objectKey(title, uuid), by, isNew });
  if (answer.is === "yes") return [];
  if (answer.because.is === "replacing")
    throw new UserError(
      `${objectName(title, uuid)} was not adopted.\nA change of the resource that has it replaces it in this run, which may delete it first. Undo that change, adopt the object here, and remove the other resource from the program in the same \`pulumi up\`. Declare it as changed in a later one.`,
    );
  return [
    `import: ${resourceOf(answer.because, session.client.sanitized)} imports ${title} ${uuid} as well. Give each UUID to one resource, and remove the option import from the other one.`,
  ];
}

/** Adopts an object into the state. Writes nothing to the service. */
export async function adoptExisting(
  run: ResourceRun,
  context: OperationContext,
  { inputs, uuid }: { readonly inputs: Properties; readonly uuid: string },
): Promise<{ uuid: string; state: Properties }> {
  const { description } = run;
  const found = await readExisting({ description, context, uuid, state: inputs, advice: IF_DELETED });
  recordYouth(context, objectKey(description.title, uuid), found.createdAt);
  requireLasting(description, found);
  const differing = differences(inputs, found.properties, run.isUnknown);
  if (differing.length > 0) {
    const paths = differing.map(({ path }) => path).join(", ");
    throw new UserError(
      `${objectName(description.title, uuid)} and the program differ now: ${paths}. It has changed since it was compared, and you can run this again. Or a policy with remediations has changed what the program declares: correct it, or the program.`,
    );
  }
  const hidden = {
    [ADOPTED_PROPERTY]: uuid,
    [IMPORT_PROPERTY]: uuid,
    ...(existsInService(description) && savedCreation(found.createdAt, found.properties, serviceMs(context))),
  };
  const parts = { organizationId: context.organizationId, inputs, hidden };
  return { uuid: found.uuid, state: stateOf(description, parts, found) };
}

/**
 * Records that Pulumi itself imports an object, and returns the hidden properties for it. No other entry of the state
 * deletes the object from then on. @throws UserError if another resource of this run imports the object.
 */
export function recordImport(run: ResourceRun, uuid: string, urn: string): Properties {
  const { description, memory } = run;
  const object = objectKey(description.title, uuid);
  memory.ledger.record({ is: "adopting", object, by: urn });
  const [refusal] = requireAdoptable(run, uuid, { by: urn, isNew: true });
  if (refusal !== undefined) throw new UserError(refusal);
  return { [ADOPTED_PROPERTY]: uuid };
}

/** Compares an object that Pulumi itself has imported with the program. Returns its properties, and why it cannot be adopted. */
export async function compareImport(
  run: ResourceRun,
  { uuid, state, inputs, mayShow }: ManagedObject & Omit<Adoption, "properties">,
): Promise<{ readonly properties: Properties; readonly refusal?: string | undefined }> {
  const { description } = run;
  const context = await contextFor(run, { uuid, state });
  const { properties } = await readExisting({ description, context, uuid, state });
  return { properties, refusal: refusalOf(run, { inputs, uuid, properties, mayShow }) };
}

export const IF_DELETED =
  "If it was deleted, and the program adopts it with the option `import`, remove the option: `pulumi up --refresh` then creates a new one.";

/** Reads an object by a UUID that the user has given. @throws UserError if the organization does not have it. */
export async function readExisting(
  target: LookupTarget<ResourceDescription>,
  read = () => target.description.read(target.context, target.uuid, {}),
): Promise<Found> {
  try {
    return await whileYoung(target.context, subjectKey(target.description, target.uuid), read);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw explain(error);
    throw await explained(() => explainNotFound(target, error));
  }
}

/** Differences as lines of a message, without the values that may be secret, and how to see them. */
export function differenceLines(
  { description, session }: ResourceRun,
  uuid: string,
  differing: readonly Difference[],
  mayShow: Adoption["mayShow"],
): string[] {
  const lines = differing.map((difference) => {
    const isShown = mayShow(propertyAt(difference.path));
    // They may differ only in spaces, or at the end.
    const sanitized = session.client.sanitized(difference, { whole: true });
    return `  ${difference.path}: ${isShown ? comparison(sanitized) : withoutValues(difference)}`;
  });
  // Only objects of the service can be looked up by these names.
  return addsObject(description)
    ? [
        ...lines,
        `To see what the service has, call get${description.type}({ id: "${uuid}" }) in the program, or run \`npx pulumi-dynamiclink discover ${uuid}\`, which prints the code that declares it.`,
      ]
    : lines;
}

/** A difference with both values, which must be sanitized. */
function comparison({ declared, actual }: Difference): string {
  const service = actual == null ? "not set in the service" : `${JSON.stringify(actual)} in the service`;
  return `${JSON.stringify(declared) ?? "not declared"} in the program, ${service}`;
}

/** A difference of values that may be secret. */
function withoutValues({ declared, actual }: Difference): string {
  if (declared === null) return "declared as null, but set in the service";
  if (declared === undefined) return "not declared, but set in the service";
  if (actual == null) return "declared, but not set in the service";
  return "declared with a value that differs from the service";
}

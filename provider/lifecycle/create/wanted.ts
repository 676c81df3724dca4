/** Shared by the searches for a declared object before and after its create. */
import { stepsOf, valueAt } from "../../values/walk";
import type { Found, OperationContext, ResourceDescription } from "../description";
import { whileYoung } from "../evidence/youth";
import { claimsOn } from "../ledger/decisions";
import { type Fact, objectKey, projectKey } from "../ledger/facts";
import { differences, type Properties } from "../properties";
import type { RunMemory } from "../run/runMemory";

/** An object that the program declares, as functions that send requests about it need it. */
export interface Wanted {
  readonly description: ResourceDescription;
  readonly context: OperationContext;
  readonly inputs: Properties;
}

/** Lists the objects among which the wanted one would be. Replicas may not have a new project yet. */
export async function listOf({ description, context, inputs }: Wanted): Promise<Found[]> {
  const { title, list } = description;
  if (list === undefined) throw new Error(`The service has no list of ${title}s.`);
  return await whileYoung(context, projectKey(description, inputs), () => list(context, inputs));
}

export function equals(inputs: Properties, { properties }: Found): boolean {
  return differences(inputs, properties).length === 0;
}

/** The paths of the declared inputs by which an object is recognized. Empty if all declared values do. */
export function identityOf(
  { uniqueBy, identifiedBy = uniqueBy === undefined ? [] : [uniqueBy] }: ResourceDescription,
  inputs: Properties,
): readonly string[] {
  return identifiedBy.filter((path) => valueAt(inputs, stepsOf(path)) != null);
}

/** Recognizes the objects that may be the one that a resource declares. */
export function sameAs(description: ResourceDescription, inputs: Properties): (found: Found) => boolean {
  const paths = identityOf(description, inputs).map(stepsOf);
  const values = paths.map((path) => valueAt(inputs, path));
  if (paths.length === 0) return (found) => equals(inputs, found);
  return ({ properties }) => paths.every((path, index) => valueAt(properties, path) === values[index]);
}

/** The facts by which a resource of the program has an object, or by which this run has changed it. */
export function claimsOf(
  { ledger, checkedExisting, checkedNew }: RunMemory,
  { title }: ResourceDescription,
  uuid: string,
): readonly Fact[] {
  const isDeclared = (resource: string) =>
    checkedExisting.includes(resource) || checkedNew.includes(resource);
  return claimsOn(ledger, objectKey(title, uuid), isDeclared);
}

export function linesFor(objects: readonly Found[]): string[] {
  return objects.map(({ uuid, createdAt }) => `  ${uuid}, created ${createdAt}: ${importLine(uuid)}`);
}

/** How to adopt an object, worded for every language. */
export function importLine(uuid: string): string {
  return `set the option \`import\` to "${uuid}"`;
}

/** How to see what is in an object, for kinds that contain others: as text in parentheses. */
export function discoverHint({ parentId }: ResourceDescription, uuid: string): string {
  return parentId === undefined
    ? ` (\`npx pulumi-dynamiclink discover ${uuid}\` prints all that is in it)`
    : "";
}

/** What to do about an object that a new resource may mean, the likeliest cause first: the beginning of a message. */
export function remedies(adopt: string): string {
  return `If this resource was renamed or moved, add \`aliases\`. ${adopt}. Otherwise, `;
}

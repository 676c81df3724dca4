/** Shared by the searches for a declared object before and after its create. */
import type { Found, OperationContext, ResourceDescription } from "../description";
import { differences, type Properties } from "../properties";

/** An object that the program declares, as functions that send requests about it need it. */
export interface Wanted {
  readonly description: ResourceDescription;
  readonly context: OperationContext;
  readonly inputs: Properties;
}

/** Lists the objects among which the wanted one would be. */
export async function listOf({ description, context, inputs }: Wanted): Promise<Found[]> {
  if (description.list === undefined) throw new Error(`The service has no list of ${description.title}s.`);
  return await description.list(context, inputs);
}

/** Whether an object has all declared values. */
export function equals(inputs: Properties, { properties }: Found): boolean {
  return differences(inputs, properties).length === 0;
}

/** The lines of a message that lists objects. */
export function linesFor(objects: readonly Found[]): string[] {
  return objects.map(({ uuid, createdAt }) => `  ${uuid}, created ${createdAt}: ${importLine(uuid)}`);
}

/** How to adopt an object, worded for every language. */
export function importLine(uuid: string): string {
  return `set the option \`import\` to "${uuid}"`;
}

/**
 * What the option `import` does: adopts objects that exist, and keeps them from being deleted or replaced through any
 * other entry of the state.
 */
import { randomUUID } from "node:crypto";
import { NotFoundError } from "../client/errors";
import { isUuid } from "../shapes/uuid";
import { capitalized } from "../shapes/words";
import type { Found, OperationContext, ResourceDescription } from "./description";
import { UserError } from "./errors";
import { explain } from "./explain";
import { notFoundIn } from "./ownership";
import { differences, type Properties, unknownPaths } from "./properties";
import { contextFor, type RunContext } from "./runContext";
import { objectKey } from "./runMemory";
import { ADOPTED_PROPERTY, ADOPTION_PROPERTY, IMPORT_PROPERTY, importIn, stateOf } from "./state";

/** Nothing in this run deletes an object that the program declares with `import`, or declared so at the last `up`. */
export function hold({ title }: ResourceDescription, { memory }: RunContext, ...uuids: unknown[]): void {
  for (const uuid of uuids) if (isUuid(uuid)) memory.held.add(objectKey(title, uuid.toLowerCase()));
}

/** Notes what an entry of the state adopted or holds, before anything is decided about it. */
export function noteAdoption(
  description: ResourceDescription,
  run: RunContext,
  uuid: string,
  state: Properties,
): void {
  if (importIn(state) === uuid) hold(description, run, uuid);
  if (state[ADOPTED_PROPERTY] !== uuid) return;
  run.memory.kept.add(objectKey(description.title, uuid));
  run.memory.kept.add(adoptionKey(description, uuid, state));
}

/** Whether the object stays when this entry of the state is deleted, because the stack has it by another one. */
export function isKept(
  description: ResourceDescription,
  { memory: { held, kept } }: RunContext,
  uuid: string,
  state: Properties,
): boolean {
  const key = objectKey(description.title, uuid);
  return held.has(key) || (kept.has(key) && !kept.has(adoptionKey(description, uuid, state)));
}

/** How the memory names an entry of the state that adopted an object. */
function adoptionKey(
  { title }: ResourceDescription,
  uuid: string,
  { [ADOPTED_PROPERTY]: adopted, [ADOPTION_PROPERTY]: adoption }: Properties,
): string {
  return `${objectKey(title, uuid)} ${adopted} ${adoption}`;
}

/** The error of a change that would replace an adopted object. */
export function wouldReplaceAdopted(
  { title }: ResourceDescription,
  uuid: string,
  names: readonly string[],
): UserError {
  return new UserError(
    [
      `${capitalized(title)} ${uuid} was adopted with the option import, and another ${names.join(" and ")} would replace it.`,
      "To replace and delete it, first remove import from the program, change nothing else, and run `pulumi up`.",
      "To keep it, leave it as it was, and declare the new one under another name.",
    ].join("\n"),
  );
}

/** What keeps the object from being adopted as declared. Reads it, and nothing else. */
export async function checkAdoption(
  description: ResourceDescription,
  run: RunContext,
  { inputs, adopt }: { readonly inputs: Properties; readonly adopt: string },
): Promise<string[]> {
  const { claimed, kept } = run.memory;
  const { title } = description;
  const key = objectKey(title, adopt);
  if (claimed.has(key))
    return [`import: another resource adopts ${title} ${adopt} already. Give each UUID to one resource.`];
  claimed.add(key);
  const subject = `${title} ${adopt}`;
  const context = await contextFor(run, undefined, subject);
  const { properties } = await readExisting(description, context, adopt);
  const open = unknownPaths(inputs, run.isUnknown);
  if (open.length > 0) {
    run.report(
      `${open.join(", ")} of ${subject} ${open.length === 1 ? "is" : "are"} not known yet and will be compared before it is adopted.`,
      { persistent: true },
    );
  }
  const differing = differences(inputs, properties, run.isUnknown);
  if (differing.length === 0) return [];
  return [
    [
      `the program and ${subject} differ, so it was not adopted:`,
      ...table(
        differing.map(({ path, actual }) => [
          path,
          actual == null
            ? "declared, but not set in the service"
            : "declared with another value than the service has",
        ]),
      ),
      "Make them agree, then run this again. Properties that the program leaves out are left as they are.",
      // Only a replacement checks a resource that the stack has as if it were new.
      ...(kept.has(key)
        ? [
            `The stack manages ${subject} here already, so this change would replace it. To replace it, first remove the option import in a \`pulumi up\` of its own.`,
          ]
        : []),
    ].join("\n"),
  ];
}

/** Takes an object into the state, without a write. */
export async function adoptExisting(
  description: ResourceDescription,
  run: RunContext,
  context: OperationContext,
  { inputs, uuid }: { readonly inputs: Properties; readonly uuid: string },
): Promise<{ uuid: string; state: Properties }> {
  const { adopted } = run.memory;
  const { title } = description;
  const key = objectKey(title, uuid);
  if (adopted.has(key)) {
    throw new UserError(
      `Another resource of this run has adopted ${title} ${uuid} already. Give each UUID to one resource.`,
    );
  }
  adopted.add(key);
  try {
    const found = await readExisting(description, context, uuid);
    const differing = differences(inputs, found.properties, run.isUnknown);
    if (differing.length > 0) {
      const paths = differing.map(({ path }) => path).join(", ");
      throw new UserError(`The ${title} ${uuid} changed since it was compared: ${paths}. Run this again.`);
    }
    const hidden = {
      [ADOPTED_PROPERTY]: uuid,
      [ADOPTION_PROPERTY]: randomUUID(),
      [IMPORT_PROPERTY]: uuid,
    };
    const { organizationId } = context;
    return {
      uuid: found.uuid,
      state: stateOf(description, { organizationId, declared: inputs, hidden }, found),
    };
  } catch (error) {
    adopted.delete(key);
    throw error;
  }
}

/** Reads an object that someone named. @throws UserError that names the organization which does not have it. */
export async function readExisting(
  { read, title }: ResourceDescription,
  context: OperationContext,
  uuid: string,
): Promise<Found> {
  try {
    return await read(context, uuid, {});
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw explain(error);
    throw notFoundIn(context.organizationId, title, uuid, error);
  }
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

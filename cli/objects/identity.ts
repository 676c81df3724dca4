/** What identifies an object: its kind and its UUID. A kind that sets values of another object has the UUID of that. */
import { UserError } from "../../provider/errors";
import type { Reading } from "../../provider/lifecycle/operations/objects";
import { checkUuid } from "../../provider/values/uuid";
import { KINDS, type KindName, parentKindOf } from "./kinds";

export interface ObjectId {
  readonly kind: KindName;
  readonly uuid: string;
}

/** What was read of an object. */
export interface ReadObject {
  readonly kind: KindName;
  readonly reading: Pick<Reading, "inputs">;
}

/** The kind and the UUID as one text. Problems may be about other kinds, or about a kind as a whole. */
export function identityKey({
  kind,
  uuid = "",
}: {
  readonly kind: string;
  readonly uuid?: string | undefined;
}): string {
  return `${kind} ${uuid}`;
}

/** Requires that the values of an option are UUIDs. @throws UserError */
export function requireUuids(option: string, values: readonly string[] = []): void {
  for (const value of values) {
    const [failure] = checkUuid(value);
    if (failure !== undefined) throw new UserError(`${option} ${value}: ${failure}`);
  }
}

/** What an object is in, such as the project of an application. Undefined for a project. */
export function parentOf({ kind, reading: { inputs } }: ReadObject): ObjectId | undefined {
  const [parentKind, { parentId }] = [parentKindOf(kind), KINDS[kind].description];
  return parentKind === undefined || parentId === undefined
    ? undefined
    : { kind: parentKind, uuid: String(inputs[parentId]) };
}

/** The key of what an object is in. */
export function parentKeyOf(object: ReadObject): string | undefined {
  const parent = parentOf(object);
  return parent && identityKey(parent);
}

/** The inputs of an object, with another reference to what it is in. */
export function withParent({ kind, reading: { inputs } }: ReadObject, reference: unknown): Reading["inputs"] {
  const { parentId } = KINDS[kind].description;
  return parentId === undefined || reference === undefined ? inputs : { ...inputs, [parentId]: reference };
}

/** What identifies an object: its kind and its UUID. */
import { UserError } from "../../provider/errors";
import type { Reading } from "../../provider/lifecycle/operations/read";
import { checkUuid } from "../../provider/values/uuid";
import { KINDS, type KindName, parentKindOf } from "./kinds";

export interface ObjectId {
  readonly kind: KindName;
  readonly uuid: string;
}

export interface ReadObject {
  readonly kind: KindName;
  readonly reading: Pick<Reading, "inputs">;
}

export function identityKey({ kind, uuid }: ObjectId): string {
  return `${kind} ${uuid}`;
}

/** Each value once: lists of the service may repeat an object. */
export function onceBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): readonly Value[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

/** UUIDs of the command line, in lower case and once each. @throws UserError without the value, which may be a key */
export function requireUuids(values: readonly string[], subject: string): readonly string[] {
  for (const [index, value] of values.entries()) {
    const [failure] = checkUuid(value);
    if (failure !== undefined) throw new UserError(`${subject} ${index + 1}: ${failure}`);
  }
  return [...new Set(values.map((value) => value.toLowerCase()))];
}

/** The parent of an object, such as the project of an application. Undefined for a project. */
export function parentOf({ kind, reading: { inputs } }: ReadObject): ObjectId | undefined {
  const [parentKind, { parentId }] = [parentKindOf(kind), KINDS[kind]];
  return parentKind === undefined || parentId === undefined
    ? undefined
    : { kind: parentKind, uuid: String(inputs[parentId]).toLowerCase() };
}

/** The key of the parent; empty for a project. */
export function parentKeyOf(object: ReadObject): string {
  const parent = parentOf(object);
  return parent === undefined ? "" : identityKey(parent);
}

/**
 * The kinds of objects that can be imported: every resource that creates something, by the names on the command line.
 * They follow from the list of descriptions.
 */
import { exportName } from "../../provider/hosts/dynamicNames";
import { addsObject } from "../../provider/lifecycle/creates";
import type { ResourceDescription } from "../../provider/lifecycle/description";
import { type DESCRIPTIONS, EVERY_DESCRIPTION } from "../../provider/resources";

export type KindName = Uncapitalize<keyof typeof DESCRIPTIONS>;

const importable = EVERY_DESCRIPTION.filter(addsObject);

/** The description of each kind. A project comes before its content. */
export const KINDS = Object.fromEntries(
  importable.map((description) => [exportName(description), description]),
) as Readonly<Record<KindName, ResourceDescription>>;

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

/** The parent kind: `project` for applications. Undefined for projects. */
export function parentKindOf(kind: KindName): KindName | undefined {
  const { parentId } = KINDS[kind];
  return KIND_NAMES.find((one) => `${one}Id` === parentId);
}

/** The kinds of what is in projects. */
export const CONTENT_KINDS = KIND_NAMES.filter((kind) => parentKindOf(kind) !== undefined);

/** The name of several objects of a kind in messages, such as `custom domains`. */
export function pluralOf(kind: KindName): string {
  return `${KINDS[kind].title}s`;
}

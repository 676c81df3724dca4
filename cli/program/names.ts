/** The logical names of objects in a program. */
import { identityKey, type ObjectId, parentKeyOf } from "../objects/identity";
import { KIND_NAMES, type KindName } from "../objects/kinds";
import { uniqueNames } from "../objects/logicalNames";
import { nounOf, proposedNames } from "../objects/objectName";
import type { InventoryObject } from "../service/inventory";

/** An object, and its logical name in the program. */
export interface NamedObject extends InventoryObject {
  readonly name: string;
}

/** Whether no reader of YAML takes a name for a number or the like: Pulumi writes it without quotes. */
export function isTextInYaml(name: string): boolean {
  // Loaded only for a program.
  const { parse } = require("yaml") as typeof import("yaml");
  const isText = (version: "1.1" | "1.2") => typeof parse(name, { version }) === "string";
  return /[^\w.+~-]/.test(name) || (isText("1.1") && isText("1.2"));
}

/**
 * Names objects. The names are unique among the objects of a kind, so that those of a project can be like its own.
 *
 * @param inStack the names that a stack already has, with the object of each. No other object gets one of them.
 * @param wanted the wanted names of objects, by key. Default: derived from the names in the service.
 */
export function namedObjects(
  objects: readonly InventoryObject[],
  inStack: readonly (ObjectId & { readonly name: string })[] = [],
  wanted: ReadonlyMap<string, string> = new Map(),
): readonly NamedObject[] {
  const names = new Map(inStack.map((one) => [identityKey(one), one.name]));
  // Content is named after its parent, which comes first.
  return KIND_NAMES.flatMap((kind: KindName) => {
    const own = objects.filter((object) => object.kind === kind);
    const given = uniqueNames(
      own,
      (object) => {
        const name = wanted.get(identityKey(object));
        const proposed = proposedNames(object, names.get(parentKeyOf(object)));
        return (name === undefined ? proposed : [name]).map((one) =>
          isTextInYaml(one) ? one : `${one}-${nounOf(kind)}`,
        );
      },
      { reserved: inStack.filter((one) => one.kind === kind).map(({ name }) => name) },
    );
    return own.map((object) => {
      const name = given.get(object) ?? object.uuid;
      names.set(identityKey(object), name);
      return { ...object, name };
    });
  });
}

/** A complete program for the objects of an organization, and its import file. */
import { identityKey, type ObjectId, parentKeyOf, withParent } from "../objects/identity";
import { KIND_NAMES, KINDS, type KindName, PARENT_KINDS } from "../objects/kinds";
import { hyphenated, uniqueNames } from "../objects/logicalNames";
import { proposedNames } from "../objects/objectName";
import { keptNames, type NamedObject } from "../program/keptNames";
import { code, type Declaration, variablesFor } from "../program/programSource";
import { type ProjectReference, referenceSource } from "../program/projectReferences";
import type { StackObject } from "../pulumi/stack";
import { parseUrn } from "../pulumi/urn";
import type { Inventory, InventoryObject } from "../service/inventory";
import { type FileOptions, type ProgramContent, programFiles } from "./programFiles";

/** Which resources a program protects from deletion. */
export type Protection = "all" | "projects" | "none";

/** What a program contains besides the inventory. */
export interface ProgramOptions extends FileOptions {
  readonly protect: Protection;
  /** The names that objects have in the program so far, those that count more first. */
  readonly named: readonly NamedObject[];
  /** The objects in the stack of the program; empty if it has none yet. */
  readonly inStack: readonly StackObject[];
  /** The keys of the objects to declare. The others only give their names to what is in them. */
  readonly only: ReadonlySet<string>;
  /** Projects that other stacks manage. Objects in any other project refer to it by UUID. */
  readonly references: readonly ProjectReference[];
}

/** A generated program: its files by name, and what they declare. */
export type InventoryProgram = ReturnType<typeof inventoryProgram>;

/** Generated programs, by their directory: the empty one, if there is one program for all projects. */
export type Programs = ReadonlyMap<string, InventoryProgram>;

/** Generates the program. The same inventory gives the same text. */
export function inventoryProgram(inventory: Inventory, options: ProgramOptions) {
  const { host, only } = options;
  const names = logicalNames(inventory, options.named);
  const objects = inventory.objects.filter((object) => only.has(identityKey(object)));
  const parents = objects.filter(({ kind }) => PARENT_KINDS.includes(kind));
  const variables = variablesFor(parents, (object) => logicalNameOf(names, object), { key: identityKey });
  const used = new Set(objects.flatMap((object) => parentKeyOf(object) ?? []));
  const references = options.references.filter(
    (one) => used.has(identityKey(one)) && !variables.has(identityKey(one)),
  );
  const { statements, codes } = referenceSource(references, { names, taken: [...variables.values()] });
  const parentCodes = new Map([
    ...codes,
    ...[...variables].map(([key, variable]) => [key, code(`${variable}.id`)] as const),
  ]);
  const elsewhere = urnsElsewhere(objects, { names, ...options });
  const declare = (object: InventoryObject): Declaration => ({
    kind: object.kind,
    name: logicalNameOf(names, object),
    variable: variables.get(identityKey(object)),
    inputs: withParent(object, parentCodes.get(parentKeyOf(object) ?? "")),
    options: {
      aliases: elsewhere.get(identityKey(object)),
      ...(isProtected(object.kind, options.protect) && { protect: true }),
    },
  });
  const inParent = Map.groupBy(objects, (object) => parentKeyOf(object) ?? identityKey(object));
  // A name from a stack may contain anything.
  const files = uniqueNames(parents, (object) => [hyphenated(logicalNameOf(names, object)) || "project"], {
    key: identityKey,
  });
  const imported = objects.map(({ kind, uuid, reading }) => ({
    kind,
    host,
    name: logicalNameOf(names, { kind, uuid }),
    reading,
  }));
  const content: ProgramContent = {
    toImport: imported.filter(({ kind, reading: { uuid } }) => !elsewhere.has(identityKey({ kind, uuid }))),
    modules: parents.map((parent) => ({
      file: `project-${logicalNameOf(files, parent)}.ts`,
      declarations: (inParent.get(identityKey(parent)) ?? []).map(declare),
    })),
    others: objects
      .filter((object) => !variables.has(parentKeyOf(object) ?? identityKey(object)))
      .map(declare),
    statements,
  };
  return { objects: imported, references, files: programFiles(content, options) };
}

/** The logical names of all objects, by key. They are unique among the objects of a kind. */
function logicalNames({ objects }: Inventory, named: readonly NamedObject[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  // Content is named after what it is in, which comes first.
  for (const kind of KIND_NAMES) {
    const own = uniqueNames(
      objects.filter((object) => object.kind === kind),
      (object) => proposedNames(object, names.get(parentKeyOf(object) ?? "")),
      {
        kept: keptNames(kind, named),
        reserved: named.filter((one) => one.kind === kind).map(({ name }) => name),
      },
    );
    for (const [uuid, name] of own) names.set(identityKey({ kind, uuid }), name);
  }
  return names;
}

/** The URNs of objects that the stack has in another place than the program: in a component, or for another host. */
function urnsElsewhere(
  objects: readonly InventoryObject[],
  { names, host, inStack }: ProgramOptions & { readonly names: ReadonlyMap<string, string> },
): ReadonlyMap<string, readonly string[]> {
  const urns = Map.groupBy(
    inStack.filter(({ isManaged }) => isManaged),
    identityKey,
  );
  const found = objects.map((object) => {
    const token = host.typeToken(KINDS[object.kind].description);
    const own = (urns.get(identityKey(object)) ?? []).map(({ urn }) => urn);
    const isInPlace = (urn: string) => {
      const { path, name } = parseUrn(urn);
      return path === token && name === logicalNameOf(names, object);
    };
    return [identityKey(object), own.some(isInPlace) ? [] : own] as const;
  });
  return new Map(found.filter(([, own]) => own.length > 0));
}

function isProtected(kind: KindName, protection: Protection): boolean {
  return protection === "all" || (protection === "projects" && PARENT_KINDS.includes(kind));
}

function logicalNameOf(names: ReadonlyMap<string, string>, object: ObjectId): string {
  return names.get(identityKey(object)) ?? object.uuid;
}

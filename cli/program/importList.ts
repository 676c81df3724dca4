/** The list of a program's resources that `pulumi preview --import-file` writes, for `pulumi import --file`. */
import { z } from "zod";
import { UserError } from "../../provider/errors";
import { NATIVE_HOST } from "../../provider/hosts/hosts";
import { isUuid } from "../../provider/values/uuid";
import { KINDS } from "../objects/kinds";
import { parseJson } from "../terminal/json";
import type { NamedObject } from "./names";

const text = z.string();
const optional = text.optional();
const LIST = z.looseObject({
  // A state of Terraform has one, and resources with types and names as well.
  version: z.never().optional(),
  resources: z.array(z.looseObject({ type: text, name: text, logicalName: optional, id: optional })),
});

export type ImportList = z.infer<typeof LIST>;
type Entry = ImportList["resources"][number];

/** An object, and the name of its resource in the program. */
type ImportedObject = Pick<NamedObject, "kind" | "uuid" | "name">;

/** Parses a list. @throws UserError with the name of the file, but without any of the content */
export function importList(content: string, file: string): ImportList {
  const { data } = LIST.safeParse(parseJson(content, file));
  if (data === undefined)
    throw new UserError(
      `${file} is not a list of resources. Write it with \`pulumi preview --import-file\`.`,
    );
  return data;
}

/** Why an object of a state cannot be written into a list: exactly one resource must have its type and name. */
export function problemIn(
  list: ImportList,
  object: ImportedObject,
  state: readonly ImportedObject[],
): string | undefined {
  const [entry, ...others] = list.resources.filter((one) => declares(one, object));
  if (state.filter(({ kind, name }) => kind === object.kind && name === object.name).length > 1)
    return "another object of the state gets the same name in the program. Rename a resource, and write the UUIDs into the import file";
  if (entry === undefined) return `the import file has no resource ${object.name}`;
  if (others.length > 0) return `several resources of the import file have the name ${object.name}`;
  return isUuid(entry.id) ? `the import file has another UUID for ${object.name}` : undefined;
}

/** A list with the UUIDs of objects without problems. */
export function completed(list: ImportList, objects: readonly ImportedObject[]): ImportList {
  const resources = list.resources.map((entry) => {
    const object = isUuid(entry.id) ? undefined : objects.find((one) => declares(entry, one));
    return object === undefined ? entry : { ...entry, id: object.uuid };
  });
  return { ...list, resources };
}

export function uuidsIn({ resources }: ImportList): ReadonlySet<string> {
  return new Set(resources.flatMap(({ id }) => (isUuid(id) ? id.toLowerCase() : [])));
}

/** The names of the resources of this package that have no UUID yet. */
export function openNames({ resources }: ImportList): readonly string[] {
  const types = Object.values(KINDS).map(NATIVE_HOST.typeToken);
  return resources.filter(({ type, id }) => types.includes(type) && !isUuid(id)).map(nameOf);
}

/** Whether an entry is the resource. The converter adds a word to a module that has the name of a variable or a resource. */
function declares(entry: Entry, { kind, name }: ImportedObject): boolean {
  const names = [nameOf(entry), nameOf(entry).replace(/Component(?=-)/g, "")];
  return entry.type === NATIVE_HOST.typeToken(KINDS[kind]) && names.includes(name);
}

function nameOf({ name, logicalName = name }: Entry): string {
  return logicalName;
}

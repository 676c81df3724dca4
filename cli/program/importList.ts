/** The list of a program's resources that `pulumi preview --import-file` writes, for `pulumi import --file`. */
import { z } from "zod";
import { UserError } from "../../provider/errors";
import { isUuid } from "../../provider/values/uuid";
import { HOSTS } from "../objects/hosts";
import { KINDS } from "../objects/kinds";
import { parseJson } from "../terminal/json";
import type { NamedObject } from "./names";

const text = z.string();
const LIST = z.looseObject({
  resources: z.array(
    z.looseObject({ type: text, name: text, logicalName: text.optional(), id: text.optional() }),
  ),
});

export type ImportList = z.infer<typeof LIST>;
type Entry = ImportList["resources"][number];

/** Parses a list. @throws UserError with the name of the file, but without any of the content */
export function importList(content: string, file: string): ImportList {
  const { data } = LIST.safeParse(parseJson(content, file));
  if (data === undefined)
    throw new UserError(
      `${file} is not a list of resources. Write it with \`pulumi preview --import-file\`.`,
    );
  return data;
}

/** Why an object cannot be written into a list: exactly one resource must have its type and name. */
export function problemIn({ resources }: ImportList, object: NamedObject): string | undefined {
  const [entry, ...others] = resources.filter((one) => declares(one, object));
  if (entry === undefined) return "the import file has no resource with this name";
  if (others.length > 0) return "several resources of the import file have this name";
  return isUuid(entry.id) && entry.id.toLowerCase() !== object.uuid
    ? "the import file has another UUID for this resource"
    : undefined;
}

/** A list with the UUIDs of objects. */
export function completed({ resources, ...rest }: ImportList, objects: readonly NamedObject[]): ImportList {
  return {
    ...rest,
    resources: resources.map((entry) => {
      const object = objects.find((one) => declares(entry, one));
      return object === undefined ? entry : { ...entry, id: object.uuid };
    }),
  };
}

/** The names of the resources of this package that have no UUID yet. */
export function openNames({ resources }: ImportList): readonly string[] {
  const types = Object.values(KINDS).map(HOSTS.native.typeToken);
  return resources.filter(({ type, id }) => types.includes(type) && !isUuid(id)).map(nameOf);
}

function declares(entry: Entry, { kind, name }: NamedObject): boolean {
  return entry.type === HOSTS.native.typeToken(KINDS[kind]) && nameOf(entry) === name;
}

function nameOf({ name, logicalName = name }: Entry): string {
  return logicalName;
}

/**
 * The logical names that objects already have, in a stack or in an earlier import file. Pulumi recognizes a resource by
 * its logical name: under another one, `pulumi up` would delete the object.
 */
import { existsSync } from "node:fs";
import { UserError } from "../../provider/errors";
import { importableType } from "../objects/hosts";
import type { KindName } from "../objects/kinds";
import { parseImportFile } from "../pulumi/importFile";
import { readText } from "../terminal/readText";

/** A logical name, and the object that has it. */
export interface NamedObject {
  readonly kind: KindName;
  readonly name: string;
  readonly uuid: string;
  /** False if a resource has the name that does not manage the object: then the object does not keep it. */
  readonly isManaged?: boolean;
}

/**
 * The objects in an earlier import file; none if there is no such file.
 *
 * @throws UserError when it is not an import file. Ignoring it would silently give its objects other names.
 */
export async function objectsInFile(file: string): Promise<NamedObject[]> {
  if (!existsSync(file)) return [];
  const content = parseImportFile(await readText(file));
  if (content === undefined) {
    throw new UserError(
      `${file} is not an import file, so the logical names of its objects are unknown. Restore it, for example from version control. If nothing was imported from it, delete it; all objects then get new names.`,
    );
  }
  return content.resources.flatMap(({ type, name, logicalName, id }) => {
    const kind = importableType(type)?.kind;
    if (kind === undefined || typeof id !== "string") return [];
    return [{ kind, name: logicalName ?? name, uuid: id.toLowerCase() }];
  });
}

/** The name of each object of a kind, by UUID. Of several names, and of several objects with one name, the first counts. */
export function keptNames(kind: KindName, named: readonly NamedObject[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { uuid, name, isManaged = true } of named.filter((one) => one.kind === kind)) {
    if (isManaged && !names.has(uuid) && !taken.has(name)) names.set(uuid, name);
    taken.add(name);
  }
  return names;
}

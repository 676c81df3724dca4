/** One program for each project of an organization, each in a directory of its own. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { identityKey, parentOf } from "../objects/identity";
import { allowedInProjectName, DEVICE_NAMES, hyphenated, uniqueNames } from "../objects/logicalNames";
import { objectName } from "../objects/objectName";
import { type NamedObject, objectsInFile } from "../program/keptNames";
import { type Inventory, type InventoryObject, objectsOf } from "../service/inventory";
import type { ProgramOptions } from "./inventoryProgram";
import { IMPORT_FILE_NAME } from "./programFiles";

/** The objects in the import files that were written earlier, by the directory of their program. */
export type EarlierPrograms = ReadonlyMap<string, readonly NamedObject[]>;

/** The programs in the directories of a directory. @throws UserError for an import file that is none. */
export async function earlierPrograms(directory: string): Promise<EarlierPrograms> {
  if (!existsSync(directory)) return new Map();
  const entries = await readdir(directory, { withFileTypes: true });
  const programs = entries
    .filter((entry) => entry.isDirectory() && existsSync(join(directory, entry.name, IMPORT_FILE_NAME)))
    .map(async ({ name }) => [name, await objectsInFile(join(directory, name, IMPORT_FILE_NAME))] as const);
  return new Map((await Promise.all(programs)).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The directory, the name and the objects of each program: one for each project of which something is declared. A project
 * stays in the directory whose import file has it or something in it.
 */
export function splitByProject(
  inventory: Inventory,
  { earlier, only }: { readonly earlier: EarlierPrograms } & Pick<ProgramOptions, "only">,
) {
  const projects = [...Map.groupBy(inventory.objects, projectIdOf)]
    .filter(([, objects]) => objects.some((object) => only.has(identityKey(object))))
    .map(([uuid, objects]) => ({ uuid, objects }));
  const directories = directoriesFor(projects, { inventory, earlier });
  return projects.map(({ uuid, objects }) => {
    const path = directories.get(uuid) ?? uuid;
    return { path, name: projectName(path, uuid), objects };
  });
}

/** The names of the directories, by the UUID of the project. */
function directoriesFor(
  projects: readonly { readonly uuid: string; readonly objects: readonly InventoryObject[] }[],
  { inventory, earlier }: { readonly inventory: Inventory; readonly earlier: EarlierPrograms },
): ReadonlyMap<string, string> {
  const names = new Map(objectsOf(inventory).map((object) => [identityKey(object), objectName(object)]));
  const known = new Map(
    [...earlier].flatMap(([directory, inFile]) =>
      inFile.map((object) => [identityKey(object), directory] as const),
    ),
  );
  const kept = new Map<string, string>();
  for (const { uuid, objects } of projects) {
    const directory = objects
      .map((object) => known.get(identityKey(object)))
      .find((one) => one !== undefined);
    if (directory !== undefined && ![...kept.values()].includes(directory)) kept.set(uuid, directory);
  }
  return uniqueNames(
    projects,
    ({ uuid }) => [hyphenated(names.get(identityKey({ kind: "project", uuid })) ?? "") || "project"],
    { kept, reserved: [...earlier.keys(), ...DEVICE_NAMES] },
  );
}

function projectIdOf(object: InventoryObject): string {
  return (parentOf(object) ?? object).uuid;
}

/**
 * The name of the Pulumi project: that of the directory, with a part of the UUID if Pulumi allows only a part of it. Two
 * programs with one name could be deployed to the same stack, and each would delete what the other declares.
 */
function projectName(directory: string, uuid: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(directory)) return directory;
  const allowed = allowedInProjectName(directory).replace(/-+$/, "");
  return [...(allowed === "" ? ["project"] : [allowed.slice(0, 80)]), uuid.slice(0, 8)].join("-");
}

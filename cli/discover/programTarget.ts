/** Where `discover` writes: one program with `--out`, or one for each project with `--split`. */
import { basename, join, resolve } from "node:path";
import { UserError } from "../../provider/errors";
import { counted } from "../../provider/values/phrases";
import { identityKey } from "../objects/identity";
import { allowedInProjectName } from "../objects/logicalNames";
import { type NamedObject, objectsInFile } from "../program/keptNames";
import { type HostChoice, NODE_RUNTIME } from "../pulumi/hostChoice";
import { objectsIn, type StackResource } from "../pulumi/stack";
import { parseUrn } from "../pulumi/urn";
import { type Inventory, objectsOf } from "../service/inventory";
import {
  type InventoryProgram,
  inventoryProgram,
  type ProgramOptions,
  type Programs,
} from "./inventoryProgram";
import type { OutputPlan } from "./plan";
import { IMPORT_FILE_NAME } from "./programFiles";
import { dependenciesIn, workspaceIn } from "./programPackages";
import { type EarlierPrograms, earlierPrograms, splitByProject } from "./splitPrograms";

/** The options that are the same for all programs, whatever directory they are written to. */
export type SharedOptions = Omit<
  ProgramOptions,
  "name" | "isImportFileOnly" | "dependencies" | "installation" | "named" | "inStack"
> & {
  /** Whether the inventory has all objects of the organization. */
  readonly isWhole: boolean;
};

/** Where programs are written, and what is there already. */
type ProgramTarget = Awaited<ReturnType<typeof programTarget>>;

/** The project and the stack that programs are written for. */
interface Place extends Pick<HostChoice, "host" | "runtime"> {
  /** The part of the directory that belongs to the organization. */
  readonly subdirectory: string;
  readonly resources: readonly StackResource[];
}

/** Reads what the directory has already. @throws UserError */
export async function programTarget(output: OutputPlan, { subdirectory, host, runtime, resources }: Place) {
  const { isSplit } = output;
  // Pulumi generates the program from the import file.
  const isImportFileOnly = host.isReadByPulumi && runtime !== NODE_RUNTIME;
  if (isImportFileOnly) requireNoProgramOptions(output, runtime);
  const directory = join(output.directory, subdirectory);
  const earlier: EarlierPrograms = isSplit
    ? await earlierPrograms(directory)
    : new Map([["", await objectsInFile(join(directory, IMPORT_FILE_NAME))]]);
  const workspace = isSplit ? workspaceIn(directory) : undefined;
  return { directory, isSplit, workspace, isImportFileOnly, earlier, inStack: objectsIn(resources) };
}

/**
 * Generates the programs.
 *
 * @throws UserError when an earlier program would lose objects.
 */
export function programsFor(
  { directory, isSplit, workspace, isImportFileOnly, earlier, inStack }: ProgramTarget,
  inventory: Inventory,
  content: SharedOptions,
): Programs {
  const parts = isSplit
    ? splitByProject(inventory, { earlier, only: content.only })
    : [{ path: "", name: projectName(directory), objects: inventory.objects }];
  return new Map(
    parts.map(({ path, name, objects }) => {
      const inFile = earlier.get(path) ?? [];
      // Without a program of its own, the import file is for the program of the stack.
      const isOfStack = isImportFileOnly || inStack.some(({ urn }) => parseUrn(urn).project === name);
      const program = inventoryProgram(
        { ...inventory, objects },
        {
          ...content,
          name,
          isImportFileOnly,
          dependencies: dependenciesIn(join(directory, path)),
          installation: workspace === undefined ? "." : "..",
          // The stack counts more, because a resource can be renamed with `aliases`; that of another program counts less.
          named: isOfStack ? [...inStack, ...inFile] : [...inFile, ...inStack],
          inStack: isOfStack ? inStack : [],
        },
      );
      const file = join(directory, path, IMPORT_FILE_NAME);
      if (!isImportFileOnly) requireNoneLost(inFile, program, { file, inventory, ...content });
      return [path, program];
    }),
  );
}

/** Rejects options for the text of programs that discover does not write itself. */
function requireNoProgramOptions({ isSplit, protect, references }: OutputPlan, runtime: string): void {
  const pulumiWrites = (option: string, how: string) =>
    new UserError(
      `${option} needs a program that discover writes. For a project with the runtime ${runtime}, Pulumi writes it${how}`,
    );
  if (isSplit) {
    throw pulumiWrites("--split", ": use --out, once for each project with --project.");
  }
  if (references.length > 0) throw pulumiWrites("--reference", ", with UUIDs: replace them there.");
  if (protect === "projects") {
    throw pulumiWrites(
      "--protect projects",
      " and protects either all resources or none: omit --protect, or use --no-protect.",
    );
  }
}

/** Requires that the program declares what its earlier version declared and still exists. */
function requireNoneLost(
  inFile: readonly NamedObject[],
  { objects }: InventoryProgram,
  {
    file,
    inventory,
    isWhole,
  }: Pick<SharedOptions, "isWhole"> & { readonly file: string; readonly inventory: Inventory },
): void {
  const declared = new Set(objects.map(({ kind, reading: { uuid } }) => identityKey({ kind, uuid })));
  const existing = new Map(objectsOf(inventory).map((object) => [identityKey(object), object]));
  const lost = inFile.map(identityKey).filter((key) => {
    const object = existing.get(key);
    // What is being deleted leaves the program like what was deleted.
    return !declared.has(key) && (object === undefined ? !isWhole : object.reading.lifecycle !== "DELETING");
  });
  if (lost.length === 0) return;
  const undeclarable = new Set(inventory.undeclarable.map(identityKey));
  const reasons = inventory.problems.filter(
    (problem) => undeclarable.has(identityKey(problem)) && lost.includes(identityKey(problem)),
  );
  const sentence = (count: number, fact: string) =>
    `${file} has ${counted(count, "object")} that ${fact} \`pulumi up\` would delete ${count === 1 ? "it" : "them"}.`;
  if (reasons.length > 0) {
    const fact = sentence(reasons.length, "no program can declare any more, so nothing was written:");
    throw new UserError([fact, ...reasons.map(({ message }) => message)].join(" "));
  }
  const fact = "the new program would not declare: not selected, not readable, or managed by a stack now.";
  throw new UserError(`${sentence(lost.length, fact)} Choose another directory.`);
}

/** Derives a valid name of a Pulumi project from the directory. */
function projectName(out: string): string {
  return allowedInProjectName(basename(resolve(out))).slice(0, 100) || "dynamiclink-estate";
}

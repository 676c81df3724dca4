/** Imports an import file with the Pulumi CLI, or writes it to be imported manually. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { UserError } from "../../provider/errors";
import type { PulumiCli } from "../pulumi/cli";
import { AFTER_IMPORT, DEFAULT_FILE, FIRST_CLI_VERSION, importArguments } from "../pulumi/importFile";
import type { PulumiContext } from "../pulumi/stackSettings";
import { type Console, printMessage } from "../terminal/console";
import { writeFiles } from "../terminal/writeFiles";
import type { ImportOptions } from "./plan";
import type { NameTable } from "./sources/terraform/nameTable";

export interface ImportRun {
  readonly options: ImportOptions;
  readonly console: Console;
  /** The table of names, to write besides the import file. */
  readonly names: NameTable | undefined;
  readonly generatesCode: boolean;
  /** The parents and providers in the stack to which the code refers. */
  readonly references: readonly string[];
}

/** Writes the import file, to be imported manually. */
export async function writeImportFile(
  text: string,
  { options, pulumi, console, names, generatesCode }: ImportRun & { readonly pulumi: PulumiContext },
): Promise<void> {
  const out = options.out ?? DEFAULT_FILE;
  const table = names === undefined ? {} : { [basename(names.file)]: names.text };
  await writeFiles(dirname(out), { [basename(out)]: text, ...table }, options);
  const { cli, stack, noStackReason } = pulumi;
  const reason =
    cli === undefined
      ? "There is no Pulumi CLI on PATH"
      : `The Pulumi CLI on PATH is ${cli.version}, and importing dynamic resources needs ${FIRST_CLI_VERSION} or newer`;
  if (options.out === undefined) printMessage(console, "warning", `${reason}, so nothing was imported.`);
  if (stack === undefined)
    printMessage(console, "warning", `The current content of the stack is unknown: ${noStackReason}`);
  const args = importArguments(resolve(out), { ...options, code: generatesCode });
  printMessage(console, "note", `The import file is ${out}. Import it with: pulumi ${args.join(" ")}`);
  printMessage(console, "note", AFTER_IMPORT);
}

/** Writes the table of names, unless an import that failed has left the same one. */
async function writeNames({ file, text }: NameTable, options: ImportOptions): Promise<void> {
  if ((await readFile(file, "utf8").catch(() => undefined)) === text) return;
  await writeFiles(dirname(file), { [basename(file)]: text }, options);
}

/** Imports the file with the CLI, and prints the code that Pulumi generates. */
export async function runImport(
  cli: PulumiCli,
  text: string,
  { options, console, names, generatesCode, references }: ImportRun,
): Promise<void> {
  if (names !== undefined) await writeNames(names, options);
  const directory = await mkdtemp(join(tmpdir(), "dynamiclink-import-"));
  try {
    const file = join(directory, "import.json");
    await writeFile(file, text);
    const code = join(directory, "code");
    const exitCode = await cli.run(importArguments(file, { ...options, code: generatesCode && code }));
    if (exitCode !== 0) {
      const rest =
        names === undefined
          ? ""
          : ` If it has imported some of the objects, import the others with --file ${names.file} --skip-existing.`;
      throw new UserError(`pulumi import failed with exit code ${exitCode}. See its output above.${rest}`);
    }
    if (generatesCode) {
      console.stdout.write(await readFile(code, "utf8"));
      if (references.length > 0) {
        printMessage(
          console,
          "note",
          `The code uses these resources of your program: ${references.join(", ")}. Use the names that they have there.`,
        );
      }
    }
    printMessage(console, "note", AFTER_IMPORT);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** `pulumi-dynamiclink import`: imports existing objects into a stack, by UUID. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, parse, resolve } from "node:path";
import { Argument, Command } from "commander";
import { UserError } from "../provider/lifecycle/errors";
import {
  type Console,
  EXIT_CODES,
  EXIT_CODES_HELP,
  type ExitCode,
  printMessage,
  processConsole,
  runCommand,
} from "./console";
import { declarationSource } from "./declarationSource";
import type { Host } from "./host";
import { chooseHost, hostOptions } from "./hostChoice";
import { AFTER_IMPORT, FIRST_CLI_VERSION, importArguments, importFileText } from "./importFile";
import { type ObjectArguments, readSelection, type SelectionOptions } from "./importSelection";
import { KIND_NAMES } from "./kinds";
import { prepareImport } from "./prepareImport";
import type { PulumiCli } from "./pulumiStack";
import { isStandardInput } from "./readText";
import { findPulumiContext, type PulumiContext, type StackOptions } from "./stackSettings";
import { driftReport } from "./terraform/drift";
import { nameTableCsv, nameTableLines } from "./terraform/nameTable";
import { removalLines } from "./terraform/removal";
import { writeFiles } from "./writeFiles";

/** The import file that is written if the CLI cannot import it, unless `--out` specifies another. */
const DEFAULT_FILE = "dynamiclink-import.json";

interface ImportOptions extends StackOptions, SelectionOptions {
  readonly protect: boolean;
  readonly yes?: boolean;
  readonly out?: string;
  readonly force?: boolean;
}

interface ImportRun {
  readonly options: ImportOptions;
  readonly console: Console;
  /** Files to write besides the import file: their texts by name. */
  readonly tables: Readonly<Record<string, string>>;
  /** Whether Pulumi generates the code. */
  readonly generatesCode: boolean;
}

/** Creates the subcommand. */
export function importCommand(console: Console = processConsole): Command {
  const command = new Command("import")
    .summary("import existing objects into a stack")
    .description(
      "Reads objects by UUID, imports them into the stack with `pulumi import`, and prints the code that declares them: TypeScript for dynamic resources; for native resources, what Pulumi generates in the language of the program. Requires the read scopes of their types; writes nothing to the service.",
    )
    .addArgument(new Argument("[type]", "type of the object").choices(KIND_NAMES))
    .argument("[name]", "logical name in the program")
    .argument("[uuid]", "UUID of the object")
    .option(
      "-f, --file <file>",
      "import a list: CSV or JSON with type, name, uuid, and optionally parent and provider",
    )
    .option("--from-preview <file>", "file from `pulumi preview --import-file`, with UUIDs filled in")
    .option(
      "--from-terraform <file>",
      "state of Terraform or OpenTofu, or the output of `show -json`; - is standard input",
    )
    .option("--parent <name or URN>", "parent of the resources that have none in the list")
    .option(
      "--provider <name or URN>",
      "provider of the resources that have none in the list; with --from-terraform also <alias>=<name or URN>, for each provider alias",
      (value: string, previous: readonly string[] = []) => [...previous, value],
    )
    .option("--no-protect", "do not protect the imported resources from deletion")
    .option("-s, --stack <name>", "the stack (default: the selected one)")
    .option("-C, --cwd <directory>", "directory in which to look for the stack")
    .option("-y, --yes", "import without confirmation")
    .option("-o, --out <file>", "only write the import file, to this path")
    .option("--force", "replace an existing file")
    .option("--api-url <url>", "origin of the service, for use without a stack")
    .addHelpText("after", EXIT_CODES_HELP);
  for (const option of hostOptions()) command.addOption(option);
  return command.action((type, name, uuid, options: ImportOptions) =>
    runCommand(console, () => importObjects({ type, name, uuid }, options, console)),
  );
}

async function importObjects(
  object: ObjectArguments,
  options: ImportOptions,
  console: Console,
): Promise<ExitCode> {
  const selection = await readSelection(object, options, console);
  for (const message of selection.notes) printMessage(console, "note", message);
  for (const message of selection.leftOut) printMessage(console, "warning", message);
  if (selection.requests.length + selection.problems.length === 0)
    throw new UserError("There is nothing to import.");
  // A previewed program already declares everything, and its file has the types.
  const isPreview = options.fromPreview !== undefined;
  const { host, reason } = await chooseHost(isPreview ? { native: false } : options);
  if (reason !== undefined) printMessage(console, "note", reason);
  const hosts = selection.requests.map((request) => request.host ?? host);
  const generatesCode = host.isReadByPulumi;
  const pulumi = await findPulumiContext(options, console);
  const cli = options.out === undefined ? importingCli(pulumi, hosts, options) : undefined;

  const preparation = { options, pulumi, console, host, generatesCode };
  const { file, objects, stackProjects, problems } = await prepareImport(selection, preparation);
  const warnings = [...problems, ...objects.flatMap(driftReport)];
  for (const message of warnings) printMessage(console, "warning", message);
  const tables: Record<string, string> = {};
  const table = options.file ?? namesFileFor(options);
  if (options.fromTerraform !== undefined) {
    tables[basename(table)] = nameTableCsv(selection.requests);
    printLines(console, [
      `Names in the program, also in ${table}, which --file reads after you have edited it:`,
      ...nameTableLines(selection.requests),
    ]);
  }
  const run = { options, console, tables, generatesCode };
  const text = importFileText(file);
  if (cli === undefined) await writeImportFile(text, { ...run, pulumi });
  else await runImport(cli, text, run);

  if (!isPreview && !generatesCode) {
    console.stdout.write(declarationSource(objects, { ...options, ...file, stackProjects }));
  }
  const addresses = selection.requests.flatMap(({ origin }) => origin?.address ?? []);
  if (addresses.length > 0) printLines(console, removalLines(addresses, { table }));
  const isDone = cli !== undefined || options.out !== undefined;
  const isPartial = selection.leftOut.length + warnings.length > 0;
  return isDone && !isPartial ? EXIT_CODES.all : EXIT_CODES.partial;
}

/** The Pulumi CLI, if it is new enough to import resources of these hosts. */
function importingCli(
  { cli, stack, noStackReason }: PulumiContext,
  hosts: readonly Host[],
  { fromTerraform, yes }: ImportOptions,
): PulumiCli | undefined {
  if (cli === undefined) return undefined;
  if (!cli.importsOutputs && !hosts.every(({ isReadByPulumi }) => isReadByPulumi)) return undefined;
  if (stack === undefined) {
    throw new UserError(
      `There is no stack to import into: ${noStackReason} To write only the import file, use --out.`,
    );
  }
  if (isStandardInput(fromTerraform) && !yes) {
    throw new UserError(
      "Add --yes: standard input is the state, so Pulumi cannot ask for confirmation. To look at the import first, use --out.",
    );
  }
  return cli;
}

/** The path of the table of names: next to the import file. */
function namesFileFor({ out = DEFAULT_FILE }: ImportOptions): string {
  return join(dirname(out), `${parse(out).name}.names.csv`);
}

function printLines({ stderr }: Console, lines: readonly string[]): void {
  stderr.write(lines.map((line) => `${line}\n`).join(""));
}

/** Writes the import file, to be imported manually. */
async function writeImportFile(
  text: string,
  { options, pulumi, console, tables, generatesCode }: ImportRun & { readonly pulumi: PulumiContext },
): Promise<void> {
  const out = options.out ?? DEFAULT_FILE;
  await writeFiles(dirname(out), { [basename(out)]: text, ...tables }, options);
  const { cli, stack, noStackReason } = pulumi;
  if (options.out === undefined) {
    printMessage(
      console,
      "warning",
      cli === undefined
        ? "There is no Pulumi CLI on PATH, so nothing was imported."
        : `The Pulumi CLI on PATH is ${cli.version}, and importing dynamic resources needs ${FIRST_CLI_VERSION} or newer, so nothing was imported.`,
    );
  }
  if (stack === undefined)
    printMessage(console, "warning", `The current content of the stack is unknown: ${noStackReason}`);
  printMessage(
    console,
    "note",
    `The import file is ${out}. Import it with: pulumi ${importArguments(resolve(out), { ...options, code: generatesCode }).join(" ")}`,
  );
  printMessage(console, "note", AFTER_IMPORT);
}

/** Writes files to the current directory. An import that failed before may have left the same ones. */
async function writeTables(tables: ImportRun["tables"], options: ImportOptions): Promise<void> {
  for (const [name, text] of Object.entries(tables)) {
    if ((await readFile(name, "utf8").catch(() => undefined)) === text) continue;
    await writeFiles(".", { [name]: text }, options);
  }
}

/** Imports the file with the CLI, and prints the code that Pulumi generates. */
async function runImport(
  cli: PulumiCli,
  text: string,
  { options, console, tables, generatesCode }: ImportRun,
): Promise<void> {
  await writeTables(tables, options);
  const directory = await mkdtemp(join(tmpdir(), "dynamiclink-import-"));
  try {
    const file = join(directory, "import.json");
    await writeFile(file, text);
    const code = join(directory, "code");
    const exitCode = await cli.run(importArguments(file, { ...options, code: generatesCode && code }));
    if (exitCode !== 0) {
      throw new UserError(`pulumi import failed with exit code ${exitCode}. See its output above.`);
    }
    if (generatesCode) console.stdout.write(await readFile(code, "utf8"));
    printMessage(console, "note", AFTER_IMPORT);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

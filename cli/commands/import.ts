/** `pulumi-dynamiclink import`: imports existing objects into a stack, by UUID. */
import { Argument, Command } from "commander";
import { UserError } from "../../provider/errors";
import { counted } from "../../provider/values/phrases";
import { type ImportOptions, type ImportPlan, importPlan } from "../import/plan";
import { prepareImport } from "../import/prepareImport";
import { runImport, writeImportFile } from "../import/runImport";
import { readSelection } from "../import/selection";
import { driftReport } from "../import/sources/terraform/drift";
import { nameTable, removalLines } from "../import/sources/terraform/nameTable";
import type { Host } from "../objects/hosts";
import { KIND_NAMES } from "../objects/kinds";
import { declarationSource } from "../program/declarationSource";
import type { PulumiCli } from "../pulumi/cli";
import { chooseHost, hostOptions } from "../pulumi/hostChoice";
import { importFileText } from "../pulumi/importFile";
import { findPulumiContext, type PulumiContext } from "../pulumi/stackSettings";
import {
  type Console,
  EXIT_CODES,
  EXIT_CODES_HELP,
  type ExitCode,
  printLines,
  printMessage,
  runCommand,
} from "../terminal/console";
import { isStandardInput } from "../terminal/readText";

const WAYS = [
  "[options] <type> <name> <uuid>",
  "[options] --file <list>",
  "[options] --from-preview <file> [--from-terraform <file>]",
  "[options] --from-terraform <file> [--provider <alias>=<name>]",
];

const EXAMPLES = `
Examples:
  pulumi-dynamiclink import project shop 5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e
  pulumi-dynamiclink import --file list.csv --stack dev --yes > imported.ts
  terraform state pull | pulumi-dynamiclink import --from-terraform - --yes`;

export function importCommand(console: Console): Command {
  const command = new Command("import")
    .summary("import existing objects into a stack")
    .usage(WAYS.join("\n       pulumi-dynamiclink import "))
    .description(
      "Imports existing objects into a stack with `pulumi import`, and prints the code that declares them: TypeScript for dynamic resources; for native resources, what Pulumi generates in the language of the program. Every object is read first. If anything is wrong, all problems are reported and nothing is imported. Requires the read scopes of the types; writes nothing to the service.",
    )
    .addArgument(new Argument("[type]", "type of the object").choices(KIND_NAMES))
    .argument("[name]", "logical name in the program")
    .argument("[uuid]", "UUID of the object")
    .optionsGroup("What to import, instead of one object:")
    .option("-f, --file <list>", "CSV or JSON with type, name, uuid, and optionally parent and provider")
    .option(
      "--from-preview <file>",
      "file of `pulumi preview --import-file`, with UUIDs filled in, or with --from-terraform for a converted program",
    )
    .option(
      "--from-terraform <file>",
      "state of Terraform or OpenTofu, or output of `show -json`; - is standard input",
    )
    .optionsGroup("Resources:")
    .option("--parent <name or URN>", "parent of the resources that have none in the list")
    .option(
      "--provider <name or URN>",
      "provider of the resources that have none in the list (default: that of the parent, else that of the stack); with --from-terraform also <alias>=<name or URN>, once for each provider alias",
      (value: string, previous: readonly string[] = []) => [...previous, value],
    )
    .option("--skip-existing", "skip what the stack has already; without it, that is an error")
    .option("--no-protect", "do not protect the imported resources from deletion");
  for (const option of hostOptions()) command.addOption(option);
  command
    .optionsGroup("Stack:")
    .option("-s, --stack <name>", "the stack (default: the selected one)")
    .option("-C, --cwd <directory>", "directory in which to look for the stack")
    .option("--api-url <url>", "origin of the service, for use without a stack")
    .optionsGroup("Output:")
    .option("-y, --yes", "import without confirmation")
    .option("-o, --out <file>", "only write the import file, to this path")
    .option("--force", "replace existing files")
    .optionsGroup("Other:")
    .helpOption("-h, --help", "display this help")
    .addHelpText("after", `${EXAMPLES}\n${EXIT_CODES_HELP}`);
  return command.action((type, name, uuid, options: ImportOptions) =>
    runCommand(console, async () => await importObjects(importPlan({ type, name, uuid }, options), console)),
  );
}

async function importObjects(plan: ImportPlan, console: Console): Promise<ExitCode> {
  const { source, state, options } = plan;
  const selection = await readSelection(plan, console);
  for (const message of selection.notes) printMessage(console, "note", message);
  for (const message of selection.leftOut) printMessage(console, "warning", message);
  if (selection.requests.length + selection.problems.length === 0)
    throw new UserError("There is nothing to import.");
  const pulumi = await findPulumiContext(options, console);
  const { host, reason } = await chooseHost(plan.host, pulumi.stack);
  if (reason !== undefined) printMessage(console, "note", reason);
  const hosts = selection.requests.map((request) => request.host ?? host);
  const generatesCode = host.isReadByPulumi;
  const cli = options.out === undefined ? importingCli(pulumi, hosts) : undefined;
  // With problems, nothing is imported, and they are reported instead.
  if (cli !== undefined && selection.problems.length === 0) requireConfirmation(plan, console);

  const preparation = { pulumi, console, host, skipsExisting: options.skipExisting === true };
  const { file, objects, skipped, stackProjects, problems } = await prepareImport(selection, preparation);
  const already = `${counted(skipped.length, "object")} that the stack has already`;
  if (skipped.length > 0) printMessage(console, "note", `Skipped: ${already}.`);
  if (objects.length === 0) return selection.leftOut.length > 0 ? EXIT_CODES.partial : EXIT_CODES.all;
  const warnings = [...problems, ...objects.flatMap(driftReport)];
  for (const message of warnings) printMessage(console, "warning", message);
  const imported = selection.requests.filter((request) => !skipped.includes(request));
  const names = source.kind === "terraform" ? nameTable(imported, options) : undefined;
  if (names !== undefined) printLines(console, names.lines);
  const run = { options, console, names, generatesCode, references: Object.keys(file.nameTable) };
  const text = importFileText(file);
  if (cli === undefined) await writeImportFile(text, { ...run, pulumi });
  else await runImport(cli, text, run);

  // A previewed program already declares everything.
  if (source.kind !== "preview" && !generatesCode) {
    console.stdout.write(declarationSource(objects, { ...options, ...file, stackProjects }));
  }
  const addresses = selection.requests.flatMap(({ origin }) => origin?.address ?? []);
  const list = names?.file ?? (source.kind === "list" ? source.file : (state?.file ?? ""));
  if (addresses.length > 0) printLines(console, removalLines(addresses, { list }));
  const isDone = cli !== undefined || options.out !== undefined;
  const isPartial = selection.leftOut.length + warnings.length > 0;
  return isDone && !isPartial ? EXIT_CODES.all : EXIT_CODES.partial;
}

/** The Pulumi CLI, if it is new enough to import resources of these hosts. */
function importingCli(
  { cli, stack, noStackReason }: PulumiContext,
  hosts: readonly Host[],
): PulumiCli | undefined {
  if (cli === undefined) return undefined;
  if (!cli.importsOutputs && !hosts.every(({ isReadByPulumi }) => isReadByPulumi)) return undefined;
  if (stack === undefined) {
    throw new UserError(
      `There is no stack to import into: ${noStackReason} To write only the import file, use --out.`,
    );
  }
  return cli;
}

/** Requires that Pulumi can ask for confirmation, or does not need to. */
function requireConfirmation({ state, options }: ImportPlan, console: Console): void {
  const isState = isStandardInput(state?.file);
  if (!options.yes && (isState || !console.isInteractive)) {
    const reason = isState ? "standard input is the state" : "this is not a terminal";
    throw new UserError(
      `Add --yes: ${reason}, so Pulumi cannot ask for confirmation. To look at the import first, use --out.`,
    );
  }
}

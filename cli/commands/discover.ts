/** `pulumi-dynamiclink discover`: writes a program for the objects of an organization, and the import file for it. */
import { posix } from "node:path";
import { Command, Option } from "commander";
import { enumerated } from "../../provider/shapes/words";
import { readStates } from "../compare/readStates";
import { type Discovery, discoverIn } from "../discover/discovery";
import { discoveryJson, discoveryText } from "../discover/discoveryReport";
import { type DiscoverOptions, type DiscoverPlan, discoverPlan } from "../discover/plan";
import { needsReview, reportProblems } from "../discover/problemReport";
import { KIND_NAMES, KINDS, pluralOf } from "../objects/kinds";
import { projectReferences } from "../program/projectReferences";
import { chooseHost, hostOptions } from "../pulumi/hostChoice";
import { findPulumiContext } from "../pulumi/stackSettings";
import { type OpenOrganization, openOrganizations } from "../service/organizations";
import {
  type Console,
  EXIT_CODES,
  EXIT_CODES_HELP,
  type ExitCode,
  printMessage,
  processConsole,
  runCommand,
} from "../terminal/console";
import { writeFiles } from "../terminal/writeFiles";

const EXAMPLES_HELP = `
Examples:
  pulumi-dynamiclink discover --out estate
  pulumi-dynamiclink discover --unmanaged --stack acme/shop/production acme/links/production
  pulumi-dynamiclink discover --check --state shop.json
`;

export function discoverCommand(console: Console = processConsole): Command {
  const command = new Command("discover")
    .summary("write a program and an import file for the objects of an organization")
    .description(
      `Lists the ${enumerated(KIND_NAMES.map(pluralOf))} of the organization that the API key belongs to. With --out or --split, it writes a program that declares them and an import file that imports them into a stack. With --unmanaged or --check, it compares them with stacks. In a project with native resources and a runtime other than nodejs, it writes only the import file, from which Pulumi generates the program. Requires ${enumerated([...new Set(KIND_NAMES.flatMap((kind) => KINDS[kind].description.scopes.read))])}; writes nothing to the service.`,
    )
    .optionsGroup("What to write:")
    .option("-o, --out <directory>", "directory to write the program to")
    .option("--split <directory>", "directory to write one program for each project to, in place of --out")
    .option("--force", "replace existing files")
    .option("--dry-run", "report what would be written, and write nothing")
    .addOption(
      new Option("--protect <objects>", "which resources the program protects from deletion")
        .choices(["all", "projects"])
        .default("all"),
    )
    .option("--no-protect", "protect none of the resources");
  for (const option of hostOptions()) command.addOption(option);
  command
    .optionsGroup("What to select:")
    .option("-p, --project <uuid...>", "only these projects (default: all)")
    .option("--include <pattern...>", "only objects whose name, or whose project's name, matches (* and ?)")
    .option("--exclude <pattern...>", "no objects whose name, or whose project's name, matches")
    .addOption(new Option("--type <type...>", "only objects of these types").choices(KIND_NAMES))
    .option("--links", "also count links; requires links:read, and sends one request per hundred links")
    .optionsGroup("Comparison with stacks:")
    .option("--unmanaged", "list what no stack manages; with --out or --split, write only that")
    .option("--check", "like --unmanaged, but write nothing, and exit with 2 if there is a difference")
    .option(
      "--state <file...>",
      "states to compare with, in place of or besides --stack, from `pulumi stack export` (- for standard input)",
    )
    .option(
      "--reference <stack=output...>",
      "refer to managed projects by this output of their stack, in place of their UUID",
    )
    .optionsGroup("Stack and organization:")
    .option(
      "-s, --stack <name...>",
      "the stack whose configuration has the settings (default: the selected one); in a comparison all stacks to compare with, of which the first has the settings",
    )
    .option("-C, --cwd <directory>", "directory in which to look for the stack")
    .option("--api-url <url>", "origin of the service, for use without a stack")
    .option(
      "--api-key-env-var <name...>",
      "variables with the keys of several organizations; each is written to a directory of its own",
    )
    .option("--provider <name or URN...>", "the same, with the settings of providers in the stack")
    .optionsGroup("Other:")
    .option("--json", "print the result as JSON")
    .helpOption("-h, --help", "display this help")
    .addHelpText("after", EXAMPLES_HELP + EXIT_CODES_HELP);
  return command.action((options: DiscoverOptions) =>
    runCommand(console, async () => await discover(discoverPlan(options), console)),
  );
}

async function discover(plan: DiscoverPlan, console: Console): Promise<ExitCode> {
  const { output } = plan;
  const pulumi = await findPulumiContext(plan.stackOptions, console);
  const choice = await chooseHost({ native: plan.native, cwd: plan.stackOptions.cwd }, pulumi.stack);
  if (output !== undefined && choice.reason !== undefined) printMessage(console, "note", choice.reason);
  const wanted = output?.references ?? [];
  const outputs = wanted.map((one) => one.output);
  const states =
    plan.compare &&
    (await readStates({ ...plan.compare, cwd: plan.stackOptions.cwd }, pulumi, { outputs, console }));
  const references = projectReferences(wanted, states ?? []);
  const organizations = await openOrganizations(plan.organizations, { pulumi, host: choice.host, console });
  try {
    const discoveries: Discovery[] = [];
    for (const one of organizations)
      discoveries.push(await discoverIn(one, { plan, choice, pulumi, states, references, console }));
    // Nothing is written before everything was read.
    const files = filesOf(discoveries, organizations);
    if (output !== undefined && Object.keys(files).length > 0)
      await writeFiles(output.directory, files, output);
    for (const discovery of discoveries) reportProblems(discovery.problems, console);
    const report = plan.isJson ? discoveryJson : discoveryText;
    console.stdout.write(report(discoveries, plan));
    return Math.max(...discoveries.map((discovery) => exitCode(discovery, plan))) as ExitCode;
  } finally {
    await Promise.all(organizations.map(({ organization }) => organization.close()));
  }
}

/** The files of all programs, each in the directory of its organization. */
function filesOf(
  discoveries: readonly Discovery[],
  organizations: readonly OpenOrganization[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    discoveries.flatMap(({ written }, index) =>
      Object.entries(written?.files ?? {}).map(([name, text]) => [
        posix.join(organizations[index]?.directory ?? "", name),
        text,
      ]),
    ),
  );
}

/** Whether something needs review. */
function exitCode(discovery: Discovery, { compare }: DiscoverPlan): ExitCode {
  const { inventory, compared, problems, written } = discovery;
  const isPartial =
    compared === undefined || written !== undefined
      ? problems.some(needsReview)
      : inventory.incomplete.size > 0 || (compare?.isCheck === true && compared.isDifferent);
  return isPartial ? EXIT_CODES.partial : EXIT_CODES.all;
}

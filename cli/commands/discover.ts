/** `pulumi-dynamiclink discover`: writes a program for the objects of an organization, and the import file for it. */
import { posix } from "node:path";
import { Command, Option } from "commander";
import { UserError } from "../../provider/errors";
import { checkUuid } from "../../provider/shapes/uuid";
import { enumerated } from "../../provider/shapes/words";
import { isDifferent } from "../compare/comparison";
import { readStates } from "../compare/readStates";
import { type DiscoverOptions, type Discovery, discoverIn, problemsOf } from "../discover/discovery";
import { discoveryJson, discoveryText } from "../discover/discoveryReport";
import { needsReview, reportProblems } from "../discover/problemReport";
import { KIND_NAMES, KINDS, pluralOf } from "../objects/kinds";
import { parseReference, projectReferences } from "../program/projectReferences";
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

/** Creates the subcommand. */
export function discoverCommand(console: Console = processConsole): Command {
  const command = new Command("discover")
    .summary("write a program and an import file for the objects of an organization")
    .description(
      `Lists the ${enumerated(KIND_NAMES.map(pluralOf))} of the organization that the API key belongs to. With --out or --split, it writes a program that declares them and an import file that imports them into a stack. With --unmanaged or --check, it compares them with stacks. In a project with native resources and a runtime other than nodejs, it writes only the import file, from which Pulumi generates the program. Requires ${enumerated(KIND_NAMES.flatMap((kind) => KINDS[kind].description.scopes.read))}; writes nothing to the service.`,
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
  return command.action((options: DiscoverOptions) => runCommand(console, () => discover(options, console)));
}

async function discover(options: DiscoverOptions, console: Console): Promise<ExitCode> {
  requireConsistent(options);
  for (const uuid of options.project ?? []) {
    const [failure] = checkUuid(uuid);
    if (failure !== undefined) throw new UserError(`--project ${uuid}: ${failure}`);
  }
  const choice = await chooseHost(options);
  const directory = options.out ?? options.split;
  if (directory !== undefined && choice.reason !== undefined) printMessage(console, "note", choice.reason);
  const pulumi = await findPulumiContext({ ...options, stack: options.stack?.[0] }, console);
  const wanted = (options.reference ?? []).map(parseReference);
  const outputs = wanted.map(({ output }) => output);
  const states = compares(options) ? await readStates(options, pulumi, { outputs, console }) : undefined;
  const references = projectReferences(wanted, states ?? []);
  const organizations = await openOrganizations(options, { pulumi, host: choice.host, console });
  try {
    const discoveries: Discovery[] = [];
    for (const one of organizations)
      discoveries.push(await discoverIn(one, { options, choice, pulumi, states, references, console }));
    // Nothing is written before everything was read.
    const files = filesOf(discoveries, organizations);
    if (directory !== undefined && Object.keys(files).length > 0) await writeFiles(directory, files, options);
    for (const discovery of discoveries) reportProblems(problemsOf(discovery), console);
    const report = options.json ? discoveryJson : discoveryText;
    console.stdout.write(report(discoveries, options));
    return Math.max(...discoveries.map((discovery) => exitCode(discovery, options))) as ExitCode;
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
    discoveries.flatMap(({ program }, index) =>
      Object.entries(program?.files ?? {}).map(([name, text]) => [
        posix.join(organizations[index]?.directory ?? "", name),
        text,
      ]),
    ),
  );
}

/** Whether the organization is compared with stacks. */
function compares({ unmanaged, check }: DiscoverOptions): boolean {
  return unmanaged === true || check === true;
}

/** Rejects options that exclude each other. */
function requireConsistent(options: DiscoverOptions): void {
  const { out, split, dryRun, check, stack = [], state, links, reference } = options;
  const target = out ?? split;
  const problems: readonly (readonly [boolean, string])[] = compares(options)
    ? [
        [
          check === true && target !== undefined,
          "--check writes nothing, so it cannot be used with --out and --split. To write a program for what is unmanaged, use --unmanaged.",
        ],
        [links === true, "--links cannot be used with --unmanaged or --check."],
        [
          reference !== undefined && target === undefined,
          "--reference can be used only with --unmanaged and --out.",
        ],
      ]
    : [
        [
          target === undefined,
          "Specify the directory to write to with --out or --split, or use --unmanaged to compare the organization with stacks.",
        ],
        [
          stack.length > 1,
          "--stack takes one name here. To compare the organization with several stacks, use --unmanaged.",
        ],
        [state !== undefined, "--state can be used only with --unmanaged or --check."],
        [reference !== undefined, "--reference can be used only with --unmanaged and --out."],
      ];
  const general: typeof problems = [
    [
      out !== undefined && split !== undefined,
      "--out writes one program and --split one for each project. Use one of them.",
    ],
    [dryRun === true && target === undefined, "--dry-run can be used only with --out or --split."],
  ];
  const [first] = [...general, ...problems].filter(([applies]) => applies);
  if (first !== undefined) throw new UserError(first[1]);
}

/** Without `--check`, a difference is the result that was asked for. */
function exitCode(discovery: Discovery, { check }: DiscoverOptions): ExitCode {
  const { inventory, compared, program } = discovery;
  const isPartial =
    compared === undefined || program !== undefined
      ? problemsOf(discovery).some(needsReview)
      : inventory.incomplete.size > 0 || (check === true && isDifferent(compared.comparison));
  return isPartial ? EXIT_CODES.partial : EXIT_CODES.all;
}

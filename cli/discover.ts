/** `pulumi-dynamiclink discover`: writes a program for the objects of an organization, and the import file for it. */
import { Command, Option } from "commander";
import { UserError } from "../provider/lifecycle/errors";
import { checkUuid } from "../provider/shapes/uuid";
import {
  type Console,
  EXIT_CODES,
  EXIT_CODES_HELP,
  type ExitCode,
  printMessage,
  processConsole,
  runCommand,
} from "./console";
import { isDifferent } from "./coverage";
import { problemsToReport } from "./coverageReport";
import { type DiscoverOptions, type Discovery, discoverIn } from "./discovery";
import { discoveryJson, discoveryText } from "./discoveryReport";
import type { Problem } from "./estate";
import { chooseHost, hostOptions } from "./hostChoice";
import { openOrganization } from "./organization";
import { readStates } from "./readStates";
import { findPulumiContext, stackSettings } from "./stackSettings";
import { writeFiles } from "./writeFiles";

/** Creates the subcommand. */
export function discoverCommand(console: Console = processConsole): Command {
  const command = new Command("discover")
    .summary("write a program and an import file for the objects of an organization")
    .description(
      "Lists the projects, applications and custom domains of the organization that the API key belongs to, and writes a program that declares them and an import file that imports them into a stack. If the project has native resources and a runtime other than nodejs, it writes only the import file, from which Pulumi generates the program. Requires projects:read, applications:read and domains:read; writes nothing to the service.",
    )
    .option("-o, --out <directory>", "directory to write the program to")
    .option("-p, --project <uuid...>", "only these projects (default: all)")
    .addOption(
      new Option("--protect <objects>", "which resources the program protects from deletion")
        .choices(["all", "projects"])
        .default("all"),
    )
    .option("--no-protect", "protect none of the resources")
    .option("--links", "also count links; requires links:read, and sends one request per hundred links")
    .option("--json", "print the result as JSON")
    .option("--force", "replace existing files")
    .option("--unmanaged", "compare with stacks; with --out, only what none of them manages is written")
    .option("--check", "like --unmanaged, but write nothing and exit with 2 if there is a difference")
    .option(
      "-s, --stack <name...>",
      "the stack whose configuration has the settings (default: the selected one); with --unmanaged, the stacks to compare with, of which the first has the settings",
    )
    .option("--state <file...>", "states to compare with, from `pulumi stack export` (- for standard input)")
    .option("-C, --cwd <directory>", "directory in which to look for the stack")
    .addOption(new Option("--api-url <url>", "origin of the service, for use without a stack"))
    .addHelpText("after", EXIT_CODES_HELP);
  for (const option of hostOptions()) command.addOption(option);
  return command.action((options: DiscoverOptions) => runCommand(console, () => discover(options, console)));
}

async function discover(options: DiscoverOptions, console: Console): Promise<ExitCode> {
  requireConsistent(options);
  for (const uuid of options.project ?? []) {
    const [failure] = checkUuid(uuid);
    if (failure !== undefined) throw new UserError(`--project ${uuid}: ${failure}`);
  }
  const choice = await chooseHost(options);
  if (choice.reason !== undefined) printMessage(console, "note", choice.reason);
  const pulumi = await findPulumiContext({ ...options, stack: options.stack?.[0] }, console);
  const states = compares(options) ? await readStates(options, pulumi, { outputs: [], console }) : undefined;
  const organization = await openOrganization(await stackSettings(pulumi, options), console);
  try {
    const discovery = await discoverIn(organization, { options, choice, pulumi, states, console });
    const { directory, program, comparison, estate } = discovery;
    if (directory !== undefined && program !== undefined) await writeFiles(directory, program.files, options);
    const problems = comparison === undefined ? estate.problems : problemsToReport(comparison);
    for (const { message } of problems) printMessage(console, "warning", message);
    console.stdout.write(options.json ? discoveryJson(discovery) : discoveryText(discovery, options));
    return exitCode(discovery, options, problems);
  } finally {
    await organization.close();
  }
}

/** Whether the organization is compared with stacks. */
function compares({ unmanaged, check }: DiscoverOptions): boolean {
  return unmanaged === true || check === true;
}

/** Rejects options that exclude each other. */
function requireConsistent(options: DiscoverOptions): void {
  const { out, check, stack = [], state, links } = options;
  const problem = compares(options)
    ? check && out !== undefined
      ? "--check writes nothing, so it cannot be used with --out. To write a program for what is unmanaged, use --unmanaged."
      : links && "--links cannot be used with --unmanaged or --check."
    : out === undefined
      ? "Specify the directory to write to with --out, or use --unmanaged to compare the organization with stacks."
      : stack.length > 1
        ? "--stack takes one name here. To compare the organization with several stacks, use --unmanaged."
        : state && "--state can be used only with --unmanaged or --check.";
  if (problem) throw new UserError(problem);
}

/** Without `--check`, a difference is the result that was asked for. */
function exitCode(
  { estate, comparison, program }: Discovery,
  { check }: DiscoverOptions,
  problems: readonly Problem[],
): ExitCode {
  const needsReview =
    comparison === undefined || program !== undefined
      ? problems.length > 0
      : estate.incomplete.size > 0 || (check === true && isDifferent(comparison.coverage));
  return needsReview ? EXIT_CODES.partial : EXIT_CODES.all;
}

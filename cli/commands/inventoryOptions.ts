/** The options that `discover` and `compare` share. */
import { type Command, Option } from "commander";
import { enumerated } from "../../provider/values/phrases";
import { KIND_NAMES, KINDS, pluralOf } from "../objects/kinds";
import { hostOptions } from "../pulumi/hostChoice";
import { EXIT_CODES_HELP } from "../terminal/console";

/** What the commands list, and the scopes that it requires. */
export const OBJECTS = enumerated(KIND_NAMES.map(pluralOf));
export const READ_SCOPES = enumerated([
  ...new Set(KIND_NAMES.flatMap((kind) => KINDS[kind].description.scopes.read)),
]);

/** Adds options by the heading of their group in the help, and what every command has. */
export function addOptions(
  command: Command,
  groups: Readonly<Record<string, readonly Option[]>>,
  examples: readonly string[],
): Command {
  for (const [heading, options] of Object.entries(groups)) {
    command.optionsGroup(`${heading}:`);
    for (const option of options) command.addOption(option);
  }
  return command
    .optionsGroup("Other:")
    .option("--json", "print the result as JSON")
    .helpOption("-h, --help", "display this help")
    .addHelpText(
      "after",
      ["", "Examples:", ...examples.map((one) => `  pulumi-dynamiclink ${one}`)].join("\n"),
    )
    .addHelpText("after", EXIT_CODES_HELP);
}

export function programOptions(): readonly Option[] {
  return [
    new Option("-o, --out <directory>", "directory to write the program to"),
    new Option(
      "--split <directory>",
      "directory to write one program for each project to, in place of --out",
    ),
    new Option("--force", "replace existing files"),
    new Option("--dry-run", "report what would be written, and write nothing"),
    new Option("--protect <objects>", "which resources the program protects from deletion")
      .choices(["all", "projects"])
      .default("all"),
    new Option("--no-protect", "protect none of the resources"),
    ...hostOptions(),
  ];
}

export function selectionOptions(): readonly Option[] {
  return [
    new Option("-p, --project <uuid...>", "only these projects (default: all)"),
    new Option(
      "--include <pattern...>",
      "only objects whose name, or whose project's name, matches (* and ?)",
    ),
    new Option("--exclude <pattern...>", "no objects whose name, or whose project's name, matches"),
    new Option("--type <type...>", "only objects of these types").choices(KIND_NAMES),
  ];
}

export function organizationOptions(): readonly Option[] {
  return [
    new Option("-C, --cwd <directory>", "directory in which to look for the stack"),
    new Option("--api-url <url>", "origin of the service, for use without a stack"),
    new Option(
      "--api-key-env-var <name...>",
      "variables with the keys of several organizations; a program of each is written to a directory of its own",
    ),
    new Option("--provider <name or URN...>", "the same, with the settings of providers in the stack"),
  ];
}

/** What to compare with, besides stacks, and what follows from it. */
export function comparisonOptions(): readonly Option[] {
  return [
    new Option(
      "--state <file...>",
      "states to compare with, in place of or besides --stack, from `pulumi stack export` (- for standard input)",
    ),
    new Option("--check", "exit with 2 if there is a difference"),
    new Option(
      "--reference <stack=output...>",
      "refer to managed projects in the program by this output of their stack, in place of their UUID",
    ),
  ];
}

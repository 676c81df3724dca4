/** `pulumi-dynamiclink compare`: compares the objects of an organization with stacks. */
import { Command } from "commander";
import { type CompareOptions, compare } from "../compare/compare";
import { type Console, runCommand } from "../terminal/console";
import { addSharedOptions, OBJECTS, READ_SCOPES } from "./sharedOptions";

export function compareCommand(console: Console): Command {
  const command = new Command("compare")
    .summary("compare the objects of an organization with stacks")
    .description(
      `Compares the ${OBJECTS} of the organization that the API key belongs to with stacks: lists what no stack manages, what is managed more than once, and what a stack has although the service does not. Requires ${READ_SCOPES}; writes nothing to the service.`,
    )
    .option(
      "--state <file...>",
      "states to compare with, in place of or besides --stack, from `pulumi stack export` (- for standard input)",
    )
    .option("--check", "exit with 2 if there is a difference")
    .option("--ignore <uuid...>", "objects that are unmanaged on purpose");
  return addSharedOptions(command, {
    stack: [
      "-s, --stack <name...>",
      "the stacks to compare with; the first that has settings supplies them (default: the selected one)",
    ],
    examples: [
      "compare --stack acme/shop/production acme/links/production",
      "compare --check --state shop.json",
    ],
    exitCodes: [
      "everything was compared",
      "it failed",
      "something could not be read, or --check found a difference",
    ],
  }).action((options: CompareOptions) => runCommand(console, () => compare(options, console)));
}

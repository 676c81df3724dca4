/** `pulumi-dynamiclink compare`: compares the objects of an organization with stacks. */
import { Command, Option } from "commander";
import { type DiscoverOptions, discoverPlan } from "../discover/plan";
import { runPlan } from "../discover/runPlan";
import { type Console, runCommand } from "../terminal/console";
import {
  addOptions,
  comparisonOptions,
  OBJECTS,
  organizationOptions,
  programOptions,
  READ_SCOPES,
  selectionOptions,
} from "./inventoryOptions";

export function compareCommand(console: Console): Command {
  const command = new Command("compare")
    .summary("compare the objects of an organization with stacks, and list what no stack manages")
    .description(
      `Compares the ${OBJECTS} of the organization that the API key belongs to with stacks. Lists what no stack manages, what is managed more than once, and what a stack has although the service does not. With --out or --split, it also writes a program for what no stack manages, as discover does. Requires ${READ_SCOPES}; writes nothing to the service.`,
    );
  const stack = new Option(
    "-s, --stack <name...>",
    "stacks to compare with, of which the first has the settings (default: the selected one)",
  );
  return addOptions(
    command,
    {
      Comparison: [stack, ...comparisonOptions()],
      "What to select": selectionOptions(),
      "A program for what no stack manages": programOptions(),
      "Stack and organization": organizationOptions(),
    },
    [
      "compare --stack acme/shop/production acme/links/production",
      "compare --check --state shop.json",
      "compare --out rest --reference acme/shop/production=shopId",
    ],
  ).action((options: DiscoverOptions) =>
    runCommand(console, async () => await runPlan(discoverPlan(options, { isComparison: true }), console)),
  );
}

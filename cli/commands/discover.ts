/** `pulumi-dynamiclink discover`: writes a program for the objects of an organization, and the import file for it. */
import { Command, Option } from "commander";
import { enumerated } from "../../provider/values/phrases";
import { type DiscoverOptions, discoverPlan } from "../discover/plan";
import { runPlan } from "../discover/runPlan";
import { type Console, printMessage, runCommand } from "../terminal/console";
import {
  addOptions,
  comparisonOptions,
  OBJECTS,
  organizationOptions,
  programOptions,
  READ_SCOPES,
  selectionOptions,
} from "./inventoryOptions";

export function discoverCommand(console: Console): Command {
  const stack = new Option(
    "-s, --stack <name>",
    "the stack whose configuration has the settings (default: the selected one)",
  );
  // With the options that are those of `compare` now, it has all stacks to compare with.
  stack.variadic = true;
  const former = [new Option("--unmanaged"), ...comparisonOptions()];
  const command = new Command("discover")
    .summary("write a program and an import file for the objects of an organization")
    .description(
      `Writes a program that declares the ${OBJECTS} of the organization that the API key belongs to, and an import file that imports them into a stack. In a project with native resources and a runtime other than nodejs, it writes only the import file, from which Pulumi generates the program. Requires ${READ_SCOPES}; writes nothing to the service.`,
    );
  addOptions(
    command,
    {
      "What to write": programOptions(),
      "What to select": [
        ...selectionOptions(),
        new Option(
          "--links",
          "also count links; requires links:read, and sends one request per hundred links",
        ),
      ],
      "Stack and organization": [stack, ...organizationOptions()],
    },
    ["discover --out estate", 'discover --split shops --include "shop*"'],
  );
  for (const option of former) command.addOption(option.hideHelp());
  return command.action((options: DiscoverOptions) =>
    runCommand(console, async () => {
      const used = former.filter((option) => command.getOptionValue(option.attributeName()) !== undefined);
      if (used.length > 0) {
        const names = enumerated(used.map(({ long }) => long ?? ""));
        printMessage(
          console,
          "note",
          `${names}: comparing with stacks is the command \`pulumi-dynamiclink compare${options.check ? " --check" : ""}\` now. It has the same other options.`,
        );
      }
      return await runPlan(discoverPlan(options, { isComparison: used.length > 0 }), console);
    }),
  );
}

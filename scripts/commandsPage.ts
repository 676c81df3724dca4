/** Generates the reference of the command line from what its help prints. */
import { Command } from "commander";
import { commands } from "../cli/commands";
import { page, withContents } from "./markdown";

/** A page is not as wide as a terminal can be. */
const WIDTH = 100;

export function commandsPage(): string {
  const program = new Command("pulumi-dynamiclink");
  for (const command of commands()) program.addCommand(command);
  return page(
    "Commands",
    withContents([
      "`npx pulumi-dynamiclink <command>`, in a directory where the package is installed.",
      ...program.commands.flatMap((command) => [
        `## ${command.name()}`,
        `\`\`\`\n${helpOf(command).trimEnd()}\n\`\`\``,
      ]),
    ]),
    "what `--help` prints",
  );
}

/** The help with what follows the options, which `helpInformation()` leaves out. */
function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({
    getOutHelpWidth: () => WIDTH,
    writeOut(text) {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

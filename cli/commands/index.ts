/** The commands, in the order in which the help lists them. */
import type { Command } from "commander";
import { processConsole } from "../terminal/console";
import { compareCommand } from "./compare";
import { discoverCommand } from "./discover";
import { domainsCommand } from "./domains";
import { emulatorCommand } from "./emulator";
import { whoamiCommand } from "./whoami";

export function commands(): readonly Command[] {
  const commands = [discoverCommand, compareCommand, domainsCommand, whoamiCommand, emulatorCommand];
  return commands.map((create) => create(processConsole));
}

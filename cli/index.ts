#!/usr/bin/env node
/** The command `pulumi-dynamiclink`. */
import "../provider/requireNodeOrExit";
import { Command } from "commander";
import { reasonOf } from "../provider/errors";
import { compareCommand } from "./commands/compare";
import { discoverCommand } from "./commands/discover";
import { domainsCommand } from "./commands/domains";
import { emulatorCommand } from "./commands/emulator";
import { importCommand } from "./commands/import";
import { terraformMappingCommand } from "./commands/terraformMapping";
import { whoamiCommand } from "./commands/whoami";
import { withoutValues } from "./terminal/withoutValues";

const { version } = require("pulumi-dynamiclink/package.json") as { version: string };

const program = new Command("pulumi-dynamiclink").version(version).showHelpAfterError();
program.addCommand(importCommand());
program.addCommand(discoverCommand());
program.addCommand(compareCommand());
program.addCommand(domainsCommand());
program.addCommand(whoamiCommand());
program.addCommand(terraformMappingCommand());
program.addCommand(emulatorCommand());
for (const each of [program, ...program.commands]) {
  each.configureOutput({ outputError: (message, write) => write(withoutValues(message)) });
}
program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`error: ${reasonOf(error)}\n`);
  process.exitCode = 1;
});

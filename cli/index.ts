#!/usr/bin/env node
/** The command `pulumi-dynamiclink`. */
import "../provider/requireNodeOrExit";
import { Command } from "commander";
import { reasonOf } from "../provider/errors";
import { commands } from "./commands";
import { withoutValues } from "./terminal/withoutValues";

const { version } = require("pulumi-dynamiclink/package.json") as { version: string };

const program = new Command("pulumi-dynamiclink").version(version).showHelpAfterError();
for (const command of commands()) program.addCommand(command);
for (const each of [program, ...program.commands]) {
  each.configureOutput({ outputError: (message, write) => write(withoutValues(message)) });
}
program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`error: ${reasonOf(error)}\n`);
  process.exitCode = 1;
});

#!/usr/bin/env node
/** The command `pulumi-dynamiclink`. */
import "../provider/requireNodeOrExit";
import { Command } from "commander";
import { reasonOf } from "../provider/errors";
import { commands } from "./commands";

const { version } = require("pulumi-dynamiclink/package.json") as { version: string };

// What reads the output may end first, as `head` does.
process.stderr.on("error", () => {});
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return;
  process.stderr.write(`error: The output cannot be written: ${error.message}\n`);
  process.exitCode = 1;
});
const program = new Command("pulumi-dynamiclink").version(version).showHelpAfterError();
for (const command of commands()) program.addCommand(command);
for (const each of [program, ...program.commands])
  each.configureOutput({ outputError: (message, write) => write(withoutValues(message)) });
program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`error: ${reasonOf(error)}\n`);
  process.exitCode = 1;
});

/**
 * Removes from an error of the command-line parser what the user has typed, except the name of an option: it may be a
 * key, as in `--api-key=…`.
 */
function withoutValues(message: string): string {
  return message
    .replace(/unknown option '(--[a-z-]+|-[a-z])?.*'/is, (_, name = "") => `unknown option '${name}'`)
    .replace(/(unknown command|argument|value) '.*'(?=$|\n| is invalid)/is, "$1");
}

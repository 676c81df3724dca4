#!/usr/bin/env node
/** The command `pulumi-dynamiclink`. */
import { Command } from "commander";
import { emulatorCommand } from "./emulator";

const { version } = require("pulumi-dynamiclink/package.json") as { version: string };

const program = new Command("pulumi-dynamiclink").version(version).showHelpAfterError();
program.addCommand(emulatorCommand());
program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

/** Runs before the tests that need a Pulumi CLI. Fails if there is none. */
import { pulumiCli } from "../support/processes/pulumiCli";

async function requirePulumiCli(): Promise<void> {
  // Settings of the CLI that the shell has, except where it is installed, would decide what the tests see.
  for (const name of Object.keys(process.env))
    if (name.startsWith("PULUMI_") && name !== "PULUMI_HOME") delete process.env[name];
  pulumiCli();
}

// Jest calls what the module exports.
module.exports = requirePulumiCli;

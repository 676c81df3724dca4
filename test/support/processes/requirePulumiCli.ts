/** Runs before the tests that need a Pulumi CLI: finds one, or downloads it if that is requested. */
import { findPulumiCli, pulumiCli } from "./pulumiCli";

async function requirePulumiCli(): Promise<void> {
  await findPulumiCli();
  pulumiCli();
}

// Jest calls what the module exports.
module.exports = requirePulumiCli;

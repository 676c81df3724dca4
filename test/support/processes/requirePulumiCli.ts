/** Runs before the tests that need a Pulumi CLI. Fails if there is none. */
import { clearPulumiVariables, pulumiCli } from "./pulumiCli";

async function requirePulumiCli(): Promise<void> {
  // The processes of the tests inherit what is left.
  clearPulumiVariables(process.env);
  pulumiCli();
}

// Jest calls what the module exports.
module.exports = requirePulumiCli;

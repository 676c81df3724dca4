/** Runs before the tests that need a Pulumi CLI: finds one, or downloads it if that is requested. */
import { clearPulumiVariables, findPulumiCli, pulumiCli } from "./pulumiCli";

async function requirePulumiCli(): Promise<void> {
  // The processes of the tests inherit what is left.
  clearPulumiVariables(process.env);
  await findPulumiCli();
  pulumiCli();
}

// Jest calls what the module exports.
module.exports = requirePulumiCli;

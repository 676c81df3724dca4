/** Where a command's settings come from: the stack that is selected, else the environment. */

import { UserError } from "../provider/lifecycle/errors";
import type { RawSettings } from "../provider/session/settings";
import type { Console } from "./console";
import { findPulumi, type PulumiCli, type PulumiStack } from "./pulumiStack";

/** What the command line says about the stack and the service. */
export interface StackOptions {
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
  readonly apiUrl?: string | undefined;
}

/** What there is of Pulumi where a command runs. */
export interface Surroundings {
  /** Absent when there is none on PATH. */
  readonly cli?: PulumiCli;
  /** Absent when none is selected, or when it is out of reach without a CLI. */
  readonly stack?: PulumiStack;
  /** Why there is no stack. */
  readonly whyNoStack?: string;
}

/**
 * Finds the CLI and the stack. A stack that was named must be there, as far as there is a CLI to find it. Where
 * `apiUrl` is given no stack is looked for: Pulumi would go on to ask the service that the stack names.
 */
export async function findSurroundings(options: StackOptions, console: Console): Promise<Surroundings> {
  if (options.apiUrl !== undefined && options.stack !== undefined) {
    throw new UserError(
      `--api-url is for use outside of a stack. For stack ${options.stack}, set it there: pulumi config set dynamiclink:apiUrl <url> --stack ${options.stack}`,
    );
  }
  const cli = await findPulumi(console);
  if (cli === undefined) return { whyNoStack: "there is no Pulumi CLI on PATH." };
  if (options.apiUrl !== undefined) return { cli, whyNoStack: "with --api-url no stack is used." };
  const stack = await cli.openStack(options);
  if (typeof stack !== "string") return { cli, stack };
  if (options.stack !== undefined) throw new UserError(`Stack ${options.stack} cannot be used: ${stack}`);
  return { cli, whyNoStack: stack };
}

/** What the first source that exists says: the stack's configuration, else the command line alone. */
export async function stackSettings({ stack }: Surroundings, { apiUrl }: StackOptions): Promise<RawSettings> {
  return stack === undefined ? { apiUrl } : await stack.settings();
}

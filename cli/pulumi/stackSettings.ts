/** The source of a command's settings: the selected stack, else the environment. */
import { UserError } from "../../provider/errors";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import type { RawSettings } from "../../provider/session/settings";
import type { Console } from "../terminal/console";
import { findPulumi, type PulumiCli } from "./cli";
import type { PulumiStack } from "./stack";

/** The command line options for the stack and the service. */
export interface StackOptions {
  readonly stack?: string | undefined;
  readonly cwd?: string | undefined;
  readonly apiUrl?: string | undefined;
}

/** The Pulumi CLI and the stack that a command uses. */
export interface PulumiContext {
  /** Absent if there is none on PATH. */
  readonly cli?: PulumiCli;
  /** Absent if none is selected, or without a CLI. */
  readonly stack?: PulumiStack;
  /** Why there is no stack. */
  readonly noStackReason?: string;
  /** The option `--api-url`, with which no stack is used. */
  readonly apiUrl?: string | undefined;
}

/**
 * Finds the CLI and the stack. If there is a CLI, a specified stack must exist. With `apiUrl` no stack is used, because
 * Pulumi would send requests to the URL in the stack's configuration.
 */
export async function findPulumiContext(options: StackOptions, console: Console): Promise<PulumiContext> {
  if (options.apiUrl !== undefined && options.stack !== undefined) {
    throw new UserError(
      `--api-url cannot be used with --stack. Set it in the configuration of stack ${options.stack}: pulumi config set dynamiclink:apiUrl <url> --stack ${options.stack}`,
    );
  }
  const { apiUrl } = options;
  const cli = await findPulumi(console);
  if (cli === undefined) return { noStackReason: "there is no Pulumi CLI on PATH.", apiUrl };
  if (apiUrl !== undefined) return { cli, noStackReason: "with --api-url no stack is used.", apiUrl };
  const stack = await cli.openStack(options);
  if (typeof stack !== "string") return { cli, stack };
  if (options.stack !== undefined) throw new UserError(`Stack ${options.stack} cannot be used: ${stack}`);
  return { cli, noStackReason: stack };
}

/** How users of the commands set `apiUrl`. */
export const HOW_TO_SET_URL = `Add --api-url <url>. Or run this in the directory of a Pulumi project, select a stack, and run \`pulumi config set ${CONFIGURATION_NAMESPACE}:apiUrl https://…\`.`;

/** Reads the settings from the stack's configuration, or without a stack from the command line. */
export async function stackSettings({ stack, apiUrl, noStackReason }: PulumiContext): Promise<RawSettings> {
  if (stack !== undefined) return await stack.settings();
  if (apiUrl === undefined)
    throw new UserError(
      `apiUrl is not set, and there is no stack to read it from: ${noStackReason} ${HOW_TO_SET_URL}`,
    );
  return { apiUrl };
}

/** The Pulumi CLI on PATH, and the stacks that it opens. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UserError } from "../../provider/errors";
import { READ_ONLY_VARIABLE } from "../../provider/service";
import type { Console } from "../terminal/console";
import { type PulumiStack, stackOf } from "./stack";

/** Options of the CLI, without those that have no value. */
export function cliOptions(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value]));
}

/** Opens the stack with this name, by default the selected one. @throws UserError with the reason if there is none. */
export async function openStack(
  { environment }: Console,
  { stack, cwd, configFile }: Readonly<Partial<Record<"stack" | "cwd" | "configFile", string | undefined>>>,
): Promise<PulumiStack> {
  const place = [...cliOptions({ stack, cwd }), "--non-interactive"];
  const options = {
    env: { ...environment, [READ_ONLY_VARIABLE]: "1", PULUMI_SKIP_UPDATE_CHECK: "true" },
    maxBuffer: Number.POSITIVE_INFINITY,
  };
  async function ask(...args: string[]): Promise<string> {
    try {
      return (await promisify(execFile)("pulumi", [...args, ...place], options)).stdout;
    } catch (error) {
      throw new UserError(messageOf(error), { cause: error });
    }
  }
  // A wrapper of the CLI may print lines before the name.
  const selected = (await ask("stack", "--show-name")).trim().replace(/.*\n/gs, "");
  return stackOf(stack ?? selected, ask, configFile);
}

/** The error message of a failed CLI command, without the command line. */
function messageOf(error: unknown): string {
  const { code, stderr = "", message = "" } = error as NodeJS.ErrnoException & { stderr?: string };
  if (code === "ENOENT") return "there is no Pulumi CLI on PATH.";
  const text = /^error: (.*)$/m.exec(stderr)?.[1] ?? (stderr.trim() || message);
  return text.replace(/[.\s]*$/, ".");
}

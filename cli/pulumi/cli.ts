/** The Pulumi CLI on PATH, and the stacks that it opens. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { UserError } from "../../provider/errors";
import { READ_ONLY_VARIABLE } from "../../provider/service";
import type { Console } from "../terminal/console";
import { type PulumiStack, stackOf } from "./stack";

/** More than any state has, and less than the maximum length of a string in Node.js. */
export const MAX_STATE_MEBIBYTES = 256;

/** Opens the stack with this name, by default the selected one. @throws UserError with the reason if there is none. */
export async function openStack(
  { environment }: Console,
  { stack, cwd, configFile }: Readonly<Partial<Record<"stack" | "cwd" | "configFile", string | undefined>>>,
): Promise<PulumiStack> {
  const place = [
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    "--non-interactive",
  ];
  const options = {
    env: { ...environment, [READ_ONLY_VARIABLE]: "1", PULUMI_SKIP_UPDATE_CHECK: "true" },
    maxBuffer: MAX_STATE_MEBIBYTES * 1024 * 1024,
  };
  async function ask(...args: string[]): Promise<string> {
    try {
      return (await promisify(execFile)("pulumi", [...args, ...place], options)).stdout;
    } catch (error) {
      throw new UserError(messageOf(error), { cause: error });
    }
  }
  const selected = (await ask("stack", "--show-name")).trim();
  return stackOf(stack ?? selected, ask, configFile);
}

/** The error message of a failed CLI command, without the command line. */
function messageOf(error: unknown): string {
  const { code, stderr = "", message = "" } = error as NodeJS.ErrnoException & { stderr?: string };
  if (code === "ENOENT") return "there is no Pulumi CLI on PATH.";
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
    return `it has more than ${MAX_STATE_MEBIBYTES} MiB, the limit of this command.`;
  const text = /^error: (.*)$/m.exec(stderr)?.[1] ?? (stderr.trim() || message);
  return text.replace(/[.\s]*$/, ".");
}

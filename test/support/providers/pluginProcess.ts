/** The plugin as a process of its own, started and spoken to as Pulumi does. */
import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { Client, credentials, type MethodDefinition } from "@grpc/grpc-js";
import { call } from "../../../testing/engine/protocol/grpc";

/** A plugin that listens. */
export interface PluginProcess {
  ask<Request, Response>(method: MethodDefinition<Request, Response>, request: Request): Promise<Response>;
  /** Sends a signal. */
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process has ended. */
  readonly ended: Promise<EndedPlugin>;
}

/** How a plugin ended, and everything that it printed. */
export interface EndedPlugin {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Starts the executable of a plugin, with this Node.js on PATH. Resolves when it has printed a line.
 *
 * @param environment additional environment variables.
 */
export async function startPluginProcess(
  executable: string,
  directory: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<PluginProcess> {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const [command, args] =
    process.platform === "win32"
      ? // A batch file would need a shell, which would get the signals.
        [process.execPath, [join(dirname(executable), "start.js")]]
      : [executable, []];
  const child = spawn(command, args, {
    cwd: directory,
    env: { ...process.env, PATH, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed = { stdout: "", stderr: "" };
  const ended = new Promise<EndedPlugin>((resolve) => {
    child.once("close", (code) => resolve({ code, ...printed }));
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    printed.stderr += text;
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed.stdout += text;
      const [line, ...rest] = printed.stdout.split("\n");
      if (line !== undefined && rest.length > 0) resolve(line);
    });
    void ended.then(({ stderr }) => reject(new Error(`The plugin ended before it listened:\n${stderr}`)));
  });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  void ended.then(() => client.close());
  return {
    ask: (method, request) => call(client, method, request),
    kill: (signal) => void child.kill(signal),
    ended,
  };
}

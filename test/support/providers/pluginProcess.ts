/** The plugin as a process of its own, started and spoken to as Pulumi does. */
import { delimiter, dirname, join } from "node:path";
import type { MethodDefinition } from "@grpc/grpc-js";
import { call } from "../../../testing/engine/protocol/grpc";
import { connect } from "../../../testing/engine/providers/providerClient";
import { start } from "../processes/execute";

export type PluginProcess = Awaited<ReturnType<typeof startPluginProcess>>;

/**
 * Starts the executable of a plugin, with this Node.js on PATH. Resolves when it has printed a line.
 *
 * @param environment additional environment variables.
 */
export async function startPluginProcess(
  executable: string,
  directory: string,
  environment: Readonly<Record<string, string>> = {},
) {
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;
  const [command, args] =
    process.platform === "win32"
      ? // A batch file would need a shell, which would get the signals.
        [process.execPath, [join(dirname(executable), "start.js")]]
      : [executable, []];
  const { child, printed, ended } = start(command, args, {
    directory,
    environment: { ...process.env, PATH, ...environment },
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      const [line, ...rest] = printed.stdout.split("\n");
      if (line !== undefined && rest.length > 0) resolve(line);
    });
    void ended.then(({ stderr }) => reject(new Error(`The plugin ended before it listened:\n${stderr}`)));
  });
  const client = connect(port);
  void ended.then(() => client.close());
  return {
    ask: <Request, Response>(method: MethodDefinition<Request, Response>, request: Request) =>
      call(client, method, request),
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    ended,
  };
}

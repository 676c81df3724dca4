/**
 * A stack on the test engine whose program is a function, as in Pulumi's Automation API: the SDK's language server runs
 * it in this process. Hosts run in this process too.
 */
import { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { STRIPPING_RUNTIME } from "../../../testing/engine/program/nodeRuntime";
import { startMonitor } from "../../../testing/engine/protocol/monitor";
import { createStack, type TestStack, type TestStackOptions } from "../../../testing/engine/testStack";
import { inProcessProviders } from "../providers/inProcessProviders";

/** An inline program. */
type InlineProgram = () => Promise<Record<string, unknown>>;

/** The SDK does not declare the type. */
const { LanguageServer } = require("@pulumi/pulumi/automation/server") as {
  LanguageServer: new (
    program: InlineProgram,
  ) => { run(call: { readonly request: RunRequest }, answer: (error: unknown) => void): void };
};

/** The exit code of a program that has reported its error. */
const REPORTED = 32;

/** The options of the stack, and the directory in which Pulumi would start the provider host. */
interface InlineOptions extends Omit<TestStackOptions, "program" | "project"> {
  readonly directory: string;
}

/** Creates a stack of the project `inline`. */
export function inlineStack(program: InlineProgram, { directory, ...options }: InlineOptions): TestStack {
  const project = "inline";
  return createStack(
    {
      ...options,
      program: {
        directory,
        main: "",
        root: directory,
        project,
        plugins: new Map(),
        runtime: STRIPPING_RUNTIME,
      },
    },
    {
      ...inProcessProviders(),
      startMonitor,
      startProgram({ address, stack, dryRun, parallel, config, secretKeys }) {
        const request = new RunRequest();
        request.setProject(project);
        request.setStack(stack);
        request.setPwd(directory);
        request.setDryrun(dryRun);
        request.setParallel(parallel);
        request.setMonitorAddress(address);
        request.setArgsList([address]);
        request.setConfigsecretkeysList([...secretKeys]);
        for (const [key, value] of Object.entries(config)) request.getConfigMap().set(key, value);
        const server = new LanguageServer(program);
        const exited = new Promise<number>((resolve) =>
          server.run({ request }, (error) => resolve(error ? REPORTED : 0)),
        );
        return { exited, kill: () => {} };
      },
    },
  );
}

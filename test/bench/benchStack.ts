/**
 * A stack whose commands are measured: on the Pulumi CLI if there is one, else on the test engine. The processes that
 * a command starts record their own memory.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Deployment, testStack } from "../../testing/engine";
import { programWith } from "../release/package/unpackedProgram";
import type { PulumiCli } from "../support/processes/pulumiCli";
import { PLUGIN_PROJECT } from "../support/providers/pluginProject";
import { cliStack, commandLine, type StackCommand } from "../support/stacks/cliStack";
import type { Contender } from "./contenders";

const PROJECT = "bench";
const COMMAND_TIMEOUT_MS = 600_000;

/** The time and memory that a command used. */
export interface Usage {
  readonly wallMs: number;
  /** The peak of the host's resident memory. */
  readonly hostPeakBytes: number;
}

export type BenchStack = Awaited<ReturnType<typeof benchStack>>;

/** Creates a stack on the CLI, or on the test engine if there is no CLI. */
export async function benchStack(
  cli: PulumiCli | undefined,
  contender: Contender,
  apiUrl: string,
  environment: Texts,
) {
  const runtime = { name: "nodejs", options: { typescript: false } };
  const { path: directory, remove } = programWith({
    "package.json": JSON.stringify({ name: PROJECT, type: "module" }),
    "Pulumi.yaml": JSON.stringify({ name: PROJECT, runtime, ...PLUGIN_PROJECT }),
    "index.ts": contender.source,
  });
  const peaks = join(directory, "peaks");
  const variables = {
    ...environment,
    ...contender.environment,
    BENCH_PEAKS_DIRECTORY: peaks,
    NODE_OPTIONS: `--require=${JSON.stringify(join(__dirname, "notePeaks.cjs"))}`,
  };
  const config = { "dynamiclink:apiUrl": apiUrl };
  const stack = cli
    ? await onCli(cli, directory, variables, config)
    : await onEngine(directory, variables, config);
  return {
    ...stack,
    /** Runs a command, which fails if anything would change, unless it is `up`. */
    run: (command: StackCommand) =>
      measured(peaks, () => stack.run(command, { expectNoChanges: command !== "up" })),
    async close() {
      await stack.close();
      remove();
    },
  };
}

type Texts = Readonly<Record<string, string>>;

async function onEngine(program: string, environment: Texts, config: Texts) {
  const options = { program, environment, config, parallel: 8, timeoutMs: COMMAND_TIMEOUT_MS };
  const stack = await testStack(options);
  return {
    run: (command: StackCommand, options: object): Promise<unknown> => stack[command](options),
    exportState: async () => stack.exportState({ showSecrets: true }),
    importState: async (deployment: Deployment) => stack.importState(deployment),
    close: () => stack.close(),
  };
}

async function onCli(cli: PulumiCli, directory: string, environment: Texts, config: Texts) {
  const { pulumi, configure, exportState, importState } = cliStack(cli, {
    directory,
    name: PROJECT,
    environment: () => environment,
  });
  await configure(config);
  return {
    run: (command: StackCommand, options: object): Promise<unknown> =>
      pulumi(...commandLine(command, options), "--suppress-progress", "--suppress-outputs"),
    exportState,
    importState,
    close: async () => {},
  };
}

async function measured(peaks: string, run: () => Promise<unknown>): Promise<Usage> {
  rmSync(peaks, { recursive: true, force: true });
  mkdirSync(peaks);
  const startMs = performance.now();
  await run();
  const wallMs = performance.now() - startMs;
  const hosts = readdirSync(peaks).filter((name) => /^host-.*\.json$/.test(name));
  const bytes = hosts.map((name) => Number(readFileSync(join(peaks, name), "utf8")));
  return { wallMs, hostPeakBytes: Math.max(0, ...bytes) };
}

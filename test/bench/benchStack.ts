/**
 * A stack whose commands are measured: on the Pulumi CLI if there is one, else on the test engine. The processes that
 * a command starts record their own memory.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Deployment, testStack } from "../../testing/engine";
import { linkPackages } from "../release/package/unpackedProgram";
import { backendIn, type PulumiCli, runPulumi } from "../support/processes/pulumiCli";
import { PLUGIN_PROJECT } from "../support/providers/pluginProject";
import type { Contender } from "./contenders";

/** The name of the project and of the stack, on the CLI and on the engine. */
export const PROJECT = "bench";
export const STACK = "bench";

const COMMAND_TIMEOUT_MS = 600_000;

/** A command that is measured. */
export type BenchCommand = "up" | "preview" | "refresh";

/** The time and memory that a command used. */
export interface Usage {
  readonly wallMs: number;
  /** The peak of the host's resident memory. */
  readonly hostPeakBytes: number;
}

/** A stack whose commands are measured. Commands other than `up` fail if anything would change. */
export interface BenchStack {
  run(command: BenchCommand): Promise<Usage>;
  exportState(): Promise<Deployment>;
  importState(deployment: Deployment): Promise<void>;
  close(): Promise<void>;
}

/** The options of a stack. */
export interface BenchStackOptions {
  readonly contender: Contender;
  readonly environment: Readonly<Record<string, string>>;
  readonly apiUrl: string;
}

/** Creates a stack on the CLI, or on the test engine if there is no CLI. */
export async function benchStack(
  cli: PulumiCli | undefined,
  options: BenchStackOptions,
): Promise<BenchStack> {
  return cli === undefined ? await engineStack(options) : await cliStack(cli, options);
}

async function engineStack({ contender, environment, apiUrl }: BenchStackOptions): Promise<BenchStack> {
  const directory = programDirectory(contender);
  const peaks = join(directory, "peaks");
  const stack = await testStack({
    program: directory,
    project: PROJECT,
    stack: STACK,
    parallel: 8,
    timeoutMs: COMMAND_TIMEOUT_MS,
    config: { "dynamiclink:apiUrl": apiUrl },
    environment: { ...environment, ...contender.environment, ...notingPeaks(peaks) },
  });
  return {
    run: (command) =>
      measured(peaks, async () => {
        if (command === "up") await stack.up();
        else if (command === "refresh") await stack.refresh({ expectNoChanges: true });
        else await stack.preview({ expectNoChanges: true });
      }),
    exportState: async () => stack.exportState({ showSecrets: true }),
    importState: async (deployment) => stack.importState(deployment),
    async close() {
      await stack.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

const CLI_ARGUMENTS: { readonly [Command in BenchCommand]: readonly string[] } = {
  up: ["up", "--yes", "--skip-preview"],
  preview: ["preview", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview", "--expect-no-changes"],
};

async function cliStack(
  cli: PulumiCli,
  { contender, environment, apiUrl }: BenchStackOptions,
): Promise<BenchStack> {
  const directory = programDirectory(contender);
  const peaks = join(directory, "peaks");
  const variables = {
    ...cli.environment,
    ...backendIn(join(directory, "state")),
    ...environment,
    ...contender.environment,
  };
  const pulumi = (commandArguments: readonly string[], more: Record<string, string> = {}) =>
    runPulumi(cli, commandArguments, {
      directory,
      environment: { ...variables, ...more },
    });
  await pulumi(["stack", "init", STACK]);
  await pulumi(["config", "set", "dynamiclink:apiUrl", apiUrl]);
  const file = join(directory, "state.json");
  return {
    run: (command) =>
      measured(peaks, () =>
        pulumi([...CLI_ARGUMENTS[command], "--suppress-progress", "--suppress-outputs"], notingPeaks(peaks)),
      ),
    async exportState() {
      await pulumi(["stack", "export", "--file", file]);
      return JSON.parse(readFileSync(file, "utf8"));
    },
    async importState(deployment) {
      writeFileSync(file, JSON.stringify(deployment));
      await pulumi(["stack", "import", "--file", file]);
    },
    async close() {
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** A copy of a contender's program that resolves packages as this repository does. */
function programDirectory({ program }: Contender): string {
  const directory = mkdtempSync(join(tmpdir(), "dynamiclink-bench-"));
  cpSync(join(__dirname, "programs", program), directory, { recursive: true });
  linkPackages(directory);
  mkdirSync(join(directory, "state"));
  const project = {
    name: PROJECT,
    runtime: { name: "nodejs", options: { typescript: false } },
    ...PLUGIN_PROJECT,
  };
  writeFileSync(join(directory, "Pulumi.yaml"), JSON.stringify(project));
  return directory;
}

function notingPeaks(directory: string): Record<string, string> {
  return {
    BENCH_PEAKS_DIRECTORY: directory,
    NODE_OPTIONS: `--require=${JSON.stringify(join(__dirname, "notePeaks.cjs"))}`,
  };
}

async function measured(peaksDirectory: string, run: () => Promise<unknown>): Promise<Usage> {
  rmSync(peaksDirectory, { recursive: true, force: true });
  mkdirSync(peaksDirectory);
  const startMs = performance.now();
  await run();
  const wallMs = performance.now() - startMs;
  const noted = readdirSync(peaksDirectory)
    .filter((name) => name.endsWith(".json"))
    .map((name): { role: string; peakBytes: number } =>
      JSON.parse(readFileSync(join(peaksDirectory, name), "utf8")),
    );
  const hosts = noted.filter(({ role }) => role === "host");
  return {
    wallMs,
    hostPeakBytes: Math.max(0, ...hosts.map(({ peakBytes }) => peakBytes)),
  };
}

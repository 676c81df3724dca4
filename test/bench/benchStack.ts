/** A stack on the Pulumi CLI whose commands are measured. The hosts that a command starts record their own memory. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { programWith } from "../release/package/programs";
import { pulumiCli } from "../support/processes/pulumiCli";
import { PLUGIN_PROJECT } from "../support/providers/pluginProject";
import { cliStack, commandLine, type StackCommand } from "../support/stacks/cliStack";

/** The time and memory that a command used. */
export interface Usage {
  readonly wallMs: number;
  /** The peak of the host's resident memory. */
  readonly hostPeakMiB: number;
  /** The size of the state that Pulumi writes at each step. */
  readonly stateBytes: number;
}

export type BenchStack = Awaited<ReturnType<typeof benchStack>>;

/** Creates a stack of a program, in TypeScript. */
export async function benchStack(source: string, apiUrl: string, environment: NodeJS.ProcessEnv) {
  const runtime = { name: "nodejs", options: { typescript: false } };
  const project = { name: "bench", runtime, ...PLUGIN_PROJECT };
  const { path: directory, remove } = programWith({
    "package.json": JSON.stringify({ name: project.name, type: "module" }),
    "Pulumi.yaml": JSON.stringify(project),
    "index.ts": source,
  });
  const peaks = join(directory, "peaks");
  const { pulumi, configure, deployment, exportState, importState } = cliStack(pulumiCli(), {
    directory,
    name: project.name,
    environment: () => ({
      ...environment,
      BENCH_PEAKS_DIRECTORY: peaks,
      NODE_OPTIONS: `--require=${JSON.stringify(join(__dirname, "notePeaks.cjs"))}`,
    }),
  });
  await configure({ "dynamiclink:apiUrl": apiUrl });
  return {
    exportState,
    importState,
    remove,
    /** Runs a command, which fails if anything would change, unless it is `up`. */
    async run(command: StackCommand): Promise<Usage> {
      rmSync(peaks, { recursive: true, force: true });
      mkdirSync(peaks);
      const line = commandLine(command, { expectNoChanges: command !== "up" });
      const startMs = performance.now();
      await pulumi(...line, "--suppress-progress", "--suppress-outputs");
      const wallMs = performance.now() - startMs;
      const hosts = readdirSync(peaks).filter((name) => /^host-.*\.json$/.test(name));
      const bytes = hosts.map((name) => Number(readFileSync(join(peaks, name), "utf8")));
      const stateBytes = Buffer.byteLength(JSON.stringify(deployment()));
      return { wallMs, hostPeakMiB: Math.max(0, ...bytes) / 2 ** 20, stateBytes };
    },
  };
}

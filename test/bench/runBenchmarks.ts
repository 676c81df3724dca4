/** Runs a plan of measurements, interleaved round by round, so that other load of the machine affects all equally. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../testing/emulator";
import type { Deployment } from "../../testing/engine";
import { ROOT } from "../release/package/unpackedProgram";
import { execute } from "../support/processes/execute";
import { findPulumiCli, type PulumiCli } from "../support/processes/pulumiCli";
import { type BenchCommand, type BenchStack, benchStack, type Usage } from "./benchStack";
import { CONTENDERS, type ContenderName } from "./contenders";
import { grownState } from "./grownState";

const ORGANIZATION = "0a0a0a0a-0000-4000-8000-000000000001";
/** Test data, not a real key. */
const KEY = "bench-key-of-no-use";
const PROJECTS = 10;

/** A combination to measure. */
export interface Cell {
  readonly contender: ContenderName;
  readonly command: BenchCommand | "discover";
  readonly resources: number;
  readonly latencyMs: number;
  /** How often it is measured, if there is time. */
  readonly rounds: number;
}

/** The combinations to measure, and the limits of a run. */
export interface Plan {
  /** Measured one group after another. The cells of a group are interleaved round by round. */
  readonly groups: readonly (readonly Cell[])[];
  /** The size of the stacks that `up` creates. The other states are derived from theirs. */
  readonly templateResources: number;
  /** The time after which no further measurement starts. */
  readonly budgetMs: number;
}

/** A measurement. */
export interface Sample extends Cell, Usage {
  /** Samples of the same round were measured close together. */
  readonly round: number;
  readonly requests: number;
}

/** All samples, and the machine and engine that they were measured on. */
export interface Results {
  readonly samples: readonly Sample[];
  /** The size of the state of 1,000 resources in 10 projects, and of 1,000 projects, by contender. */
  readonly stateBytes: readonly {
    readonly contender: ContenderName;
    readonly mixed: number;
    readonly projects: number;
  }[];
  readonly engine: string;
  readonly machine: readonly string[];
  readonly minutes: number;
}

function cells(
  names: readonly ContenderName[],
  commands: readonly Cell["command"][],
  resources: number,
  latenciesMs: readonly number[],
  rounds: number,
): Cell[] {
  return commands.flatMap((command) =>
    latenciesMs.flatMap((latencyMs) =>
      names.map((contender) => ({ contender, command, resources, latencyMs, rounds })),
    ),
  );
}

/** The plan for all tables of docs/performance.md, the most important first. */
export const FULL_PLAN: Plan = {
  budgetMs: 12 * 60_000,
  templateResources: 100,
  groups: [
    cells(["empty", "imports"], ["preview"], 0, [0], 5),
    [
      ...cells(["components", "ours", "native", "naive"], ["preview"], 1_000, [0], 3),
      ...cells(["shared"], ["preview"], 1_000, [0], 2),
      ...cells(["naive", "ours"], ["refresh"], 1_000, [0, 80], 3),
      ...cells(["native"], ["refresh"], 1_000, [0], 3),
      ...cells(["naive", "ours"], ["refresh"], 1_000, [20], 1),
    ],
    cells(["ours"], ["refresh", "preview"], 10_000, [0], 1),
    [
      ...cells(["components"], ["preview"], 1, [0], 1),
      // What starting the provider's process costs.
      ...cells(["ours", "native"], ["preview"], 1, [0], 3),
      ...cells(["naive", "ours"], ["up", "preview", "refresh", "preview --refresh"], 1, [80], 1),
      ...cells(["components"], ["up", "preview"], 100, [0], 1),
      ...cells(["naive", "ours"], ["up", "preview", "refresh", "preview --refresh"], 100, [0, 80], 1),
      ...cells(["naive", "ours"], ["up", "refresh"], 100, [20], 1),
      ...cells(["ours"], ["discover"], 100, [0, 20, 80], 1),
      ...cells(["ours"], ["discover"], 1_000, [0, 20, 80], 1),
    ],
    [
      ...cells(["ours", "naive"], ["preview --refresh"], 1_000, [80], 1),
      ...cells(["ours"], ["preview"], 1_000, [20, 80], 1),
    ],
    cells(["ours", "components", "naive"], ["up"], 1_000, [0], 1),
  ],
};

/** A plan that takes about a minute. Its first round has all ratios; the others repeat the most important one. */
export const QUICK_PLAN: Plan = {
  budgetMs: 45_000,
  templateResources: 30,
  groups: [
    [
      ...cells(["components", "ours"], ["preview"], 1_000, [0], 3),
      ...cells(["empty", "imports"], ["preview"], 0, [0], 1),
      ...cells(["naive", "ours", "native"], ["preview"], 100, [0], 1),
      ...cells(["naive", "ours"], ["refresh"], 300, [0, 80], 1),
      ...cells(["native"], ["refresh"], 300, [0], 1),
    ],
  ],
};

function interleaved(group: readonly Cell[]): { cell: Cell; round: number }[] {
  const rounds = Math.max(...group.map((cell) => cell.rounds));
  return Array.from({ length: rounds }, (_, round) =>
    group.filter((cell) => cell.rounds > round).map((cell) => ({ cell, round })),
  ).flat();
}

interface Prepared {
  readonly stack: BenchStack;
  readonly service: Emulator;
}

/** Runs a plan. */
export async function runBenchmarks(plan: Plan, report: (line: string) => void): Promise<Results> {
  const startMs = performance.now();
  const cli = await findPulumiCli();
  const engine =
    cli === undefined
      ? "the package's test engine, as there was no Pulumi CLI"
      : `the Pulumi CLI ${(await execute(cli.command, ["version"], { directory: tmpdir(), environment: cli.environment })).trim()}`;
  report(`On ${engine}.`);
  const samples: Sample[] = [];
  const templates = new Map<ContenderName, { deployment: Deployment; url: string }>();
  const prepared = new Map<string, Prepared>();
  const stateBytes: Results["stateBytes"][number][] = [];

  const record = (cell: Cell, round: number, usage: Usage, service: Emulator) => {
    const requests = service.requests.length;
    samples.push({ ...cell, ...usage, round, requests });
    report(
      `${CONTENDERS[cell.contender].title}, ${cell.command} of ${cell.resources} at ${cell.latencyMs} ms: ${Math.round(usage.wallMs)} ms, ${requests} requests`,
    );
  };

  /** Creates a stack and measures its first `up`. */
  async function createStack(cell: Cell, round: number): Promise<Prepared> {
    const service = await startService(cell.latencyMs);
    const stack = await stackOf(cli, cell, service);
    record(cell, round, await stack.run("up"), service);
    return { service, stack };
  }

  async function templateOf(contender: ContenderName) {
    const present = templates.get(contender);
    if (present !== undefined) return present;
    const { templateResources: resources } = plan;
    const cell = { contender, command: "up", latencyMs: 0, resources, rounds: 1 } as const;
    const { stack, service } = await createStack(cell, 0);
    const template = { deployment: await stack.exportState(), url: service.url };
    await closed({ stack, service });
    templates.set(contender, template);
    if (contender !== "components")
      stateBytes.push({
        contender,
        mixed: await bytesOf(template, 1_000, PROJECTS),
        projects: await bytesOf(template, 1_000, 1_000),
      });
    return template;
  }

  /** A stack that already has its resources. */
  async function preparedFor(cell: Cell): Promise<Prepared> {
    const key = `${cell.contender} ${cell.resources}`;
    const present = prepared.get(key);
    if (present !== undefined) return present;
    const service = await startService(0);
    const stack = await stackOf(cli, cell, service);
    prepared.set(key, { service, stack });
    if (cell.resources === 0) await stack.run("up");
    else await stack.importState(await grown(await templateOf(cell.contender), cell.resources, service));
    return { service, stack };
  }

  try {
    for (const { cell, round } of plan.groups.flatMap(interleaved)) {
      if (performance.now() - startMs > plan.budgetMs) break;
      if (cell.command === "up") {
        await closed(await createStack(cell, round));
        continue;
      }
      const { stack, service } = await preparedFor(cell);
      setLatency(service, cell.latencyMs);
      service.clearRequests();
      const usage = cell.command === "discover" ? await discover(service) : await stack.run(cell.command);
      record(cell, round, usage, service);
    }
  } finally {
    for (const one of prepared.values()) await closed(one);
  }
  const minutes = (performance.now() - startMs) / 60_000;
  return { samples, stateBytes, engine, machine: machine(), minutes };
}

async function startService(latencyMs: number): Promise<Emulator> {
  const service = await startEmulator({
    seed: { organizations: [{ id: ORGANIZATION, keys: [{ key: KEY }] }] },
  });
  setLatency(service, latencyMs);
  return service;
}

function setLatency(service: Emulator, delayMs: number): void {
  service.clearFaults();
  if (delayMs > 0) service.inject({ count: Number.POSITIVE_INFINITY, effect: { delayMs } });
}

async function stackOf(
  cli: PulumiCli | undefined,
  { contender, resources }: Cell,
  { url }: Emulator,
): Promise<BenchStack> {
  return await benchStack(cli, {
    contender: CONTENDERS[contender],
    apiUrl: url,
    environment: {
      DYNAMICLINK_API_KEY: KEY,
      BENCH_API_URL: url,
      BENCH_ORGANIZATION: ORGANIZATION,
      BENCH_RESOURCES: String(resources),
      BENCH_PROJECTS: String(PROJECTS),
    },
  });
}

async function grown(
  { deployment, url }: { deployment: Deployment; url: string },
  resources: number,
  service: Emulator,
  projects = Math.min(resources, PROJECTS),
): Promise<Deployment> {
  return grownState(deployment, {
    resources,
    projects,
    service,
    organizationId: ORGANIZATION,
    oldUrl: url,
  });
}

async function bytesOf(
  template: { deployment: Deployment; url: string },
  resources: number,
  projects: number,
): Promise<number> {
  const service = await startService(0);
  const deployment = await grown(template, resources, service, projects);
  await service.close();
  return Buffer.byteLength(JSON.stringify(deployment));
}

/** Runs the command `discover`, which starts neither program nor host. */
async function discover({ url }: Emulator): Promise<Usage> {
  const directory = mkdtempSync(join(tmpdir(), "dynamiclink-discover-"));
  const startMs = performance.now();
  await execute(
    process.execPath,
    [join(ROOT, "dist", "cli", "index.js"), "discover", "--out", join(directory, "out"), "--api-url", url],
    { directory, environment: { ...process.env, DYNAMICLINK_API_KEY: KEY } },
  );
  const wallMs = performance.now() - startMs;
  rmSync(directory, { recursive: true, force: true });
  return { wallMs, programPeakBytes: 0, hostPeakBytes: 0, cpuMs: 0 };
}

async function closed({ stack, service }: Prepared): Promise<void> {
  await stack.close();
  await service.close();
}

/** The properties of the machine that explain the results, without anything that identifies it. */
function machine(): string[] {
  const sdk = join(ROOT, "node_modules", "@pulumi", "pulumi", "package.json");
  const { version } = JSON.parse(readFileSync(sdk, "utf8")) as { version: string };
  return [
    `${availableParallelism()} cores (${process.arch})`,
    `${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    process.platform,
    `Node.js ${process.versions.node}`,
    `@pulumi/pulumi ${version}`,
  ];
}

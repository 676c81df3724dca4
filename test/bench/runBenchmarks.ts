/** Runs all measurements round by round, so that other load of the machine affects all equally. */
import { readFileSync } from "node:fs";
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
import { preview, refresh } from "./ratios";

const ORGANIZATION = "0a0a0a0a-0000-4000-8000-000000000001";
/** Test data, not a real key. */
const KEY = "bench-key-of-no-use";
const PROJECTS = 10;

/** A combination to measure. */
export interface Cell {
  readonly contender: ContenderName;
  readonly command: BenchCommand;
  readonly resources: number;
}

/** A measurement. Those of the same round were measured close together. */
export interface Sample extends Cell, Usage {
  readonly round: number;
  readonly requests: number;
}

/** All samples, and the size of the state of 1,000 projects by contender. */
export interface Results {
  readonly rounds: number;
  readonly samples: readonly Sample[];
  readonly stateBytes: ReadonlyMap<ContenderName, number>;
}

/** The size of the stacks that `up` creates. The other states are derived from theirs. */
const TEMPLATE_RESOURCES = 100;

/** What each round measures. */
const ROUND: readonly Cell[] = [
  ...(["empty", "imports"] as const).map((contender) => preview(contender, 0)),
  ...(["ours", "native"] as const).map((contender) => preview(contender, 1)),
  ...(["components", "ours", "native"] as const).map((contender) => preview(contender)),
  ...(["ours", "native"] as const).map((contender) => refresh(contender)),
  ...[preview("ours", 10_000), refresh("ours", 10_000)],
];

interface Prepared {
  readonly stack: BenchStack;
  readonly service: Emulator;
}

interface Template {
  readonly deployment: Deployment;
  readonly url: string;
}

/** Runs rounds of measurements. */
export async function runBenchmarks(rounds: number, report: (line: string) => void): Promise<Results> {
  const cli = findPulumiCli();
  for (const line of await machine(cli)) report(line);
  const samples: Sample[] = [];
  const templates = new Map<ContenderName, Promise<Template>>();
  const prepared = new Map<string, Prepared>();
  const stateBytes = new Map<ContenderName, number>();

  async function createTemplate(contender: ContenderName): Promise<Template> {
    const service = await startService();
    const stack = await stackOf(cli, { contender, resources: TEMPLATE_RESOURCES }, service);
    await stack.run("up");
    const template = { deployment: await stack.exportState(), url: service.url };
    await closed({ stack, service });
    if (contender !== "components") stateBytes.set(contender, await bytesOf(template, 1_000));
    return template;
  }

  /** A stack that already has its resources. */
  async function preparedFor(cell: Cell): Promise<Prepared> {
    const key = `${cell.contender} ${cell.resources}`;
    const present = prepared.get(key);
    if (present !== undefined) return present;
    const service = await startService();
    const stack = await stackOf(cli, cell, service);
    prepared.set(key, { service, stack });
    if (cell.resources === 0) {
      await stack.run("up");
      return { service, stack };
    }
    const template = templates.get(cell.contender) ?? createTemplate(cell.contender);
    templates.set(cell.contender, template);
    await stack.importState(grown(await template, cell.resources, service));
    return { service, stack };
  }

  try {
    for (let round = 0; round < rounds; round++)
      for (const cell of ROUND) {
        const { stack, service } = await preparedFor(cell);
        service.clearRequests();
        const usage = await stack.run(cell.command);
        samples.push({ ...cell, ...usage, round, requests: service.requests.length });
        const { title } = CONTENDERS[cell.contender];
        const what = `${title}, ${cell.command} of ${cell.resources}`;
        report(`${what}: ${Math.round(usage.wallMs)} ms, ${service.requests.length} requests`);
      }
  } finally {
    for (const one of prepared.values()) await closed(one);
  }
  return { rounds, samples, stateBytes };
}

function startService(): Promise<Emulator> {
  return startEmulator({ seed: { organizations: [{ id: ORGANIZATION, keys: [{ key: KEY }] }] } });
}

async function stackOf(
  cli: PulumiCli | undefined,
  { contender, resources }: Pick<Cell, "contender" | "resources">,
  { url }: Emulator,
): Promise<BenchStack> {
  return await benchStack(cli, {
    contender: CONTENDERS[contender],
    apiUrl: url,
    environment: {
      DYNAMICLINK_API_KEY: KEY,
      BENCH_RESOURCES: String(resources),
      BENCH_PROJECTS: String(PROJECTS),
    },
  });
}

function grown(
  { deployment, url: oldUrl }: Template,
  resources: number,
  service: Emulator,
  projects = Math.min(resources, PROJECTS),
): Deployment {
  return grownState(deployment, { resources, projects, service, organizationId: ORGANIZATION, oldUrl });
}

async function bytesOf(template: Template, projects: number): Promise<number> {
  const service = await startService();
  const deployment = grown(template, projects, service, projects);
  await service.close();
  return Buffer.byteLength(JSON.stringify(deployment));
}

async function closed({ stack, service }: Prepared): Promise<void> {
  await stack.close();
  await service.close();
}

/** The engine and the machine, without anything that identifies it. */
async function machine(cli: PulumiCli | undefined): Promise<string[]> {
  const sdk = join(ROOT, "node_modules", "@pulumi", "pulumi", "package.json");
  const { version } = JSON.parse(readFileSync(sdk, "utf8")) as { version: string };
  const options = { directory: tmpdir(), environment: cli?.environment ?? {} };
  return [
    cli ? `Pulumi CLI ${await execute(cli.command, ["version"], options)}`.trim() : "the test engine",
    `${availableParallelism()} cores (${process.arch}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory`,
    `${process.platform}, Node.js ${process.versions.node}, @pulumi/pulumi ${version}`,
  ];
}

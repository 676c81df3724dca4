/** Runs all measurements round by round, so that other load of the machine affects all equally. */
import { readFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../testing/emulator";
import type { Deployment } from "../../testing/engine";
import { ROOT } from "../release/package/unpackedProgram";
import { execute } from "../support/processes/execute";
import { findPulumiCli, type PulumiCli } from "../support/processes/pulumiCli";
import { KEY, ORGANIZATION, seedWith } from "../support/values/organizations";
import { type BenchStack, benchStack } from "./benchStack";
import { CONTENDERS, type ContenderName } from "./contenders";
import { grownState } from "./grownState";
import { CELLS, type Cell, type Results, type Sample } from "./ratios";

const PROJECTS = 10;
/** The size of the stacks that `up` creates. The other states are derived from theirs. */
const TEMPLATE_RESOURCES = 100;

/** The state of a small stack, and the origin of its service. */
type Template = { readonly deployment: Deployment; readonly oldUrl: string };
type Prepared = { readonly stack: BenchStack; readonly service: Emulator };

export async function runBenchmarks(rounds: number, report: (line: string) => void): Promise<Results> {
  const cli = findPulumiCli();
  for (const line of await machine(cli)) report(line);
  const samples: Sample[] = [];
  const templates = new Map<ContenderName, Template>();
  const prepared = new Map<string, Prepared>();

  async function newStack(contender: ContenderName, resources: number): Promise<Prepared> {
    const service = await startEmulator({ seed: seedWith() });
    const sizes = { BENCH_RESOURCES: String(resources), BENCH_PROJECTS: String(PROJECTS) };
    const environment = { DYNAMICLINK_API_KEY: KEY, ...sizes };
    const stack = await benchStack(cli, CONTENDERS[contender], service.url, environment);
    return { service, stack };
  }

  async function templateOf(contender: ContenderName): Promise<Template> {
    const present = templates.get(contender);
    if (present !== undefined) return present;
    const small = await newStack(contender, TEMPLATE_RESOURCES);
    await small.stack.run("up");
    const template = { deployment: await small.stack.exportState(), oldUrl: small.service.url };
    await closed(small);
    templates.set(contender, template);
    return template;
  }

  /** A stack that already has its resources. */
  async function preparedFor({ contender, resources }: Cell): Promise<Prepared> {
    const key = `${contender} ${resources}`;
    const present = prepared.get(key);
    if (present !== undefined) return present;
    const added = await newStack(contender, resources);
    prepared.set(key, added);
    if (resources === 0) await added.stack.run("up");
    else await added.stack.importState(grown(await templateOf(contender), resources, added.service));
    return added;
  }

  try {
    for (let round = 0; round < rounds; round++)
      for (const cell of CELLS) {
        const { stack, service } = await preparedFor(cell);
        service.clearRequests();
        const usage = await stack.run(cell.command);
        const requests = service.requests.length;
        samples.push({ ...cell, ...usage, round, requests });
        const what = `${cell.contender}, ${cell.command} of ${cell.resources}`;
        report(`${what}: ${Math.round(usage.wallMs)} ms, ${requests} requests`);
      }
    const stateBytes = new Map<ContenderName, number>();
    for (const contender of ["ours", "native"] as const)
      stateBytes.set(contender, await bytesOf(await templateOf(contender), 1_000));
    return { rounds, samples, stateBytes };
  } finally {
    for (const one of prepared.values()) await closed(one);
  }
}

function grown(
  { deployment, oldUrl }: Template,
  resources: number,
  service: Emulator,
  projects = Math.min(resources, PROJECTS),
): Deployment {
  return grownState(deployment, { resources, projects, service, organizationId: ORGANIZATION, oldUrl });
}

/** The size of the state of projects. */
async function bytesOf(template: Template, projects: number): Promise<number> {
  await using service = await startEmulator({ seed: seedWith() });
  return Buffer.byteLength(JSON.stringify(grown(template, projects, service, projects)));
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

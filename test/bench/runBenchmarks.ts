/** Runs all measurements round by round, so that other load of the machine affects all equally. */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { type Emulator, startEmulator } from "../../testing/emulator";
import type { Deployment } from "../../testing/engine";
import { KEY, ORGANIZATION, seedWith } from "../support/values/organizations";
import { type BenchStack, benchStack } from "./benchStack";
import { CONTENDERS, type ContenderName } from "./contenders";
import { CELLS, type Cell, type Results, type Sample } from "./figures";
import { grownState } from "./grownState";

const PROJECTS = 10;
/** The size of the stacks that `up` creates. The other states are derived from theirs. */
const SMALL = 100;

interface Prepared {
  readonly stack: BenchStack;
  readonly service: Emulator;
}

export async function runBenchmarks(rounds: number, report: (line: string) => void): Promise<Results> {
  const small = {
    components: await stateAfterUp("components"),
    ours: await stateAfterUp("ours"),
    native: await stateAfterUp("native"),
  };
  const prepared = new Map<string, Prepared>();
  const samples = new Map([...CELLS.keys()].map((name) => [name, [] as Sample[]]));
  try {
    for (const [name, { contender, command, resources }] of CELLS) {
      if (command === "up") continue;
      const added = await newStack(contender, resources);
      prepared.set(name, added);
      if (!isOneOf(contender, small)) await added.stack.run("up");
      else await added.stack.importState(grownState(small[contender], added.service, resources, PROJECTS));
    }
    for (let round = 0; round < rounds; round++)
      for (const [name, cell] of CELLS) {
        const sample = await measured(cell, prepared.get(name));
        samples.get(name)?.push(sample);
        report(`${name}: ${Math.round(sample.wallMs)} ms, ${sample.requests} requests`);
      }
  } finally {
    for (const one of prepared.values()) await closed(one);
  }
  return samples;
}

function isOneOf<Names extends object>(name: PropertyKey, names: Names): name is keyof Names {
  return name in names;
}

/** Runs the command of a cell on its stack. Each `up` has a new one, in which each object is a project. */
async function measured({ contender, command, resources }: Cell, existing?: Prepared): Promise<Sample> {
  const { stack, service } = existing ?? (await newStack(contender, resources, resources));
  service.clearRequests();
  const usage = await stack.run(command);
  const requests = service.requests.length;
  if (existing === undefined) await closed({ stack, service });
  return { ...usage, requests };
}

async function newStack(contender: ContenderName, resources: number, projects = PROJECTS): Promise<Prepared> {
  const service = await startEmulator({ seed: seedWith() });
  const { module: BENCH_MODULE } = contender === "native" ? NATIVE_HOST : DYNAMIC_HOST;
  const environment = {
    DYNAMICLINK_API_KEY: KEY,
    BENCH_API_URL: service.url,
    BENCH_MODULE,
    BENCH_ORGANIZATION: ORGANIZATION,
    BENCH_PROJECTS: String(projects),
    BENCH_RESOURCES: String(resources),
  };
  return { service, stack: await benchStack(CONTENDERS[contender], service.url, environment) };
}

async function stateAfterUp(contender: ContenderName): Promise<Deployment> {
  const created = await newStack(contender, SMALL);
  await created.stack.run("up");
  const state = await created.stack.exportState();
  await closed(created);
  return state;
}

async function closed({ stack, service }: Prepared): Promise<void> {
  stack.remove();
  await service.close();
}

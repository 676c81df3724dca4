/** Runs all measurements round by round, so that other load of the machine affects all equally. */
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { type Emulator, startEmulator } from "../../testing/emulator";
import type { Deployment } from "../../testing/engine";
import { KEY, seedWith } from "../support/values/organizations";
import { type BenchStack, benchStack } from "./benchStack";
import { CONTENDERS, type ContenderName } from "./contenders";
import { grownState } from "./grownState";
import { CELLS, type Results, type Sample } from "./ratios";

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
  const samples = new Map<string, Sample[]>();
  try {
    for (const [name, { contender, resources }] of CELLS) {
      const added = await newStack(contender, resources);
      prepared.set(name, added);
      samples.set(name, []);
      if (contender === "empty" || contender === "imports") await added.stack.run("up");
      else await added.stack.importState(grownState(small[contender], added.service, resources, PROJECTS));
    }
    for (let round = 0; round < rounds; round++)
      for (const [name, { stack, service }] of prepared) {
        service.clearRequests();
        const usage = await stack.run(CELLS.get(name)?.command ?? "preview");
        const requests = service.requests.length;
        samples.get(name)?.push({ ...usage, requests });
        report(`${name}: ${Math.round(usage.wallMs)} ms, ${requests} requests`);
      }
  } finally {
    for (const one of prepared.values()) await closed(one);
  }
  const stateBytes = { ours: await bytesOf(small.ours), native: await bytesOf(small.native) };
  return { samples, stateBytes };
}

async function newStack(contender: ContenderName, resources: number): Promise<Prepared> {
  const service = await startEmulator({ seed: seedWith() });
  const sizes = { BENCH_RESOURCES: String(resources), BENCH_PROJECTS: String(PROJECTS) };
  const { module: BENCH_MODULE } = contender === "native" ? NATIVE_HOST : DYNAMIC_HOST;
  const environment = { DYNAMICLINK_API_KEY: KEY, BENCH_MODULE, ...sizes };
  return { service, stack: await benchStack(CONTENDERS[contender], service.url, environment) };
}

async function stateAfterUp(contender: ContenderName): Promise<Deployment> {
  const created = await newStack(contender, SMALL);
  await created.stack.run("up");
  const state = await created.stack.exportState();
  await closed(created);
  return state;
}

/** The size of the state of 1,000 projects. */
async function bytesOf(small: Deployment): Promise<number> {
  await using service = await startEmulator({ seed: seedWith() });
  return Buffer.byteLength(JSON.stringify(grownState(small, service, 1_000, 1_000)));
}

async function closed({ stack, service }: Prepared): Promise<void> {
  stack.remove();
  await service.close();
}

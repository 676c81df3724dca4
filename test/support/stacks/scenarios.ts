/**
 * Scenarios: what users do with a stack. Each runs on the test engine.
 *
 * Those with `onCli` run on a real Pulumi CLI as well, with the same resources in the end and the same requests. They are
 * one of each thing that the CLI does: a command and its options, a resource option, a place where a provider or a program
 * fails, a message that it prints, and what differs between the hosts. The CLI runs no further case of the same: another
 * kind of object, another response of the service, another order. It does not know these, and passes on what the provider
 * decides, which is the same code on the engine. A command of the CLI takes 20 to 40 times as long as one of the engine.
 */
import {
  type Behaviour,
  type Emulator,
  type RequestRecord,
  type Seed,
  startEmulator,
} from "../../../testing/emulator";
import { type Processes, SEPARATE_PROCESSES } from "../../../testing/engine/commands/processes";
import { pulumiCli, testOnCli } from "../processes/pulumiCli";
import { serviceClock } from "../providers/clocks";
import { inProcessProviders } from "../providers/inProcessProviders";
import { errorOf } from "../values/errorOf";
import { KEY, OTHER_KEY, seedWith } from "../values/organizations";
import {
  cliStacks,
  DYNAMIC,
  engineStacks,
  NATIVE,
  type ScenarioHost,
  type ScenarioResource,
  type ScenarioStack,
  type StackFactory,
} from "./scenarioStack";
import { sharedProcess } from "./sharedProcess";

export { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION, seedWith } from "../values/organizations";

const programs = sharedProcess();
afterAll(programs.close);

export interface ScenarioTools {
  readonly stack: ScenarioStack;
  readonly service: Emulator;
  readonly host: ScenarioHost["name"];
}

/** A scenario: its name (a sentence), the initial objects, and the actions. */
export interface Scenario {
  readonly name: string;
  readonly seed?: Seed;
  readonly behaviour?: Partial<Behaviour>;
  readonly environment?: Record<string, string | undefined>;
  /** Whether providers need processes of their own on the test engine too. Default: no. */
  readonly separateProviders?: boolean;
  /** Its hosts. Default: one, and the scenarios of a file alternate, because the hosts share what decides. */
  readonly hosts?: "both" | ScenarioHost["name"];
  /** Whether a real CLI runs it too, with the same hosts. Default: no. */
  readonly onCli?: boolean;
  run(tools: ScenarioTools): Promise<void>;
}

/** How many scenarios of this file have no host of their own. */
let alternating = 0;

/**
 * Registers the tests of a table of scenarios: on the test engine, and on a real CLI.
 *
 * @param subject the title of the table, alone or with what its scenarios have in common.
 */
export function runScenarios(
  subject: string | ({ readonly title: string } & Omit<Scenario, "name" | "run">),
  table: readonly Scenario[],
): void {
  const { title, ...common } = typeof subject === "string" ? { title: subject } : subject;
  for (const each of table) {
    const scenario: Scenario = { ...common, ...each };
    for (const host of hostsOf(scenario)) {
      const name = `${title}, with ${host.module}: ${scenario.name}`;
      let trace: ReturnType<typeof traceOf> | undefined;
      const onEngine = () =>
        runOn((service) => engineStacks(processesFor(scenario, service), host), host, scenario);
      test(name, async () => {
        trace = await onEngine();
      });
      if (scenario.onCli)
        testOnCli(name, async () => {
          const onCli = await runOn(() => cliStacks(pulumiCli(), host), host, scenario);
          expect(onCli).toEqual(trace ?? (await onEngine()));
        });
    }
  }
}

function hostsOf({ hosts }: Scenario): readonly ScenarioHost[] {
  if (hosts === "both") return [DYNAMIC, NATIVE];
  const isNative = hosts === undefined ? alternating++ % 2 === 1 : hosts === "native";
  return [isNative ? NATIVE : DYNAMIC];
}

function processesFor({ separateProviders }: Scenario, service: Emulator): Processes {
  if (separateProviders) return { ...SEPARATE_PROCESSES, ...programs };
  const clock = (killed: AbortSignal) => serviceClock(service, killed);
  return { ...programs, ...inProcessProviders({ clock }) };
}

/** Deploys a program. Returns the UUID of its first resource, by name. */
export async function deployed(stack: ScenarioStack, program: string): Promise<string> {
  await stack.deploy(program);
  const [{ id = "" } = {}] = await stack.resources();
  return id;
}

export async function failureOf(command: Promise<unknown>): Promise<string> {
  return (await errorOf(command)).message;
}

/** The requests that change something, as operation and status. */
export function writesIn({ requests }: Emulator): string[] {
  return requests.filter(isWrite).map(({ operationId, status }) => `${operationId} ${status}`);
}

/** The requests that only read, as operation and status. */
export function readsIn({ requests }: Emulator): string[] {
  return requests.filter((one) => !isWrite(one)).map(({ operationId, status }) => `${operationId} ${status}`);
}

function isWrite({ method }: RequestRecord): boolean {
  return method !== "GET";
}

/** The operations of all requests other than the lookup of the key, which the plugin sends when it is configured. */
export function operationsIn({ requests }: Emulator): string[] {
  return requests
    .map(({ operationId }) => String(operationId))
    .filter((operation) => operation !== "getCurrentApiCredential");
}

async function runOn(openIn: (service: Emulator) => StackFactory, host: ScenarioHost, scenario: Scenario) {
  const { seed = seedWith(), behaviour = {} } = scenario;
  await using service = await startEmulator({ seed, behaviour });
  const stack = await openIn(service)({
    DYNAMICLINK_API_KEY: KEY,
    DYNAMICLINK_READ_ONLY: undefined,
    ...scenario.environment,
  });
  try {
    await stack.configure({ "dynamiclink:apiUrl": service.url });
    await scenario.run({ stack, service, host: host.name });
    const state = await stack.stateText();
    for (const key of [KEY, OTHER_KEY]) expect(state).not.toContain(key);
    return traceOf(await stack.resources(), service);
  } finally {
    await stack.close();
  }
}

/** What must be the same on the engine and on the CLI, without UUIDs and times. */
function traceOf(resources: readonly ScenarioResource[], service: Emulator) {
  return {
    resources: resources.map((each) => [each.type, each.name, Object.keys(each.inputs).sort(), each.protect]),
    writes: writesIn(service).sort(),
    reads: [...new Set(readsIn(service))].sort(),
  };
}

/** The provider's operations in this process, against an emulator, with a clock that advances only during waits. */
import type { ResourceDescription } from "../../provider/lifecycle/description";
import * as operations from "../../provider/lifecycle/operations";
import type { Properties } from "../../provider/lifecycle/properties";
import type { ResourceRun, RunContext } from "../../provider/lifecycle/run/runContext";
import { newRunMemory } from "../../provider/lifecycle/run/runMemory";
import { createSession } from "../../provider/session/session";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../testing/emulator";
import { fakeClock } from "../support/values/fakeClock";
import { KEY } from "../support/values/organizations";

export type InProcessRun = ReturnType<typeof inProcessRun>;

/** A run whose waits take no time. They advance the emulator's clock. */
export function inProcessRun(service: Emulator) {
  const reports: string[] = [];
  const persistent: string[] = [];
  const clock = fakeClock(service.clock.now().getTime(), service.clock.advance);
  const settings = { apiUrl: service.url, apiKey: KEY, readOnly: false };
  const session = createSession(settings, { clock, random: () => 0 });
  const run: RunContext = {
    session,
    signal: new AbortController().signal,
    report(message, options) {
      reports.push(message);
      if (options?.persistent) persistent.push(message);
    },
    clock,
    isUnknown: () => false,
    memory: newRunMemory(),
  };
  return { run, reports, /** Those that remain after the operation. */ persistent, waits: clock.waits };
}

/** Starts an emulator for the tests of a file. Each test has the initial objects and a new run. */
export function inProcessTools(options: EmulatorOptions) {
  const tools = {} as { service: Emulator; inProcess: InProcessRun };
  beforeAll(async () => {
    tools.service = await startEmulator(options);
  });
  afterAll(() => tools.service.close());
  beforeEach(() => {
    tools.service.reset();
    tools.inProcess = inProcessRun(tools.service);
  });
  afterEach(async () => {
    await tools.inProcess.run.session.client.close();
    expect(tools.service.violations).toEqual([]);
  });
  return tools;
}

export function resourceRun<Inputs extends object, Outputs extends object>(
  typed: ResourceDescription<Inputs, Outputs>,
  { run }: InProcessRun,
): ResourceRun {
  return { ...run, description: typed as unknown as ResourceDescription };
}

export function operationsOf<Inputs extends object, Outputs extends object>(
  typed: ResourceDescription<Inputs, Outputs>,
  inProcess: InProcessRun,
) {
  const run = resourceRun(typed, inProcess);
  const given = (values: object) => values as Properties;
  return {
    check: (inputs: object) => operations.check(run, { inputs: given(inputs), before: {}, isNew: true }),
    create: (inputs: object) => operations.create(run, { inputs: given(inputs) }),
    read: (uuid: string, state: Properties) => operations.read(run, { uuid, state }),
    update: (uuid: string, state: Properties, inputs: object) =>
      operations.update(run, { uuid, state, inputs: given(inputs) }),
    delete: (uuid: string, state: Properties) => operations.remove(run, { uuid, state }),
  };
}

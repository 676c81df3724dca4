/** Providers in this process that can outlive their engine, and whose log can fail. */

import type { Processes } from "../../../testing/engine/commands/processes";
import type { Provider } from "../../../testing/engine/providers/provider";
import type { ProviderProcess } from "../../../testing/engine/providers/providerProcess";
import { GOOD_CONDITIONS, type RunConditions } from "./inProcessSurrogate";

/** What can happen to the provider hosts of a stack, besides their death. */
export interface HostEvents {
  /** Lets the hosts of the running command outlive its engine. */
  outlive(): void;
  /** Lets the log fail that they share. */
  loseLog(): void;
}

type Starters = Pick<Processes, "startHost" | "startPlugin">;

/**
 * The processes of a stack, which runs one command at a time, and what can happen to those of the running command.
 *
 * @param create creates the processes.
 */
export function eventfulProviders(
  create: (run: () => RunConditions) => Starters,
): Starters & { readonly hosts: HostEvents } {
  const running = new Set<ProviderProcess>();
  const calls = new Set<Promise<unknown>>();
  let conditions = GOOD_CONDITIONS;
  const { startHost, startPlugin } = create(() => conditions);

  function track<Result>(call: Promise<Result>): Promise<Result> {
    calls.add(call);
    const forget = () => void calls.delete(call);
    call.then(forget, forget);
    return call;
  }

  function eventful(process: ProviderProcess): ProviderProcess {
    running.add(process);
    void process.exited.then(() => {
      running.delete(process);
      if (running.size === 0) conditions = GOOD_CONDITIONS;
    });
    return {
      ...process,
      kill() {
        if (conditions.engineRuns) return process.kill();
        // Nothing kills a process whose engine was killed. It finishes the calls in progress.
        void Promise.allSettled([...calls]).then(() => process.kill());
      },
      configure: async (inputs) => tracked(await process.configure(inputs), track),
    };
  }

  return {
    startHost: (request) => eventful(startHost(request)),
    startPlugin: (executable, request) => eventful(startPlugin(executable, request)),
    hosts: {
      outlive() {
        conditions = { ...conditions, engineRuns: false };
      },
      loseLog() {
        conditions = { ...conditions, logUsable: false };
      },
    },
  };
}

/** The provider, with its calls tracked. */
function tracked(provider: Provider, track: <Result>(call: Promise<Result>) => Promise<Result>): Provider {
  const methods = Object.entries(provider).map(([name, value]) => [
    name,
    typeof value === "function" ? (...args: unknown[]) => track(value(...args)) : value,
  ]);
  return Object.fromEntries(methods) as Provider;
}

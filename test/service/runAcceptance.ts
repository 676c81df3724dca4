/** A run: checks that it may begin, asks, has the scenarios run, deletes what it created, and reports. */
import type { Clock } from "../../provider/client";
import { systemClock } from "../../provider/client/client";
import type { Asked } from "./asked";
import { createGateway, type Gateway } from "./gateway";
import { openJournal } from "./journal";
import { lateness, measureLag } from "./lag";
import { runPromises } from "./promises";
import { askAll } from "./questions";
import { exitCodeOf, type Outcome, reportOf } from "./report";
import { RefusedError, requireScratch, type Settings, settingsOf } from "./settings";
import { sweep } from "./sweep";

/** What a run uses. */
export interface RunOptions {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  print(line: string): void;
  /** Interrupts the run, which then deletes what it created. */
  readonly signal: AbortSignal;
  /** Default: the system's. */
  readonly clock?: Clock;
}

const SAMPLES = { long: 50, short: 3 };
const RATE_SECONDS = 3;

/** Runs. Resolves with the exit code. */
export async function runAcceptance({ args, environment, ...options }: RunOptions): Promise<number> {
  options.print("Use a scratch organization: this run creates, changes and deletes objects in it.");
  try {
    return await run(settingsOf(args, environment), options);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    options.print(error.message);
    return 1;
  }
}

async function run(
  settings: Settings,
  { print, signal, clock = systemClock }: Omit<RunOptions, "args" | "environment">,
): Promise<number> {
  const journal = openJournal(settings.directory, settings.organization);
  const gateway = createGateway(settings, journal, clock);
  await requireScratch(gateway, journal, settings);
  if (settings.sweep) {
    const left = await sweep(gateway, journal, clock);
    print(["Deleted what earlier runs had left.", ...left.map((each) => `Not deleted: ${each}`)].join("\n"));
    return left.length === 0 ? 0 : 1;
  }
  const [size, time] = settings.short ? [40, "a minute"] : [60, "ten minutes"];
  print(`Creates some ${size} objects named ${journal.prefix}… and deletes them, in about ${time}.`);
  print(`Its requests are in ${gateway.log}.`);
  journal.begin();
  const found = await observe(
    settings,
    gateway,
    {
      ...{ exchanges: gateway.exchanges, prefix: journal.prefix, print },
      call(...request) {
        signal.throwIfAborted();
        return gateway.call(...request);
      },
      clock: { ...clock, sleep: (milliseconds) => clock.sleep(milliseconds, signal) },
      domain: settings.hostname ?? "acceptance.example",
      hasDns: settings.hostname !== undefined,
      samples: settings.short ? SAMPLES.short : SAMPLES.long,
    },
    signal,
  );
  await gateway.close();
  const left = await sweep(gateway, journal, clock).catch((error) => [`everything: ${error}`]);
  const outcome: Outcome = { ...gateway, ...found, left, isInterrupted: signal.aborted };
  for (const line of reportOf(outcome)) print(line);
  return exitCodeOf(outcome);
}

/** Asks, measures, and has the scenarios run. Resolves with what was found until something failed. */
async function observe(
  settings: Settings,
  gateway: Gateway,
  given: Omit<Asked, "once">,
  signal: AbortSignal,
): Promise<Partial<Outcome>> {
  const asked = { ...given, once: onceFor(given) };
  const found: { -readonly [Name in keyof Outcome]?: Outcome[Name] } = {};
  try {
    Object.assign(found, await askAll(asked));
    const lag = await asked.once(measureLag);
    found.lag = lag;
    if (settings.rate > 0) found.rate = await measureRate(asked, settings.rate);
    const { organization, short = false, questions } = settings;
    const { cnameTargetAppears, domainOutcome } = found.behaviour ?? {};
    const remote = {
      ...{
        organization,
        short,
        prefix: asked.prefix,
        domain: asked.domain,
        lagMs: lateness(lag.listProjects).longest,
      },
      ...{ hasDomains: cnameTargetAppears !== undefined, becomesActive: domainOutcome === "active" },
    };
    if (!questions)
      found.promises = await runPromises({ ...remote, url: await gateway.listen(signal) }, settings, signal);
  } catch (error) {
    found.failure = signal.aborted ? "The run was interrupted." : `The run ended early: ${error}`;
  }
  return found;
}

/** Sends lookups of the key at rates that double, up to the highest one, until one is refused. */
async function measureRate({ call, clock, exchanges }: Asked, highest: number): Promise<string> {
  for (let rate = 1; ; rate = Math.min(2 * rate, highest)) {
    const before = exchanges.length;
    const sending: Promise<unknown>[] = [];
    for (let count = 0; count < rate * RATE_SECONDS; count++) {
      sending.push(call("getCurrentApiCredential"));
      await clock.sleep(1_000 / rate);
    }
    await Promise.all(sending);
    const refused = exchanges.slice(before).filter(({ status }) => status === 429);
    const retryAfter = refused[0]?.headers["retry-after"] ?? "missing";
    if (refused.length > 0) return `refused at ${rate} requests a second, with Retry-After ${retryAfter}`;
    if (rate === highest) return `not refused at ${rate} requests a second`;
  }
}

/** Calls each function once, for all that ask for its result. */
export function onceFor(given: Omit<Asked, "once">): Asked["once"] {
  const results = new Map<unknown, Promise<unknown>>();
  return function once<Result>(observe: (asked: Asked) => Promise<Result>): Promise<Result> {
    const result = results.get(observe) ?? observe({ ...given, once });
    results.set(observe, result);
    return result as Promise<Result>;
  };
}

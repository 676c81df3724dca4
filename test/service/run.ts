/** A run: checks that it may begin, asks, has the scenarios run, deletes what it created, and reports. */
import { join } from "node:path";
import type { Clock } from "../../provider/client";
import { systemClock } from "../../provider/client/client";
import { callsTo } from "./access";
import type { Asked } from "./asked";
import { createGateway } from "./gateway";
import { openJournal } from "./journal";
import { longestMs, measureLag } from "./lag";
import { runPromises } from "./promises";
import { askAll } from "./questions";
import { measureRate } from "./rate";
import { codeOf, type Outcome, reportOf } from "./report";
import { RefusedError, requireScratch, type Settings, settingsOf } from "./settings";
import { sweep } from "./sweep";

/** What a run uses. */
export interface RunParts {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  print(line: string): void;
  /** Interrupts the run, which then deletes what it created. */
  readonly signal: AbortSignal;
}

const NOTICE = "Use a scratch organization: this run creates, changes and deletes objects in it.";
const SAMPLES = 50;
const SAMPLES_OF_SHORT = 3;

/** Runs. Resolves with the exit code. */
export async function runAcceptance({ args, environment, ...parts }: RunParts): Promise<number> {
  parts.print(NOTICE);
  try {
    return await run(settingsOf(args, environment), parts);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    parts.print(error.message);
    return 1;
  }
}

async function run(
  settings: Settings,
  { print, signal }: Pick<RunParts, "print" | "signal">,
  clock: Clock = systemClock,
): Promise<number> {
  const journal = openJournal(settings.directory, settings.organization);
  const log = join(settings.directory, `${journal.prefix}requests.log`);
  const gateway = createGateway(settings.apiUrl, journal, log);
  const call = callsTo(gateway, settings, clock);
  await requireScratch(call, journal, settings);
  if (settings.sweep) {
    const left = await sweep({ call, journal, clock });
    print(
      left.length === 0 ? "Deleted all that earlier runs had left." : ["Not deleted:", ...left].join("\n  "),
    );
    return left.length === 0 ? 0 : 1;
  }
  print(
    `Creates some ${settings.short ? 60 : 110} objects whose names begin with ${journal.prefix}, and deletes them, in about ${settings.short ? "a minute" : "ten minutes"}. Its requests are in ${log}.`,
  );
  journal.begin();
  const asked = {
    ...{ exchanges: gateway.exchanges, prefix: journal.prefix, print },
    call: (...request: Parameters<typeof call>) => {
      signal.throwIfAborted();
      return call(...request);
    },
    clock: { now: clock.now, sleep: (ms: number) => clock.sleep(ms, signal) },
    domain: settings.hostname ?? "acceptance.example",
    hasDns: settings.hostname !== undefined,
    samples: settings.short ? SAMPLES_OF_SHORT : SAMPLES,
  };
  const once = onceFor(asked);
  let found: Partial<Outcome> = {};
  try {
    const answers = await askAll({ ...asked, once });
    const lag = await once(measureLag);
    found = { ...answers, lag };
    if (settings.rate !== undefined)
      found = { ...found, rate: await measureRate({ ...asked, once }, settings.rate) };
    const { organization, short } = settings;
    const remote = {
      ...{
        url: await gateway.listen(signal),
        organization,
        prefix: journal.prefix,
        domain: asked.domain,
        short,
      },
      hasDomains: answers.behaviour.cnameTargetAppears !== undefined,
      becomesActive: answers.behaviour.domainOutcome === "active",
      lagMs: longestMs(lag.listProjects),
    };
    found = { ...found, promises: await runPromises(remote, settings, signal) };
  } catch (error) {
    found = {
      ...found,
      failure: signal.aborted ? "The run was interrupted." : `The run ended early: ${error}`,
    };
  }
  gateway.close();
  await gateway.idle();
  const left = await sweep({ call, journal, clock }).catch((error) => [`The deletion ended early: ${error}`]);
  const outcome = { behaviour: {}, unanswered: {}, ...found, gateway, left, isInterrupted: signal.aborted };
  for (const line of reportOf(outcome)) print(line);
  return codeOf(outcome);
}

/** Calls each function once, for all that ask for its result. */
export function onceFor(asked: Omit<Asked, "once">): Asked["once"] {
  const results = new Map<unknown, Promise<unknown>>();
  return function once<Result>(observe: (asked: Asked) => Promise<Result>): Promise<Result> {
    const result = results.get(observe) ?? observe({ ...asked, once });
    results.set(observe, result);
    return result as Promise<Result>;
  };
}

/** A run: checks that it may begin, asks, keeps the promises, deletes what it created, and reports. */
import type { Clock } from "../../provider/client";
import { systemClock } from "../../provider/client/client";
import { createGateway } from "./gateway/gateway";
import { openJournal } from "./gateway/journal";
import { runPromises } from "./promises";
import { askedOf, ifAvailable, LAG_SECONDS } from "./questions/asked";
import { observeLag } from "./questions/lag";
import { type Answers, askAll } from "./questions/questions";
import { exitCodeOf, type Found, reportOf } from "./report";
import { RefusedError, requireScratch, settingsOf } from "./settings";
import { sweep } from "./sweep";

/** What a run uses. The signal interrupts it: then it deletes what it created. */
export interface RunOptions {
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
  print(line: string): void;
  readonly clock?: Clock;
}

/** Runs. Resolves with the exit code. */
export async function runAcceptance(options: RunOptions): Promise<number> {
  options.print("Use a scratch organization: this run creates, changes and deletes objects in it.");
  try {
    return await run(options);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    options.print(error.message);
    return 1;
  }
}

async function run({ args, environment, signal, print, clock = systemClock }: RunOptions): Promise<number> {
  const settings = settingsOf(args, environment);
  const { organization, directory, short, hostname } = settings;
  const journal = openJournal(directory, organization);
  const gateway = createGateway(settings, journal, clock);
  await requireScratch(gateway, journal, settings);
  if (settings.sweep) {
    const left = await sweep(gateway, journal, clock);
    print(["Deleted what earlier runs had left.", ...left.map((each) => `Not deleted: ${each}`)].join("\n"));
    return left.length === 0 ? 0 : 1;
  }
  const { prefix } = journal;
  const [size, time] = short ? [40, "one minute"] : [60, "ten minutes"];
  print(`Creates some ${size} objects named ${prefix}… and deletes them, in ${time}. Log: ${gateway.log}.`);
  journal.begin();
  const asked = askedOf({
    call(...request) {
      signal.throwIfAborted();
      return gateway.call(...request);
    },
    clock: { ...clock, sleep: (milliseconds) => clock.sleep(milliseconds, signal) },
    ...{ exchanges: gateway.exchanges, prefix, print, samples: short ? 3 : 50 },
    ...{ domain: hostname ?? "acceptance.example", hasDns: hostname !== undefined },
  });
  const proxy = await gateway.startProxy(signal);
  const answers: Answers = { behaviour: {}, unanswered: {} };
  const found: { -readonly [Name in keyof Found]: Found[Name] } = {};
  try {
    await askAll(asked, answers);
    found.lag = await ifAvailable(asked.once(observeLag));
    const service = {
      url: proxy.url,
      hasDomains: answers.behaviour.cnameTargetAppears !== undefined,
      becomesActive: answers.behaviour.domainOutcome === "active",
      lagMs: found.lag ? Math.max(found.lag.reads.longestMs, found.lag.lists.longestMs) : 1_000 * LAG_SECONDS,
    };
    if (!settings.questions) found.promises = await runPromises(asked, service, settings);
    signal.throwIfAborted();
  } catch (error) {
    found.failure = signal.aborted ? "It was interrupted." : `${error}`;
  }
  await proxy.close();
  const left = await sweep(gateway, journal, clock).catch((error) => [`everything: ${error}`]);
  const outcome = { ...gateway, ...answers, ...found, left, isInterrupted: signal.aborted };
  print(reportOf(outcome));
  return exitCodeOf(outcome);
}

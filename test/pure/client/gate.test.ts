/** When requests may be sent: how many at a time, in which order, and at which pace after refusals. Time is virtual. */
import { gateOf, newGate, type Passed, type Turn } from "../../../provider/client/connection/gate";
import { RATE_LIMITS, type RateLimit } from "./rateLimits";

/** A clock whose time passes as soon as everything waits. Each wait takes longer by what `late` returns. */
function virtualClock(late = () => 0) {
  let nowMs = 0;
  let sleeping: { readonly atMs: number; wake(): void }[] = [];
  return {
    now: () => nowMs,
    date: () => new Date(nowMs),
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        const own = { atMs: nowMs + milliseconds + late(), wake };
        sleeping = [...sleeping, own].sort((one, other) => one.atMs - other.atMs);
        signal?.addEventListener("abort", () => {
          sleeping = sleeping.filter((each) => each !== own);
          reject(new Error("aborted"));
        });
      }),
    sleeping: () => sleeping.length,
    async pass(): Promise<void> {
      for (;;) {
        await new Promise(setImmediate);
        const [next, ...others] = sleeping;
        if (next === undefined) return;
        sleeping = others;
        nowMs = next.atMs;
        next.wake();
      }
    },
  };
}

const TURN: Turn = { isFirst: false, deadline: Infinity, signal: undefined };

function setUp() {
  const clock = virtualClock();
  const gate = newGate(clock);
  const entered: string[] = [];
  return {
    clock,
    gate,
    entered,
    /** Lets a request wait. Its name is noted when it passes, or what prevents it. */
    async enter(name: string, turn: Partial<Turn> = {}): Promise<void> {
      const passes = await gate.enter({ ...TURN, ...turn });
      entered.push(passes ? name : `not ${name}`);
    },
    leave: (is: Passed["is"], retryAfterMs?: number) =>
      gate.leave({ sentAtMs: clock.now(), is, retryAfterMs }),
  };
}

interface Load {
  readonly requests: number;
  readonly callers: number;
  readonly latencyMs: number;
  readonly hasRetryAfter: boolean;
  /** By how much each timer and each response is late on average. */
  readonly lateMs: number;
  /** When the requests begin, in the windows of the service. */
  readonly startMs?: number;
}

/** How late each wait is: little, and sometimes eight times as much, as on a busy machine. The same in each run. */
function lateness(meanMs: number): () => number {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => -Math.log(1 - random()) * meanMs * (random() < 0.03 ? 8 : 1);
}

/** Sends requests to a service with a rate limit until all are served. */
async function rateOf(limit: RateLimit, load: Load) {
  const { requests, callers, latencyMs, hasRetryAfter, lateMs, startMs = 0 } = load;
  const clock = virtualClock(lateness(lateMs));
  const gate = newGate(clock);
  let [left, refused, endMs] = [requests, 0, 0];
  const send = async (isFirst: boolean): Promise<void> => {
    await gate.enter({ ...TURN, isFirst });
    const sentAtMs = clock.now();
    await clock.sleep(latencyMs / 2);
    const waitMs = limit(startMs + clock.now());
    // A refusal is often quicker.
    await clock.sleep(waitMs === 0 ? latencyMs / 2 : latencyMs / 4);
    if (waitMs === 0) {
      endMs = clock.now();
      gate.leave({ sentAtMs, is: "served" });
      return;
    }
    refused += 1;
    const retryAfterMs = hasRetryAfter ? Math.ceil(waitMs / 1_000) * 1_000 : undefined;
    gate.leave({ sentAtMs, is: "refused", retryAfterMs });
    await send(true);
  };
  const caller = async () => {
    while (left-- > 0) await send(false);
  };
  const all = Promise.all(Array.from({ length: callers }, caller));
  await clock.pass();
  await all;
  return { rate: requests / (endMs / 1_000), refusals: refused / requests };
}

const KINDS = Object.keys(RATE_LIMITS) as (keyof typeof RATE_LIMITS)[];

/** The share of the allowed rate that is found, for limits of every kind. At most a tenth of the requests is refused. */
async function sharesOf(loads: readonly Omit<Load, "latencyMs" | "hasRetryAfter">[]): Promise<number[]> {
  const shares: number[] = [];
  for (const kind of KINDS)
    for (const allowed of [5, 10, 20])
      for (const latencyMs of [5, 20, 80])
        for (const hasRetryAfter of [true, false])
          for (const each of loads) {
            const load = { ...each, latencyMs, hasRetryAfter };
            const { rate, refusals } = await rateOf(RATE_LIMITS[kind](allowed), load);
            expect({ kind, allowed, ...load, isGood: refusals <= 0.1 }).toMatchObject({ isGood: true });
            shares.push(rate / allowed);
          }
  return shares.sort((one, other) => one - other);
}

test("the rate that a service allows is found, and few requests are refused", async () => {
  const shares = await sharesOf([
    { requests: 400, callers: 24, lateMs: 0 },
    { requests: 400, callers: 24, lateMs: 0.2 },
    { requests: 160, callers: 10, lateMs: 0.2, startMs: 300 },
    { requests: 160, callers: 16, lateMs: 0.2 },
    { requests: 160, callers: 16, lateMs: 0.2, startMs: 600 },
  ]);
  expect(shares[0]).toBeGreaterThanOrEqual(0.65);
  expect(shares[shares.length / 2]).toBeGreaterThan(0.85);
});

test("a few requests pass at first, and one more after every four that are served, up to 24", async () => {
  const { enter, entered, leave } = setUp();
  for (let count = 0; count < 200; count++) void enter("one");
  await new Promise(setImmediate);
  expect(entered).toHaveLength(4);
  leave("unavailable");
  await new Promise(setImmediate);
  expect(entered).toHaveLength(5);
  for (let count = 0; count < 4; count++) leave("served");
  await new Promise(setImmediate);
  expect(entered).toHaveLength(5 + 4 + 1);
  for (let count = 0; count < 80; count++) leave("served");
  await new Promise(setImmediate);
  expect(entered).toHaveLength(5 + 84 + 20);
});

test("a refusal pauses all requests, the first one after it is alone, and what is sent before says nothing", async () => {
  const { clock, gate, enter, entered, leave } = setUp();
  for (let count = 0; count < 4; count++) void enter("before");
  await new Promise(setImmediate);
  expect(leave("refused", 2_000)).toEqual({ isRefused: true, pauseMs: 2_000 });
  expect(leave("refused", 9_000)).toEqual({ isRefused: true, pauseMs: undefined });
  void enter("after");
  void enter("before others", { isFirst: true });
  void enter("late", { deadline: 1_500 });
  await clock.pass();
  expect([clock.now(), ...entered.slice(4)]).toEqual([2_000, "not late", "before others"]);
  expect(gate.leave({ sentAtMs: 2_000, is: "unanswered" })).toEqual({ isRefused: false, pauseMs: undefined });
  await clock.pass();
  expect(entered.slice(6)).toEqual(["after"]);
  expect(gate.leave({ sentAtMs: clock.now(), is: "refused" }).pauseMs).toBe(4_000);
});

test.each([
  ["doubles without Retry-After", undefined, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000]],
  ["is at most one minute", 3_600_000, [60_000, 60_000]],
])("the pause %s", async (_, retryAfterMs, pauses) => {
  const { clock, enter, leave } = setUp();
  for (const pause of pauses) {
    void enter("one");
    await clock.pass();
    expect(leave("refused", retryAfterMs).pauseMs).toBe(pause);
  }
});

test("a request that is cancelled during a pause ends, and then nothing keeps the process alive", async () => {
  const { clock, enter, entered, leave } = setUp();
  void enter("one");
  await new Promise(setImmediate);
  leave("refused");
  const controller = new AbortController();
  void enter("two", { signal: controller.signal });
  expect(clock.sleeping()).toBe(1);
  controller.abort();
  await new Promise(setImmediate);
  expect([entered, clock.sleeping(), clock.now()]).toEqual([["one", "not two"], 0, 0]);
  await enter("three", { signal: controller.signal });
  expect(entered.at(-1)).toBe("not three");
});

test("requests fail with the error of the clock", async () => {
  const error = new Error("No clock.");
  const gate = newGate({ ...virtualClock(), sleep: () => Promise.reject(error) });
  await gate.enter(TURN);
  gate.leave({ sentAtMs: 0, is: "refused" });
  await expect(gate.enter(TURN)).rejects.toBe(error);
});

test("the clients of a process share the gate of an origin", () => {
  const clock = virtualClock();
  const gate = gateOf("https://a.example", clock);
  expect(gateOf("https://a.example", clock)).toBe(gate);
  expect(gateOf("https://b.example", clock)).not.toBe(gate);
  expect(gateOf("https://a.example", virtualClock())).not.toBe(gate);
});

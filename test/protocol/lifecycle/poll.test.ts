/** The pauses between polls, on a clock that advances only during waits. */
import type { CallOptions, Client } from "../../../provider/client";
import { pollUntil } from "../../../provider/lifecycle/poll";
import { fakeClock, fakeContext } from "../../support/values/fakeClock";

const TIMEOUT_MS = 60_000;
const MAX_POLLS = 100;

/** The pauses of a poll that never ends, with the time that the service asks for, in milliseconds by its own clock. */
async function pauses(
  notBefore: (serviceNowMs: number) => Date | undefined,
  { behindMs = 0, hasDate = true } = {},
): Promise<readonly number[]> {
  const clock = fakeClock();
  const client = {
    sanitized: (value: unknown) => value,
    serviceTime: () => (hasDate ? new Date(clock.date().getTime() - behindMs) : undefined),
    withOptions: (options: CallOptions) => ({ options }),
  };
  const context = fakeContext({ clock, client });
  const first = clock.date().getTime() - behindMs;
  const end = clock.now() + TIMEOUT_MS;
  await pollUntil(context, {
    timeoutMs: TIMEOUT_MS,
    read: async ({ client: { options } }: { readonly client: Client & { options?: CallOptions } }) => {
      // A poll may be the first of several attempts until the wait ends.
      const budgetMs = Math.max(end - clock.now(), 30_000);
      expect(options).toEqual({ maxAttempts: Number.POSITIVE_INFINITY, budgetMs });
      if (clock.waits.length > MAX_POLLS) throw new Error(`There were more than ${MAX_POLLS} polls.`);
      return "pending";
    },
    done: () => false,
    progress: () => "waiting",
    notBefore: () => notBefore(first),
  });
  return clock.waits;
}

const BACKOFF = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000, 4_250];

test("the pauses double up to 10 seconds, and the last one ends at the timeout", async () => {
  expect(await pauses(() => undefined)).toEqual(BACKOFF);
});

test("a pause lasts until the time that the service gives, by its own clock", async () => {
  const inTwentySeconds = (nowMs: number) => new Date(nowMs + 20_000);
  for (const behindMs of [0, 3_600_000, -3_600_000])
    expect((await pauses(inTwentySeconds, { behindMs }))[0]).toBe(20_000);
  expect((await pauses(inTwentySeconds, { hasDate: false }))[0]).toBe(20_000);
});

test("however late the time is that the service gives, a poll follows after 30 seconds", async () => {
  expect(await pauses((nowMs) => new Date(nowMs + 3_600_000))).toEqual([30_000, 30_000]);
});

test.each([
  ["past", () => new Date(0)],
  ["invalid", () => new Date("soon")],
])("a time that is %s changes no pause", async (_, notBefore) => {
  expect(await pauses(notBefore)).toEqual(BACKOFF);
});

test.each([
  [undefined, " Ctrl-C takes effect after that; a second one ends Pulumi at once."],
  [new AbortController().signal, ""],
])("the first line of a wait says how long it lasts and what Ctrl-C does", async (waits, interruption) => {
  const report = jest.fn();
  let polls = 0;
  await pollUntil(fakeContext({ report, waits }), {
    timeoutMs: 59_500,
    read: async () => (polls += 1),
    done: (poll) => poll === 3,
    progress: (poll) => `Poll ${poll}`,
  });
  expect(report.mock.calls).toEqual([[`Poll 1. Waits for at most 60 seconds.${interruption}`], ["Poll 2"]]);
});

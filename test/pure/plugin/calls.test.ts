/** How long a stopped call may continue, on a clock of the test. */
import { type CallLimits, newCalls } from "../../../provider/hosts/plugin/calls";

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["setImmediate", "performance"] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** Starts a call that lasts until its requests are aborted. */
function startCall(calls: ReturnType<typeof newCalls>, timeoutSeconds: number, writes: boolean) {
  const started = Promise.withResolvers<CallLimits>();
  const ended = calls
    .run({ title: "project", timeoutSeconds }, async (limits) => {
      if (writes) limits.noteWrite();
      started.resolve(limits);
      return await new Promise<never>((_, reject) => {
        limits.requests.addEventListener("abort", () => reject(limits.requests.reason));
      });
    })
    .catch((error: Error) => error.message);
  return { limits: started.promise, ended };
}

describe.each([
  ["a read", false, 500],
  ["a write", true, 120_000],
])("a stopped call that has sent %s", (_name, writes, graceMs) => {
  test("ends its waits immediately, and its requests after a grace period", async () => {
    let drained = 0;
    const calls = newCalls(() => {
      drained += 1;
    });
    const { limits: started, ended } = startCall(calls, 0, writes);
    const limits = await started;
    jest.advanceTimersByTime(3_600_000);
    expect([limits.waits.aborted, limits.requests.aborted]).toEqual([false, false]);
    calls.cancel();
    calls.cancel();
    expect([limits.waits.aborted, limits.requests.aborted]).toEqual([true, false]);
    jest.advanceTimersByTime(graceMs - 1);
    expect([limits.requests.aborted, drained]).toEqual([false, 0]);
    jest.advanceTimersByTime(1);
    expect(await ended).toBe("Stopped: the run was cancelled. Run this again.");
    await new Promise(setImmediate);
    expect(drained).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test("ends in the same way at its own time limit, and other calls continue", async () => {
    const calls = newCalls(() => {});
    const { limits: started, ended } = startCall(calls, 2, writes);
    const other = await startCall(calls, 0, writes).limits;
    const limits = await started;
    jest.advanceTimersByTime(2_000);
    expect([limits.waits.aborted, limits.requests.aborted]).toEqual([true, false]);
    jest.advanceTimersByTime(graceMs);
    expect(await ended).toBe(
      "Stopped: it exceeded the time limit of 2 s set by the resource option customTimeouts. Run this again.",
    );
    expect([other.waits.aborted, other.requests.aborted]).toEqual([false, false]);
  });
});

/** A clock that only waits advance, and the context of an operation that waits on it. */
import type { Clock } from "../../../provider/client";
import type { OperationContext } from "../../../provider/lifecycle/description";

/** Such a clock. It has the waits so far, in milliseconds. */
export type FakeClock = Clock & { readonly waits: number[] };

/** The waits end immediately, and advance another clock as well. */
export function fakeClock(startMs = 1_700_000_000_000, advance = (_milliseconds: number) => {}): FakeClock {
  const waits: number[] = [];
  // Not a date, which the time of waits and deadlines must not be taken for.
  let nowMs = 0;
  return {
    waits,
    now: () => nowMs,
    date: () => new Date(startMs + nowMs),
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      waits.push(milliseconds);
      nowMs += milliseconds;
      advance(milliseconds);
    },
  };
}

/** The context of an operation without a service. Messages are dropped. */
export function fakeContext(more: object = {}): OperationContext & { readonly clock: FakeClock } {
  const client = {
    withOptions: () => client,
    sanitized: (value: unknown) => value,
    serviceTime: () => undefined,
  };
  const { signal } = new AbortController();
  return { client, signal, clock: fakeClock(), report() {}, ...more } as never;
}

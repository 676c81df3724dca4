/** Clocks for providers in this process: waits take no time. */
import type { Clock } from "../../../provider/client";
import type { Emulator } from "../../../testing/emulator";

/** The service's clock, which waits advance. After the provider is killed, every wait fails. */
export function serviceClock(
  { clock }: { readonly clock: Pick<Emulator["clock"], "now" | "advance"> },
  killed: AbortSignal,
): Clock {
  return {
    now: () => clock.now().getTime(),
    date: clock.now,
    async sleep(milliseconds, signal) {
      await new Promise(setImmediate);
      if (killed.aborted) throw new Error("The host was killed.");
      signal?.throwIfAborted();
      clock.advance(milliseconds);
    },
  };
}

/** Such a clock, which otherwise is the system's. */
export function instantClock(killed: AbortSignal): Clock {
  let sleptMs = 0;
  const now = () => new Date(Date.now() + sleptMs);
  const advance = (milliseconds: number) => {
    sleptMs += milliseconds;
  };
  return serviceClock({ clock: { now, advance } }, killed);
}

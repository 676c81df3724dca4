/** The clock of a service, for providers in this process: waits advance it and take no time. */
import type { Clock } from "../../../provider/client";
import type { Emulator } from "../../../testing/emulator";

/** After the provider is killed, every wait fails. */
export function serviceClock({ clock }: Emulator, killed: AbortSignal): Clock {
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

/** Stops the clock of services in this process. Only waits advance it then, so no count depends on the machine. */
export function stopClock(): void {
  jest.spyOn(Date, "now").mockReturnValue(Date.now());
}

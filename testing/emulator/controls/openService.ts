/** The service of an emulator: its content, its behaviour and its clock, and how they begin again. */
import { defaultBehaviour } from "../world/behaviour";
import { createWorld, type Service, UsageError } from "../world/world";
import type { EmulatorOptions } from "./emulator";
import { addSeed } from "./seed";

export type OpenedService = ReturnType<typeof openService>;

export function openService({ seed, behaviour }: EmulatorOptions) {
  const clock = newClock();
  const service: Service = { world: createWorld(), behaviour: defaultBehaviour, now: clock.now };
  function reset(): void {
    clock.reset();
    Object.assign(service, { world: createWorld(), behaviour: { ...defaultBehaviour, ...behaviour } });
    if (seed !== undefined) addSeed(service, seed);
  }
  reset();
  return { service, clock, reset };
}

/** A clock that runs at normal speed, and is ahead of the system's. */
function newClock() {
  let aheadMs = 0;
  return {
    now: () => new Date(Date.now() + aheadMs),
    advance(ms: number) {
      if (!(ms >= 0)) throw new UsageError(`The clock cannot advance by ${ms} milliseconds.`);
      aheadMs += ms;
    },
    reset() {
      aheadMs = 0;
    },
  };
}

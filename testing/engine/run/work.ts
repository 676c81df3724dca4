/** The work of a run that is in progress. */
import { shuttingDown } from "../protocol/grpc";
import { limit } from "./limit";
import type { RunOutcome } from "./outcome";

/** @param parallel how many operations may run at the same time. */
export function trackedWork(parallel: number, outcome: RunOutcome) {
  const inFlight = new Set<Promise<unknown>>();
  const limited = limit(parallel);
  const work = {
    /** Descriptions of the operations in progress, to report what a run waits for. */
    inProgress: new Set<string>(),

    /** Runs work, unless the run is stopped. The run waits for it. */
    track<Result>(start: () => Promise<Result>): Promise<Result> {
      const done = Promise.resolve().then(() => {
        if (outcome.stopped) throw shuttingDown();
        return start();
      });
      inFlight.add(done);
      const forget = (): void => void inFlight.delete(done);
      done.then(forget, forget);
      return done;
    },

    /** Runs work within the limit of parallel operations. */
    inParallel: <Result>(start: () => Promise<Result>): Promise<Result> => limited(() => work.track(start)),

    async settled(): Promise<void> {
      while (inFlight.size > 0) await Promise.allSettled([...inFlight]);
    },
  };
  return work;
}

/** How far reads and lists lag behind writes. */
import type { Behaviour } from "../../testing/emulator";
import { type Asked, AT_ONCE, type Fields, roundest, Unanswered } from "./asked";

/** The reads of one write: how many did not show it, and the bounds of the lag, in milliseconds. */
interface Sample {
  readonly staleReads: number;
  readonly staleMs: number;
  readonly shownMs: number;
}

/** The samples of one way to read, and whether it lags for a number of reads and not for a time. */
export interface Measured {
  readonly samples: readonly Sample[];
  readonly dependsOnReads: boolean;
}

const READS = ["getProject", "listProjects"] as const;
type Read = (typeof READS)[number];
type Samples = Partial<Record<Read, Sample>>;
const STEP_MS = 100;
const LIMIT_MS = 60_000;

/** Changes a project many times, and looks for each change with single reads and in the list. */
export async function measureLag({
  call,
  send,
  newProject,
  clock,
  ...asked
}: Asked): Promise<Record<Read, Measured>> {
  const { id } = await newProject("lag");

  /** Changes the project, waits, and reads until both reads show the change. */
  async function sample(index: number, waitMs = 0): Promise<Samples> {
    const message = `Change ${index}`;
    const sentMs = clock.now();
    await send("updateProject", { project_id: id }, { default_hookup_msg: message });
    const writtenMs = clock.now();
    if (waitMs > 0) await clock.sleep(waitMs);
    const shown: Samples = {};
    const stale: Samples = {};
    for (let round = 0; Object.keys(shown).length < READS.length; round++) {
      for (const read of READS.filter((each) => !(each in shown))) {
        const { staleReads, ...before } = stale[read] ?? { staleReads: 0, staleMs: 0 };
        const staleMs = clock.now() - writtenMs;
        const { answer } = await call(read, read === "getProject" ? { project_id: id } : {});
        const { projects = [answer] } = answer as { readonly projects?: readonly unknown[] };
        const isShown = (projects as Fields[]).some(
          (one) => one.id === id && one.default_hookup_msg === message,
        );
        const shownMs = clock.now() - sentMs;
        if (isShown) shown[read] = { ...before, staleReads, shownMs };
        else stale[read] = { staleReads: staleReads + 1, staleMs, shownMs };
        if (staleMs > LIMIT_MS + waitMs)
          throw new Unanswered(`${read} did not show a change within a minute.`);
      }
      if (round > AT_ONCE) await clock.sleep(STEP_MS);
    }
    return shown;
  }

  const all: Samples[] = [];
  for (let index = 0; index < asked.samples; index++) all.push(await sample(index));
  const longestMs = Math.max(...all.flatMap((each) => Object.values(each).map(lateMs)));
  // A lag that depends on time alone is over before the first read.
  const afterWait = longestMs === 0 ? {} : await sample(all.length, 1_000 + 2 * longestMs);
  const measured = (read: Read): Measured => ({
    samples: all.flatMap((each) => each[read] ?? []),
    dependsOnReads: (afterWait[read]?.staleReads ?? 0) > 0,
  });
  return { getProject: measured("getProject"), listProjects: measured("listProjects") };
}

function lateMs({ staleReads, shownMs }: Sample): number {
  return staleReads === 0 ? 0 : shownMs;
}

/** The measured lag as an option of the emulator. */
export function lagOf({ samples, dependsOnReads }: Measured): Behaviour["readLag"] {
  const { staleReads, staleMs, shownMs } = samples.toSorted(
    (one, other) => lateMs(other) - lateMs(one),
  )[0] as Sample;
  if (staleReads === 0) return "atOnce";
  return dependsOnReads
    ? { afterPolls: staleReads }
    : { afterSeconds: roundest(staleMs / 1_000, shownMs / 1_000) };
}

/** Its median and its longest, in milliseconds. */
export function lateness({ samples }: Measured): { readonly median: number; readonly longest: number } {
  const sorted = samples.map(lateMs).sort((one, other) => one - other);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 };
}

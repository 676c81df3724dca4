/** How far reads and lists lag behind writes. */
import type { Behaviour } from "../../testing/emulator";
import { type Asked, bodyOf, type Fields, newProject, roundest, Unanswered } from "./asked";

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
const AT_ONCE = 8;
const STEP_MS = 100;
const LIMIT_MS = 60_000;

/** Changes a project many times, and looks for each change with single reads and in the list. */
export async function measureLag(asked: Asked): Promise<Record<Read, Measured>> {
  const { call, clock } = asked;
  const { id } = await newProject(asked, "lag");

  async function isShown(read: Read, message: string): Promise<boolean> {
    const { answer } = await call(read, read === "getProject" ? { project_id: id } : {});
    const { projects = [answer] } = (answer ?? {}) as { projects?: unknown[] };
    return (projects as Fields[]).some((one) => one?.id === id && one.default_hookup_msg === message);
  }

  /** Changes the project, waits, and reads until both reads show the change. */
  async function sample(index: number, waitMs = 0): Promise<Partial<Record<Read, Sample>>> {
    const message = `Change ${index}`;
    const sentMs = clock.now();
    bodyOf(await call("updateProject", { project_id: id }, { default_hookup_msg: message }), 200);
    const writtenMs = clock.now();
    if (waitMs > 0) await clock.sleep(waitMs);
    const shown: Partial<Record<Read, Sample>> = {};
    const stale: Partial<Record<Read, Sample>> = {};
    for (let round = 0; Object.keys(shown).length < READS.length; round++) {
      for (const read of READS.filter((each) => !(each in shown))) {
        const { staleReads, staleMs } = stale[read] ?? { staleReads: 0, staleMs: 0 };
        const atMs = clock.now() - writtenMs;
        const found = await isShown(read, message);
        if (found) shown[read] = { staleReads, staleMs, shownMs: clock.now() - sentMs };
        else stale[read] = { staleReads: staleReads + 1, staleMs: atMs, shownMs: Number.POSITIVE_INFINITY };
        if (atMs > LIMIT_MS + waitMs) throw new Unanswered(`${read} did not show a change within a minute.`);
      }
      if (round > AT_ONCE) await clock.sleep(STEP_MS);
    }
    return shown;
  }

  const all: Partial<Record<Read, Sample>>[] = [];
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
  const longest = samples.reduce((one, other) => (lateMs(other) > lateMs(one) ? other : one));
  if (longest.staleReads === 0) return "atOnce";
  if (dependsOnReads) return { afterPolls: Math.max(...samples.map(({ staleReads }) => staleReads)) };
  return { afterSeconds: roundest(longest.staleMs / 1_000, longest.shownMs / 1_000) };
}

/** Its median and its longest, in milliseconds. */
export function lateness({ samples }: Measured): { readonly median: number; readonly longest: number } {
  const sorted = samples.map(lateMs).sort((one, other) => one - other);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 };
}

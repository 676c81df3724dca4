/** How far reads and lists lag behind writes. */
import type { Lag } from "../../testing/emulator/world/behaviour";
import { type Asked, bodyOf, type Fields, newProject, roundest, Unanswered } from "./asked";

/** When a read first showed a write, and what came before it. */
interface Sample {
  readonly staleReads: number;
  /** The bounds of the lag, in milliseconds: from when a read did not show it to when one did. */
  readonly staleMs: number;
  readonly shownMs: number;
}

/** The samples of one way to read, and whether it depends on the number of reads and not on the time. */
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
  const { call, clock, samples } = asked;
  const { id } = await newProject(asked, "lag");
  let message = "";

  /** Whether a read shows the last change. */
  async function isShown(read: Read): Promise<boolean> {
    const { answer } = await call(read, read === "getProject" ? { project_id: id } : {});
    const { projects = [answer] } = (answer ?? {}) as { projects?: unknown[] };
    return (projects as Fields[]).some((one) => one?.id === id && one.default_hookup_msg === message);
  }

  /** Changes the project, and reads until both reads show it. */
  async function sample(waitMs = 0): Promise<Record<string, Sample>> {
    message = `Change ${Math.random()}`;
    const sentMs = clock.now();
    bodyOf(await call("updateProject", { project_id: id }, { default_hookup_msg: message }), 200);
    const writtenMs = clock.now();
    await clock.sleep(waitMs);
    const shown: Record<string, Sample> = {};
    const stale: Record<string, Omit<Sample, "shownMs">> = {};
    for (let round = 0; Object.keys(shown).length < READS.length; round++) {
      for (const read of READS.filter((each) => !(each in shown))) {
        const staleMs = clock.now() - writtenMs;
        const isFresh = await isShown(read);
        const before = stale[read] ?? { staleReads: 0, staleMs: 0 };
        if (isFresh) shown[read] = { ...before, shownMs: clock.now() - sentMs };
        else stale[read] = { staleReads: before.staleReads + 1, staleMs };
        if (staleMs > LIMIT_MS + waitMs)
          throw new Unanswered(`${read} did not show a change within a minute.`);
      }
      if (round > AT_ONCE) await clock.sleep(STEP_MS);
    }
    return shown;
  }

  const all: Record<string, Sample>[] = [];
  for (let count = 0; count < samples; count++) all.push(await sample());
  const lastMs = Math.max(...all.flatMap((each) => Object.values(each)).map(lateMs));
  // What depends on time alone is over before the first read.
  const afterWait = lastMs === 0 ? {} : await sample(1_000 + 2 * lastMs);
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
export function lagOf({ samples, dependsOnReads }: Measured): Lag {
  const longest = samples.reduce((one, other) => (lateMs(other) > lateMs(one) ? other : one));
  if (longest.staleReads === 0) return "atOnce";
  if (dependsOnReads) return { afterPolls: Math.max(...samples.map(({ staleReads }) => staleReads)) };
  return { afterSeconds: roundest(longest.staleMs / 1_000, longest.shownMs / 1_000) };
}

/** The longest lag, in milliseconds. */
export function longestMs({ samples }: Measured): number {
  return Math.max(...samples.map(lateMs));
}

/** Its median and its longest, in a phrase. */
export function lagPhrase({ samples }: Measured): string {
  const sorted = samples.map(lateMs).sort((one, other) => one - other);
  const median = sorted[Math.floor(sorted.length / 2)];
  return `median ${median} ms, longest ${sorted.at(-1)} ms of ${sorted.length} writes`;
}

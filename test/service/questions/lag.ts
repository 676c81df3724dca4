/** How far reads and lists lag behind writes. */
import type { Behaviour, OperationId } from "../../../testing/emulator";
import { Unanswered } from "../gateway/gateway";
import { type Asked, AT_ONCE, type Fields, roundest } from "./asked";

/** The lag as an option of the emulator, and in milliseconds. */
interface Measured {
  readonly option: Behaviour["readLag"];
  readonly medianMs: number;
  readonly longestMs: number;
}

const STEP_MS = 100;
const WATCH_MS = 250;
const LIMIT_MS = 60_000;

/** The lag of single reads and of lists. */
export async function observeLag(asked: Asked) {
  return { reads: await measured(asked, "getProject"), lists: await measured(asked, "listProjects") };
}

/** Changes a project many times, and reads it until the change is shown. */
async function measured({ call, send, clock, ...asked }: Asked, read: OperationId): Promise<Measured> {
  const { id: project_id } = await asked.newProject(`lag of ${read}`);
  // The lookups of the writes that are measured find it.
  await send("updateProject", { project_id }, { default_hookup_msg: "Found" });

  /** Whether a read shows a message. */
  async function shows(message: string): Promise<boolean> {
    const { answer } = await call(read, { project_id });
    const { projects = [answer] } = (answer ?? {}) as { readonly projects?: readonly unknown[] };
    return (projects as Fields[]).find((one) => one?.id === project_id)?.default_hookup_msg === message;
  }

  /** Changes the project. Returns how many reads did not show it, and the bounds of the lag. */
  async function sample(index: number, waitMs = 0) {
    const message = `Change ${index}`;
    const sentMs = clock.now();
    await send("updateProject", { project_id }, { default_hookup_msg: message });
    const writtenMs = clock.now();
    if (waitMs > 0) await clock.sleep(waitMs);
    for (let [staleReads, staleMs] = [0, 0]; staleMs <= LIMIT_MS + waitMs; staleReads++) {
      const readMs = clock.now() - writtenMs;
      if (await shows(message)) return { staleReads, staleMs, shownMs: clock.now() - sentMs };
      staleMs = readMs;
      if (staleReads > AT_ONCE) await clock.sleep(STEP_MS);
    }
    throw new Unanswered(`${read} did not show a change within a minute.`);
  }

  /** Changes the project. Returns when a read did not show that although one before did; 0 if none. */
  async function lastRelapseMs(): Promise<number> {
    const message = "Watched";
    await send("updateProject", { project_id }, { default_hookup_msg: message });
    const writtenMs = clock.now();
    let [isShown, relapseMs] = [false, 0];
    for (let atMs = 0; atMs < LIMIT_MS; atMs = clock.now() - writtenMs) {
      if (await shows(message)) isShown = true;
      else if (isShown) relapseMs = atMs;
      await clock.sleep(WATCH_MS);
    }
    return relapseMs;
  }

  const samples: Awaited<ReturnType<typeof sample>>[] = [];
  for (let index = 0; index < asked.samples; index++) samples.push(await sample(index));
  const late = samples.filter((one) => one.staleReads > 0).sort((one, other) => one.shownMs - other.shownMs);
  const longest = late.at(-1);
  if (longest === undefined) return { option: "atOnce", medianMs: 0, longestMs: 0 };
  const { staleReads, staleMs, shownMs } = longest;
  // A lag that depends on time alone is over before the first read.
  const afterWait = await sample(samples.length, 1_000 + 2 * shownMs);
  const afterSeconds = roundest(staleMs / 1_000, shownMs / 1_000);
  const medianMs = late[Math.floor(late.length - samples.length / 2)]?.shownMs ?? 0;
  // If each request has its own replica, the first read that shows a change is not the end of the lag.
  const longestMs = Math.max(shownMs, await lastRelapseMs());
  if (longestMs > shownMs)
    return { option: { upToSeconds: Math.ceil(longestMs / 1_000) }, medianMs, longestMs };
  return {
    option: afterWait.staleReads > 0 ? { afterPolls: staleReads } : { afterSeconds },
    medianMs,
    longestMs,
  };
}

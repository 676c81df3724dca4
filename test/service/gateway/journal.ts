/**
 * What every run is about to create and has created, in a file that outlives it. A line is on the disk before its request
 * is sent, so whatever ends a run, the next one knows what it may delete.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceObject } from "./serviceObjects";

/** A line of the file: a run begins, will create something, has created it, or has deleted it. */
interface Line {
  readonly run?: string;
  readonly creates?: string;
  readonly created?: ServiceObject;
  readonly deleted?: string;
}

export type Journal = ReturnType<typeof openJournal>;

/** Opens the journal of an organization. */
export function openJournal(directory: string, organization: string) {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `journal-${organization}.jsonl`);
  const id = randomBytes(4).toString("hex");
  const runs = new Set<string>();
  const own = new Set<string>();
  const rest = new Map<string, ServiceObject>();

  function apply({ run, created, deleted }: Line): void {
    if (run !== undefined) runs.add(run);
    if (deleted !== undefined) rest.delete(deleted);
    if (created === undefined) return;
    own.add(created.id);
    rest.set(created.id, created);
  }
  // A line that a crash has cut off has no end, and the next one begins with a line break.
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  for (const line of lines) if (line.endsWith("};")) apply(JSON.parse(line.slice(0, -1)));
  function write(line: Line): void {
    appendFileSync(file, `\n${JSON.stringify(line)};`, { flush: true });
    apply(line);
  }

  return {
    /** Begins every name that this run creates. */
    prefix: `acceptance-${id}-`,
    /** Begins a run: from now on, its names are its own. */
    begin: () => write({ run: id }),
    write,
    isOwn: (one: string) => own.has(one.toLowerCase()),
    isOwnName: (name: string) => runs.has(/acceptance-([0-9a-f]{8})-/i.exec(name)?.[1]?.toLowerCase() ?? ""),
    /** The objects of this and earlier runs that still exist, oldest first. */
    rest: () => [...rest.values()],
  };
}

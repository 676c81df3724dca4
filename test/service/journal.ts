/**
 * What every run is about to create and has created, in a file that outlives it. A line is on the disk before its request
 * is sent, so whatever ends a run, the next one knows what it may delete.
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** An object that a run has created. */
export interface OwnObject {
  readonly id: string;
  readonly path: string;
  /** Undefined for what has no name. */
  readonly name?: string | undefined;
}

/** A line of the file: a run begins, will create something, has created it, or has deleted it. */
type Line =
  | { readonly run: string }
  | { readonly creates: string }
  | { readonly created: OwnObject }
  | { readonly deleted: string };

/** The journal of an organization. */
export interface Journal {
  /** Begins every name that this run creates. */
  readonly prefix: string;
  /** The objects of this and earlier runs that still exist, oldest first. */
  readonly rest: readonly OwnObject[];
  /** Begins a run: from now on, its names are its own. */
  begin(): void;
  isOwnName(name: string): boolean;
  isOwn(id: string): boolean;
  creates(name: string): void;
  created(object: OwnObject): void;
  deleted(id: string): void;
}

/** Opens the journal of an organization, in a directory. */
export function openJournal(directory: string, organization: string): Journal {
  mkdirSync(directory, { recursive: true });
  const file = join(directory, `journal-${organization}.jsonl`);
  const run = randomBytes(4).toString("hex");
  const runs = new Set<string>();
  const own = new Set<string>();
  const rest = new Map<string, OwnObject>();

  function apply(line: Line): void {
    if ("run" in line) runs.add(line.run);
    if ("created" in line) {
      own.add(line.created.id);
      rest.set(line.created.id, line.created);
    }
    if ("deleted" in line) rest.delete(line.deleted);
  }

  function write(line: Line): void {
    // The line break comes first, so that a line which a crash has cut off spoils no other one.
    appendFileSync(file, `\n${JSON.stringify(line)}`, { flush: true });
    apply(line);
  }

  for (const line of existsSync(file) ? linesOf(readFileSync(file, "utf8")) : []) apply(line);
  return {
    prefix: `acceptance-${run}-`,
    get rest() {
      return [...rest.values()];
    },
    begin: () => write({ run }),
    isOwnName: (name) => runs.has(/acceptance-([0-9a-f]{8})-/i.exec(name)?.[1]?.toLowerCase() ?? ""),
    isOwn: (id) => own.has(id),
    creates: (name) => write({ creates: name }),
    created: (object) => write({ created: object }),
    deleted: (id) => write({ deleted: id }),
  };
}

/** The lines, without those that a crash has cut off. */
function linesOf(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });
}

/**
 * Shares marks between the provider processes of a run. The engine starts a process for each provider resource, so one
 * process may adopt an object and another one may be asked to delete it because of another entry in the state.
 *
 * Each process appends its marks to a file of its own, in a directory that only this user can access. A mark is valid
 * as long as its run, also if the process that added it was killed. No process judges whether another one still runs: it
 * may be in another container. Files of earlier runs are removed by their age.
 */
import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../errors";
import { type Marks, ownMarks } from "../lifecycle/run/marks";
import { SERVICE_NAME } from "../service";
import { DirectoryError, privateDirectory } from "./privateDirectory";

/** Longer than any run. */
const REMOVED_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

/**
 * Creates the marks of a kind, which provider processes of a run share.
 *
 * If the directory cannot be used, added marks stay in this process, and reading those of others fails.
 *
 * @param run identifies the run. Undefined as long as the process is not part of one: then it has its own marks.
 * @param parent the parent of the directory. Default: the system's directory for temporary files.
 */
export function sharedMarks(run: () => string | undefined, parent?: string): (kind: string) => Marks {
  const writer = randomUUID();
  /** Lines that could not be written yet, because the run is not known or the directory could not be used. */
  let pending: readonly string[] = [];
  let hasFile = false;

  function directory(): string {
    try {
      return privateDirectory(`pulumi-${SERVICE_NAME}-runs`, { parent });
    } catch (error) {
      throw error instanceof DirectoryError ? unusable(error.directory, error.reason) : error;
    }
  }

  function write(identity: string, path: string, lines: readonly string[]): void {
    try {
      if (!hasFile) removeAbandoned(path);
      // If the disk was full, the last line is incomplete.
      appendFileSync(join(path, `${filesOf(identity)}${writer}`), ["", ...pending, ...lines, ""].join("\n"), {
        mode: 0o600,
      });
    } catch (error) {
      throw unusable(path, `writing a file there failed: ${reasonOf(error)}`);
    }
    hasFile = true;
    pending = [];
  }

  function record(line: string): void {
    const identity = run();
    let path: string | undefined;
    try {
      path = identity && directory();
    } catch (error) {
      // No process of the run can read marks, so none deletes anything.
      if (!(error instanceof UserError)) throw error;
    }
    if (identity === undefined || path === undefined) pending = [...pending, line];
    else write(identity, path, [line]);
  }

  /** Whether a file of another process has the mark. */
  function isElsewhere(mark: string): boolean {
    const identity = run();
    if (identity === undefined) return false;
    const path = directory();
    const files = filesOf(identity);
    let failure: unknown;
    const has = (name: string) => {
      try {
        return isMarkedIn(readFileSync(join(path, name), "utf8"), mark);
      } catch (error) {
        // Another file may have the mark.
        failure = error;
        return false;
      }
    };
    try {
      const others = readdirSync(path).filter((name) => name.startsWith(files) && !name.endsWith(writer));
      if (others.some(has)) return true;
    } catch (error) {
      failure = error;
    }
    if (failure === undefined) return false;
    throw unusable(path, `reading the files there failed: ${reasonOf(failure)}`);
  }

  return (kind) => {
    const own = ownMarks();
    const lineOf = (mark: string) => `${kind} ${mark}`;
    const hasElsewhere = (mark: string) => isElsewhere(lineOf(mark));
    return {
      add(mark) {
        if (own.has(mark)) return false;
        record(`+${lineOf(mark)}`);
        return own.add(mark);
      },
      delete(mark) {
        if (!own.has(mark)) return;
        own.delete(mark);
        record(`-${lineOf(mark)}`);
      },
      has: (mark) => own.has(mark) || hasElsewhere(mark),
      hasElsewhere,
      requireShared() {
        const identity = run();
        if (identity !== undefined) write(identity, directory(), []);
      },
    };
  };
}

/** What the names of a run's files begin with. */
function filesOf(run: string): string {
  return `${createHash("sha256").update(run).digest("hex").slice(0, 32)}-`;
}

/** Whether a mark was added according to the lines of a file, and not deleted since. */
function isMarkedIn(text: string, mark: string): boolean {
  const latest = text.split("\n").findLast((line) => line.slice(1) === mark);
  return latest?.startsWith("+") ?? false;
}

function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && Date.now() - mtimeMs > REMOVED_AFTER_MS) rmSync(path, { force: true });
  }
}

function unusable(directory: string, reason: string): UserError {
  return new UserError(
    `The provider processes of a run share in ${directory} which objects they keep, but ${reason}. Set the environment variable TMPDIR to a directory that only you can write to and that has free space, and run this again.`,
  );
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

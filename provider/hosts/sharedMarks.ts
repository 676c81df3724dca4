/**
 * Shares marks between the provider processes of a run. The engine starts a process for each provider resource, so one
 * process may adopt an object and another one may be asked to delete it because of another entry in the state.
 *
 * Each process appends its marks to a file of its own, in a directory of the run that only this user can access. Each
 * question reads what was added to the files of the others since the last one. A mark is valid
 * as long as its run, also if the process that added it was killed. No process judges whether another one still runs: it
 * may be in another container. Directories of earlier runs are removed by their age.
 */
import { createHash, randomUUID } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { reasonOf, UserError } from "../errors";
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
  /** The directory of the run, once it is verified. A process is part of one run. */
  let verified: string | undefined;
  let hasFile = false;
  /** What was read of the files of other processes. It stays if a file is removed. */
  const others = new Map<string, MarkFile>();

  /** The directory of the run. It is not created again, because the marks of others would be missing. */
  function directory(identity: string): string {
    verified ??= directoryOf(identity, parent);
    return verified;
  }

  function write(path: string, lines: readonly string[]): void {
    pending = [...pending, ...lines];
    try {
      if (!hasFile) removeAbandoned(dirname(path));
      // If the disk was full, the last line is incomplete.
      appendFileSync(join(path, writer), ["", ...pending, ""].join("\n"), { mode: 0o600 });
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
      path = identity && directory(identity);
    } catch (error) {
      // No process of the run can read marks, so none deletes anything.
      if (!(error instanceof UserError)) throw error;
    }
    if (path === undefined) pending = [...pending, line];
    else write(path, [line]);
  }

  /** Whether a file of another process has the mark. */
  function isElsewhere(mark: string): boolean {
    const identity = run();
    if (identity === undefined) return false;
    const path = directory(identity);
    let failure: unknown;
    const attempt = (read: () => void) => {
      try {
        read();
      } catch (error) {
        // Another file may have the mark.
        failure = error;
      }
    };
    attempt(() => {
      for (const name of readdirSync(path)) {
        if (name === writer) continue;
        const file = others.get(name) ?? { length: 0, marks: new Set() };
        others.set(name, file);
        attempt(() => readOn(join(path, name), file));
      }
    });
    if ([...others.values()].some(({ marks }) => marks.has(mark))) return true;
    if (failure === undefined) return false;
    throw unusable(path, `reading the files there failed: ${reasonOf(failure)}`);
  }

  return (kind) => {
    const own = ownMarks();
    const lineOf = (mark: string) => `${kind} ${mark}`;
    const hasElsewhere = (mark: string) => isElsewhere(lineOf(mark));
    return {
      add(mark) {
        const isNew = own.add(mark);
        if (isNew) record(`+${lineOf(mark)}`);
        return isNew;
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
        if (identity !== undefined) write(directory(identity), []);
      },
    };
  };
}

interface MarkFile {
  /** The length of its complete lines, in bytes. */
  length: number;
  /** The lines of the marks that are set, without their signs. */
  readonly marks: Set<string>;
}

/** Reads what was added to a file. Files only grow. */
function readOn(path: string, file: MarkFile): void {
  const added = statSync(path).size - file.length;
  if (added <= 0) return;
  const bytes = Buffer.alloc(added);
  const descriptor = openSync(path, "r");
  let read: number;
  try {
    read = readSync(descriptor, bytes, 0, added, file.length);
  } finally {
    closeSync(descriptor);
  }
  // What follows the last line break may be incomplete, and is read again.
  const complete = bytes.subarray(0, bytes.subarray(0, read).lastIndexOf("\n") + 1);
  for (const line of complete.toString().split("\n")) {
    if (line.startsWith("+")) file.marks.add(line.slice(1));
    else file.marks.delete(line.slice(1));
  }
  file.length += complete.length;
}

/** Creates the directory of a run. @throws UserError if another user may control it, or if it cannot be created. */
function directoryOf(run: string, parent: string | undefined): string {
  try {
    const directory = privateDirectory(`pulumi-${SERVICE_NAME}-runs`, { parent });
    const path = join(directory, createHash("sha256").update(run).digest("hex").slice(0, 32));
    try {
      mkdirSync(path, { mode: 0o700, recursive: true });
    } catch (error) {
      throw new DirectoryError(path, `it cannot be created: ${reasonOf(error)}`);
    }
    return path;
  } catch (error) {
    throw error instanceof DirectoryError ? unusable(error.directory, error.reason) : error;
  }
}

function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && Date.now() - mtimeMs > REMOVED_AFTER_MS)
      rmSync(path, { force: true, recursive: true });
  }
}

function unusable(directory: string, reason: string): UserError {
  return new UserError(
    `The provider processes of a run share in ${directory} which objects they keep, but ${reason}. Set the environment variable TMPDIR to a directory that only you can write to and that has free space, and run this again.`,
  );
}

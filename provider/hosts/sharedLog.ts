/**
 * The log that the provider processes of a run share. The engine starts a process for each provider resource, so one
 * process may adopt an object and another one may be asked to delete it because of another entry in the state.
 *
 * Each process appends to a file of its own, in a directory of the run that only this user can access, and reads what the
 * others have added to theirs. A line is valid as long as its run, also if the process that wrote it was killed. No
 * process judges whether another one still runs: it may be in another container. Directories of earlier runs are removed
 * by their age.
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
import type { RunLog } from "../lifecycle/ledger/ledger";
import { SERVICE_NAME } from "../service";
import { DirectoryError, privateDirectory } from "./privateDirectory";

/** Longer than any run. */
const REMOVED_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

/** Part of what identifies the directory of a run: releases with another format of lines do not share theirs. */
const FORMAT = "facts 1";

/**
 * Creates the log of a process.
 *
 * If the directory cannot be used, nothing is shared, and reading reports why.
 *
 * @param run identifies the run. Undefined as long as the process is not part of one: then it shares nothing.
 * @param parent the parent of the directory. Default: the system's directory for temporary files.
 */
export function sharedLog(run: () => string | undefined, parent?: string): RunLog {
  /** The directory of the run, once it is verified. It is not created again, because the lines of others would be missing. */
  let verified: string | undefined;
  const directory = (): string | undefined => {
    const identity = run();
    if (identity === undefined) return undefined;
    verified ??= directoryOf(identity, parent);
    return verified;
  };
  const own = ownFile();
  const others = otherFiles(own.name);
  return {
    append(line) {
      own.add(line);
      let path: string | undefined;
      try {
        path = directory();
      } catch (error) {
        // No process of the run can read the log, so none deletes anything.
        if (!(error instanceof UserError)) throw error;
      }
      if (path !== undefined) own.write(path);
    },
    read() {
      try {
        const path = directory();
        return path === undefined ? { lines: [] } : others.read(path);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        return { lines: [], problem: error };
      }
    },
    requireShared() {
      const path = directory();
      if (path !== undefined) own.write(path);
    },
  };
}

/** The file that this process appends to. */
function ownFile() {
  const name = randomUUID();
  /** Lines that could not be written yet, because the run is not known or the directory could not be used. */
  let pending: readonly string[] = [];
  let exists = false;
  return {
    name,
    add(line: string): void {
      pending = [...pending, line];
    },
    /** @throws UserError if the lines cannot be written. */
    write(path: string): void {
      try {
        if (!exists) removeAbandoned(dirname(path));
        // If the disk was full, the last line is incomplete.
        appendFileSync(join(path, name), ["", ...pending, ""].join("\n"), { mode: 0o600 });
      } catch (error) {
        throw unusable(path, `writing a file there failed: ${reasonOf(error)}`);
      }
      exists = true;
      pending = [];
    },
  };
}

/** The files of other processes. */
function otherFiles(ownName: string) {
  /** How much of each file was read, in bytes. */
  const read = new Map<string, number>();
  return {
    /** Reads what was added since the last call, also if some files cannot be read. */
    read(path: string): ReturnType<RunLog["read"]> {
      const lines: string[] = [];
      let failure: unknown;
      const attempt = (work: () => void) => {
        try {
          work();
        } catch (error) {
          failure = error;
        }
      };
      attempt(() => {
        for (const name of readdirSync(path)) {
          if (name === ownName) continue;
          attempt(() => {
            const from = read.get(name) ?? 0;
            const added = addedTo(join(path, name), from);
            read.set(name, from + Buffer.byteLength(added));
            lines.push(...added.split("\n").filter((line) => line !== ""));
          });
        }
      });
      if (failure === undefined) return { lines };
      return { lines, problem: unusable(path, `reading the files there failed: ${reasonOf(failure)}`) };
    },
  };
}

/** The complete lines that were added to a file. Files only grow. */
function addedTo(path: string, from: number): string {
  const added = statSync(path).size - from;
  if (added <= 0) return "";
  const bytes = Buffer.alloc(added);
  const descriptor = openSync(path, "r");
  let length: number;
  try {
    length = readSync(descriptor, bytes, 0, added, from);
  } finally {
    closeSync(descriptor);
  }
  // What follows the last line break may be incomplete, and is read again.
  return bytes.subarray(0, bytes.subarray(0, length).lastIndexOf("\n") + 1).toString();
}

/** Creates the directory of a run. @throws UserError if another user may control it, or if it cannot be created. */
function directoryOf(run: string, parent: string | undefined): string {
  try {
    const directory = privateDirectory(`pulumi-${SERVICE_NAME}-runs`, { parent });
    const identity = createHash("sha256").update(`${FORMAT} ${run}`).digest("hex").slice(0, 32);
    const path = join(directory, identity);
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
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > REMOVED_AFTER_MS) rmSync(path, { force: true, recursive: true });
  }
}

function unusable(directory: string, reason: string): UserError {
  return new UserError(
    `The provider processes of a run share in ${directory} which objects they keep, but ${reason}. Set the environment variable TMPDIR to a directory that only you can write to and that has free space, and run this again.`,
  );
}

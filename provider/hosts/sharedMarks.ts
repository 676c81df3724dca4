/**
 * Shares marks between the provider processes of a run. The engine starts a process for each provider resource, so one
 * process may adopt an object and another one may be asked to delete it because of another entry in the state.
 *
 * Each process logs its marks to its own file, in a directory that only this user can access. A mark is valid while the
 * process that added it is alive and has not deleted it, because engines end their providers with the run.
 */
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Marks } from "../lifecycle/marks";
import { SERVICE_NAME } from "../session/service";
import { privateDirectory } from "./privateDirectory";

/**
 * The marks of a kind, shared by the provider processes of a run.
 *
 * If no private directory can be created, each process has its own marks.
 *
 * @param run identifies the run, such as the address of its engine.
 * @param kind the meaning of the marks, as one word.
 * @param parent the parent of the directory. Default: the system's directory for temporary files.
 */
export function sharedMarks(run: string, kind: string, parent = tmpdir()): Marks {
  const own = new Set<string>();
  const files = `${createHash("sha256").update(run).digest("hex").slice(0, 16)}-${kind}-`;
  let hasFile = false;
  const log = (line: string) =>
    inDirectory(parent, (directory) => {
      if (!hasFile) removeAbandoned(directory);
      hasFile = true;
      appendFileSync(join(directory, `${files}${process.pid}`), `${line}\n`, { mode: 0o600 });
    });
  return {
    add(mark) {
      if (own.has(mark)) return;
      own.add(mark);
      log(`+${mark}`);
    },
    delete(mark) {
      if (own.delete(mark)) log(`-${mark}`);
    },
    has(mark) {
      if (own.has(mark)) return true;
      let found = false;
      inDirectory(parent, (directory) => {
        found = readdirSync(directory)
          .filter((name) => name.startsWith(files) && isAlive(processOf(name)))
          .some((name) => isMarked(readFileSync(join(directory, name), "utf8"), mark));
      });
      return found;
    },
  };
}

/** Whether a mark was added according to a log, and not deleted since. */
function isMarked(log: string, mark: string): boolean {
  const latest = log.split("\n").findLast((line) => line.slice(1) === mark);
  return latest?.startsWith("+") ?? false;
}

/** Removes the files of processes that have ended. The engine kills providers, so they cannot remove their own. */
function removeAbandoned(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!isAlive(processOf(name))) rmSync(join(directory, name), { force: true });
  }
}

function inDirectory(parent: string, work: (directory: string) => void): void {
  const directory = privateDirectory(`pulumi-${SERVICE_NAME}-runs`, { parent });
  try {
    if (directory !== undefined) work(directory);
  } catch {
    // Another process may have removed a file. The marks of this process are also in its memory.
  }
}

function processOf(fileName: string): number {
  return Number(fileName.slice(fileName.lastIndexOf("-") + 1));
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

/**
 * Marks that the provider processes of one run share. The engine starts a process for each provider resource, so the
 * one that adopts an object may not be the one that is asked to delete it through another entry of the state.
 *
 * Each process writes what it marks to a file of its own, in a directory that only this user can use. A mark counts
 * while the process that made it lives: engines end their providers with the run.
 */
import { createHash } from "node:crypto";
import { appendFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Marks } from "../lifecycle/runMemory";
import { SERVICE_NAME } from "../session/service";
import { privateDirectory } from "./privateDirectory";

/**
 * The marks of a kind that the provider processes of a run share.
 *
 * Where there can be no directory that only this user can use, each process has marks of its own.
 *
 * @param run what tells the run from all others, such as the address of its engine.
 * @param kind what the marks mean: a word.
 * @param parent where the directory is. Default: the system's directory for temporary files.
 */
export function sharedMarks(run: string, kind: string, parent = tmpdir()): Marks {
  const own = new Set<string>();
  const files = `${createHash("sha256").update(run).digest("hex").slice(0, 16)}-${kind}-`;
  return {
    add(mark) {
      if (own.has(mark)) return;
      own.add(mark);
      inDirectory(parent, (directory) => {
        if (own.size === 1) removeAbandoned(directory);
        appendFileSync(join(directory, `${files}${process.pid}`), `${mark}\n`, { mode: 0o600 });
      });
    },
    has(mark) {
      if (own.has(mark)) return true;
      let found = false;
      inDirectory(parent, (directory) => {
        found = readdirSync(directory)
          .filter((name) => name.startsWith(files) && isAlive(processOf(name)))
          .some((name) => readFileSync(join(directory, name), "utf8").split("\n").includes(mark));
      });
      return found;
    },
  };
}

/** Processes are killed with the run, so what they leave is removed by later ones. */
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
    // Another process may have removed a file meanwhile; what this one marked is in its memory.
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

/** The file that keeps the content of an emulator between runs. */
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { deserialize, serialize } from "node:v8";
import { UsageError } from "../world/usageError";
import type { World } from "../world/world";

/** What an emulator keeps between runs. */
export interface Kept {
  readonly world: World;
  /** How far its clock is ahead of the system's. */
  readonly clockAheadMs: number;
}

/** A state file that an emulator has opened. */
export interface StateFile {
  /** What it contained. Undefined if it did not exist. */
  readonly kept: Kept | undefined;
  /** Replaces its content, if that has changed. @throws StateFileError if another process has changed it. */
  save(kept: Kept): void;
}

/** The error of a state file that cannot be used. Its message says what to do. The file is unchanged. */
export class StateFileError extends UsageError {
  override readonly name = "StateFileError";
}

/** The form of the content. A change of `World` changes it. */
const FORMAT = "dynamiclink-emulator-2";

/** Opens a state file, which need not exist. @throws StateFileError if it is damaged. */
export function openStateFile(file: string): StateFile {
  if (file === "") throw new StateFileError("The path of the state file is empty.");
  // A link that leads to itself cannot be read.
  let last = textOf(file);
  const path = targetOf(file);
  return {
    kept: last === undefined ? undefined : decoded(last, path),
    save(kept) {
      const text = encoded(kept);
      if (text === last) return;
      if (textOf(path) !== last) {
        throw new StateFileError(
          `${path} was changed by another process, perhaps another emulator, and was not overwritten. Let each emulator use a file of its own.`,
        );
      }
      const draft = `${path}.${process.pid}`;
      try {
        // It contains keys.
        writeFileSync(draft, text, { mode: 0o600, flush: true });
        renameSync(draft, path);
      } catch (error) {
        rmSync(draft, { force: true });
        throw new StateFileError(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
      }
      last = text;
    },
  };
}

/** The file that a path leads to, which need not exist. A link stays a link. */
function targetOf(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? targetOf(resolve(dirname(path), readlinkSync(path))) : path;
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new StateFileError(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function encoded(kept: Kept): string {
  const content = serialize(kept).toString("base64");
  return `${FORMAT} ${digestOf(content)}\n${content}\n`;
}

function decoded(text: string, path: string): Kept {
  const [, format, digest, content = ""] = /^(\S+) (\S+)\n(\S+)\n$/.exec(text) ?? [];
  if (format !== FORMAT || digest !== digestOf(content)) {
    throw new StateFileError(
      `${path} is not a state of this version of the emulator, or it is damaged. It was not changed. Restore it from a copy, choose another file, or remove it to start with the seed.`,
    );
  }
  return deserialize(Buffer.from(content, "base64")) as Kept;
}

function digestOf(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The packages of a program that `discover` writes: where they come from, and whether programs share an installation. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { jsonText, parseJson } from "../terminal/json";

const PACKAGE = "pulumi-dynamiclink";

/** The parts of a package.json that say which packages it installs. */
interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly workspaces?: unknown;
}

/** A file or a directory, by a path that may be relative. */
const LOCAL = /^(?:file|link|portal):(.+)$/;

/** An address, or the package under another name. Others, such as `workspace:`, have a meaning only where they are. */
const REMOTE = /^(?:https?|git|npm)[\w+]*:/;

/**
 * This package and its peer dependencies, for a program in a directory. If the current directory or one above installs this
 * package from a file or an address, so does the program: a registry may have another one of that version, or none.
 */
export function dependenciesIn(directory: string): Readonly<Record<string, string>> {
  const { version, peerDependencies } = require("pulumi-dynamiclink/package.json") as {
    version: string;
    peerDependencies: Record<string, string>;
  };
  return { ...peerDependencies, [PACKAGE]: installedFrom(directory) ?? `^${version}` };
}

/**
 * The workspace in which the programs in a directory share an installation, with the files that make it one. Undefined if
 * the directory is a package without workspaces: each program then has its own installation.
 */
export function workspaceIn(
  directory: string,
): { readonly files: Readonly<Record<string, string>> } | undefined {
  const found = packageFileIn(directory);
  if (found !== undefined) return found.workspaces === undefined ? undefined : { files: {} };
  return { files: { "package.json": jsonText({ private: true, workspaces: ["*"] }) } };
}

/** Where the package of this command comes from, as a program in a directory has to write it. */
function installedFrom(directory: string, from = process.cwd()): string | undefined {
  const { dependencies, devDependencies } = packageFileIn(from) ?? {};
  const spec = dependencies?.[PACKAGE] ?? devDependencies?.[PACKAGE];
  if (spec === undefined) return dirname(from) === from ? undefined : installedFrom(directory, dirname(from));
  const [, path] = LOCAL.exec(spec) ?? [];
  if (path !== undefined) return `file:${relative(directory, resolve(from, path)).replaceAll("\\", "/")}`;
  return REMOTE.test(spec) ? spec : undefined;
}

function packageFileIn(directory: string): PackageFile | undefined {
  const path = join(directory, "package.json");
  return existsSync(path) ? (parseJson(readFileSync(path, "utf8"), path) as PackageFile) : undefined;
}

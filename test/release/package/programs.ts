/** A program with this package as npm packs it, and with the other packages of this checkout. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { version as nodeVersion } from "node/package.json";
import { execute } from "../../support/processes/execute";

export const ROOT = resolve(__dirname, "..", "..", "..");

/** On Windows, npm is a script, which only a shell starts. */
export const ON_WINDOWS: boolean = process.platform === "win32";

const OF_NPM = /^npm_(config_(?!registry|cache)|package|lifecycle)/i;
/** The environment for a package manager: the variables that npm sets for its scripts would configure it. */
export const INSTALLING: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !OF_NPM.test(name)),
);

/** A tarball that npm packed, which `using` removes at the end. */
export interface Tarball extends Disposable {
  readonly path: string;
  readonly files: readonly string[];
  remove(): void;
}

/** Packs the package with its current build. */
export function packTarball(): Tarball {
  const directory = mkdtempSync(join(tmpdir(), "dynamiclink-tarball-"));
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", directory];
  const options = { cwd: ROOT, encoding: "utf8", shell: ON_WINDOWS } as const;
  const printed = execFileSync("npm", args, { ...options, stdio: ["ignore", "pipe", "ignore"] });
  const [packed] = Object.values(JSON.parse(printed)) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error("npm packed nothing.");
  const remove = () => rmSync(directory, { recursive: true, force: true });
  const files = packed.files.map(({ path }) => path);
  return { path: join(directory, packed.filename), files, remove, [Symbol.dispose]: remove };
}

/** A directory with files in it, which `using` removes at the end. */
export interface Directory extends Disposable {
  readonly path: string;
  remove(): void;
}

export function directoryWith(files: Readonly<Record<string, string>>): Directory {
  const path = mkdtempSync(join(tmpdir(), "dynamiclink-program-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  // A process that ends may still write.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  return { path, remove, [Symbol.dispose]: remove };
}

/** Creates a temporary directory with these files, in which programs find the packages of this checkout. */
export function programWith(files: Readonly<Record<string, string>>): Directory {
  const directory = directoryWith(files);
  linkPackages(directory.path);
  return directory;
}

export function linkPackages(directory: string): void {
  symlinkSync(join(ROOT, "node_modules"), join(directory, "node_modules"), "junction");
}

/** Installs the tarball into a directory without a registry, with the packages of this checkout. */
export function unpackInto(directory: string, tarball: Tarball): void {
  const installed = join(directory, "node_modules");
  const self = join(installed, "pulumi-dynamiclink");
  mkdirSync(self, { recursive: true });
  execFileSync("tar", ["-xzf", tarball.path, "-C", self, "--strip-components=1"]);
  const modules = join(ROOT, "node_modules");
  for (const name of readdirSync(modules).filter((each) => each !== "pulumi-dynamiclink")) {
    if (!name.startsWith(".")) symlinkSync(join(modules, name), join(installed, name));
  }
}

/** The platform of this machine, as Pulumi names it. */
export const PLATFORM: string = `${process.platform}-${process.arch}`
  .replace("win32", "windows")
  .replace("x64", "amd64");

/** How Node.js names each platform: said again here, so that a test notices a wrong name in the script that packs. */
export const NODE_NAMES: Readonly<Record<string, string>> = {
  "darwin-amd64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
  "linux-amd64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "windows-amd64": "win-x64",
  "windows-arm64": "win-arm64",
};

/** Starts this Node.js, and says so. To pack the real one takes ten seconds: a test on the Pulumi CLI does that. */
const STAND_IN = `#!/bin/sh\nSTARTED_BY=archive exec '${process.execPath}' "$@"\n`;

/** The npm packages with Node.js of this machine. */
export function nodePackages(packageVersion = nodeVersion): Directory {
  const name = NODE_NAMES[PLATFORM] ?? "";
  const root = PLATFORM === "darwin-arm64" ? `node-bin-${name}` : `node-${name}`;
  return directoryWith({
    [`${root}/package.json`]: JSON.stringify({ version: packageVersion }),
    [`${root}/LICENSE`]: "Node.js is licensed for use as follows",
    [`${root}/bin/${ON_WINDOWS ? "node.exe" : "node"}`]: STAND_IN,
  });
}

/** Runs `npm run plugin:pack`, without the build. Resolves with the paths of the archives and of their checksums. */
export async function packPlugin(out: string, ...options: readonly string[]): Promise<string[]> {
  const args = [join(ROOT, "scripts", "run.cjs"), "plugin:pack", "--out", out, ...options];
  const printed = await execute(process.execPath, args, { directory: ROOT, environment: process.env });
  return printed.trim().split("\n");
}

/** What an installation adds to a program with `@pulumi/pulumi`, according to the lock file and the installed packages. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { dependencies } from "../../../package.json";
import { packages } from "../../../package-lock.json";
import { ROOT } from "./programs";

const MAX_MEBIBYTES = 14;
const MAX_PACKAGES = 11;

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}
const locked = packages as Readonly<Record<string, LockedPackage>>;

function closure(names: readonly string[], from = "", found = new Set<string>()): Set<string> {
  for (const name of names) {
    const directory = directoryOf(name, from);
    if (directory === undefined || found.has(directory)) continue;
    found.add(directory);
    closure(namesIn(locked[directory] as LockedPackage), directory, found);
  }
  return found;
}

function namesIn({ peerDependencies = {}, peerDependenciesMeta = {}, ...others }: LockedPackage) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys({ ...others.dependencies, ...others.optionalDependencies }), ...peers];
}

/** The directory of a package: in the nearest node_modules upwards. Undefined if the lock file does not contain it. */
function directoryOf(name: string, from: string): string | undefined {
  const directory = join(from, "node_modules", name);
  if (directory in locked) return directory;
  if (from === "") return undefined;
  return directoryOf(name, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
}

function bytesOf(directory: string): number {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => entry.isFile() && !path.slice(directory.length).includes("/node_modules/"))
    .reduce((sum, { path }) => sum + statSync(path).size, 0);
}

const present = closure(["@pulumi/pulumi"]);
const added = [...closure(Object.keys(dependencies))].filter((directory) => !present.has(directory));

test("an installation adds few packages", () => {
  expect(present.size).toBeGreaterThan(100);
  expect(added).toContain("node_modules/undici");
  expect(added.length).toBeLessThanOrEqual(MAX_PACKAGES);
});

test("an installation is small", () => {
  const weights = added
    .map((directory) => join(ROOT, directory))
    // Packages for other platforms are only in the lock file.
    .filter((directory) => existsSync(directory))
    .map(bytesOf);
  const own = bytesOf(join(ROOT, "dist"));
  const mebibytes = weights.reduce((sum, weight) => sum + weight, own) / 1024 / 1024;
  expect(mebibytes).toBeGreaterThan(1);
  expect(mebibytes).toBeLessThanOrEqual(MAX_MEBIBYTES);
});

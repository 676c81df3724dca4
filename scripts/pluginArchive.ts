/**
 * Writes the archive for `pulumi plugin install resource dynamiclink <version> --file`: the plugin as one script that
 * needs only Node.js. It contains no PulumiPlugin.yaml, because Pulumi would then run `npm install`.
 */
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
import { join } from "node:path";
import { build } from "esbuild";
import { create } from "tar";
import { version } from "../package.json";
import { pluginSchema } from "./pluginSchema";

const ROOT = join(__dirname, "..");
const EXECUTABLE = "pulumi-resource-dynamiclink";

/** The time of every file, so that the same source always produces the same archive. npm uses this time as well. */
const TIME = new Date("1985-10-26T08:15:00Z");

/** Writes the archive into a directory, which is created if necessary. Resolves with its path. */
export async function writePluginArchive(directory: string): Promise<string> {
  const contents = mkdtempSync(join(tmpdir(), "dynamiclink-plugin-"));
  try {
    await writeContents(contents);
    mkdirSync(directory, { recursive: true });
    const file = join(directory, `${EXECUTABLE}-v${version}.tar.gz`);
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
    return file;
  } finally {
    rmSync(contents, { recursive: true, force: true });
  }
}

async function writeContents(directory: string): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    banner: { js: "#!/usr/bin/env node" },
    bundle: true,
    // A file with the licences of all packages replaces the comments.
    legalComments: "none",
    entryPoints: ["provider/hosts/plugin/main.ts"],
    logLevel: "warning",
    metafile: true,
    outfile: join(directory, EXECUTABLE),
    platform: "node",
    target: "node22.19",
  });
  writeFileSync(join(directory, "schema.json"), JSON.stringify(pluginSchema()));
  copyFileSync(join(ROOT, "plugin", `${EXECUTABLE}.cmd`), join(directory, `${EXECUTABLE}.cmd`));
  // Without it, a package.json in a parent directory would set the module format of the script.
  copyFileSync(join(ROOT, "plugin", "package.json"), join(directory, "package.json"));
  copyFileSync(join(ROOT, "LICENSE"), join(directory, "LICENSE"));
  writeFileSync(join(directory, "LICENSES-OF-DEPENDENCIES"), licencesOf(Object.keys(metafile.inputs)));
}

/** The licences of the packages that the script contains. */
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

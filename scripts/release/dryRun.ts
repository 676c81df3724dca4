/** Writes everything that a release uploads into a directory. The release workflow uploads the same files. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { create } from "tar";
import packageJson from "../../package.json";
import { pluginDownloadUrl } from "../../provider/hosts/pluginDownload";
import { publishedNames } from "../registry/registryPages";
import { builtSchema } from "./builtSchema";
import { releaseProblems } from "./check";
import { LANGUAGES, writeSdks } from "./packageSdks";
import { writePluginArchives } from "./pluginArchive";
import { billOfMaterials } from "./sbom";

const { name, version, repository } = packageJson;

/** On Windows, npm is a script, which only a shell starts. */
const SHELL = process.platform === "win32";

/** Files and where they go. */
interface Upload {
  readonly to: string;
  /** Their paths in the directory of the release. */
  readonly files: readonly string[];
}

/** What a release would upload, and what keeps it from being complete. */
export interface Release {
  readonly uploads: readonly Upload[];
  readonly problems: readonly string[];
}

/** Writes a release into a directory, which is emptied before. Needs the build. */
export async function writeRelease(directory: string): Promise<Release> {
  rmSync(directory, { recursive: true, force: true });
  const [npm, github, pypi] = ["npm", "release", "pypi"].map((each) => {
    mkdirSync(join(directory, each), { recursive: true });
    return join(directory, each);
  }) as [string, string, string];
  const problems = releaseProblems();

  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", resolve(npm)]);
  await writePluginArchives(github);
  writeFileSync(join(github, "schema.json"), JSON.stringify(builtSchema()));
  writeFileSync(join(github, `${name}-v${version}.cdx.json`), billOfMaterials());

  const sdks = await writeSdks(join(directory, "sdks"), { languages: LANGUAGES });
  problems.push(...sdks.problems);
  for (const sdk of sdks.written) {
    const file = join(github, `${name}-sdk-${basename(sdk)}-v${version}.tar.gz`);
    await create({ cwd: sdk, file, gzip: true, portable: true }, readdirSync(sdk).sort());
  }
  if (sdks.written.some((sdk) => basename(sdk) === "python")) {
    const args = ["-m", "pip", "wheel", join(directory, "sdks", "python"), "--no-deps", "--wheel-dir", pypi];
    await run("python3", args).catch(({ stderr, message }) =>
      problems.push(`The wheel of the Python SDK was not built: ${(stderr || message).trim()}`),
    );
  }

  if (sdks.written.some((sdk) => basename(sdk) === "java")) {
    const args = ["--batch-mode", "--quiet", "--file", join(directory, "sdks", "java"), "package"];
    await run("mvn", args).catch(({ stdout, message }) =>
      problems.push(`The archives of the Java SDK were not built: ${(stdout || message).trim()}`),
    );
  }

  const published = publishedNames();
  const files = (from: string) => readdirSync(from).map((file) => relative(directory, join(from, file)));
  const releases = pluginDownloadUrl(repository.url) ?? `${repository.url} (a placeholder)`;
  return {
    uploads: [
      { to: `npm, as ${published.npm}@${version}`, files: files(npm) },
      { to: `Release v${version} of the repository, ${releases}`, files: files(github) },
      { to: `PyPI, as ${published.pypi} ${version}`, files: files(pypi) },
      { to: `Git tag sdk/go/v${version}, for ${published.go}`, files: ["sdks/go"] },
      { to: `NuGet, manually, as ${published.nuget} ${version}`, files: ["sdks/dotnet"] },
      { to: `Maven Central, manually, as ${published.maven}:${version}`, files: ["sdks/java"] },
    ],
    problems,
  };
}

/** Runs a program in the root of the package. */
async function run(command: string, args: readonly string[]): Promise<void> {
  await promisify(execFile)(command, args, { shell: SHELL, maxBuffer: 64 * 1024 * 1024 });
}

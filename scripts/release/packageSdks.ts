/** Writes the SDK of each language, which the Pulumi CLI generates from the schema, as packages that can be published. */
import { execFile } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { installations } from "../registry/registryPages";
import type { PackageSchema } from "../schema/packageSchema";
import { builtSchema } from "./builtSchema";
import { writeMavenProject } from "./mavenProject";

const ROOT = join(__dirname, "..", "..");

/** The languages, as the CLI names them, with their names in Markdown. The package for TypeScript is written by hand. */
const CODE_LANGUAGES: Readonly<Record<string, string>> = {
  python: "python",
  go: "go",
  dotnet: "csharp",
  java: "java",
};

export const LANGUAGES: readonly string[] = Object.keys(CODE_LANGUAGES);

/**
 * Writes the SDKs of some languages into a directory, which is created if necessary. Resolves with their directories, and
 * why the others were not written. Needs the build.
 */
export async function writeSdks(
  directory: string,
  { languages, downloadUrl }: { readonly languages: readonly string[]; readonly downloadUrl?: string },
): Promise<{ readonly written: readonly string[]; readonly problems: readonly string[] }> {
  const temporary = mkdtempSync(join(tmpdir(), "dynamiclink-sdks-"));
  // The generator for .NET downloads the logo.
  const logo = createServer((_request, response) =>
    response.end(readFileSync(join(ROOT, "docs", "logo.png"))),
  );
  await new Promise<void>((resolve) => logo.listen(0, "127.0.0.1", resolve));
  const { port } = logo.address() as AddressInfo;
  const schema = builtSchema(downloadUrl);
  const written: string[] = [];
  const problems: string[] = [];
  try {
    const file = join(temporary, "schema.json");
    const publisher = `The maintainers of ${schema.name}`;
    writeFileSync(
      file,
      JSON.stringify({ ...schema, publisher, logoUrl: `http://127.0.0.1:${port}/logo.png` }),
    );
    mkdirSync(directory, { recursive: true });
    for (const language of languages) {
      const sdk = join(directory, language);
      rmSync(sdk, { recursive: true, force: true });
      try {
        await generate(file, language, directory);
      } catch (error) {
        rmSync(sdk, { recursive: true, force: true });
        problems.push(`The SDK for ${language} was not written: ${(error as Error).message}`);
        continue;
      }
      writeFileSync(
        join(sdk, "README.md"),
        readme(schema, installations()[CODE_LANGUAGES[language] ?? ""] ?? ""),
      );
      copyFileSync(join(ROOT, "LICENSE"), join(sdk, "LICENSE"));
      if (language === "python") expressLicence(sdk);
      if (language === "dotnet") packReadme(sdk);
      if (language === "java") writeMavenProject(sdk, schema, publisher);
      written.push(sdk);
    }
  } finally {
    logo.close();
    rmSync(temporary, { recursive: true, force: true });
  }
  return { written, problems };
}

/** Lets the CLI generate the SDK of a language. @throws Error that says what is missing. */
async function generate(schema: string, language: string, directory: string): Promise<void> {
  if (!LANGUAGES.includes(language)) throw new Error(`only those for ${LANGUAGES.join(", ")} are published.`);
  const args = ["package", "gen-sdk", schema, "--language", language, "--out", directory];
  await promisify(execFile)("pulumi", args).catch(({ code, stderr = "" }) => {
    if (code === "ENOENT") throw new Error("there is no pulumi on PATH. Install the Pulumi CLI.");
    if (stderr.includes(`no language plugin 'pulumi-language-${language}'`))
      throw new Error(
        `there is no pulumi-language-${language} on PATH or beside the Pulumi CLI. Complete installations of the CLI have it.`,
      );
    throw new Error(stderr.trim());
  });
}

/** Writes the licence as an expression. Versions of setuptools from 2027 on do not build the table that is generated. */
function expressLicence(sdk: string): void {
  const file = join(sdk, "pyproject.toml");
  const text = readFileSync(file, "utf8");
  const table = /^ *\[project\.license\]\n *text = (".+")\n/m;
  const [, licence] = table.exec(text) ?? [];
  if (licence === undefined) throw new Error("pyproject.toml has no table with the licence.");
  writeFileSync(
    file,
    text
      .replace(table, "")
      .replace("[project]\n", `$&  license = ${licence}\n`)
      // The first version that knows expressions.
      .replace(/setuptools>=[\d.]+/, "setuptools>=77.0.3"),
  );
}

/** Adds the page to the NuGet package, which the generator does not. */
function packReadme(sdk: string): void {
  const [project = ""] = readdirSync(sdk).filter((name) => name.endsWith(".csproj"));
  const text = readFileSync(join(sdk, project), "utf8");
  const icon = /^( *)<PackageIcon>.*$/m;
  if (!icon.test(text)) throw new Error(`${project} has no PackageIcon, after which the page is added.`);
  const item = '<ItemGroup>\n    <None Include="README.md" Pack="true" PackagePath="" />\n  </ItemGroup>';
  writeFileSync(
    join(sdk, project),
    text
      .replace(icon, "$&\n$1<PackageReadmeFile>README.md</PackageReadmeFile>")
      .replace("</Project>", `  ${item}\n</Project>`),
  );
}

/** The page that each registry shows. */
function readme({ displayName, description, repository }: PackageSchema, installation: string): string {
  return `# ${displayName} for Pulumi

${description}

${installation}

Pulumi downloads the plugin, which needs Node.js 22.19 or newer on PATH. The guides are in the
[repository](${repository}).
`;
}

/** The SDKs as they are published, with the plugin from the releases: what a user of each language runs. */

import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import packageJson from "../../../package.json";
import { schemaExamples } from "../../../scripts/registry/schemaExamples";
import { languageOptions } from "../../../scripts/schema/languages";
import { ROOT } from "../../release/package/unpackedProgram";
import { execute } from "../../support/processes/execute";
import { pulumiCli } from "../../support/processes/pulumiCli";
import { quickstart } from "./quickstart";
import { ARCHIVE, testWithReleases } from "./releases";

const { version } = packageJson;

/** Runs a Python program with mocks in place of the engine. */
const WITH_MOCKS = `
import asyncio, runpy, pulumi
class Mocks(pulumi.runtime.Mocks):
    def new_resource(self, args):
        return args.name, args.inputs
    def call(self, args):
        return args.args
pulumi.runtime.set_mocks(Mocks())
@pulumi.runtime.test
def program():
    runpy.run_path("example.py")
program()
`;

/** Runs `npm run sdks` for a language. Resolves with the directory of the SDK. */
async function written(language: string, directory: string, downloadUrl: string): Promise<string> {
  const args = ["--languages", language, "--out", join(directory, "written"), "--download-url", downloadUrl];
  const printed = await execute(process.execPath, [join(ROOT, "scripts", "run.cjs"), "sdks", ...args], {
    directory: ROOT,
    environment: pulumiCli().environment,
  });
  return printed.trim();
}

testWithReleases(
  ["python"],
  "the wheel of the Python SDK is all that a program needs",
  async (stack, { downloadUrl, requested }) => {
    const { directory, pulumi } = stack;
    const sdk = await written("python", directory, downloadUrl);
    await execute("pip", ["wheel", sdk, "--no-deps", "--wheel-dir", directory], {
      directory,
      environment: process.env,
    });
    const [wheel = ""] = globSync("*.whl", { cwd: directory });
    expect(wheel).toBe(`pulumi_dynamiclink-${version}-py3-none-any.whl`);
    writeFileSync(join(directory, "requirements.txt"), `pulumi>=3.216.0,<4.0.0\n./${wheel}\n`);
    await pulumi("install");
    await quickstart(stack);
    expect(requested()).toEqual([ARCHIVE]);
    for (const [name, { python = "" }] of schemaExamples()) {
      writeFileSync(join(directory, "example.py"), python);
      const run = execute("venv/bin/python", ["-c", WITH_MOCKS], { directory, environment: process.env });
      expect([name, await run]).toEqual([name, ""]);
    }
    // What PyPI shows.
    const metadata = readFileSync(
      globSync(`venv/lib/*/site-packages/pulumi_dynamiclink-${version}.dist-info/METADATA`, {
        cwd: directory,
      }).map((path) => join(directory, path))[0] ?? "",
      "utf8",
    );
    expect(metadata).toContain(`\nName: pulumi_dynamiclink\nVersion: ${version}\n`);
    expect(metadata).toMatch(/^Project-URL: Homepage, https:/m);
    expect(metadata).toContain("# dynamiclink for Pulumi\n");
    expect(metadata).toMatch(/^License-Expression: Apache-2.0$/m);
  },
  { example: "quickstart-python" },
);

testWithReleases(
  ["go"],
  "the module of the Go SDK is all that a program needs",
  async (stack, { downloadUrl, requested }) => {
    const { directory } = stack;
    const sdk = await written("go", directory, downloadUrl);
    const [, module = ""] = /^module (\S+)$/m.exec(readFileSync(join(sdk, "go.mod"), "utf8")) ?? [];
    const options = { directory, environment: process.env };
    await execute("go", ["mod", "edit", `-require=${module}@v0.0.0`, `-replace=${module}=${sdk}`], options);
    await execute("go", ["mod", "tidy"], options);
    await quickstart(stack);
    expect(requested()).toEqual([ARCHIVE]);
    for (const [name, { go = "" }] of schemaExamples()) {
      mkdirSync(join(directory, "examples", name), { recursive: true });
      writeFileSync(join(directory, "examples", name, "main.go"), go);
    }
    await execute("go", ["vet", "./..."], options);
  },
  { example: "quickstart-go" },
);

testWithReleases(
  ["java"],
  "the Maven package of the Java SDK is all that a program needs",
  async (stack, { downloadUrl, requested }) => {
    const { directory, environment } = stack;
    // Maven reads it in the SDK as well. It keeps the package of this test out of the packages of the machine.
    mkdirSync(join(directory, ".mvn"));
    writeFileSync(join(directory, ".mvn", "maven.config"), `-Dmaven.repo.local=${join(directory, "m2")}\n`);
    const sdk = await written("java", directory, downloadUrl);
    // The page of the registry, and the licence.
    for (const file of ["README.md", "LICENSE"]) expect(globSync(file, { cwd: sdk })).toEqual([file]);
    await execute("mvn", ["--quiet", "--batch-mode", "install"], { directory: sdk, environment });
    const { java } = languageOptions(packageJson.repository.url);
    const archives = globSync(`m2/**/dynamiclink/${version}/*.jar`, { cwd: directory });
    expect(archives.map((path) => basename(path)).sort()).toEqual([
      `dynamiclink-${version}-javadoc.jar`,
      `dynamiclink-${version}-sources.jar`,
      `dynamiclink-${version}.jar`,
    ]);

    cpSync(join(ROOT, "test", "fixtures", "quickstartJava"), directory, { recursive: true });
    for (const file of ["pom.xml", "src/main/java/shop/App.java"]) {
      const text = readFileSync(join(directory, file), "utf8");
      writeFileSync(
        join(directory, file),
        text.replaceAll("example.git", java.basePackage).replace("VERSION", version),
      );
    }
    await quickstart(stack);
    expect(requested()).toEqual([ARCHIVE]);
  },
  // Pulumi cannot read the list of plugins after the colour codes that some installations of Maven print.
  { programs: ["mvn"], environment: { MAVEN_OPTS: "-Djansi.noreset=true" } },
);

testWithReleases(
  ["dotnet"],
  "the SDK for .NET has the names that never change",
  async ({ directory }, { downloadUrl }) => {
    const sdk = await written("dotnet", directory, downloadUrl);
    const project = readFileSync(join(sdk, "Dynamiclink.Infrastructure.csproj"), "utf8");
    expect(project).toContain(`<Version>${version}</Version>`);
    expect(project).toContain("<PackageReadmeFile>README.md</PackageReadmeFile>");
    expect(project).toContain('<None Include="README.md" Pack="true"');
    expect(project).toContain('<PackageReference Include="Pulumi" Version="3.*"');
    expect(readFileSync(join(sdk, "Project.cs"), "utf8")).toContain("namespace Dynamiclink.Infrastructure\n");
    expect(readFileSync(join(sdk, "README.md"), "utf8")).toContain(version);
  },
);

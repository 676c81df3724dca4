/**
 * The steps in docs/hosts.md, in each language: files and commands as printed, in their order, in an empty directory. The
 * program of docs/configuration.md follows, which adds an organization.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../../testing/emulator";
import { codeBlocks, stepsIn } from "../../release/docs/codeBlocks";
import { linkPackages, ROOT } from "../../release/package/programs";
import { execute } from "../../support/processes/execute";
import { pulumiCli } from "../../support/processes/pulumiCli";
import { ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION } from "../../support/values/organizations";
import { commandsUnder, installPlugin, type NativeStack, startReleases, testIn } from "./support";

function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
}

async function run({ pulumi, service, directory }: NativeStack, line: string, server = ""): Promise<void> {
  const address = line.includes(" --server ") ? server : service.url;
  const [program = "", ...args] = line.replace("https://…", address).split(" ");
  if (program === "npm") return linkPackages(directory);
  // The stack's environment has a key.
  if (program === "export") return expect(line).toBe("export DYNAMICLINK_API_KEY=…");
  if (program === "pulumi") return void (await pulumi(...args, ...(args[0] === "up" ? ["--yes"] : [])));
  await execute(program, args, { directory, environment: process.env });
}

/** Each language, the file of its program, and the name of its unit test in docs/testing.md. */
const LANGUAGES: readonly (readonly [heading: string, host: string, program: string, unitTest?: string])[] = [
  ["TypeScript and JavaScript", "nodejs", "index.ts"],
  ["YAML", "yaml", "Pulumi.yaml"],
  ["Python", "python", "__main__.py", "test_shop.py"],
  ["Go", "go", "main.go", "shop_test.go"],
];

for (const [heading, host, program, unitTest] of LANGUAGES)
  testIn(
    [host],
    `the steps in ${heading} deploy the program, and add an organization`,
    async (stack) => {
      const { directory, service, pulumi } = stack;
      const { files, commands } = stepsIn(heading);
      const [deploy = [], clone = ["pulumi install", "pulumi preview"]] = commands;
      await using releases = await startReleases(stack);
      writeFileSync(join(directory, "package.json"), JSON.stringify({ private: true, type: "module" }));
      writeFiles(directory, files);
      for (const line of deploy) await run(stack, line, releases.downloadUrl);
      expect(service.state.projects).toMatchObject([{ name: "Shop" }]);
      await pulumi("preview", "--expect-no-changes");
      if (host === "nodejs") return;
      await expectOrganizationAdded(stack, host, program);

      // A clone lacks venv too. It stays, because the commands before have created it in the same way, and that takes long.
      rmSync(join(directory, "sdks"), { recursive: true, force: true });
      await pulumi("plugin", "rm", "resource", "dynamiclink", "--yes");
      for (const line of clone) await run(stack, line);
      if (unitTest !== undefined) await expectTested(stack, heading, unitTest, program);
    },
    { environment: { DYNAMICLINK_API_KEY_EUROPE: OTHER_KEY } },
  );

async function expectOrganizationAdded(stack: NativeStack, language: string, program: string): Promise<void> {
  const { directory, service, pulumi } = stack;
  const file = join(directory, program);
  const first = readFileSync(file, "utf8");
  const isOnPage = ({ place }: { place: string }) => place.startsWith("docs/configuration.md:");
  const text = codeBlocks().find((block) => block.language === language && isOnPage(block))?.text ?? "";
  writeFileSync(file, text);
  if (language === "go") await run(stack, "go mod tidy");
  await pulumi("up", "--yes", "--skip-preview");
  const organizations = service.state.projects.map(({ organizationId }) => organizationId);
  expect(organizations.sort()).toEqual([ORGANIZATION, OTHER_ORGANIZATION]);
  await pulumi("preview", "--expect-no-changes");
  writeFileSync(file, first);
}

/** Runs the unit test of the page, which passes for the program, and fails for another. */
async function expectTested(stack: NativeStack, heading: string, file: string, programFile: string) {
  const { directory } = stack;
  const page = readFileSync(join(ROOT, "docs", "testing.md"), "utf8");
  const [, section = ""] = page.split(`\n### Mocks in ${heading}\n`);
  const blocks = section.matchAll(/```\w*\n([\s\S]*?)```/g);
  const [test = "", command = ""] = [...blocks].map(([, block = ""]) => block);
  writeFileSync(join(directory, file), test);
  if (heading === "Go") await run(stack, "go mod tidy");
  await run(stack, command.trim());
  const program = join(directory, programFile);
  writeFileSync(program, readFileSync(program, "utf8").replace('"Shop"', '"Market"'));
  await expect(run(stack, command.trim())).rejects.toThrow(/Market/);
}

testIn(
  ["nodejs"],
  "in a TypeScript project, pulumi package add fails with the error in docs/errors.md, and its cure undoes it",
  async ({ directory, pulumi }) => {
    const { files } = stepsIn("TypeScript and JavaScript");
    const before = { private: true, type: "module" };
    const packageFile = join(directory, "package.json");
    writeFileSync(packageFile, JSON.stringify(before));
    writeFiles(directory, files);
    linkPackages(directory);
    await expect(pulumi("package", "add", "./node_modules/pulumi-dynamiclink/plugin")).rejects.toThrow(
      /EINVALIDPACKAGENAME[\s\S]+"pulumi-dynamiclink\/native"/,
    );
    const added = JSON.parse(readFileSync(packageFile, "utf8"));
    expect(added.dependencies).toEqual({ "pulumi-dynamiclink/native": "file:sdks/dynamiclink" });
    const page = readFileSync(join(ROOT, "docs", "errors.md"), "utf8");
    const [, cure = ""] = /EINVALIDPACKAGENAME.+`(npm pkg delete [^`]+)`/.exec(page) ?? [];
    await execute("sh", ["-ec", cure], { directory, environment: process.env });
    // npm leaves an empty list of the scripts that it allows.
    expect(JSON.parse(readFileSync(packageFile, "utf8"))).toEqual({ ...before, allowScripts: {} });
  },
);

testIn(
  ["yaml"],
  "the steps with the emulator in docs/testing.md deploy, show and destroy a program, also a second time",
  async (stack) => {
    const { directory } = stack;
    const key = "development-key-of-the-emulator";
    const seed = { organizations: [{ keys: [{ key }] }] };
    const service = await startEmulator({ seed, controls: true });
    const backend = join(directory, "backend");
    const script = commandsUnder("### With the emulator", "testing.md")
      .replaceAll("http://127.0.0.1:8180", service.url)
      .replaceAll("/tmp/shop-test", backend);
    writeFiles(directory, stepsIn("YAML").files);
    await installPlugin(stack);
    try {
      const { PULUMI_HOME } = stack.environment;
      const environment = { ...pulumiCli().environment, DYNAMICLINK_READ_ONLY: undefined, PULUMI_HOME };
      // The same steps work again, with the backend of the first time.
      for (const _time of ["first", "second"]) {
        const printed = await execute("sh", ["-ec", script], { directory, environment });
        expect(printed).toContain('"name":"Shop"');
        expect(service.state.projects).toEqual([]);
      }
    } finally {
      await service.close();
    }
  },
);

/** The plugin as Pulumi downloads it: from an address in the program's packages, in the SDK, or in the schema. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../package.json";
import { packTarball, unpackInto } from "../../release/package/unpackedProgram";
import { writesIn } from "../../support/stacks/scenarios";
import { quickstart } from "./quickstart";
import { ARCHIVE, testWithReleases } from "./releases";
import { exported, initialized, installPlugin, type NativeStack, yamlProgramIn } from "./support";

const { version } = packageJson;
const EARLIER = "0.3.9";

testWithReleases(
  ["nodejs"],
  "a TypeScript program needs no plugins in Pulumi.yaml: Pulumi downloads the plugin of the package's version",
  async (stack, { repository, requested }) => {
    const { directory } = stack;
    const program = readFileSync(join(directory, "index.ts"), "utf8");
    writeFileSync(
      join(directory, "index.ts"),
      program.replace('from "pulumi-dynamiclink"', 'from "pulumi-dynamiclink/native"'),
    );
    stack.write({ runtime: { name: "nodejs", options: { typescript: false } }, main: "index.ts" }, {});
    const tarball = packTarball();
    unpackInto(directory, tarball);
    tarball.remove();
    writeFileSync(
      join(directory, "node_modules", "pulumi-dynamiclink", "package.json"),
      JSON.stringify({ ...packageJson, repository: { type: "git", url: repository } }),
    );
    await quickstart(stack);
    expect(requested()).toEqual([ARCHIVE]);
  },
  { example: "quickstart" },
);

testWithReleases(
  ["yaml"],
  "a program in YAML needs no npm package: Pulumi downloads the plugin to generate the SDK, and later to run it",
  async (stack, { downloadUrl, requested }) => {
    const { pulumi } = stack;
    const { plugins: _plugins, ...program } = yamlProgramIn(stack.directory);
    stack.write(program, {});
    await pulumi("package", "add", `dynamiclink@${version}`, "--server", downloadUrl);
    expect(requested()).toEqual([ARCHIVE]);
    // As on another machine.
    await pulumi("plugin", "rm", "resource", "dynamiclink", "--yes");
    await quickstart(stack);
    expect(requested()).toEqual([ARCHIVE]);
  },
  { example: "quickstart-yaml" },
);

testWithReleases(
  ["yaml"],
  "a stack of an earlier version has no changes with this one, with both archives installed",
  async (stack, { downloadUrl }) => {
    const { pulumi, service } = stack;
    // The same archive as another version: Pulumi chooses by the version that it was installed as.
    await installPlugin(stack, [EARLIER, version]);
    const shop = { type: "dynamiclink:Project", properties: { name: "Shop" } };
    const declare = (options: object) => stack.write({ resources: { shop: { ...shop, options } } }, {});
    declare({ version: EARLIER });
    await initialized(stack);
    await pulumi("up", "--yes", "--skip-preview");
    expect(await providers(stack)).toEqual([EARLIER]);
    service.clearRequests();

    declare({ version });
    await pulumi("preview", "--expect-no-changes");
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    // The address of the releases is new as well.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: in YAML, it would be a reference.
    declare({ version, pluginDownloadURL: downloadUrl.replace("${VERSION}", version) });
    await pulumi("up", "--yes", "--skip-preview", "--expect-no-changes");
    await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
    expect(writesIn(service)).toEqual([]);
    expect(await providers(stack)).toEqual([version]);
    await pulumi("destroy", "--yes", "--skip-preview");
    expect(service.state.projects).toEqual([]);
  },
);

async function providers(stack: NativeStack): Promise<unknown[]> {
  const { resources } = await exported(stack);
  return resources
    .filter(({ type }) => type === "pulumi:providers:dynamiclink")
    .map(({ inputs }) => inputs.version);
}

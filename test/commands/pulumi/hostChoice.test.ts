/** Which host the commands choose: by option, else from what the stack has, else from the Pulumi project. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseHost } from "../../../cli/pulumi/hostChoice";
import type { PulumiStack, StackResource } from "../../../cli/pulumi/stack";
import { newDirectory } from "../directories";

function projectWith(text: string, name = "Pulumi.yaml"): string {
  const directory = newDirectory();
  writeFileSync(join(directory, name), text);
  return directory;
}

const PLUGIN = "plugins:\n  providers:\n    - name: dynamiclink\n      path: ./plugin\n";

const DYNAMIC = { type: "pulumi-nodejs:dynamic/dynamiclink:Project" };
const NATIVE = { type: "dynamiclink:index:Application" };
const READ = { ...NATIVE, external: true };
const OTHERS = [{ type: "pulumi:pulumi:Stack" }, { type: "pulumi:providers:dynamiclink" }];
const OTHER_PLUGINS =
  "plugins: {providers: [{name: aws}], analyzers: [{name: dynamiclink}]}\npackages: {aws: 7.0.0}\n";

/** What each project leads to: the host, and the fact that requires it. Without resources, there is no stack. */
test.each<[string, string, Pick<StackResource, "type" | "external">[], "dynamic" | "native", string?]>([
  ["nodejs", "runtime: nodejs\n", [], "dynamic"],
  ["nodejs with options", "runtime: {name: nodejs, options: {typescript: false}}\n", [], "dynamic"],
  ["the plugin", PLUGIN, [], "native", "<project> has the plugin dynamiclink"],
  [
    "the package",
    "packages: {dynamiclink: ./plugin}\n",
    [],
    "native",
    "<project> has the plugin dynamiclink",
  ],
  ["other plugins and packages", OTHER_PLUGINS, [], "dynamic"],
  ["malformed plugins", "plugins: [dynamiclink]\npackages: dynamiclink\n", [], "dynamic"],
  ["malformed providers", "plugins: {providers: [dynamiclink, null]}\n", [], "dynamic"],
  ["python", "runtime: python\n", [], "native", "<project> has the runtime python"],
  ["go with options", "runtime: {name: go, options: {}}\n", [], "native", "<project> has the runtime go"],
  ["yaml with the plugin", `runtime: yaml\n${PLUGIN}`, [], "native", "<project> has the runtime yaml"],
  ["no runtime", "name: shop\n", [], "dynamic"],
  ["dynamic resources", "runtime: nodejs\n", [DYNAMIC], "dynamic"],
  [
    "the plugin and dynamic resources",
    PLUGIN,
    [...OTHERS, DYNAMIC],
    "dynamic",
    "Stack dev has dynamic resources",
  ],
  ["native resources", "runtime: nodejs\n", [...OTHERS, NATIVE], "native", "Stack dev has native resources"],
  ["the plugin and both", PLUGIN, [DYNAMIC, NATIVE], "native", "<project> has the plugin dynamiclink"],
  ["both, without the plugin", "runtime: nodejs\n", [DYNAMIC, NATIVE], "dynamic"],
  ["other resources", "runtime: nodejs\n", OTHERS, "dynamic"],
  ["native resources that it only reads", "runtime: nodejs\n", [READ], "dynamic"],
  [
    "python and dynamic resources",
    "runtime: python\n",
    [DYNAMIC],
    "native",
    "<project> has the runtime python",
  ],
])("a project with %s", async (_, text, resources, host, fact = "") => {
  const cwd = projectWith(text);
  const stack: PulumiStack = {
    name: "dev",
    settings: async () => ({}),
    exportState: async () => ({}),
    resources: async () => resources.map((resource) => ({ urn: "urn:pulumi:dev::p::t::n", ...resource })),
  };
  const chosen = async (native?: boolean) => {
    const choice = await chooseHost({ cwd, native }, resources.length === 0 ? undefined : stack);
    return [choice.host.name, choice.reason];
  };
  const [other, option] = host === "native" ? ["dynamic", "--no-native"] : ["native", "--native"];
  const reason = `${fact.replace("<project>", join(cwd, "Pulumi.yaml"))}, so ${host} resources are used. For ${other} resources, add ${option}.`;
  expect(await chosen()).toEqual([host, fact === "" ? undefined : reason]);
  expect(await chosen(true)).toEqual(["native", undefined]);
  expect(await chosen(false)).toEqual(["dynamic", undefined]);
});

test("the project is the one that Pulumi finds: in the directory or above it, in any format", async () => {
  const cwd = join(projectWith('{"name": "shop", "runtime": "go"}', "Pulumi.json"), "a", "b");
  mkdirSync(cwd, { recursive: true });
  expect(await chooseHost({ cwd })).toMatchObject({ host: { name: "native" }, runtime: "go" });
  writeFileSync(join(cwd, "Pulumi.yml"), "runtime: nodejs\n");
  expect(await chooseHost({ cwd })).toMatchObject({ host: { name: "dynamic" }, runtime: "nodejs" });
  expect(await chooseHost({ cwd: newDirectory() })).toMatchObject({ host: { name: "dynamic" } });
});

test.each([
  ["malformed YAML", "name: x\nruntime: {name: nodejs\nsecret: canary\n", " (line 3)"],
  ["text", "canary\n", ""],
  ["a list", "- canary\n", ""],
  ["nothing", "", ""],
  ["an alias without an anchor", "runtime: *canary\n", ""],
])("a project file with %s is an error, which --no-native avoids", async (_, text, place) => {
  const cwd = projectWith(text);
  const message = `${join(cwd, "Pulumi.yaml")} is not a Pulumi project file${place}. Correct it, or add --no-native.`;
  await expect(chooseHost({ cwd })).rejects.toThrow(message);
  await expect(chooseHost({ cwd, native: true })).rejects.toThrow(message);
  expect((await chooseHost({ cwd, native: false })).host.name).toBe("dynamic");
});

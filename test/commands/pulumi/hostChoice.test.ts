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

test.each([
  ["nodejs", "runtime: nodejs\n", "dynamic", undefined],
  ["nodejs with options", "runtime: {name: nodejs, options: {typescript: false}}\n", "dynamic", undefined],
  ["nodejs with the plugin", `runtime: nodejs\n${PLUGIN}`, "native", "the plugin dynamiclink"],
  [
    "nodejs with the package",
    "runtime: nodejs\npackages: {dynamiclink: ./plugin}\n",
    "native",
    "the plugin dynamiclink",
  ],
  [
    "nodejs with other plugins and packages",
    "runtime: nodejs\nplugins: {providers: [{name: aws}], analyzers: [{name: dynamiclink}]}\npackages: {aws: 7.0.0}\n",
    "dynamic",
    undefined,
  ],
  [
    "nodejs with malformed plugins",
    "runtime: nodejs\nplugins: [dynamiclink]\npackages: dynamiclink\n",
    "dynamic",
    undefined,
  ],
  [
    "nodejs with malformed providers",
    "runtime: nodejs\nplugins: {providers: [dynamiclink, null]}\n",
    "dynamic",
    undefined,
  ],
  ["python", "runtime: python\n", "native", "the runtime python"],
  ["go with options", "runtime: {name: go, options: {}}\n", "native", "the runtime go"],
  ["yaml with the plugin", `runtime: yaml\n${PLUGIN}`, "native", "the runtime yaml"],
  ["no runtime", "name: shop\n", "dynamic", undefined],
])("a project with %s", async (_, text, host, fact) => {
  const cwd = projectWith(text);
  const choice = await chooseHost({ cwd });
  expect(choice.host.name).toBe(host);
  expect(choice.reason).toBe(
    fact &&
      `${join(cwd, "Pulumi.yaml")} has ${fact}, so native resources are used. For dynamic resources, add --no-native.`,
  );
  for (const native of [true, false]) {
    const { host: chosen, reason } = await chooseHost({ cwd, native });
    expect([chosen.name, reason]).toEqual([native ? "native" : "dynamic", undefined]);
  }
});

/** A stack with resources of these types. */
function stackWith(...resources: Pick<StackResource, "type" | "external">[]): PulumiStack {
  return {
    name: "dev",
    settings: async () => ({}),
    exportState: async () => ({}),
    resources: async () => resources.map((resource) => ({ urn: "urn:pulumi:dev::p::t::n", ...resource })),
  };
}

const DYNAMIC = { type: "pulumi-nodejs:dynamic/dynamiclink:Project" };
const NATIVE = { type: "dynamiclink:index:Application" };
const OTHERS = [{ type: "pulumi:pulumi:Stack" }, { type: "pulumi:providers:dynamiclink" }];

test.each([
  [
    "dynamic resources, in a project with the plugin",
    `runtime: nodejs\n${PLUGIN}`,
    [...OTHERS, DYNAMIC],
    "dynamic",
    "Stack dev has dynamic resources, so dynamic resources are used. For native resources, add --native.",
  ],
  ["dynamic resources, in a project without it", "runtime: nodejs\n", [DYNAMIC], "dynamic", undefined],
  [
    "native resources, in a project without the plugin",
    "runtime: nodejs\n",
    [...OTHERS, NATIVE],
    "native",
    "Stack dev has native resources, so native resources are used. For dynamic resources, add --no-native.",
  ],
  [
    "both, in a project with the plugin",
    `runtime: nodejs\n${PLUGIN}`,
    [DYNAMIC, NATIVE],
    "native",
    "<project> has the plugin dynamiclink, so native resources are used. For dynamic resources, add --no-native.",
  ],
  ["both, in a project without the plugin", "runtime: nodejs\n", [DYNAMIC, NATIVE], "dynamic", undefined],
  ["others", "runtime: nodejs\n", OTHERS, "dynamic", undefined],
  [
    "native resources that it only reads",
    "runtime: nodejs\n",
    [{ ...NATIVE, external: true }],
    "dynamic",
    undefined,
  ],
  [
    "dynamic resources, in a project in Python",
    "runtime: python\n",
    [DYNAMIC],
    "native",
    "<project> has the runtime python, so native resources are used. For dynamic resources, add --no-native.",
  ],
])("a stack with %s", async (_, text, resources, host, reason) => {
  const cwd = projectWith(text);
  const stack = stackWith(...resources);
  const choice = await chooseHost({ cwd }, stack);
  expect([choice.host.name, choice.reason]).toEqual([
    host,
    reason?.replace("<project>", join(cwd, "Pulumi.yaml")),
  ]);
  for (const native of [true, false])
    expect((await chooseHost({ cwd, native }, stack)).host.name).toBe(native ? "native" : "dynamic");
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

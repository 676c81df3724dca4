/** Which host the commands choose: by option, else from the Pulumi project. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseHost } from "../../../cli/pulumi/hostChoice";
import { newDirectory } from "../support";

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

/**
 * Terraform configurations, converted by the mapping of the plugin: the program gives the objects of the root module the
 * names that `discover --terraform-state --native` gives them, so that its file imports them. It needs Pulumi's converter
 * for Terraform, `pulumi-converter-terraform`, on PATH.
 */

import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import type { Seed } from "../../../testing/emulator";
import { run } from "../../commands/run";
import { linkPackages, ROOT } from "../../release/package/unpackedProgram";
import { type NativeStack, packedPlugin, testIn } from "./support";

const FIXTURES = join(ROOT, "test", "fixtures", "terraform");

/** What the page says to delete before the conversion. */
const REQUIRED_PROVIDERS = /terraform \{\n {2}required_providers \{.*?\n {2}\}\n\}\n/s;

interface Sample {
  readonly title: string;
  /** The directory of the configuration. */
  readonly configuration: string;
  readonly state: string;
  readonly seed: string;
  readonly keys: Readonly<Record<string, string>>;
  /** The edits of the generated program, by file. */
  readonly edits: Readonly<Record<string, readonly (readonly [text: string, replacement: string])[]>>;
  /** Parts of the program that the mapping is responsible for. */
  readonly converted: readonly string[];
  /** The number of objects in the state. */
  readonly objects: number;
  /** The classes and names of the objects of the root module. */
  readonly inRoot: readonly string[];
}

/** The provider that the converter drops, and the line before which it is declared. */
function provider(name: string, line: string): readonly [string, string] {
  const variable = `DYNAMICLINK_API_KEY_${name.toUpperCase()}`;
  const declaration = `const ${name} = new dynamiclink.Provider("${name}", { apiUrl: "https://replaced.example", apiKeyEnvVar: "${variable}" });`;
  return [line, `${declaration}\n${line}`];
}

const SAMPLES: readonly Sample[] = [
  {
    title: "with count, keys in other scripts, a module with for_each and a provider alias",
    configuration: join(FIXTURES, "configuration"),
    state: join(FIXTURES, "terraform.tfstate"),
    seed: join(FIXTURES, "seed.json"),
    keys: { DYNAMICLINK_API_KEY: "terraform-key-1", DYNAMICLINK_API_KEY_EUROPE: "terraform-key-eu" },
    edits: {
      "index.ts": [
        provider("europe", 'const shop = new dynamiclink.Project("shop"'),
        ['("eu", {name: "Shop"})', '("eu", {name: "Shop"}, { provider: europe })'],
      ],
    },
    converted: [
      'import * as dynamiclink from "pulumi-dynamiclink/native";',
      'defaultHookupMsg: "Open it in the app"',
      "appType: dynamiclink.AppType.IOS",
      'appIdPrefix: "A1B2C3D4E5"',
    ],
    objects: 15,
    inRoot: [
      ...["Project shop", "Project eu", "Application shop_ios", "Application web-0", "Application web-1"],
      ...[
        "Project campaign-Summer / 2026",
        "Project campaign-winter",
        "Project campaign-쇼핑",
        "CustomDomain links",
      ],
    ],
  },
  {
    title: "with two modules, a data source, blocks, a provider alias for a module, and prevent_destroy",
    configuration: join(FIXTURES, "second", "configuration"),
    state: join(FIXTURES, "second", "terraform.tfstate"),
    seed: join(FIXTURES, "second", "seed.json"),
    keys: { DYNAMICLINK_API_KEY: "second-key-1", DYNAMICLINK_API_KEY_ASIA: "second-key-asia" },
    edits: {
      "index.ts": [
        provider("asia", "const shared = dynamiclink.getProjectOutput({"),
        ['("home", {name: "Home"})', '("home", {name: "Home"}, { provider: asia })'],
        ["{country: range.key})", "{country: range.key}, { provider: asia })"],
        ["appType: dynamiclink.AppType.IOS,\n})", "appType: dynamiclink.AppType.IOS,\n}, { protect: true })"],
      ],
      "brand.ts": [
        ["this.projectId = this;", "this.projectId = _this.id;"],
        ["projectId: this,", "projectId: this.projectId,"],
      ],
    },
    converted: [
      'dynamiclink.getProjectOutput({\n    id: "0a0a0a0a-0000-4000-8000-000000000001",\n})',
      // A block and an attribute become the same value.
      'appleInfo: {\n        appName: "Shared",',
      "export const sharedDomain = shared.subDomain;",
    ],
    objects: 14,
    inRoot: ["Application shared_ios", "Project home"],
  },
];

/** Converts a configuration into a program in `directory`. */
async function convert(stack: NativeStack, { configuration, edits }: Sample): Promise<string> {
  const { directory, pulumi, service } = stack;
  const [archive = ""] = await packedPlugin(directory);
  await pulumi("plugin", "install", "resource", "dynamiclink", version, "--file", archive);
  const source = join(directory, "source");
  cpSync(configuration, source, { recursive: true });
  const withUrl = (text: string) => text.replaceAll("https://replaced.example", service.url);
  for (const file of globSync(join(source, "**", "*.tf")))
    edit(file, (text) => withUrl(text.replace(REQUIRED_PROVIDERS, "")));
  const program = join(directory, "converted");
  mkdirSync(program);
  const language = ["--language", "typescript", "--generate-only", "--out", program];
  await pulumi("convert", "--cwd", source, "--from", "terraform", ...language);
  const converted = readFileSync(join(program, "index.ts"), "utf8");
  for (const [file, replacements] of Object.entries(edits)) {
    edit(join(program, file), (text) =>
      replacements.reduce((before, [wanted, replacement]) => {
        expect(before).toContain(wanted);
        return before.replace(wanted, withUrl(replacement));
      }, text),
    );
  }
  // npm rejects the name that Pulumi writes into it, and the package is here.
  edit(join(program, "package.json"), (text) => {
    const { dependencies, ...rest } = JSON.parse(text);
    expect(dependencies).toMatchObject({ "pulumi-dynamiclink/native": version });
    return JSON.stringify(rest);
  });
  linkPackages(program);
  return converted;
}

/** The classes and logical names in an import file. */
function namesIn(text: string): readonly string[] {
  const { resources } = JSON.parse(text) as {
    resources: { type: string; name: string; logicalName?: string }[];
  };
  return resources.map(({ type, name, logicalName = name }) => `${type.split(":").at(-1)} ${logicalName}`);
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

for (const sample of SAMPLES) {
  const seed = JSON.parse(readFileSync(sample.seed, "utf8")) as Seed;
  testIn(
    ["nodejs"],
    `a configuration ${sample.title} becomes a TypeScript program with the names of discover`,
    async (stack) => {
      const { directory, pulumi, service, environment } = stack;
      const converted = await convert(stack, sample);
      for (const part of sample.converted) expect(converted).toContain(part);

      const inProgram = ["--cwd", join(directory, "converted"), "--stack", "test"];
      await pulumi("stack", "init", ...inProgram);
      const preview = join(directory, "preview.json");
      await pulumi("preview", "--import-file", preview, ...inProgram);
      const inPreview = namesIn(readFileSync(preview, "utf8"));
      const found: string[] = [];
      for (const key of Object.values(sample.keys)) {
        const args = ["--native", "--terraform-state", sample.state, "--api-url", service.url];
        found.push(
          ...namesIn((await run("discover", args, { ...environment, DYNAMICLINK_API_KEY: key })).stdout),
        );
      }
      expect(found).toHaveLength(sample.objects);
      for (const names of [found, inPreview])
        expect(names).toEqual(expect.arrayContaining([...sample.inRoot]));
      expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    },
    { seed, programs: ["pulumi-converter-terraform"], environment: sample.keys },
  );
}

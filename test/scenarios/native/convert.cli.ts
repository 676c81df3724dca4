/**
 * Terraform configurations, converted by the mapping of the plugin and adopted by the steps of docs/migrating.md: the
 * program names objects as `discover --terraform-state` does. It needs Pulumi's converter for
 * Terraform, `pulumi-converter-terraform`, on PATH.
 */
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../package.json";
import type { Seed } from "../../../testing/emulator";
import { run } from "../../commands/run";
import { linkPackages, ROOT } from "../../release/package/unpackedProgram";
import { commandsUnder, initialized, installPlugin, type NativeStack, testIn } from "./support";

const FIXTURES = join(ROOT, "test", "fixtures", "terraform");

/** What the page says to delete before the conversion. */
const REQUIRED_PROVIDERS = /terraform \{\n {2}required_providers \{.*?\n {2}\}\n\}\n/s;

interface Sample {
  readonly title: string;
  readonly configuration: string;
  readonly state: string;
  readonly seed: string;
  readonly keys: Readonly<Record<string, string>>;
  /** The edits of the generated program, by file. */
  readonly edits: Readonly<
    Record<string, readonly (readonly [found: string | RegExp, replacement: string])[]>
  >;
  /** Parts of the program that the mapping is responsible for. */
  readonly converted: readonly string[];
  readonly objects: number;
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
        ['import * as std from "@pulumi/std";\n', ""],
        ["args.message = args.message || null;\n", ""],
        ["pulumi.Input<Record<string, pulumi.Input<string>>>", "Record<string, string>"],
        ["slug: pulumi.Input<string>", "slug: string"],
        [/std\.replace\(.*?\)\.result;\n/s, 'args.slug.toLowerCase().replaceAll("-", "");\n'],
        [/std\.coalesce\(.*?\)\.result,/s, 'args.message ?? ["Open", args.title, "in the app"].join(" "),'],
        [/std\.lookup\(.*?\)\.result,/s, 'args.domains[args.slug] ?? args.slug + ".brand.example",'],
      ],
    },
    converted: [
      'dynamiclink.getProjectOutput({\n    id: "0a0a0a0a-0000-4000-8000-000000000001",\n})',
      // A block and an attribute become the same value.
      'appleInfo: {\n        appName: "Shared",',
      "export const sharedDomain = shared.subDomain;",
    ],
    objects: 14,
  },
];

async function convert(stack: NativeStack, { configuration, edits }: Sample): Promise<string> {
  const { directory, pulumi, service } = stack;
  await installPlugin(stack);
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
        expect(before).toMatch(wanted);
        return before.replace(wanted, () => withUrl(replacement));
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

function uuidsIn(text: string): readonly string[] {
  const { resources } = JSON.parse(text) as { resources: { id?: string }[] };
  return resources.flatMap(({ id }) => id ?? []);
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}

for (const sample of SAMPLES) {
  const seed = JSON.parse(readFileSync(sample.seed, "utf8")) as Seed;
  testIn(
    ["nodejs"],
    `a configuration ${sample.title} becomes a TypeScript program that adopts all objects of the state`,
    async (stack) => {
      const { directory, pulumi, service, environment } = stack;
      const converted = await convert(stack, sample);
      for (const part of sample.converted) expect(converted).toContain(part);

      const program = join(directory, "converted");
      const inProgram = ["--cwd", program, "--stack", "test"];
      await pulumi("stack", "init", ...inProgram);
      const list = join(program, "preview.json");
      await pulumi("preview", "--import-file", list, ...inProgram);
      for (const key of Object.values(sample.keys)) {
        const args = ["--terraform-state", sample.state, "--import-file", list, "--api-url", service.url];
        await run("discover", args, { ...environment, DYNAMICLINK_API_KEY: key });
      }
      const imported = uuidsIn(readFileSync(list, "utf8"));
      expect(new Set(imported).size).toBe(sample.objects);
      for (const uuid of imported) expect(readFileSync(sample.state, "utf8")).toContain(uuid);

      await pulumi("import", "--file", list, "--generate-code=false", "--yes", ...inProgram);
      await pulumi("up", "--yes", "--skip-preview", ...inProgram);
      await pulumi("preview", "--refresh", "--expect-no-changes", ...inProgram);
      expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    },
    {
      seed,
      programs: ["pulumi-converter-terraform"],
      environment: { ...sample.keys, DYNAMICLINK_READ_ONLY: "1" },
    },
  );
}

testIn(
  ["yaml", "nodejs"],
  "a program in YAML is converted by the steps of docs/migrating.md, and its stack has no changes",
  async (stack) => {
    const { directory, pulumi } = stack;
    linkPackages(directory);
    await initialized(stack);
    await pulumi("up", "--yes", "--skip-preview");

    const converted = join(directory, "..", "converted");
    for (const line of commandsUnder("## From a program in YAML", "migrating.md").split("\n")) {
      const [program, ...args] = line.split(" ");
      if (program === "pulumi") {
        await pulumi(...args);
        continue;
      }
      mkdirSync(converted);
      linkPackages(converted);
    }
    cpSync(join(directory, "Pulumi.test.yaml"), join(converted, "Pulumi.test.yaml"));
    await pulumi("preview", "--expect-no-changes", "--stack", "test", "--cwd", converted);
  },
  { example: "quickstart-yaml", programs: ["pulumi-converter-yaml"] },
);

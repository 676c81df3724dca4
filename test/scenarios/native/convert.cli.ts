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
import { linkPackages, ROOT } from "../../release/package/programs";
import { commandsUnder, initialized, installPlugin, type NativeStack, testIn } from "./support";

const FIXTURES = join(ROOT, "test", "fixtures", "terraform");

/** What the page says to delete before the conversion. */
const REQUIRED_PROVIDERS = /terraform \{\n {2}required_providers \{.*?\n {2}\}\n\}\n/s;

/** A configuration with count, keys in other scripts, a module with for_each and a provider alias. */
const FILES = {
  configuration: join(FIXTURES, "configuration"),
  state: join(FIXTURES, "terraform.tfstate"),
  seed: join(FIXTURES, "seed.json"),
};
const OBJECTS = 15;
const KEYS = { DYNAMICLINK_API_KEY: "terraform-key-1", DYNAMICLINK_API_KEY_EUROPE: "terraform-key-eu" };

/** The edits of the generated program: the provider that the converter drops. */
const EDITS = [
  [
    'const shop = new dynamiclink.Project("shop"',
    `const europe = new dynamiclink.Provider("europe", { apiUrl: "https://replaced.example", apiKeyEnvVar: "DYNAMICLINK_API_KEY_EUROPE" });
const shop = new dynamiclink.Project("shop"`,
  ],
  ['("eu", {name: "Shop"})', '("eu", {name: "Shop"}, { provider: europe })'],
] as const;

/** Parts of the program that the mapping is responsible for. */
const CONVERTED = [
  'import * as dynamiclink from "pulumi-dynamiclink/native";',
  'defaultHookupMsg: "Open it in the app"',
  "appType: dynamiclink.AppType.IOS",
  'appIdPrefix: "A1B2C3D4E5"',
];

async function convert(stack: NativeStack): Promise<string> {
  const { directory, pulumi, service } = stack;
  await installPlugin(stack);
  const source = join(directory, "source");
  cpSync(FILES.configuration, source, { recursive: true });
  const withUrl = (text: string) => text.replaceAll("https://replaced.example", service.url);
  for (const file of globSync(join(source, "**", "*.tf")))
    edit(file, (text) => withUrl(text.replace(REQUIRED_PROVIDERS, "")));
  const program = join(directory, "converted");
  mkdirSync(program);
  const language = ["--language", "typescript", "--generate-only", "--out", program];
  await pulumi("convert", "--cwd", source, "--from", "terraform", ...language);
  const converted = readFileSync(join(program, "index.ts"), "utf8");
  edit(join(program, "index.ts"), (text) =>
    EDITS.reduce((before, [wanted, replacement]) => {
      expect(before).toContain(wanted);
      return before.replace(wanted, () => withUrl(replacement));
    }, text),
  );
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

testIn(
  ["nodejs"],
  "a configuration becomes a TypeScript program that adopts all objects of the state",
  async (stack) => {
    const { directory, pulumi, service, environment } = stack;
    const converted = await convert(stack);
    for (const part of CONVERTED) expect(converted).toContain(part);

    const program = join(directory, "converted");
    const inProgram = ["--cwd", program, "--stack", "test"];
    await pulumi("stack", "init", ...inProgram);
    const list = join(program, "preview.json");
    await pulumi("preview", "--import-file", list, ...inProgram);
    for (const key of Object.values(KEYS)) {
      const args = ["--terraform-state", FILES.state, "--import-file", list, "--api-url", service.url];
      await run("discover", args, { ...environment, DYNAMICLINK_API_KEY: key });
    }
    const imported = uuidsIn(readFileSync(list, "utf8"));
    expect(new Set(imported).size).toBe(OBJECTS);
    for (const uuid of imported) expect(readFileSync(FILES.state, "utf8")).toContain(uuid);

    await pulumi("import", "--file", list, "--generate-code=false", "--yes", ...inProgram);
    await pulumi("up", "--yes", "--skip-preview", ...inProgram);
    await pulumi("preview", "--refresh", "--expect-no-changes", ...inProgram);
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  },
  {
    seed: JSON.parse(readFileSync(FILES.seed, "utf8")) as Seed,
    programs: ["pulumi-converter-terraform"],
    environment: { ...KEYS, DYNAMICLINK_READ_ONLY: "1" },
  },
);

testIn(
  ["yaml", "nodejs"],
  "a program in YAML is converted by the steps of docs/migrating.md, and its stack has no changes",
  async (stack) => {
    const { directory, pulumi } = stack;
    await installPlugin(stack);
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

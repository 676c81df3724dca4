/**
 * What the documents show works: commands exist, data parses, links lead somewhere, and tests pass. test/release/package
 * compiles the programs. test/release/examples and test/scenarios/native run those of the guides.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse as parseYaml } from "yaml";
import { commands } from "../../../cli/commands";
import { files, scripts } from "../../../package.json";
import { EVERY_DESCRIPTION } from "../../../provider/resources";
import { FUNCTIONS } from "../../../provider/resources/functions";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import type { TestStack } from "../../../testing/engine";
import { compileCache } from "../../../testing/engine/process/compileCache";
import { programStack } from "../../support/stacks/programStack";
import { KEY, OTHER_KEY } from "../../support/values/organizations";
import { type Directory, programWith, ROOT } from "../package/programs";
import { anchorsOf, codeBlocks, documents, linksIn, OBJECT, SEED, schemaExamples } from "./codeBlocks";

const blocks = codeBlocks();
const typescript = blocks.filter(({ language }) => language === "typescript");

const environment = { ...process.env, ...compileCache(), DYNAMICLINK_READ_ONLY: undefined };

function programDirectory(files: Record<string, string>): Directory {
  return programWith({ "package.json": JSON.stringify({ name: "documents", type: "module" }), ...files });
}

function stackFor(directory: Directory, service: Emulator): TestStack {
  return programStack({
    service,
    program: join(directory.path, "index.ts"),
    environment: { DYNAMICLINK_API_KEY_EUROPE: OTHER_KEY, DYNAMICLINK_API_KEY_ASIA: KEY },
  });
}

const programs = [...typescript, ...schemaExamples("typescript")].filter(
  ({ text }, index, all) =>
    all.findIndex((each) => each.text === text) === index &&
    text.includes('from "pulumi-dynamiclink";') &&
    !/from "node:test"|^declare |\bautomation\b/m.test(text),
);
test.each(programs)("the program is deployed: $place", async ({ text }) => {
  using directory = programDirectory({ "index.ts": text });
  await using service = await startEmulator({ seed: SEED });
  await using stack = stackFor(directory, service);
  await stack.up();
});

test("docs/functions.md finds the UUID of an application by its bundle ID", async () => {
  const program = typescript.find(({ text }) => text.includes("appleInfo?.bundleId ==="));
  using directory = programDirectory({ "index.ts": program?.text ?? "" });
  await using service = await startEmulator({ seed: SEED });
  await using stack = stackFor(directory, service);
  expect((await stack.up()).outputs).toEqual({ id: OBJECT });
});

const SHOP = 'import { Project } from "pulumi-dynamiclink";\nnew Project("shop", { name: "Shop" });';

test.each(typescript.filter(({ text }) => text.includes('from "node:test"')))(
  "the test passes with node --test: $place",
  ({ text }) => {
    using directory = programDirectory({ "index.ts": SHOP, "index.test.ts": text });
    const options = { cwd: directory.path, env: environment, encoding: "utf8" } as const;
    const printed = execFileSync(process.execPath, ["--test", "--test-reporter=tap"], options);
    expect(printed).toContain("# pass 1\n# fail 0");
  },
);

test("TypeScript blocks about the Automation API are parts of its example, which test/release/examples runs", () => {
  const scripts = ["inline.ts", "local.ts"].map((name) =>
    readFileSync(join(ROOT, "examples", "automation-api", name), "utf8"),
  );
  const parts = typescript.filter(({ place }) => place.startsWith("docs/automation-api.md"));
  expect(parts.length).toBeGreaterThan(0);
  expect(parts.filter(({ text }) => !scripts.some((script) => script.includes(text.trim())))).toEqual([]);
});

test("the commands and options of this package exist, and the scripts of package.json", () => {
  const optionsOf = commands().map((one) => [one.name(), one.options.map(({ long }) => long)] as const);
  const options = new Map(optionsOf);
  const lines = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ place, text }) => text.split(/\n| && /).map((line) => ({ place, line: line.trim() })));
  const unknown = lines.filter(({ line }) => {
    const [program, first = "", name = "", ...rest] = line.replace(/\s+#.*$/, "").split(/\s+/);
    if (program === "npm" && first === "run") return !(name in scripts);
    if (program !== "npx" || first !== "pulumi-dynamiclink") return false;
    const used = rest.filter((word) => word.startsWith("--")).map((word) => word.replace(/=.*/, ""));
    return !used.every((option) => options.get(name)?.includes(option));
  });
  expect(lines.filter(({ line }) => line.startsWith("npx pulumi-dynamiclink ")).length).toBeGreaterThan(5);
  expect(unknown).toEqual([]);
});

test("every file of the installed package that a document names is in it", () => {
  const named = documents.flatMap((document) => {
    const text = readFileSync(join(ROOT, document), "utf8");
    const found = text.matchAll(/node_modules\/pulumi-dynamiclink\/([\w./-]*[\w-])/g);
    return [...found].map(([, path = ""]) => path);
  });
  expect(named.length).toBeGreaterThan(0);
  expect(
    named.filter((path) => !existsSync(join(ROOT, path)) || !files.includes(path.split("/")[0] ?? "")),
  ).toEqual([]);
});

test("blocks with data parse", () => {
  for (const { place, language, text } of blocks) {
    if (language === "json") JSON.parse(text);
    if (language !== "yaml") continue;
    // Pulumi omits what is null in YAML.
    const nulls = /:null\b/.test(JSON.stringify(parseYaml(text)));
    expect({ place, nulls }).toEqual({ place, nulls: false });
  }
  const known = /^(sh|typescript|javascript|python|go|csharp|java|yaml|json|mermaid|)$/;
  expect(blocks.filter(({ language }) => !known.test(language)).map(({ place }) => place)).toEqual([]);
});

test.each([
  ["python", ["docs/_index.md", "docs/hosts.md", "docs/testing.md"]],
  ["go", ["docs/_index.md", "docs/hosts.md", "docs/testing.md"]],
  ["csharp", ["docs/_index.md"]],
  ["java", ["docs/_index.md"]],
])("%s blocks are examples of the schema, or test/scenarios/native runs them", (language, pages) => {
  const examples = schemaExamples(language).map(({ text }) => text);
  // The last one is that of the Provider.
  expect(examples).toHaveLength(EVERY_DESCRIPTION.length + Object.keys(FUNCTIONS).length + 1);
  const others = blocks.filter((block) => block.language === language && !examples.includes(block.text));
  expect(others.map(({ place }) => place.replace(/:.*/, ""))).toEqual(pages);
});

test.each(documents)("%s has no broken links", (document) => {
  const broken = linksIn(document).filter(
    ({ file, anchor }) => !existsSync(join(ROOT, file)) || (anchor && !anchorsOf(file).includes(anchor)),
  );
  expect(broken).toEqual([]);
});

test("the pages stay few and short enough to be read: what is added makes room", () => {
  const prose = (document: string) =>
    readFileSync(join(ROOT, document), "utf8").replace(/^( *)```[\s\S]*?^\1```/gm, "");
  const pages = documents.filter((document) => document !== "CHANGELOG.md");
  // The pages of Pulumi's registry repeat others.
  const own = pages.filter((page) => !/^layout: package$/m.test(readFileSync(join(ROOT, page), "utf8")));
  const words = own.flatMap((page) => prose(page).match(/\S+/g) ?? []).length;
  expect(pages.filter((page) => page.startsWith("docs/")).length).toBeLessThanOrEqual(26);
  expect(words).toBeLessThanOrEqual(23_000);
  const lines = pages.map((page) => [page, prose(page).split("\n").length] as const);
  expect(lines.filter(([page, length]) => length > (page === "README.md" ? 115 : 200))).toEqual([]);
});

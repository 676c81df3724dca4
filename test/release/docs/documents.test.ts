/**
 * What the documents show works: programs preview, commands exist, data parses, links are not broken. test/release/package
 * compiles the programs.
 *
 * A TypeScript block is a whole program, with its imports. One that does not run has a comment before it:
 * `<!-- compiled only: why -->`.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseYaml } from "yaml";
import { commands } from "../../../cli/commands";
import { files, scripts, version } from "../../../package.json";
import { type Emulator, type Seed, startEmulator } from "../../../testing/emulator";
import { compileCache } from "../../../testing/engine/process/compileCache";
import { sharedStacks } from "../../support/stacks/sharedProcess";
import { KEY, ORGANIZATION } from "../../support/values/organizations";
import { type ProgramDirectory, programWith, ROOT } from "../package/unpackedProgram";
import { codeBlocks, documents, gettingStarted, stepsIn } from "./codeBlocks";

const newStack = sharedStacks();

const EUROPE_KEY = "europe-key-of-the-documents";
const ASIA_KEY = "asia-key-of-the-documents";

/** The objects whose UUIDs the programs in the documents contain. */
const seed: Seed = {
  organizations: [
    {
      id: ORGANIZATION,
      keys: [{ key: KEY }],
      projects: [
        {
          id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e",
          name: "Brand",
          applications: [
            {
              id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10",
              appType: "IOS",
              appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" },
            },
          ],
          customDomains: [{ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10", hostname: "links.shop.example" }],
          links: [{ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10", name: "Home", url: "https://shop.example/" }],
        },
      ],
    },
    { keys: [{ key: EUROPE_KEY }] },
    { keys: [{ key: ASIA_KEY }] },
  ],
};

const blocks = codeBlocks();
const typescript = blocks.filter(({ language }) => language === "typescript");
const programs = typescript.filter(({ compiledOnly }) => !compiledOnly);

function programDirectory(files: Record<string, string>): ProgramDirectory {
  return programWith({ "package.json": JSON.stringify({ name: "documents", type: "module" }), ...files });
}

test("the documents contain blocks to check", () => {
  expect(typescript.length).toBeGreaterThan(15);
  expect(programs.length).toBeGreaterThan(12);
});

describe("a preview succeeds for the program", () => {
  let service: Emulator;
  beforeAll(async () => {
    service = await startEmulator({ seed });
  });
  afterAll(() => service?.close());

  test.each(programs.map((block) => [block.place, block] as const))("%s", async (_place, block) => {
    using directory = programDirectory({ "index.ts": block.text });
    await using stack = newStack({
      program: join(directory.path, "index.ts"),
      config: { "dynamiclink:apiUrl": service.url },
      environment: {
        DYNAMICLINK_API_KEY: KEY,
        DYNAMICLINK_API_KEY_EUROPE: EUROPE_KEY,
        DYNAMICLINK_API_KEY_ASIA: ASIA_KEY,
        DYNAMICLINK_READ_ONLY: undefined,
      },
    });
    const { changes } = await stack.preview();
    expect(Object.keys(changes)).not.toContain("delete");
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

test.each(
  typescript
    .filter(({ text }) => text.includes('from "node:test"'))
    .map((block) => [block.place, block] as const),
)("the test passes with node --test: %s", (_place, { text }) => {
  using directory = programDirectory({
    "index.ts": 'import { Project } from "pulumi-dynamiclink";\nnew Project("shop", { name: "Shop" });',
    "index.test.ts": text,
  });
  const printed = execFileSync(process.execPath, ["--test", "--test-reporter=tap"], {
    cwd: directory.path,
    env: { ...process.env, ...compileCache(), DYNAMICLINK_READ_ONLY: undefined },
    encoding: "utf8",
  });
  expect(printed).toContain("# pass 1\n# fail 0");
});

test("TypeScript blocks about the Automation API are parts of its example, which test/release/examples runs", () => {
  const scripts = ["inline.ts", "local.ts"].map((name) =>
    readFileSync(join(ROOT, "examples", "automation-api", name), "utf8"),
  );
  const parts = typescript.filter(({ place }) => place.startsWith("docs/automation-api.md"));
  expect(parts.length).toBeGreaterThan(0);
  for (const { place, text } of parts)
    expect({ place, found: scripts.some((script) => script.includes(text.trim())) }).toEqual({
      place,
      found: true,
    });
});

test.each([
  ["commonjs", 'const { Project } = require("pulumi-dynamiclink");'],
  ["module", 'import { Project } from "pulumi-dynamiclink";'],
])("the test of docs/testing.md for Jest passes in a project of type %s", (type, imports) => {
  const [configuration, , text] = blocks.filter(({ language }) => language === "javascript");
  using directory = programDirectory({
    "package.json": JSON.stringify({ name: "documents", type }),
    "index.js": `${imports}\nnew Project("shop", { name: "Shop" });`,
    "jest.config.cjs": configuration?.text ?? "",
    "shop.test.cjs": text?.text ?? "",
  });
  const jest = join(ROOT, "node_modules", "jest", "bin", "jest.js");
  const { stderr } = spawnSync(process.execPath, [jest], {
    cwd: directory.path,
    env: { ...process.env, ...compileCache(), DYNAMICLINK_READ_ONLY: undefined },
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^Tests: +1 passed, 1 total$/m);
});

describe("the command exists:", () => {
  const lines = blocks
    .filter(({ language }) => language === "sh")
    .flatMap(({ place, text }) =>
      text
        .split(/\n| && /)
        .map((line) => line.replace(/\s+#.*$/, "").trim())
        .filter((line) => line !== "")
        .map((line) => [place, line] as const),
    );
  const flags = new Map(
    commands().map((command) => [command.name(), command.options.map(({ long }) => long)]),
  );
  /** Pulumi's commands and flags in the documents. test/cli, test/protocol/hosts, test/scenarios/native and test/scenarios run them. */
  const pulumi: Record<string, string[]> = {
    preview: ["--expect-no-changes", "--refresh", "--import-file"],
    up: ["--yes", "--refresh"],
    convert: ["--cwd", "--from", "--language", "--generate-only", "--out"],
    destroy: ["--yes"],
    refresh: ["--clear-pending-creates"],
    import: ["--file", "--out", "--yes"],
    "stack select": ["--create"],
    "config set": ["--secret"],
    install: [],
    "new ./node_modules/pulumi-dynamiclink/templates": ["--force"],
    "package add ./node_modules/pulumi-dynamiclink/plugin": [],
    [`package add dynamiclink@${version}`]: ["--server"],
    [`plugin install resource dynamiclink ${version}`]: ["--file"],
  };

  test("pulumi-dynamiclink has the commands that are checked here", () => {
    const printed = execFileSync(process.execPath, [join(ROOT, "dist/cli/index.js"), "--help"], {
      encoding: "utf8",
    });
    const [, listed = ""] = printed.split("Commands:\n");
    const names = [...listed.matchAll(/^ {2}([\w-]+)/gm)].map(([, name = ""]) => name);
    expect(names.filter((name) => name !== "help")).toEqual([...flags.keys()]);
  });

  test.each(lines)("%s %s", (_place, line) => {
    const [program = "", ...rest] = line.split(" ");
    const used = rest.filter((word) => word.startsWith("--"));
    if (program === "pulumi") {
      const command = Object.keys(pulumi).find((each) => rest.join(" ").startsWith(each));
      expect(command).toBeDefined();
      expect(pulumi[command ?? ""]).toEqual(expect.arrayContaining(used));
    } else if (line.startsWith("npx pulumi-dynamiclink ")) {
      expect(flags.get(rest[1] ?? "")).toEqual(expect.arrayContaining(used));
    } else if (line.startsWith("npm run ")) {
      expect(Object.keys(scripts)).toContain(rest[1]);
    } else {
      // Each of these is run by test/release/package, test/release/examples, test/scenarios/native or the tests of the documents' own commands. Those of
      // other languages follow from the names that test/pure/plugin/sdkNames.test.ts pins.
      expect(line).toMatch(
        /^(npm (install|ci|test|cit|pkg delete)\b|(pip install|go get|dotnet add package|mvn dependency:get) |go mod tidy$|node --test$|node (links|inline|local|quickstart\/demo)\.ts\b|cp -r node_modules\/pulumi-dynamiclink\/examples\/|export [A-Z_]+=|cd (organization|program)$|mkdir -p \/tmp\/shop-test$|curl --fail |openssl req -x509 |venv\/bin\/python -m unittest$|go test \.\/\.\.\.$)/,
      );
    }
  });
});

test("every file of the installed package that a document names is in it", () => {
  const named = documents.flatMap((document) => {
    const text = readFileSync(join(ROOT, document), "utf8");
    return [...text.matchAll(/node_modules\/pulumi-dynamiclink\/([\w./-]*[\w-])/g)].map(
      ([, path = ""]) => path,
    );
  });
  expect(named).toContain("examples/several-organizations");
  expect(
    named.filter((path) => !existsSync(join(ROOT, path)) || !files.includes(path.split("/")[0] ?? "")),
  ).toEqual([]);
});

test("blocks with data parse", () => {
  for (const { place, language, text } of blocks) {
    if (language === "json") JSON.parse(text);
    // Pulumi omits what is null in YAML.
    if (language === "yaml")
      expect({ place, nulls: /:null\b/.test(JSON.stringify(parseYaml(text))) }).toEqual({
        place,
        nulls: false,
      });
  }
  const known = ["", "sh", "typescript", "javascript", "python", "go", "yaml", "json", "mermaid", "xml"];
  expect(blocks.filter(({ language }) => !known.includes(language)).map(({ place }) => place)).toEqual([]);
});

test.each(["python", "go"])(
  "%s blocks are in docs/hosts.md and docs/testing.md only, whose steps test/scenarios/native runs",
  (language) => {
    const places = blocks.filter((block) => block.language === language).map(({ place }) => place);
    expect(places.map((place) => place.replace(/:.*/, ""))).toEqual(["docs/hosts.md", "docs/testing.md"]);
  },
);

test.each([
  ["TypeScript and JavaScript", ["Pulumi.yaml", "index.ts"], 1],
  ["YAML", ["Pulumi.yaml"], 1],
  ["Python", ["Pulumi.yaml", "requirements.txt", "__main__.py"], 2],
  ["Go", ["Pulumi.yaml", "go.mod", "main.go"], 1],
] as const)(
  "the section %s of docs/hosts.md has all files and commands, which test/scenarios/native runs",
  (heading, files, blocks) => {
    const steps = stepsIn(heading);
    expect(Object.keys(steps.files)).toEqual(files);
    expect(steps.commands).toHaveLength(blocks);
    expect(steps.commands[0]?.at(-1)).toBe("pulumi up");
  },
);

test("the commands of README.md install the package, create a stack, configure it and deploy", () => {
  expect(gettingStarted().commands).toEqual([
    "npm install pulumi-dynamiclink @pulumi/pulumi",
    "pulumi stack select --create dev",
    "pulumi config set dynamiclink:apiUrl https://…",
    "export DYNAMICLINK_API_KEY=…",
    "pulumi up",
  ]);
});

/** The anchor that GitHub gives a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number} _-]/gu, "")
    .replaceAll(" ", "-");
}

function anchorsOf(file: string): string[] {
  const headings = readFileSync(file, "utf8").match(/^#+ .+$/gm) ?? [];
  return headings.map((heading) => anchorOf(heading.replace(/^#+ /, "")));
}

test.each(documents)("%s has no broken links", (document) => {
  const text = readFileSync(join(ROOT, document), "utf8");
  const links = [...text.matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link = ""]) => link);
  const broken = links.filter((link) => {
    const [path = "", anchor] = link.split("#");
    const file = path === "" ? join(ROOT, document) : join(ROOT, dirname(document), path);
    return !existsSync(file) || (anchor !== undefined && !anchorsOf(file).includes(anchor));
  });
  expect(broken).toEqual([]);
});

/** Shorter pages fit on a few screens. */
const LONG_LINES = 150;

const longPages = documents
  .filter((document) => /^docs\/[^/]+$/.test(document))
  .map((document) => [document, readFileSync(join(ROOT, document), "utf8")] as const)
  .filter(([, text]) => text.split("\n").length > LONG_LINES);

test("there are long pages", () => {
  expect(longPages.map(([document]) => document)).toEqual(
    expect.arrayContaining(["docs/hosts.md", "docs/testing.md"]),
  );
});

test.each(longPages)(
  "%s starts with its contents: a link to each of its sections, in their order",
  (_, text) => {
    const withoutCode = text.replaceAll(/^```[\s\S]*?^```/gm, "");
    const sections = [...withoutCode.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
    const [beginning = ""] = withoutCode.split(/^## /m);
    const links = beginning.matchAll(/^- \[(.+)\]\(#(.+)\)$/gm);
    expect([...links].map(([, heading, anchor]) => [heading, anchor])).toEqual(
      sections.map((heading) => [heading, anchorOf(heading)]),
    );
  },
);

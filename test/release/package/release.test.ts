/** What a release needs: real addresses, each in one file, and the same version everywhere. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import packageJson from "../../../package.json";
import { version as lockedVersion, packages } from "../../../package-lock.json";
import { releaseProblems } from "../../../scripts/release/check";
import { PLACEHOLDER_MODULE } from "../../../scripts/schema/languages";
import { packageSchema } from "../../../scripts/schema/packageSchema";
import { documents } from "../docs/codeBlocks";
import { type Directory, directoryWith, ROOT } from "./programs";

const { bugs, repository, version } = packageJson;
const REAL = {
  repository: { type: "git", url: "git+https://git.real.test/pulumi-dynamiclink.git" },
  bugs: { url: "https://git.real.test/pulumi-dynamiclink/issues", email: "security@real.test" },
};

const PAGE = "---\ntitle: x\nmeta_desc: x\nlayout: package\n---\n";
const SCHEMA = packageSchema({ ...packageJson, ...REAL });
const FILES = {
  "CHANGELOG.md": `# Changelog\n\n## ${version}\n`,
  "docs/_index.md": PAGE,
  "docs/installation-configuration.md": PAGE,
  "schema.json": JSON.stringify(SCHEMA),
};

function packageWith(changes: object, files: Readonly<Record<string, string>> = {}): Directory {
  const facts = JSON.stringify({ ...packageJson, ...REAL, ...changes });
  return directoryWith({ "package.json": facts, ...FILES, ...files });
}

function problemsOf(...changes: Parameters<typeof packageWith>): string[] {
  using directory = packageWith(...changes);
  const current = process.cwd();
  process.chdir(directory.path);
  try {
    return releaseProblems();
  } finally {
    process.chdir(current);
  }
}

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

test("only package.json has the address of the repository and the security contact", () => {
  const [, host = ""] = repository.url.match(/:\/\/([^/]+)/) ?? [];
  expect(host).not.toBe("");
  for (const document of documents) {
    const found = [host, bugs.url, bugs.email].filter((address) => textOf(document).includes(address));
    expect({ document, found }).toEqual({ document, found: [] });
  }
  expect(textOf("SECURITY.md")).toContain("`bugs.email` in package.json");
});

test.each([
  [{}, `v${version}`, []],
  [
    { bugs: { url: "x.example" } },
    "v9.9.9",
    [
      "bugs.url in package.json is x.example: set the real address.",
      "bugs.email in package.json is missing: set the real address.",
      `The tag is v9.9.9, but the version in package.json is ${version}.`,
    ],
  ],
])("the release check of a package with %j and the tag %s prints each problem", (changes, tag, problems) => {
  using directory = packageWith(changes);
  const script = join(ROOT, "scripts", "run.cjs");
  const options = { cwd: directory.path, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, [script, "release:check", tag], options);
  const printed = problems.map((problem) => `error: ${problem}\n`).join("");
  expect({ status, stderr }).toEqual({ status: problems.length > 0 ? 1 : 0, stderr: printed });
});

const PLACEHOLDER = "git+https://git.example/shop.git";
const OVER_SSH = "git+ssh://git@git.real.test/shop.git";
const IMPORT = `import "${PLACEHOLDER_MODULE}/sdk/go/dynamiclink"`;
const COMPLETE = "complete package.json or the doc comments, and run `npm run docs`.";
const OWNERS = ".github/CODEOWNERS";
const SETTINGS = { description: "The settings." };

function schemaWith(changes: object) {
  return { "schema.json": JSON.stringify({ ...SCHEMA, ...changes }) };
}

function at(url: string) {
  return { repository: { url } };
}

test.each<[problem: string, changes: object, files?: Readonly<Record<string, string>>]>([
  [`repository.url in package.json is ${PLACEHOLDER}: set the real address.`, at(PLACEHOLDER)],
  [`repository.url in package.json is ${OVER_SSH}: Pulumi downloads only from https.`, at(OVER_SSH)],
  [`CHANGELOG.md has no section for ${version}.`, {}, { "CHANGELOG.md": "# Changelog\n" }],
  [`docs/hosts.md imports ${PLACEHOLDER_MODULE}, a placeholder.`, {}, { "docs/hosts.md": IMPORT }],
  [`schema.json lacks publisher: ${COMPLETE}`, {}, schemaWith({ publisher: undefined })],
  [`schema.json lacks an example of provider: ${COMPLETE}`, {}, schemaWith({ provider: SETTINGS })],
  [`docs/_index.md lacks meta_desc: ${COMPLETE}`, {}, { "docs/_index.md": PAGE.replace("meta_desc", "x") }],
  [`${OWNERS} has a placeholder: set the real owners.`, {}, { [OWNERS]: textOf(OWNERS) }],
])("the release check reports: %s", (problem, changes, files = {}) => {
  expect(problemsOf(changes, files)).toEqual([problem]);
});

test("the command and the lock file have the version of package.json", () => {
  const args = [join(ROOT, "dist/cli/index.js"), "--version"];
  const command = execFileSync(process.execPath, args, { encoding: "utf8" });
  const found = [command.trim(), lockedVersion, packages[""].version];
  expect(found).toEqual([version, version, version]);
});

test("the documents install the version of package.json", () => {
  // The changelog has the commands of earlier versions as well.
  const guides = documents.filter((document) => document !== "CHANGELOG.md");
  const installed = guides.flatMap((document) => {
    const found = textOf(document).matchAll(/dynamiclink(?:@|-v| )(\d+\.\d+\.\d+)/g);
    return [...found].map(([, each]) => ({ document, found: each }));
  });
  expect(installed.length).toBeGreaterThan(2);
  expect(installed.filter(({ found }) => found !== version)).toEqual([]);
});

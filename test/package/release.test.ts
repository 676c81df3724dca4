/** What a release needs: real addresses, each in one file, and the same version in the tag and the changelog. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import packageJson from "../../package.json";
import { PLACEHOLDER_MODULE } from "../../provider/hosts/languages";
import { pluginSchema } from "../../scripts/pluginSchema";
import { namesOf } from "../../scripts/release/schemaBreaks";
import { documents, ROOT } from "../docs/codeBlocks";
import { directoryWith } from "./unpackedProgram";

const { bugs, repository, version } = packageJson;
const REAL = {
  repository: { type: "git", url: "git+https://git.real.test/pulumi-dynamiclink.git" },
  bugs: { url: "https://git.real.test/pulumi-dynamiclink/issues", email: "security@real.test" },
};

/** The recorded schema of the version, as the path and content of a file. */
const SCHEMA = JSON.stringify(namesOf(pluginSchema()));
const RECORDED = { [`test/fixtures/schemas/${version}.json`]: SCHEMA };

/** Runs `npm run release:check` on a package. Returns what it reports. */
function releaseCheck(
  changes: object,
  {
    tag,
    changelog = `# Changelog\n\n## ${version}\n`,
    recorded = RECORDED,
  }: {
    readonly tag?: string;
    readonly changelog?: string;
    /** More files, by path. */
    readonly recorded?: Readonly<Record<string, string>>;
  } = {},
): string[] {
  const directory = directoryWith({
    "package.json": JSON.stringify({ ...packageJson, ...changes }),
    "CHANGELOG.md": changelog,
    ...recorded,
  });
  const script = join(ROOT, "scripts", "release", "releaseCheck.cjs");
  const parameters = tag === undefined ? [script] : [script, tag];
  const { status, stderr } = spawnSync(process.execPath, parameters, {
    cwd: directory.path,
    encoding: "utf8",
  });
  directory.remove();
  const reported = stderr.split("\n").filter((line) => line !== "");
  expect(status).toBe(reported.length === 0 ? 0 : 1);
  return reported;
}

test("only package.json has the address of the repository and the security contact", () => {
  const [, host = ""] = repository.url.match(/:\/\/([^/]+)/) ?? [];
  expect(host).not.toBe("");
  for (const document of documents) {
    const text = readFileSync(join(ROOT, document), "utf8");
    const found = [host, bugs.url, bugs.email].filter((address) => text.includes(address));
    expect({ document, found }).toEqual({ document, found: [] });
  }
  expect(readFileSync(join(ROOT, "SECURITY.md"), "utf8")).toContain("`bugs.email` in package.json");
});

test("a package with real addresses passes the release check", () => {
  expect(releaseCheck(REAL)).toEqual([]);
  expect(releaseCheck(REAL, { tag: `v${version}` })).toEqual([]);
});

test("placeholders and missing addresses are reported", () => {
  const placeholders = {
    repository: { url: "git+https://git.example/shop.git" },
    bugs: { url: "x.example" },
  };
  expect(releaseCheck(placeholders)).toEqual([
    "error: repository.url in package.json is git+https://git.example/shop.git: set the real address.",
    "error: bugs.url in package.json is x.example: set the real address.",
    "error: bugs.email in package.json is missing: set the real address.",
  ]);
});

test("a tag or a changelog of another version is reported", () => {
  expect(releaseCheck(REAL, { tag: "v9.9.9" })).toEqual([
    `error: The tag is v9.9.9, but the version in package.json is ${version}.`,
  ]);
  expect(releaseCheck(REAL, { changelog: "# Changelog\n" })).toEqual([
    `error: CHANGELOG.md has no section for ${version}.`,
  ]);
});

test("the release workflow checks before it publishes", () => {
  const file = join(ROOT, ".github", "workflows", "release.yml");
  expect(existsSync(file)).toBe(true);
  const { jobs } = parse(readFileSync(file, "utf8"));
  const commands = jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(commands.slice(0, 5)).toEqual([
    "npm ci",
    'npm run release:check -- "$GITHUB_REF_NAME"',
    "npm test",
    "npm run release:dry",
    "npm publish --provenance --access public dist-release/npm/*.tgz",
  ]);
  // What it uploads is what the dry run wrote.
  for (const command of commands.slice(4)) expect(command).toContain("dist-release/");
});

test("an address from which Pulumi cannot download, and code with the placeholder of the Go module, are reported", () => {
  const url = "git+ssh://git@git.real.test/pulumi-dynamiclink.git";
  expect(releaseCheck({ ...REAL, repository: { url } })).toEqual([
    `error: repository.url in package.json is ${url}: Pulumi downloads only from https.`,
  ]);
  const files = { "docs/hosts.md": `import "${PLACEHOLDER_MODULE}/sdk/go/dynamiclink"` };
  expect(releaseCheck(REAL, { recorded: { ...RECORDED, ...files } })).toEqual([
    `error: docs/hosts.md imports ${PLACEHOLDER_MODULE}, which is a placeholder.`,
  ]);
});

describe("the schema", () => {
  test("must be recorded, with all changes", () => {
    const file = `test/fixtures/schemas/${version}.json`;
    const stale = SCHEMA.replace("getLink", "getLinks");
    for (const recorded of [{}, { [file]: stale }])
      expect(releaseCheck(REAL, { recorded })).toEqual([
        `error: ${file} is not the schema of this version: run \`npm run release:check -- --record\`.`,
      ]);
  });

  test("is compared with that of the last release before the version, of the same major version", () => {
    const removed = { name: "dynamiclink", functions: { "dynamiclink:index:getLogo": {} } };
    const recorded = {
      "test/fixtures/schemas/9.1.0.json": "{}",
      "test/fixtures/schemas/9.9.0.json": JSON.stringify({ name: "earlier" }),
      "test/fixtures/schemas/9.10.0.json": JSON.stringify(removed),
      "test/fixtures/schemas/9.11.0.json": SCHEMA,
      "test/fixtures/schemas/9.12.0.json": JSON.stringify({ name: "later" }),
    };
    const changelog = "\n## 9.11.0\n";
    expect(releaseCheck({ ...REAL, version: "9.11.0" }, { changelog, recorded })).toEqual([
      "error: The schema breaks programs for 9.10.0: functions.dynamiclink:index:getLogo was removed.",
    ]);
    const next = { ...recorded, "test/fixtures/schemas/10.0.0.json": SCHEMA };
    const options = { changelog: "\n## 10.0.0\n", recorded: next };
    expect(releaseCheck({ ...REAL, version: "10.0.0" }, options)).toEqual([]);
  });
});

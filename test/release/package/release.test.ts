/** What a release needs: real addresses, each in one file, and the same version everywhere. */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { parse } from "yaml";
import packageJson from "../../../package.json";
import { version as lockedVersion, packages } from "../../../package-lock.json";
import { releaseProblems } from "../../../scripts/release/check";
import { schemaNames } from "../../../scripts/release/schemaBreaks";
import { PLACEHOLDER_MODULE } from "../../../scripts/schema/languages";
import { startPluginProcess } from "../../support/providers/pluginProcess";
import { documents } from "../docs/codeBlocks";
import { directoryWith, type ProgramDirectory, ROOT } from "./unpackedProgram";

const { bugs, repository, version } = packageJson;
const REAL = {
  repository: { type: "git", url: "git+https://git.real.test/pulumi-dynamiclink.git" },
  bugs: { url: "https://git.real.test/pulumi-dynamiclink/issues", email: "security@real.test" },
};

/** The recorded schema of the version, as the path and content of a file. */
const SCHEMA = JSON.stringify(schemaNames());
const RECORDED = { [`test/fixtures/schemas/${version}.json`]: SCHEMA };

/** What is checked in addition to a package.json. */
interface Checked {
  readonly tag?: string;
  readonly changelog?: string;
  /** More files, by path. */
  readonly recorded?: Readonly<Record<string, string>>;
}

/** A directory with the package, with other values in package.json. */
function packageWith(
  changes: object,
  { changelog = `# Changelog\n\n## ${version}\n`, recorded = RECORDED }: Checked,
): ProgramDirectory {
  return directoryWith({
    "package.json": JSON.stringify({ ...packageJson, ...changes }),
    "CHANGELOG.md": changelog,
    ...recorded,
  });
}

/** Checks a package. Returns what is reported. */
function problemsOf(changes: object, checked: Checked = {}): string[] {
  using directory = packageWith(changes, checked);
  const current = process.cwd();
  process.chdir(directory.path);
  try {
    return releaseProblems(checked.tag);
  } finally {
    process.chdir(current);
  }
}

/** Runs `npm run release:check` on a package, as a process of its own. */
function releaseCheck(changes: object, tag: string) {
  using directory = packageWith(changes, {});
  const script = join(ROOT, "scripts", "run.cjs");
  const { status, stderr } = spawnSync(process.execPath, [script, "release:check", tag], {
    cwd: directory.path,
    encoding: "utf8",
  });
  return { status, stderr };
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
  expect(problemsOf(REAL, { tag: `v${version}` })).toEqual([]);
  expect(releaseCheck(REAL, `v${version}`)).toEqual({ status: 0, stderr: "" });
});

test("the release check prints each problem and fails", () => {
  expect(releaseCheck({ ...REAL, bugs: { url: "x.example" } }, "v9.9.9")).toEqual({
    status: 1,
    stderr: [
      "error: bugs.url in package.json is x.example: set the real address.",
      "error: bugs.email in package.json is missing: set the real address.",
      `error: The tag is v9.9.9, but the version in package.json is ${version}.\n`,
    ].join("\n"),
  });
});

test.each<[what: string, changes: object, checked: Checked, problem: string]>([
  [
    "a placeholder for the repository",
    { repository: { url: "git+https://git.example/shop.git" } },
    {},
    "repository.url in package.json is git+https://git.example/shop.git: set the real address.",
  ],
  [
    "an address from which Pulumi cannot download",
    { repository: { url: "git+ssh://git@git.real.test/shop.git" } },
    {},
    "repository.url in package.json is git+ssh://git@git.real.test/shop.git: Pulumi downloads only from https.",
  ],
  [
    "a tag of another version",
    {},
    { tag: "v9.9.9" },
    `The tag is v9.9.9, but the version in package.json is ${version}.`,
  ],
  [
    "a changelog of another version",
    {},
    { changelog: "# Changelog\n" },
    `CHANGELOG.md has no section for ${version}.`,
  ],
  [
    "code with the placeholder of the Go module",
    {},
    {
      recorded: { ...RECORDED, "docs/hosts.md": `import "${PLACEHOLDER_MODULE}/sdk/go/dynamiclink"` },
    },
    `docs/hosts.md imports ${PLACEHOLDER_MODULE}, which is a placeholder.`,
  ],
])("%s is reported", (_, changes, checked, problem) => {
  expect(problemsOf({ ...REAL, ...changes }, checked)).toEqual([problem]);
});

describe("the release workflow", () => {
  const file = join(ROOT, ".github", "workflows", "release.yml");
  const text = readFileSync(file, "utf8");
  const { build, publish } = parse(text).jobs;
  const commandsOf = (job: { steps: readonly { run?: string }[] }) =>
    job.steps.flatMap(({ run }) => run ?? []);

  test("uploads only after all checks passed, and only what the first job wrote", () => {
    expect(commandsOf(build).slice(0, 4)).toEqual([
      "npm ci",
      'npm run release:check -- "$GITHUB_REF_NAME"',
      "npm test",
      "npm run test:cli",
    ]);
    expect(publish.needs).toBe("build");
    const uploads = publish.steps.slice(3);
    // The archives are signed before they are uploaded.
    expect(uploads.map(({ uses = "" }) => uses.replace(/@.*/, ""))).toEqual(["actions/attest", "", ""]);
    for (const step of uploads) expect(JSON.stringify(step)).toContain("dist-release/");
  });

  test("gives the job that runs dependencies no secret, no token and no write access", () => {
    expect(build.permissions).toEqual({ contents: "read" });
    expect(build.environment).toBeUndefined();
    expect(JSON.stringify(build)).not.toMatch(/secrets|github\.token/);
    expect(build.steps[0].with).toEqual({ "persist-credentials": false });
    expect(publish.permissions).toEqual({ contents: "write", "id-token": "write", attestations: "write" });
    // Installing, building and testing run code of others.
    expect(commandsOf(publish).join("\n")).not.toMatch(/npm (ci|install|run|test|exec)|npx/);
  });
});

describe("the schema", () => {
  test("must be recorded, with all changes", () => {
    const file = `test/fixtures/schemas/${version}.json`;
    const stale = SCHEMA.replace("getLink", "getLinks");
    for (const recorded of [{}, { [file]: stale }])
      expect(problemsOf(REAL, { recorded })).toEqual([
        `${file} is not the schema of this version: run \`npm run release:check -- --record\`.`,
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
    expect(problemsOf({ ...REAL, version: "9.11.0" }, { changelog, recorded })).toEqual([
      "The schema breaks programs for 9.10.0: functions.dynamiclink:index:getLogo was removed.",
    ]);
    const next = { ...recorded, "test/fixtures/schemas/10.0.0.json": SCHEMA };
    const options = { changelog: "\n## 10.0.0\n", recorded: next };
    expect(problemsOf({ ...REAL, version: "10.0.0" }, options)).toEqual([]);
  });
});

test("the command, the plugin, the schema and the lock file have the version of package.json", async () => {
  const command = execFileSync(process.execPath, [join(ROOT, "dist/cli/index.js"), "--version"], {
    encoding: "utf8",
  });
  const plugin = await startPluginProcess(join(ROOT, "plugin", "pulumi-resource-dynamiclink"), ROOT);
  const info = await plugin.ask(methods.getPluginInfo, new Empty());
  plugin.kill("SIGTERM");
  await plugin.ended;
  const schema = JSON.parse(readFileSync(join(ROOT, "dist/provider/hosts/plugin/schema.json"), "utf8"));
  expect({
    command: command.trim(),
    plugin: info.getVersion(),
    schema: schema.version,
    lock: [lockedVersion, packages[""].version],
  }).toEqual({ command: version, plugin: version, schema: version, lock: [version, version] });
});

test("the documents install the version of package.json", () => {
  // The changelog has the commands of earlier versions as well.
  const guides = documents.filter((document) => document !== "CHANGELOG.md");
  const installed = guides.flatMap((document) =>
    [...readFileSync(join(ROOT, document), "utf8").matchAll(/dynamiclink(?:@|-v| )(\d+\.\d+\.\d+)/g)].map(
      ([, found]) => ({ document, found }),
    ),
  );
  expect(installed.length).toBeGreaterThan(2);
  expect(installed.filter(({ found }) => found !== version)).toEqual([]);
});

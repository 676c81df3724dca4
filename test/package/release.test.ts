/** What a release needs: real addresses, each in one file, and the same version in the tag and the changelog. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import packageJson from "../../package.json";
import { documents, ROOT } from "../docs/codeBlocks";
import { directoryWith } from "./unpackedProgram";

const { bugs, repository, version } = packageJson;
const REAL = {
  repository: { type: "git", url: "git+https://git.real.test/pulumi-dynamiclink.git" },
  bugs: { url: "https://git.real.test/pulumi-dynamiclink/issues", email: "security@real.test" },
};

/** Runs `npm run release:check` on a package. Returns what it reports. */
function releaseCheck(changes: object, tag?: string, changelog = `# Changelog\n\n## ${version}\n`): string[] {
  const directory = directoryWith({
    "package.json": JSON.stringify({ ...packageJson, ...changes }),
    "CHANGELOG.md": changelog,
  });
  const script = join(ROOT, "scripts", "releaseCheck.cjs");
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
  expect(releaseCheck(REAL, `v${version}`)).toEqual([]);
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
  expect(releaseCheck(REAL, "v9.9.9")).toEqual([
    `error: The tag is v9.9.9, but the version in package.json is ${version}.`,
  ]);
  expect(releaseCheck(REAL, undefined, "# Changelog\n")).toEqual([
    `error: CHANGELOG.md has no section for ${version}.`,
  ]);
});

test("the release workflow checks before it publishes", () => {
  const file = join(ROOT, ".github", "workflows", "release.yml");
  expect(existsSync(file)).toBe(true);
  const { jobs } = parse(readFileSync(file, "utf8"));
  const commands = jobs.publish.steps.flatMap(({ run }: { run?: string }) => run ?? []);
  expect(commands).toEqual([
    'npm run release:check -- "$GITHUB_REF_NAME"',
    "npm cit",
    "npm publish --provenance --access public",
  ]);
});

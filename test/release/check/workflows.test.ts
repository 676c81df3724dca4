/** The workflows of this repository, and the CI examples: what their jobs run, and which versions and keys they have. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { engines } from "../../../package.json";
import { ROOT } from "../package/unpackedProgram";

interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly variables?: Readonly<Record<string, string>>;
  readonly script?: readonly string[];
  readonly steps?: readonly {
    readonly run?: string;
    readonly uses?: string;
    readonly env?: Readonly<Record<string, string>>;
  }[];
}

function parsed(file: string) {
  return parse(readFileSync(join(ROOT, file), "utf8"));
}

function commandsOf({ steps = [] }: Job): string[] {
  return steps.flatMap(({ run }) => run ?? []);
}

/** What a job may use: the workflow that publishes takes no version that somebody can move. */
const PINNED: Readonly<Record<string, RegExp>> = {
  "ci.yml": /@v\d+$/,
  "release.yml": /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/,
};

test.each(Object.entries(PINNED))("%s pins its actions, and grants no writes by default", (name, version) => {
  const file = `.github/workflows/${name}`;
  const actions = readFileSync(join(ROOT, file), "utf8").match(/(?<=uses: ).+$/gm) ?? [];
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !version.test(action))).toEqual([]);
  const access = Object.values(parsed(file).permissions);
  expect(access.filter((each) => each !== "read")).toEqual([]);
});

test("every workflow has a rule for its actions, and Dependabot keeps them up to date", () => {
  expect(globSync("*", { cwd: join(ROOT, ".github", "workflows") }).sort()).toEqual(Object.keys(PINNED));
  expect(parsed(".github/dependabot.yml").updates).toMatchObject([
    { "package-ecosystem": "github-actions", directory: "/" },
  ]);
});

test("the CI workflow runs the demo and all tests on every system, with the oldest and the newest Node.js", () => {
  const { strategy, ...job } = parsed(".github/workflows/ci.yml").jobs.test;
  expect(commandsOf(job).slice(-3)).toEqual(["npm run demo", "npm cit", "npm run test:cli"]);
  expect(strategy.matrix.os).toEqual(["ubuntu", "macos", "windows"]);
  const versions: { node: string }[] = strategy.matrix.versions;
  expect([...new Set(versions.map(({ node }) => node))]).toEqual([engines.node.replace(">=", ""), "24"]);
});

describe("the release workflow", () => {
  const { build, publish } = parsed(".github/workflows/release.yml").jobs;

  test("uploads only after all checks passed, and only what the first job wrote", () => {
    expect(commandsOf(build).slice(0, 4)).toEqual([
      "npm ci",
      'npm run release:check -- "$GITHUB_REF_NAME"',
      "npm test",
      "npm run test:cli",
    ]);
    expect(publish.needs).toBe("build");
    const uploads: NonNullable<Job["steps"]> = publish.steps.slice(3);
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

test.each(["github-actions.yml", "gitlab-ci.yml"])(
  "in examples/ci/%s, only the deploy job has the key that may write",
  (file) => {
    const { env, jobs, ...rest } = parsed(`examples/ci/${file}`);
    const found = Object.entries<Job>(jobs ?? rest)
      .filter(([, { script, steps }]) => script !== undefined || steps !== undefined)
      .map(([name, { steps = [], variables, ...job }]) => {
        const all = Object.assign({}, env, variables, job.env, ...steps.map((step) => step.env));
        return [name, /WRITE_KEY/.test(all.DYNAMICLINK_API_KEY), all.DYNAMICLINK_READ_ONLY ?? null];
      });
    expect(found.length).toBeGreaterThan(2);
    for (const [name, mayWrite, readOnly] of found)
      expect([name, mayWrite, readOnly && String(readOnly)]).toEqual([
        name,
        name === "deploy",
        name === "deploy" ? null : "1",
      ]);
  },
);

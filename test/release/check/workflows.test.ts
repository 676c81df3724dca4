/** The workflows of this repository, and the CI examples: what their jobs run, and which versions and keys they have. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { scripts } from "../../../package.json";
import { ROOT } from "../package/programs";

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

const WORKFLOWS = join(ROOT, ".github", "workflows");

function parsed(file: string) {
  return parse(readFileSync(file, "utf8"));
}

function commandsOf({ steps = [] }: Job): string[] {
  return steps.flatMap(({ run }) => run ?? []);
}

/** What a job may use: the workflow that publishes takes no version that somebody can move. */
const PINNED: Readonly<Record<string, RegExp>> = {
  "ci.yml": /@v\d+$/,
  "newest.yml": /@v\d+$/,
  "release.yml": /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/,
};

test.each(globSync("*", { cwd: WORKFLOWS }))("%s pins its actions and grants no write by default", (name) => {
  const file = join(WORKFLOWS, name);
  const actions = readFileSync(file, "utf8").match(/(?<=uses: ).+$/gm) ?? [];
  const version = PINNED[name] ?? /^$/;
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.filter((action) => !version.test(action))).toEqual([]);
  const access = Object.values(parsed(file).permissions);
  expect(access.filter((each) => each !== "read")).toEqual([]);
});

test("every week, all tests run with the newest SDK and CLI, and workflows run only scripts that exist", () => {
  const newest = parsed(join(WORKFLOWS, "newest.yml"));
  expect(newest.on.schedule).toHaveLength(1);
  const commands = ["npm install --save-dev @pulumi/pulumi@latest", "npm test"];
  const more = ["npm run test:cli", "npm run test:package"];
  expect(commandsOf(newest.jobs.test)).toEqual(["npm ci", ...commands, ...more]);
  const run = globSync("*", { cwd: WORKFLOWS }).flatMap((name) => [
    ...readFileSync(join(WORKFLOWS, name), "utf8").matchAll(/npm run ([\w:-]+)/g),
  ]);
  expect(run.map(([, name = ""]) => name).filter((name) => !(name in scripts))).toEqual([]);
});

test("Dependabot skips the major versions for which docs/internals has a reason, and no others", () => {
  const [, npm] = parsed(join(ROOT, ".github", "dependabot.yml")).updates;
  const skipped = npm.ignore.map((each: { readonly "dependency-name": string }) => each["dependency-name"]);
  const page = readFileSync(join(ROOT, "docs", "internals", "decisions.md"), "utf8");
  const reasons = [...page.matchAll(/^\| `([^`]+)` \| \d\S* \|/gm)].map(([, name]) => name);
  expect(skipped).toEqual(reasons);
});

test("the release gives the job that runs dependencies no secret, no token and no write access", () => {
  const { build, publish } = parsed(join(WORKFLOWS, "release.yml")).jobs;
  expect(build.permissions).toEqual({ contents: "read" });
  expect(build.environment).toBeUndefined();
  expect(JSON.stringify(build)).not.toMatch(/secrets|github\.token/);
  expect(build.steps[0].with).toEqual({ "persist-credentials": false });
  expect(publish.needs).toBe("build");
  // Installing, building and testing run code of others.
  expect(commandsOf(publish).join("\n")).not.toMatch(/npm (ci|install|run|test|exec)|npx/);
});

test.each([".github/workflows/infrastructure.yml", ".gitlab-ci.yml"])(
  "in examples/platform/%s, only the deploy job has the keys that may write",
  (file) => {
    const { env, jobs, ...rest } = parsed(join(ROOT, "examples", "platform", file));
    const found = Object.entries<Job>(jobs ?? rest)
      .filter(([, { script, steps }]) => script !== undefined || steps !== undefined)
      .map(([name, { steps = [], variables, ...job }]) => {
        const all = Object.assign({}, env, variables, job.env, ...steps.map((step) => step.env));
        return [name, /WRITE_KEY/.test(Object.values(all).join()), all.DYNAMICLINK_READ_ONLY ?? null];
      });
    expect(found.length).toBeGreaterThan(2);
    for (const [name, mayWrite, readOnly] of found) {
      const expected = name === "deploy" ? [true, null] : [false, "1"];
      expect([name, mayWrite, readOnly && String(readOnly)]).toEqual([name, ...expected]);
    }
  },
);

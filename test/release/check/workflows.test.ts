/** The workflows of this repository, and the CI examples: what their jobs run, and which versions and keys they have. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
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
  "release.yml": /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/,
};

test.each(globSync("*", { cwd: WORKFLOWS }))(
  "%s pins its actions, and grants no writes by default",
  (name) => {
    const file = join(WORKFLOWS, name);
    const actions = readFileSync(file, "utf8").match(/(?<=uses: ).+$/gm) ?? [];
    const version = PINNED[name] ?? /^$/;
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !version.test(action))).toEqual([]);
    const access = Object.values(parsed(file).permissions);
    expect(access.filter((each) => each !== "read")).toEqual([]);
  },
);

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

test.each(["github-actions.yml", "gitlab-ci.yml"])(
  "in examples/ci/%s, only the deploy job has the key that may write",
  (file) => {
    const { env, jobs, ...rest } = parsed(join(ROOT, "examples", "ci", file));
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

/**
 * The commands of the CI examples, in a similar environment: no terminal, and keys only from variables. The workflows of
 * this repository run the README's commands on the oldest supported versions and on the newest.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { FIRST_CLI_VERSION } from "../../../cli/pulumi/importFile";
import { engines } from "../../../package.json";
import { type Emulator, type Seed, startEmulator } from "../../../testing/emulator";
import { run as runCommand, WITHOUT_CLI } from "../../commands/run";
import {
  backendIn,
  type PulumiCli,
  pulumiCli,
  runPulumi,
  testOnCli,
} from "../../support/processes/pulumiCli";
import { writesIn } from "../../support/stacks/scenarios";
import { sharedStacks } from "../../support/stacks/sharedProcess";
import { programWith, ROOT } from "../package/unpackedProgram";
import { type Job, jobsIn } from "./jobs";

const newStack = sharedStacks();

const READ_KEY = "read-only-key-of-the-jobs";
const WRITE_KEY = "write-key-of-the-jobs-too";
const secrets = { DYNAMICLINK_READ_KEY: READ_KEY, DYNAMICLINK_WRITE_KEY: WRITE_KEY };
const seed: Seed = {
  organizations: [
    {
      keys: [
        { key: READ_KEY, scopes: ["projects:read", "applications:read", "domains:read"] },
        { key: WRITE_KEY },
      ],
    },
  ],
};

const FILES = ["github-actions.yml", "gitlab-ci.yml"];
const CLI_TIMEOUT_MS = 240_000;

/** Runs a job's commands. Returns whether all succeeded. */
type RunJob = (job: Job) => Promise<boolean>;

/** Runs the jobs as in a repository: preview, deployment, drift, and what is unmanaged. */
async function lifeOf(service: Emulator, run: RunJob): Promise<void> {
  const { preview, drift, unmanaged, deploy } = jobsIn("github-actions.yml", secrets) as Record<
    "preview" | "drift" | "unmanaged" | "deploy",
    Job
  >;
  expect(await run(preview)).toBe(true);
  expect(writesIn(service)).toEqual([]);

  expect(await run(deploy)).toBe(true);
  expect(service.state.applications).toHaveLength(3);

  service.clearRequests();
  expect(await run(preview)).toBe(true);
  expect(await run(drift)).toBe(true);
  expect(await run(unmanaged)).toBe(true);
  const [project] = service.state.projects;
  service.updateProject(project?.id ?? "", { defaultHookupMsg: "Changed in the console" });
  expect(await run(drift)).toBe(false);
  // A change is drift, and a new object is unmanaged.
  expect(await run(unmanaged)).toBe(true);
  const { id } = service.createProject(project?.organizationId ?? "", { name: "Created in the console" });
  expect(await run(unmanaged)).toBe(false);
  service.deleteProject(id);
  expect(writesIn(service)).toEqual([]);

  // A preview job cannot deploy, not even with the key that may write.
  const { DYNAMICLINK_API_KEY: writeKey = "" } = deploy.environment;
  const disguised = { ...preview.environment, DYNAMICLINK_API_KEY: writeKey };
  service.clearRequests();
  expect(await run({ commands: [`${deploy.commands[0]} --refresh`], environment: disguised })).toBe(false);
  expect(writesIn(service)).toEqual([]);
}

/** How a job runs a command of this package. */
const OWN_COMMAND = "npx pulumi-dynamiclink compare ";

/** Runs a command of this package. Returns whether it succeeded. */
async function runOwn(
  command: string,
  environment: Record<string, string | undefined>,
  input?: string,
): Promise<boolean> {
  const { code } = await runCommand(
    "compare",
    command.slice(OWN_COMMAND.length).split(" "),
    environment,
    input,
  );
  return code === 0;
}

/** Runs commands as methods of the test engine. */
async function onEngine(service: Emulator): Promise<{ run: RunJob; close(): Promise<void> }> {
  const stack = newStack({
    program: join(ROOT, "examples", "quickstart"),
    stack: "production",
    config: { "dynamiclink:apiUrl": service.url },
  });
  return {
    close: () => stack.close(),
    async run({ commands, environment }) {
      stack.setEnvironment({ CI: "true", DYNAMICLINK_READ_ONLY: undefined, ...environment });
      try {
        for (const command of commands) {
          if (command.startsWith(OWN_COMMAND)) {
            const args = command.replace("--stack production", `--state - --api-url ${service.url}`);
            const state = JSON.stringify(stack.exportState());
            if (!(await runOwn(args, { ...WITHOUT_CLI, ...environment }, state))) return false;
            continue;
          }
          const [, name, ...words] = command.split(" ");
          expect(words.slice(0, 2)).toEqual(["--stack", "production"]);
          const options = {
            refresh: words.includes("--refresh"),
            expectNoChanges: words.includes("--expect-no-changes"),
          };
          await stack[name as "preview" | "up"](options);
        }
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** Runs commands on the CLI, in a project as CI checks it out, with its state in a directory. */
async function onCli(cli: PulumiCli, service: Emulator): Promise<{ run: RunJob; close(): Promise<void> }> {
  const { path, remove } = programWith({
    "Pulumi.yaml":
      "name: shop\nmain: examples/quickstart/index.ts\nruntime:\n  name: nodejs\n  options:\n    typescript: false\n",
  });
  mkdirSync(join(path, "state"));
  for (const name of ["examples/quickstart/index.ts", "examples/quickstart/package.json"]) {
    cpSync(join(ROOT, name), join(path, name));
  }
  async function pulumi(command: string, variables: Record<string, string>): Promise<boolean> {
    const { DYNAMICLINK_API_KEY: _key, DYNAMICLINK_READ_ONLY: _readOnly, ...inherited } = cli.environment;
    const environment = {
      ...inherited,
      CI: "true",
      ...variables,
      ...backendIn(join(path, "state")),
      PULUMI_ACCESS_TOKEN: undefined,
    };
    if (command.startsWith(OWN_COMMAND)) return await runOwn(`${command} --cwd ${path}`, environment);
    const running = runPulumi(cli, command.split(" ").slice(1), { directory: path, environment });
    return await running.then(
      () => true,
      () => false,
    );
  }
  await pulumi("pulumi stack init production", {});
  await pulumi(`pulumi config set dynamiclink:apiUrl ${service.url} --stack production`, {});
  return {
    close: async () => remove(),
    async run({ commands, environment }) {
      for (const command of commands) if (!(await pulumi(command, environment))) return false;
      return true;
    },
  };
}

test("the jobs preview, deploy and detect drift, on the test engine", async () => {
  const service = await startEmulator({ seed });
  const { run, close } = await onEngine(service);
  await lifeOf(service, run);
  await close();
  await service.close();
});

testOnCli(
  "the jobs preview, deploy and detect drift",
  async () => {
    const service = await startEmulator({ seed });
    const { run, close } = await onCli(pulumiCli(), service);
    await lifeOf(service, run);
    await close();
    await service.close();
  },
  CLI_TIMEOUT_MS,
);

test("both systems run the same commands with the same keys", () => {
  const [github, gitlab] = FILES.map((file) => jobsIn(file, secrets));
  for (const job of Object.values(github ?? {})) delete job.environment.PULUMI_ACCESS_TOKEN;
  expect(gitlab).toEqual(github);
});

test.each(FILES)("in %s, only the deploy job has the key that may write", (file) => {
  for (const [name, { environment }] of Object.entries(jobsIn(file, secrets))) {
    const { DYNAMICLINK_API_KEY: key, DYNAMICLINK_READ_ONLY: readOnly } = environment;
    expect([name, key, readOnly]).toEqual(
      name === "deploy" ? [name, WRITE_KEY, undefined] : [name, READ_KEY, "1"],
    );
  }
});

const WORKFLOWS = join(ROOT, ".github", "workflows");

interface Step {
  readonly run?: string;
  readonly uses?: string;
}
interface Versions {
  readonly node: string;
  readonly pulumi: string;
}
interface Workflow {
  readonly permissions: Record<string, string>;
  readonly jobs: Record<
    string,
    {
      readonly steps: readonly Step[];
      readonly strategy?: {
        readonly matrix: { readonly os: readonly string[]; readonly versions: readonly Versions[] };
      };
    }
  >;
}

const workflows = new Map<string, Workflow>(
  readdirSync(WORKFLOWS).map((file) => [file, parse(readFileSync(join(WORKFLOWS, file), "utf8"))]),
);

test.each([...workflows])(
  "%s pins actions to major versions and grants no writes by default",
  (_file, workflow) => {
    const actions = Object.values(workflow.jobs).flatMap(({ steps }) =>
      steps.flatMap(({ uses }) => uses ?? []),
    );
    expect(actions.filter((action) => !/@(release\/)?v\d+$/.test(action))).toEqual([]);
    expect(Object.values(workflow.permissions).filter((access) => access !== "read")).toEqual([]);
  },
);

test("the CI workflow runs the README's commands on every system, with the oldest and newest versions", () => {
  const { steps = [], strategy } = workflows.get("ci.yml")?.jobs.test ?? {};
  const commands = steps.flatMap(({ run }) => run ?? []);
  const [, commandsOfReadme = ""] =
    readFileSync(join(ROOT, "README.md"), "utf8").match(
      /In a checkout of this repository[\s\S]*?```sh\n([\s\S]*?)```/,
    ) ?? [];
  const shown = commandsOfReadme.split("\n").flatMap((line) => line.replace(/\s+#.*/, "") || []);
  expect(shown).toEqual(["npm run demo", "npm cit"]);
  expect(commands.slice(-3)).toEqual([...shown, "npm run test:cli"]);

  const { os = [], versions = [] } = strategy?.matrix ?? {};
  expect(os).toEqual(["ubuntu", "macos", "windows"]);
  const oldestNode = engines.node.replace(">=", "");
  expect(versions).toEqual([
    { node: oldestNode, pulumi: "none" },
    { node: oldestNode, pulumi: FIRST_CLI_VERSION },
    { node: "24", pulumi: "none" },
    { node: "24", pulumi: "latest" },
  ]);
});

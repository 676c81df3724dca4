/** The workflows of this repository run the README's commands on the oldest supported versions and on the newest. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { FIRST_CLI_VERSION } from "../../cli/pulumi/importFile";
import { engines } from "../../package.json";
import { ROOT } from "../docs/codeBlocks";

const DIRECTORY = join(ROOT, ".github", "workflows");

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
  readdirSync(DIRECTORY).map((file) => [file, parse(readFileSync(join(DIRECTORY, file), "utf8"))]),
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
      /## Working on the package\n[\s\S]*?```sh\n([\s\S]*?)```/,
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

/** The example of Pulumi's Automation API, which needs a Pulumi CLI. */
import { cpSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { withCli } from "../../commands/pulumiClis";
import { execute } from "../../support/processes/execute";
import { testOnCli } from "../../support/processes/pulumiCli";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";
import { programWith, ROOT } from "../package/programs";

type RunScript = (script: string, command: string) => Promise<string[]>;

/** Runs `body` with a copy of the examples, because the Automation API writes settings into the program's directory. */
async function withExample(
  environment: Readonly<Record<string, string | undefined>>,
  body: (run: RunScript, service: Emulator) => Promise<void>,
): Promise<void> {
  using program = programWith({});
  const { path: directory } = program;
  for (const example of ["automation-api", "custom-domain"])
    cpSync(join(ROOT, "examples", example), join(directory, example), { recursive: true });
  mkdirSync(join(directory, "backend"));
  await using service = await startEmulator({ seed: seedWith() });
  const options = {
    // Not the directory of the script, in which the providers are found in any case.
    directory: tmpdir(),
    environment: { ...withCli(join(directory, "backend")), SERVICE_URL: service.url, ...environment },
  };
  await body(async (script, command) => {
    const path = join(directory, "automation-api", script);
    return (await execute(process.execPath, [path, command], options)).trimEnd().split("\n");
  }, service);
}

function projectNames({ state }: Emulator): string[] {
  return state.projects.map(({ name }) => name).sort();
}

testOnCli("an inline program is deployed to several stacks in parallel, unchanged, and destroyed", () =>
  withExample({ DYNAMICLINK_API_KEY: KEY }, async (run, service) => {
    const outputsOf = (brand: string) =>
      `${brand} ${JSON.stringify({
        name: { value: `Shop ${brand}`, secret: false },
        organizationId: { value: ORGANIZATION, secret: false },
      })}`;
    expect(await run("inline.ts", "up")).toEqual([outputsOf("north"), outputsOf("south")]);
    expect(projectNames(service)).toEqual(["Shop north", "Shop south"]);
    expect(service.state.applications).toHaveLength(2);
    service.clearRequests();
    await run("inline.ts", "up");
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    await run("inline.ts", "destroy");
    expect(projectNames(service)).toEqual([]);
  }),
);

testOnCli("a local program is deployed with the workspace's variables, and destroyed", () =>
  withExample({ DYNAMICLINK_API_KEY: undefined, SERVICE_KEY: KEY }, async (run, service) => {
    const [outputs = ""] = await run("local.ts", "up");
    expect(JSON.parse(outputs)).toMatchObject({ origin: { value: "https://links.shop.example" } });
    expect(projectNames(service)).toEqual(["Shop"]);
    await run("local.ts", "destroy");
    expect(projectNames(service)).toEqual([]);
  }),
);

/** The example of Pulumi's Automation API, which needs a Pulumi CLI. */
import { cpSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type Seed, startEmulator } from "../../../testing/emulator";
import { withCli } from "../../commands/pulumiClis";
import { execute } from "../../support/processes/execute";
import { testOnCli } from "../../support/processes/pulumiCli";
import { KEY, ORGANIZATION, seedWith } from "../../support/values/organizations";
import { programWith, ROOT } from "../package/unpackedProgram";

const EUROPE = "2b7e4a10-5c1d-4f0a-9b3e-7d6f8a1c2e30";
const ASIA = "8c5d1f27-3e6a-4b90-a1d4-5f7e9b0c3d82";

type RunScript = (script: string, command: string) => Promise<string[]>;

/** Runs `body` with a copy of the examples, because the Automation API writes settings into the program's directory. */
async function withExample(
  seed: Seed,
  environment: Readonly<Record<string, string>>,
  body: (run: RunScript, service: Emulator) => Promise<void>,
): Promise<void> {
  using program = programWith({});
  const { path: directory } = program;
  for (const example of ["automation-api", "several-organizations"])
    cpSync(join(ROOT, "examples", example), join(directory, example), { recursive: true });
  mkdirSync(join(directory, "backend"));
  await using service = await startEmulator({ seed });
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

testOnCli(
  "an inline program is deployed to several stacks in parallel, updated without changes, and destroyed",
  () =>
    withExample(seedWith(), { DYNAMICLINK_API_KEY: KEY }, async (run, service) => {
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

testOnCli("a local program is deployed with the workspace's variables, and destroyed", () => {
  const seed = {
    organizations: [
      { id: EUROPE, keys: [{ key: "europe-key" }] },
      { id: ASIA, keys: [{ key: "asia-key" }] },
    ],
  };
  return withExample(seed, { EUROPE_KEY: "europe-key", ASIA_KEY: "asia-key" }, async (run, service) => {
    const outputs = { organizations: { value: { asia: ASIA, europe: EUROPE }, secret: false } };
    expect(await run("local.ts", "up")).toEqual([JSON.stringify(outputs)]);
    expect(projectNames(service)).toEqual(["Shop", "Shop"]);
    await run("local.ts", "destroy");
    expect(projectNames(service)).toEqual([]);
  });
});

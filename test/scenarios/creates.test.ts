/** What a stack does when responses to creates are lost, on the engine and the CLI. Waits take real time here. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { startEmulator } from "../../testing/emulator";
import { directoryWith } from "../release/package/unpackedProgram";
import { until } from "../support/processes/until";
import { declaredStack, errorOf } from "../support/stacks/declaredStack";
import { runScenarios, seedWith } from "../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER_PROJECT = "0d0d0d0d-0000-4000-8000-000000000004";
const directory = directoryWith({});
const LOG = join(directory.path, "requests.jsonl");
afterAll(() => directory.remove());
/** Longer than one second, which is the resolution of a `Date` header. */
const A_WHILE_MS = 2_000;
const SHOP = 'new Project("shop", { name: "Shop" });';

runScenarios("requests that are tried again", [
  {
    name: "are reported before each wait, those of resources as those of functions, and logged where DYNAMICLINK_LOG says",
    seed: seedWith([
      { id: PROJECT, name: "Seeded" },
      { id: OTHER_PROJECT, name: "Other" },
    ]),
    // The processes connect to the engine's log in different ways, and inherit the environment.
    separateProviders: true,
    environment: { DYNAMICLINK_LOG: LOG },
    async run({ stack, service }) {
      writeFileSync(LOG, "");
      service.inject({ operation: "getCurrentApiCredential", effect: { status: 503 } });
      service.inject({
        operation: "getProject",
        match: ({ path }) => path.includes(OTHER_PROJECT),
        effect: { status: 429, retryAfter: 1 },
      });
      stack.program(`
        await dynamiclink.getProject({ id: "${PROJECT}" });
        Project.get("other", "${OTHER_PROJECT}");
      `);
      const { printed } = await stack.preview();
      expect(printed).toContain("Reading the API credential: 503 Service Unavailable. Trying again in 0.");
      expect(printed).toContain(
        `Reading project ${OTHER_PROJECT}: 429 Too Many Requests. Trying again in 1 s`,
      );
      // The program's own requests are in it as well.
      const lines = readFileSync(LOG, "utf8").trimEnd().split("\n");
      const logged = lines.map((line) => JSON.parse(line).requestId);
      expect(logged.sort()).toEqual(service.requests.map(({ requestId }) => requestId).sort());
    },
  },
]);

runScenarios("creates whose answer is lost", [
  {
    name: "a project that was created nevertheless is adopted, and a message reports it",
    onCli: "one host",
    async run({ stack, service }) {
      service.clock.advance(A_WHILE_MS);
      service.inject({ operation: "createProject", effect: { reset: "after" } });
      const { printed } = await stack.deploy(SHOP);
      const [shop] = await stack.resources();
      expect(service.state.projects.map(({ id }) => id)).toEqual([shop?.id]);
      expect(printed).toContain(`created since then: ${shop?.id}. It is in the state as this resource.`);
      await stack.preview({ expectNoChanges: true });
    },
  },
]);

// On the CLI, test/protocol/hosts/interruption.cli.ts interrupts creates.
test.each([DYNAMIC_HOST, NATIVE_HOST])(
  "after a provider process was killed during a create, the next up reports the application, with $module",
  async (host) => {
    await using service = await startEmulator({ seed: seedWith([{ id: PROJECT, name: "Seeded" }]) });
    const stack = declaredStack(service, { host });
    const web = {
      kind: "Application",
      name: "web",
      properties: { projectId: PROJECT, appType: "WEB" },
    } as const;
    service.inject({ operation: "createApplication", effect: { hang: true, afterEffect: true } });
    const killed = stack.up([web]);
    await until(
      () => service.state.applications.length > 0,
      () => "The service has no application.",
    );
    stack.killHosts();
    expect(errorOf(await killed)).toContain("error reading from server: EOF");
    expect(stack.resources).toEqual([]);
    service.clearFaults();

    const [left] = service.state.applications;
    const { diagnostics } = await stack.up([web]);
    const printed = diagnostics.map(({ message }) => message).join("\n");
    expect(printed).toContain("an interrupted run may have left it behind");
    expect(printed).toContain(`${left?.id}, created ${left?.createdAt}`);
    expect(service.state.applications).toHaveLength(2);
  },
);

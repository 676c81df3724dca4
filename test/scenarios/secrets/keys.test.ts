/**
 * A key can come from four sources. It is only ever written to the header of requests to the service and, from two of
 * the sources, encrypted to the state.
 *
 * It is slow because each host has one source whose provider is a process of its own, which starts for every command: the
 * stack's configuration, which passes through the engine, the program and the provider. It has no updates. The other sources
 * differ from it in where the provider finds the key, and their providers run in this process.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { type Emulator, type OperationId, startEmulator } from "../../../testing/emulator";
import { type EngineMessage, StackFailure, type TestConfig, type TestStack } from "../../../testing/engine";
import { SEPARATE_PROCESSES } from "../../../testing/engine/commands/processes";
import { programStack } from "../../support/stacks/programStack";
import { DYNAMIC, NATIVE, programDirectory, type ScenarioHost } from "../../support/stacks/scenarioStack";
import { placesWith } from "../../support/values/placesWith";

type Fault = Parameters<Emulator["inject"]>[0];

const KEY = "canary+key/of=the~secret?tests&100%";
const VARIABLE = "DYNAMICLINK_API_KEY";
const CUSTOM_VARIABLE = "ANOTHER_VARIABLE";

interface Place {
  /** Whether the provider is a process of its own, whose output is searched as well, like the program's: see above. */
  readonly separateProvider?: boolean;
  readonly environment?: Record<string, string>;
  readonly config?: TestConfig;
  readonly provider?: string;
  /** The only host that runs it, because both look at variables in the same way. Default: both. */
  readonly only?: ScenarioHost;
}

const PLACES: Readonly<Record<string, Place>> = {
  "the environment": { environment: { [VARIABLE]: KEY }, only: NATIVE },
  "a custom variable": {
    only: DYNAMIC,
    environment: { [CUSTOM_VARIABLE]: KEY },
    config: { "dynamiclink:apiKeyEnvVar": CUSTOM_VARIABLE },
  },
  "the stack's configuration": { separateProvider: true, config: { "dynamiclink:apiKey": { secret: KEY } } },
  "a Provider's argument": {
    environment: { FROM_A_VAULT: KEY },
    provider: "apiKey: process.env.FROM_A_VAULT",
  },
};

let service: Emulator;
let directory: ReturnType<typeof programDirectory>;

beforeEach(async () => {
  service = await startEmulator({ seed: { organizations: [{ keys: [{ key: KEY }] }] } });
});
afterEach(async () => {
  await service.close();
  directory.remove();
});

function writeProgram({ provider }: Place, name: string): void {
  const args = `{ ${provider}, apiUrl: ${JSON.stringify(service.url)} }`;
  const options = provider === undefined ? "" : `, { provider: new Provider("ours", ${args}) }`;
  directory.setProgram(
    `const shop = new Project("shop", { name: "${name}" }${options});
     new Application("web", { projectId: shop.id, appType: "WEB" }, { parent: shop });`,
  );
}

function stackFor(place: Place, host: ScenarioHost, trace: EngineMessage[]): TestStack {
  directory = programDirectory(host);
  writeProgram(place, "Shop");
  return programStack(
    {
      service,
      program: directory.path,
      environment: { [VARIABLE]: undefined, ...place.environment },
      ...(place.config && { config: place.config }),
      trace: (message) => trace.push(message),
    },
    place.separateProvider ? SEPARATE_PROCESSES : undefined,
  );
}

/** Messages that pass a provider its configuration: the only ones that may contain a key. */
function isConfiguration({ method, payload }: EngineMessage): boolean {
  const text = JSON.stringify(payload);
  return (
    method === "Configure" ||
    method === "CheckConfig" ||
    method === "DiffConfig" ||
    (method === "RegisterResource" &&
      [DYNAMIC_HOST, NATIVE_HOST].some(({ providerType }) => text.includes(providerType)))
  );
}

function filesMade(): string {
  return [directory.path, join(directory.path, "program")]
    .flatMap((path) => readdirSync(path, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
}

const CASES = [DYNAMIC, NATIVE].flatMap((host) =>
  Object.entries(PLACES)
    .filter(([, { only = host }]) => only === host)
    .map(([name, place]) => [name, host.module, place, host] as const),
);

test.each(CASES)(
  "a key from %s, with %s, is in no state, message, file or request log, even after failures",
  async (_name, _module, place, host) => {
    const trace: EngineMessage[] = [];
    const stack = stackFor(place, host, trace);
    const outcomes: string[] = [];
    const states: string[] = [];
    const echo = [`Who is ${KEY}?`, encodeURIComponent(KEY), JSON.stringify(KEY)];
    const refused = (operation: OperationId[], status: number): Fault => {
      return { operation, count: operation.length, effect: { status, message: echo } };
    };
    const echoed: Fault = { operation: "updateProject", effect: { body: { [KEY]: KEY, id: KEY } } };
    const updates = [
      ["up", refused(["updateProject"], 400)],
      ["up", echoed],
    ] as const;
    try {
      for (const [command, fault] of [
        ["up"],
        ["refresh", refused(["listProjects", "getProject"], 401)],
        ...(place.separateProvider ? [] : updates),
        ["destroy", refused(["deleteApplication"], 409)],
        ["destroy"],
      ] as const) {
        if (fault !== undefined) service.inject(fault);
        const result = await stack[command]().catch((error: unknown) => error as StackFailure);
        expect(result instanceof StackFailure).toBe(fault !== undefined);
        const { diagnostics } = result instanceof StackFailure ? result.result : result;
        outcomes.push(String(result), JSON.stringify(diagnostics));
        // The result contains secret values by design; the state does not.
        states.push(JSON.stringify(stack.exportState()));
        writeProgram(place, "Market");
      }
    } finally {
      await stack.close();
    }
    const messages = trace.filter((message) => !isConfiguration(message));
    expect(messages.map(({ method }) => method)).toEqual(
      expect.arrayContaining(["RegisterResource", "Check", "Create", "Delete", "Read"]),
    );
    // The engine passes a plugin its configuration without marks, so the state is encrypted by what comes back.
    const configuration = trace.filter(({ method, answer }) => method === "CheckConfig" && !answer);
    for (const { payload } of configuration)
      expect([undefined, KEY]).toContain((payload as { news: { apiKey?: unknown } }).news.apiKey);
    const places = {
      outcomes: outcomes.join("\n"),
      states: states.join("\n"),
      messages: JSON.stringify(messages),
      files: filesMade(),
      requests: JSON.stringify(service.requests),
    };
    expect(placesWith(KEY, places)).toEqual([]);
    expect(outcomes.join("\n")).toContain("***");
    // The whole key was sent.
    expect(new Set(service.requests.map(({ keyPrefix }) => keyPrefix))).toEqual(new Set([KEY.slice(0, 6)]));
  },
);

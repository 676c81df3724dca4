/** The provider in Pulumi's dynamic-provider host, called over gRPC as the engine does. */
import { resolve } from "node:path";
import { providerText } from "../../../provider/hosts/dynamicNames";
import { DESCRIPTIONS } from "../../../provider/resources";
import { type Emulator, startEmulator } from "../../../testing/emulator";
import { startMonitor } from "../../../testing/engine/protocol/monitor";
import type { Provider } from "../../../testing/engine/providers/provider";
import { type ProviderProcess, startHost } from "../../../testing/engine/providers/providerProcess";
import {
  KEY,
  ORGANIZATION,
  OTHER_KEY,
  OTHER_ORGANIZATION,
  readsIn,
  seedWith,
} from "../../support/stacks/scenarios";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const OF_PROJECT = { __provider: providerText(DESCRIPTIONS.Project) };

function urn(name: string) {
  return `urn:pulumi:test::host::pulumi-nodejs:dynamic/dynamiclink:Project::${name}`;
}

let service: Emulator;
let engine: Awaited<ReturnType<typeof startMonitor>>;
const hosts: ProviderProcess[] = [];
const lines: string[] = [];

beforeEach(async () => {
  service = await startEmulator({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) });
  engine = await startMonitor({ log() {} } as never, () => {});
  lines.length = 0;
});
afterEach(async () => {
  // Their last lines must not count as lines of the next test.
  await endHosts();
  await service.close();
  engine.close();
});

/** Ends the hosts. All lines that they have printed have been received then. */
async function endHosts(): Promise<void> {
  for (const host of hosts.splice(0)) {
    host.kill();
    await host.exited;
  }
}

async function configuredHost(config: Record<string, string> = {}): Promise<Provider> {
  const host = startHost({
    directory: resolve(__dirname, "..", "..", "..", "examples", "quickstart"),
    environment: { ...process.env, DYNAMICLINK_API_KEY: KEY },
    project: "host",
    engineAddress: engine.address,
    log: () => {},
    onLine: (line) => lines.push(line),
    trace: () => {},
  });
  hosts.push(host);
  return await host.configure({ "dynamiclink:apiUrl": service.url, ...config });
}

test("the four providers of one host share one lookup of the key, and name no property in failures, because the engine would print its value", async () => {
  const provider = await configuredHost();
  for (const description of Object.values(DESCRIPTIONS)) {
    const news = { __provider: providerText(description) };
    const { failures } = await provider.check({ urn: urn(description.type), olds: {}, news });
    expect(new Set(failures.map(({ property }) => property))).toEqual(new Set([""]));
  }
  expect(service.requests).toEqual([]);
  await provider.check({ urn: urn("shop"), olds: {}, news: { ...OF_PROJECT, name: "Market" } });
  const __provider = providerText(DESCRIPTIONS.Application);
  await provider.check({
    urn: urn("web"),
    olds: {},
    news: { __provider, projectId: PROJECT, appType: "WEB" },
  });
  expect(readsIn(service)).toEqual(["getCurrentApiCredential 200", "getProject 200"]);
});

test("two stacks of different organizations that run at the same time share nothing, and an error prints one short line and no stack trace", async () => {
  const providers = [await configuredHost(), await configuredHost({ "dynamiclink:apiKey": OTHER_KEY })];
  const created = await Promise.all(
    providers.flatMap((provider, index) =>
      [1, 2].map((number) =>
        provider.create({
          urn: urn(`p${number}`),
          inputs: { name: `Project ${index * 2 + number}`, ...OF_PROJECT },
        }),
      ),
    ),
  );
  expect(created.map(({ outputs }) => [outputs.name, outputs.__organization])).toEqual([
    ["Project 1", ORGANIZATION],
    ["Project 2", ORGANIZATION],
    ["Project 3", OTHER_ORGANIZATION],
    ["Project 4", OTHER_ORGANIZATION],
  ]);
  const owners = new Map(service.state.projects.map(({ name, organizationId }) => [name, organizationId]));
  for (const { outputs } of created) expect(owners.get(String(outputs.name))).toBe(outputs.__organization);
  const [{ id, outputs: state } = { id: "", outputs: {} }] = created;
  await expect(providers[1]?.read({ urn: urn("p1"), id, inputs: {}, state })).rejects.toThrow(
    `belongs to organization ${ORGANIZATION}, but the API key belongs to organization ${OTHER_ORGANIZATION}`,
  );
  // The host prints the line before it responds, but through a pipe of its own, so that it may arrive later.
  await endHosts();
  expect(lines).toEqual(["dynamiclink: an operation failed, see the error on its resource"]);
});

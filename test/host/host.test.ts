/** The provider in Pulumi's dynamic-provider host, called over gRPC as the engine does. */
import { resolve } from "node:path";
import { exportName } from "../../provider/hosts/dynamicNames";
import { DESCRIPTIONS } from "../../provider/resources";
import type { Provider } from "../../testing/engine/providers/provider";
import { type ProviderProcess, startHost } from "../../testing/engine/providers/providerProcess";
import { type LogEngine, startLogEngine } from "../support/providers/logEngine";
import { type StubServer, startStubServer } from "../support/servers/stubServer";

const KEY = "canary-key-of-the-host-tests";
const OTHER_KEY = "bother-key-of-the-host-tests";
const ORGANIZATION = "0a0a0a0a-0000-4000-8000-000000000001";
const OTHER_ORGANIZATION = "0b0b0b0b-0000-4000-8000-000000000002";
const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const TIME = "2026-01-02T03:04:05.000Z";
const PROVIDERS = Object.values(DESCRIPTIONS).map(exportName);
const ALL_SCOPES = ["projects", "applications", "domains", "links"].flatMap((kind) => [
  `${kind}:read`,
  `${kind}:write`,
]);

function credential(organizationId = ORGANIZATION) {
  return {
    id: PROJECT,
    organization_id: organizationId,
    key_prefix: "canary",
    scopes: ALL_SCOPES,
  };
}

function urn(name: string) {
  return `urn:pulumi:test::host::pulumi-nodejs:dynamic/dynamiclink:Project::${name}`;
}

function text(provider: string) {
  return `exports.handler=()=>require("pulumi-dynamiclink/provider").${provider}`;
}

let service: StubServer;
let engine: LogEngine;
const hosts: ProviderProcess[] = [];
const lines: string[] = [];

beforeEach(async () => {
  service = await startStubServer();
  engine = await startLogEngine();
  lines.length = 0;
});
afterEach(async () => {
  for (const host of hosts.splice(0)) {
    host.kill();
    // Its last lines must not count as lines of the next test.
    await host.exited;
  }
  await service.close();
  engine.kill();
});

async function configuredHost(config: Record<string, string> = {}): Promise<Provider> {
  const host = startHost({
    directory: resolve(__dirname, "..", "..", "examples", "quickstart"),
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

function projectBody(number: number) {
  return {
    id: `0c0c0c0c-0000-4000-8000-${String(number).padStart(12, "0")}`,
    organization_id: ORGANIZATION,
    created_by_user_id: PROJECT,
    project_name: `Project ${number}`,
    logo_image_id: null,
    sub_domain: null,
    default_hookup_msg: null,
    logo_image: null,
    skin_info: null,
    android_app_flag: false,
    ios_app_flag: false,
    created_at: TIME,
    updated_at: TIME,
  };
}

test("the four providers of one host share one lookup of the key, and name no property in failures, because the engine would print its value", async () => {
  const provider = await configuredHost();
  service.answer({ body: credential() });
  for (const name of PROVIDERS) {
    const news = { __provider: text(name) };
    const { failures } = await provider.check({ urn: urn(name), olds: {}, news });
    expect(new Set(failures.map(({ property }) => property))).toEqual(new Set([""]));
  }
  expect(service.requests).toHaveLength(0);
  const news = { __provider: text("project"), name: "Shop" };
  await provider.check({ urn: urn("shop"), olds: {}, news });
  await provider.check({
    urn: urn("web"),
    olds: {},
    news: { __provider: text("application"), projectId: PROJECT, appType: "WEB" },
  });
  const lookups = service.requests.filter(({ url }) => url === "/api/v2/api-credentials/current");
  expect(lookups).toHaveLength(1);
});

test("two stacks of different organizations that run at the same time share nothing, and an error prints one short line and no stack trace", async () => {
  const keys: Record<string, string> = { [KEY]: ORGANIZATION, [OTHER_KEY]: OTHER_ORGANIZATION };
  service.answer((response, { method, headers, body }) => {
    const organization = keys[String(headers["x-api-key"])];
    const name = method === "GET" ? "" : JSON.parse(body).project_name;
    const answer =
      method === "GET"
        ? credential(organization)
        : { ...projectBody(Number(name.split(" ")[1])), organization_id: organization };
    response.writeHead(method === "GET" ? 200 : 201, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  const providers = [await configuredHost(), await configuredHost({ "dynamiclink:apiKey": OTHER_KEY })];
  const created = await Promise.all(
    providers.flatMap((provider, index) =>
      [1, 2].map((number) =>
        provider.create({
          urn: urn(`p${number}`),
          inputs: { name: `Project ${index * 2 + number}`, __provider: text("project") },
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
  for (const { url, headers, method } of service.requests) {
    if (method === "POST") expect(url).toContain(`/organizations/${keys[String(headers["x-api-key"])]}/`);
  }
  const state = created[0]?.outputs ?? {};
  await expect(
    providers[1]?.read({ urn: urn("p1"), id: created[0]?.id ?? "", inputs: {}, state }),
  ).rejects.toThrow(
    `belongs to organization ${ORGANIZATION}, but the API key belongs to organization ${OTHER_ORGANIZATION}`,
  );
  expect(lines).toEqual(["dynamiclink: see the error on the resource"]);
});

test("diff sends no request except the lookup of the key, and returns no `changes`", async () => {
  const provider = await configuredHost();
  service.answer({ body: credential() });
  const domain = { projectId: PROJECT, hostname: "links.shop.example", __provider: text("customDomain") };
  const diff = (news: Record<string, unknown>) =>
    provider.diff({
      urn: urn("links"),
      id: PROJECT,
      oldInputs: domain,
      oldOutputs: { ...domain, __organization: ORGANIZATION },
      news: { ...domain, ...news },
      ignoreChanges: [],
    });
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  expect(await diff({})).toEqual({ replaces: [], deleteBeforeReplace: false });
  expect(await diff({ hostname: "go.shop.example" })).toEqual({
    replaces: ["hostname"],
    deleteBeforeReplace: false,
  });
  expect(await diff({ projectId: ORGANIZATION })).toEqual({
    replaces: ["projectId"],
    deleteBeforeReplace: true,
  });
  expect(await diff({ projectId: unknown })).toEqual({ replaces: ["projectId"], deleteBeforeReplace: true });
  expect(service.requests).toHaveLength(1);
});

test("an update restores the provider text in a state from the native plugin and sends no write", async () => {
  const provider = await configuredHost();
  service.answer((response, { url }) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(url.endsWith("/current") ? credential() : projectBody(1)));
  });
  const { id } = projectBody(1);
  const news = { name: "Project 1", __provider: text("project") };
  const oldOutputs = { name: "Project 1", __organization: ORGANIZATION };
  const request = { urn: urn("shop"), id, oldInputs: news, news, ignoreChanges: [] };
  const diff = (outputs: Record<string, string>) => provider.diff({ ...request, oldOutputs: outputs });
  expect(await diff(oldOutputs)).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
  const { outputs } = await provider.update({ ...request, oldOutputs });
  expect(outputs).toMatchObject({ ...oldOutputs, __provider: text("project") });
  expect(await diff({ ...oldOutputs, __provider: text("project") })).not.toHaveProperty("changes");
  // What is not this package's state is for the engine to compare.
  expect(await diff({ name: "Project 1" })).not.toHaveProperty("changes");
  expect(service.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

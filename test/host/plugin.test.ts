/** The native plugin over its protocol, against the emulator: its responses, and the requests that it sends. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import * as fc from "fast-check";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import type { Clock } from "../../provider/client";
import { namingOf, type PropertyNaming } from "../../provider/hosts/plugin/programNames";
import { readMapping } from "../../provider/hosts/terraform/mappingFile";
import { createSession, type Session } from "../../provider/session/session";
import { type Emulator, type Fault, startEmulator } from "../../testing/emulator";
import { directoryWith } from "../package/unpackedProgram";
import { until } from "../support/processes/until";
import {
  type CallError,
  connectPlugin,
  type InitFailure,
  type PluginClient,
  secret,
  UNKNOWN,
  urnOf,
} from "../support/providers/plugin";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION, seedWith } from "../support/stacks/scenarios";

const PROJECT_URN = urnOf("Project");
const APPLICATION_URN = urnOf("Application");
const DOMAIN_URN = urnOf("CustomDomain");
const ACTIVATION_URN = urnOf("CustomDomainActivation");
const UUID = "0e0e0e0e-0000-4000-8000-000000000009";
const APPLE_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };

type Values = Record<string, unknown>;

let service: Emulator;
let plugin: PluginClient;
const sessions: Session[] = [];

beforeAll(async () => {
  service = await startEmulator({ seed: seedWith() });
});
afterAll(() => service.close());
beforeEach(async () => {
  service.reset();
  plugin = await connected();
});
afterEach(() => {
  plugin.close();
  // Lookups of the key are shared, so one that hangs does not end with its call.
  for (const session of sessions.splice(0)) void session.client.close();
  expect(service.violations).toEqual([]);
});

/** Starts a plugin and configures it, unless `args` is null. Its waits take no time unless `realTime` is set. */
async function connected({
  args = {},
  environment = { DYNAMICLINK_API_KEY: KEY },
  realTime = false,
  timeoutMs,
  nameOf,
}: {
  args?: Values | null;
  environment?: Record<string, string>;
  realTime?: boolean;
  timeoutMs?: number;
  nameOf?: PropertyNaming;
} = {}) {
  let nowMs = service.clock.now().getTime();
  const clock: Clock = {
    now: () => nowMs,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted();
      nowMs += milliseconds;
      service.clock.advance(milliseconds);
    },
  };
  const timing = { ...(!realTime && { clock, random: () => 0 }), timeoutMs };
  const opened = new Map<string, Session>();
  const client = await connectPlugin({
    environment,
    ...(!realTime && { clock }),
    ...(nameOf && { nameOf }),
    session(settings) {
      const key = JSON.stringify(settings);
      const session = opened.get(key) ?? createSession(settings, timing);
      opened.set(key, session);
      sessions.push(session);
      return session;
    },
  });
  if (args !== null) await client.configure({ apiUrl: service.url, ...args });
  return client;
}

/** Replaces the plugin of a test by one with other settings. */
async function reconnect(settings?: Parameters<typeof connected>[0]): Promise<void> {
  plugin.close();
  plugin = await connected(settings);
}

/** The requests since the last call of this function, without the lookup of the key. */
function sent(): string[] {
  const log = service.requests.map(({ operationId }) => String(operationId));
  service.clearRequests();
  return log.filter((operation) => operation !== "getCurrentApiCredential");
}

async function failing(call: Promise<unknown>): Promise<CallError> {
  return await call.then(
    () => {
      throw new Error("The call succeeded.");
    },
    (error: CallError) => error,
  );
}

async function notReady(call: Promise<unknown>): Promise<InitFailure> {
  const error = await failing(call);
  const { initFailure } = error;
  if (initFailure === undefined) throw error;
  return initFailure;
}

/** Creates a project. Returns its UUID and its state. */
async function projectInState(name = "Shop", urn = PROJECT_URN) {
  const { id, outputs } = await plugin.create(urn, { name });
  return { projectId: id, project: outputs };
}

describe("start", () => {
  test("the handshake announces the supported encodings and passes the engine's address", async () => {
    const request = new messages.ProviderHandshakeRequest();
    request.setEngineAddress("127.0.0.1:1");
    expect((await plugin.ask(methods.handshake, request)).toObject()).toMatchObject({
      acceptSecrets: true,
      acceptResources: true,
      acceptOutputs: true,
    });
    await plugin.attach("127.0.0.1:2");
    expect(plugin.events.attached).toEqual(["127.0.0.1:1", "127.0.0.1:2"]);
    expect(await plugin.configure({ apiUrl: service.url })).toMatchObject({
      acceptsecrets: true,
      supportspreview: true,
    });
  });

  test("the schema has one version", async () => {
    const request = new messages.GetSchemaRequest();
    expect(JSON.parse((await plugin.ask(methods.getSchema, request)).getSchema())).toEqual({
      name: "dynamiclink",
    });
    request.setVersion(1);
    expect((await failing(plugin.ask(methods.getSchema, request))).message).toContain("version 1");
  });

  test.each([
    ["terraform", ["dynamiclink"]],
    ["other", []],
  ])("the providers that the plugin maps from %s are %j", async (key, providers) => {
    const request = new messages.GetMappingsRequest();
    request.setKey(key);
    expect((await plugin.ask(methods.getMappings, request)).getProvidersList()).toEqual(providers);
  });

  test.each([
    ["terraform", "dynamiclink", "dynamiclink", '{"name":"dynamiclink","version":"0.4.0"}'],
    // Pulumi asks so for providers that no plugin lists.
    ["terraform", "", "dynamiclink", '{"name":"dynamiclink","version":"0.4.0"}'],
    ["terraform", "other", "", ""],
    ["other", "dynamiclink", "", ""],
    ["other", "", "", ""],
  ])("the mapping from %s for the provider %j is that of %j", async (key, provider, name, data) => {
    const request = new messages.GetMappingRequest();
    request.setKey(key);
    request.setProvider(provider);
    const response = await plugin.ask(methods.getMapping, request);
    expect(response.getProvider()).toBe(name);
    expect(Buffer.from(response.getData_asU8()).toString()).toBe(data);
  });

  test("a mapping that cannot be read is an error with what to do, and not an empty mapping", async () => {
    const file = join(tmpdir(), "no-such-directory", "dynamiclink.json");
    const broken = await connectPlugin({ terraformMapping: () => readMapping(file) });
    const request = new messages.GetMappingRequest();
    request.setKey("terraform");
    const { message } = await failing(broken.ask(methods.getMapping, request));
    broken.close();
    expect(message).toContain(`cannot be read from ${file}`);
    expect(message).toContain("Install pulumi-dynamiclink again.");
  });

  test("a method that is not implemented is reported by name", async () => {
    const error = await failing(plugin.ask(methods.construct, new messages.ConstructRequest()));
    expect(error).toMatchObject({ code: status.UNIMPLEMENTED });
    expect(error.message).toContain("construct");
  });
});

describe("configuration", () => {
  beforeEach(async () => {
    await reconnect({ args: null });
  });

  test("a process keeps its first settings, and sends the key nowhere else", async () => {
    const elsewhere = await startEmulator({ seed: seedWith() });
    const news = { apiUrl: service.url, readOnly: null };
    expect((await plugin.checkConfig(news)).failures).toEqual([]);
    await plugin.configure({ apiUrl: service.url });
    const refusal = "This plugin process is already configured with other settings.";
    const { message } = await failing(plugin.configure({ apiUrl: elsewhere.url }));
    expect(message).toContain(refusal);
    expect(message).toContain("restart the plugin");
    const { failures } = await plugin.checkConfig({ apiUrl: elsewhere.url });
    expect(failures).toEqual([expect.stringContaining(refusal)]);
    expect((await plugin.check(PROJECT_URN, { name: "Shop" })).failures).toEqual([]);
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  test("the key of a provider is a secret, and a key from the environment is not in the response", async () => {
    expect(await plugin.checkConfig({ apiUrl: service.url })).toEqual({
      inputs: { apiUrl: service.url, __organization: ORGANIZATION },
      failures: [],
    });
    await reconnect({ args: null });
    const settings = { apiUrl: service.url, version: "1.0.0", readOnly: "true" };
    expect(await plugin.checkConfig({ apiKey: OTHER_KEY, ...settings })).toEqual({
      inputs: { apiKey: secret(OTHER_KEY), ...settings, __organization: OTHER_ORGANIZATION },
      failures: [],
    });
  });

  test("a provider keeps its organization: a key of another one is refused, and changes nothing in the provider", async () => {
    const news = { apiUrl: service.url };
    const olds = { ...news, __organization: OTHER_ORGANIZATION };
    const { failures } = await plugin.checkConfig(news, olds);
    expect(failures).toEqual([
      `The resources of this provider belong to organization ${OTHER_ORGANIZATION}, but the API key belongs to organization ${ORGANIZATION}. Use a key of organization ${OTHER_ORGANIZATION}: set the environment variable or the provider that this stack was deployed with. To manage organization ${ORGANIZATION} as well, declare a Provider with another name. If its resources belong to organization ${ORGANIZATION}, because a command with another key has recorded the wrong one, declare a Provider with another name for them as well. If this provider has no resources, remove it from the state with \`pulumi state delete\`.`,
    ]);
    expect(await plugin.diffConfig(news, { ...news, __organization: ORGANIZATION })).toMatchObject({
      some: false,
      replaces: [],
    });
  });

  test.each<[string, Values, Fault["effect"] | undefined]>([
    ["the key is refused", {}, { status: 401 }],
    ["the service does not respond as documented", {}, { status: 200, body: "{}" }],
    ["a setting is invalid", { apiKeyEnvVar: "OTHER" }, undefined],
  ])("if %s, a provider keeps the organization of the state", async (_name, args, effect) => {
    if (effect !== undefined) service.inject({ operation: "getCurrentApiCredential", effect });
    const news = { apiUrl: service.url, ...args };
    const { inputs, failures } = await plugin.checkConfig(news, { __organization: OTHER_ORGANIZATION });
    expect(inputs).toEqual({ ...news, __organization: OTHER_ORGANIZATION });
    expect(failures).toHaveLength(effect === undefined ? 1 : 0);
  });

  test("a provider that is new is refused if the key cannot be looked up", async () => {
    service.inject({ operation: "getCurrentApiCredential", effect: { status: 401 } });
    const { inputs, failures } = await plugin.checkConfig({ apiUrl: service.url });
    expect(inputs).toEqual({ apiUrl: service.url });
    expect(failures).toEqual([expect.stringContaining("The service does not know the API key")]);
  });

  test("if the key could not be looked up in time, a create in another organization is refused", async () => {
    const later = await connected({ args: { __organization: OTHER_ORGANIZATION } });
    const { message } = await failing(later.create(PROJECT_URN, { name: "Shop" }));
    expect(message).toContain(`this stack has objects of organization ${OTHER_ORGANIZATION}`);
    expect(sent()).toEqual([]);
    later.close();
  });

  test("a check of the configuration and the resources share one lookup of the key", async () => {
    await plugin.checkConfig({ apiUrl: service.url });
    await plugin.configure({ apiUrl: service.url });
    await plugin.check(PROJECT_URN, { name: "Shop" });
    expect(service.requests.map(({ operationId }) => operationId)).toEqual(["getCurrentApiCredential"]);
  });

  test.each<[string, Values, string]>([
    ["an unknown setting", { apiKeyEnvVal: "KEY" }, "did you mean apiKeyEnvVar?"],
    ["a blank key", { apiKey: " " }, "apiKey is blank"],
    ["a key that is not known yet", { apiKey: UNKNOWN }, "apiKey is not known yet"],
    ["a variable that is not set", { apiKeyEnvVar: "OTHER" }, "OTHER is not set"],
    ["the placeholder URL", { apiUrl: null }, "apiUrl is not set to the URL of the service"],
    ["an invalid URL", { apiUrl: "http://service.example" }, "apiUrl must use https"],
    ["an invalid flag", { readOnly: "perhaps" }, "readOnly must be true or false"],
  ])("%s is reported", async (_name, news, message) => {
    const { failures } = await plugin.checkConfig({ apiUrl: service.url, ...news });
    expect(failures).toEqual([expect.stringContaining(message)]);
  });

  test("a changed configuration updates a provider and replaces nothing", async () => {
    const before = { "dynamiclink:apiUrl": "https://a.example", apiKey: "a" };
    expect(await plugin.diffConfig(before, { apiUrl: "https://b.example", apiKey: "b" })).toMatchObject({
      some: true,
      replaces: [],
    });
    expect(await plugin.diffConfig({ apiUrl: "a" }, { apiUrl: "a" })).toMatchObject({ some: false });
  });

  test.each([true, "true", '"true"'])(
    "readOnly %j refuses every write before it is sent",
    async (readOnly) => {
      await reconnect({ args: { readOnly } });
      expect((await failing(plugin.create(PROJECT_URN, { name: "Shop" }))).message).toContain(
        "Read-only mode is turned on by readOnly of the Provider or of the stack's configuration.",
      );
      expect(sent()).toEqual(["listProjects"]);
    },
  );

  test("an explicit key takes precedence over the environment, even as a secret", async () => {
    await reconnect({ args: { apiKey: secret(OTHER_KEY) } });
    const { outputs } = await plugin.create(PROJECT_URN, { name: "Shop" });
    expect(outputs).toMatchObject({ organizationId: OTHER_ORGANIZATION });
  });

  test("invalid settings fail each check, and the process continues", async () => {
    await reconnect({ environment: {} });
    for (const name of ["Shop", "Market"]) {
      const { failures } = await plugin.check(PROJECT_URN, { name });
      expect(failures).toEqual([expect.stringContaining("DYNAMICLINK_API_KEY is not set")]);
    }
  });
});

describe("a value that is secret in the program", () => {
  test("is secret where the service repeats it as a whole: in an activation and in the result of a function", async () => {
    const hostname = "canary.straße.example";
    const { projectId } = await projectInState();
    const declared = await plugin.check(DOMAIN_URN, { projectId, hostname: secret(hostname) });
    const domain = await plugin.create(DOMAIN_URN, declared.inputs);
    service.setDomainStatus(domain.id, "ACTIVE");
    const inputs = { customDomainId: domain.id };
    const repeated = secret("canary.xn--strae-oqa.example");
    const { id, outputs } = await plugin.create(ACTIVATION_URN, inputs);
    expect(outputs.hostname).toEqual(repeated);
    const { outputs: read } = await plugin.read(ACTIVATION_URN, id, {
      properties: { ...inputs, hostname: "" },
    });
    expect(read?.hostname).toEqual(repeated);
    const updated = await plugin.update(ACTIVATION_URN, id, { ...outputs, hostname: "" }, inputs);
    expect(updated.hostname).toEqual(repeated);
    const looked = await plugin.invoke("dynamiclink:index:getCustomDomain", { id });
    expect(looked).toMatchObject({ id, hostname: secret(service.state.customDomains[0]?.hostname) });
  });

  const NAME = 'Canary "shop"';
  const quoting = [`name ${NAME} is not allowed`, `${"x".repeat(290)}${NAME}`];
  const hidden = /Canary|shop"/i;

  test("is not shown where the service quotes it, whole or cut off, in a failed create and in a failed update", async () => {
    const inject = (operation: "createProject" | "updateProject") =>
      service.inject({ operation, effect: { status: 400, message: quoting } });
    inject("createProject");
    const created = await failing(plugin.create(PROJECT_URN, { name: secret(NAME) }));
    const other = `${PROJECT_URN}-other`;
    const { id, outputs } = await plugin.create(other, { name: "Store" });
    inject("updateProject");
    const updated = await failing(plugin.update(other, id, outputs, { name: secret(NAME) }));
    for (const { message } of [created, updated]) {
      expect(message).toContain("name *** is not allowed");
      expect(message).not.toMatch(hidden);
    }
  });

  test("is not shown in the reasons of a resource that is not ready", async () => {
    const { projectId } = await projectInState();
    service.setBehaviour({ domainAdvance: "manual", cnameTargetAppears: "never" });
    service.inject({ operation: "getCustomDomain", effect: { status: 400, message: "links.shop.example" } });
    const inputs = { projectId, hostname: secret("links.shop.example") };
    const { reasons } = await notReady(plugin.create(DOMAIN_URN, inputs));
    expect(reasons.join()).toContain("***");
    expect(reasons.join()).not.toContain("links.shop");
  });

  test("is not shown in an error of another resource or of a function", async () => {
    const { projectId } = await projectInState();
    const { id } = await plugin.create(DOMAIN_URN, {
      projectId,
      hostname: secret("links.shop.example"),
    });
    service.inject({
      operation: ["getCustomDomain", "getProject"],
      count: 2,
      effect: { status: 403, message: "not for links.shop.example" },
    });
    const calls = [
      plugin.create(ACTIVATION_URN, { customDomainId: id }),
      plugin.invoke("dynamiclink:index:getProject", { id: projectId }),
      plugin.invoke("dynamiclink:index:getProject", { id: secret("Links.Shop.example") }),
    ];
    const messages = await Promise.all(calls.map(async (call) => (await failing(call)).message));
    expect(messages).toEqual([
      expect.stringContaining("not for ***"),
      expect.stringContaining("not for ***"),
      expect.stringContaining("must be a UUID"),
    ]);
    expect(messages.join().toLowerCase()).not.toContain("links.shop");
  });
});

describe("the lifecycle of a project", () => {
  test("create, refresh, import, update and delete send only the expected requests", async () => {
    const { inputs, failures } = await plugin.check(PROJECT_URN, { name: "Shop" });
    expect({ inputs, failures }).toEqual({ inputs: { name: "Shop" }, failures: [] });
    expect(sent()).toEqual([]);

    const { id, outputs } = await plugin.create(PROJECT_URN, inputs);
    expect(outputs).toEqual({
      name: "Shop",
      organizationId: ORGANIZATION,
      subDomain: `p${id.slice(0, 8)}`,
      createdAt: expect.any(String),
      __organization: ORGANIZATION,
    });
    expect(sent()).toEqual(["listProjects", "createProject"]);

    expect(await plugin.read(PROJECT_URN, id, { properties: outputs, inputs })).toEqual({
      id,
      outputs,
      inputs,
    });
    expect(await plugin.read(urnOf("Project", "imported"), id.toUpperCase())).toEqual({
      id,
      outputs: { ...outputs, __adopted: id },
      inputs: { ...inputs, __imported: true },
    });
    expect(sent()).toEqual(["getProject", "getProject"]);

    const news = { name: "Store", defaultHookupMsg: "Hello" };
    expect(await plugin.diff(PROJECT_URN, id, { olds: outputs, oldInputs: inputs, news })).toEqual({
      some: true,
      changes: { name: "UPDATE", defaultHookupMsg: "ADD" },
      changed: ["name", "defaultHookupMsg"],
      replaces: [],
      deleteBeforeReplace: false,
      stable: ["organizationId", "createdAt"],
    });
    expect(sent()).toEqual([]);

    const updated = await plugin.update(PROJECT_URN, id, outputs, news);
    expect(updated).toEqual({ ...outputs, ...news });
    expect(sent()).toEqual(["updateProject"]);

    // A run that imports an object does not delete it.
    await reconnect();
    await plugin.delete(PROJECT_URN, id, updated);
    expect(sent().sort()).toEqual([
      "deleteProject",
      "listApplications",
      "listCustomDomains",
      "listProjectLinks",
    ]);
    expect(await plugin.read(PROJECT_URN, id, { properties: updated, inputs: news })).toEqual({
      id: "",
      outputs: undefined,
      inputs: undefined,
    });
    await plugin.delete(PROJECT_URN, id, updated);
  });

  test("equal inputs are not a change", async () => {
    const { projectId, project } = await projectInState();
    const inputs = { name: "Shop" };
    expect(
      await plugin.diff(PROJECT_URN, projectId, { olds: project, oldInputs: inputs, news: inputs }),
    ).toMatchObject({
      some: false,
      changes: {},
    });
  });

  test("a change outside Pulumi is shown as a difference from the inputs, unless it is ignored", async () => {
    const { projectId, project } = await projectInState();
    service.updateProject(projectId, { name: "Console" });
    const { outputs, inputs } = await plugin.read(PROJECT_URN, projectId, {
      properties: project,
      inputs: { name: "Shop" },
    });
    const request = { olds: outputs ?? {}, oldInputs: inputs ?? {}, news: { name: "Shop" } };
    expect((await plugin.diff(PROJECT_URN, projectId, request)).changes).toEqual({ name: "UPDATE" });
    expect(await plugin.diff(PROJECT_URN, projectId, { ...request, ignoreChanges: ["name"] })).toMatchObject({
      some: false,
    });
  });
});

describe("the lifecycle of an application", () => {
  test("an application is created, compared in detail, updated and deleted", async () => {
    const { projectId } = await projectInState();
    sent();
    const { inputs, failures } = await plugin.check(APPLICATION_URN, {
      projectId: projectId.toUpperCase(),
      appType: "IOS",
      appleInfo: APPLE_INFO,
    });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ projectId, appType: "IOS", appleInfo: APPLE_INFO });
    const { id, outputs } = await plugin.create(APPLICATION_URN, inputs);
    const { createdAt } = outputs as { readonly createdAt?: unknown };
    expect(outputs).toEqual({
      ...inputs,
      createdAt: expect.any(String),
      __organization: ORGANIZATION,
      __updatedAt: createdAt,
    });
    expect(sent()).toEqual(["createApplication"]);

    const renamed = { ...inputs, appleInfo: { ...APPLE_INFO, appName: "Store", appStoreId: "1" } };
    const request = { olds: outputs, oldInputs: inputs };
    expect((await plugin.diff(APPLICATION_URN, id, { ...request, news: renamed })).changes).toEqual({
      "appleInfo.appName": "UPDATE",
      "appleInfo.appStoreId": "ADD",
    });
    const android = {
      projectId,
      appType: "ANDROID",
      androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop" },
    };
    expect((await plugin.diff(APPLICATION_URN, id, { ...request, news: android })).changes).toEqual({
      appType: "UPDATE",
      appleInfo: "DELETE",
      androidInfo: "ADD",
    });
    expect(
      await plugin.diff(APPLICATION_URN, id, { ...request, news: { ...renamed, projectId: UNKNOWN } }),
    ).toMatchObject({
      changes: {
        projectId: "UPDATE_REPLACE",
        "appleInfo.appName": "UPDATE",
        "appleInfo.appStoreId": "ADD",
      },
      changed: ["appleInfo", "projectId"],
      replaces: ["projectId"],
      deleteBeforeReplace: false,
    });
    expect(sent()).toEqual([]);

    expect(await plugin.update(APPLICATION_URN, id, outputs, renamed)).toEqual({
      ...outputs,
      ...renamed,
      __updatedAt: service.state.applications[0]?.updatedAt,
    });
    expect(sent()).toEqual(["getApplication", "updateApplication"]);
    await plugin.delete(APPLICATION_URN, id, outputs);
    expect(sent()).toEqual(["deleteApplication"]);
  });

  test("in a Python project, messages about the declaration have its names", async () => {
    const { projectId } = await projectInState();
    plugin.close();
    const project = directoryWith({ "Pulumi.yaml": "runtime: python" });
    plugin = await connected({ nameOf: namingOf(project.path) });
    project.remove();
    const ios = { projectId, appType: "IOS" };
    const reasons = async (news: Values) => (await plugin.check(APPLICATION_URN, news)).failures;
    expect(await reasons({ ...ios, appleInfo: { ...APPLE_INFO, app_nam: "Shop" } })).toEqual([
      "apple_info.app_nam is not a property of apple_info; allowed: app_name, app_store_id, app_scheme, app_id, app_id_prefix, bundle_id; did you mean app_name?",
    ]);
    expect(
      await reasons({ ...ios, androidInfo: {}, appleInfo: { appName: "Shop", appScheme: "shop" } }),
    ).toEqual([
      expect.stringMatching(/^apple_info\.bundle_id is required: /),
      'android_info is not allowed with app_type "IOS"',
    ]);
    await plugin.read(PROJECT_URN, projectId);
    const imported = plugin.update(
      PROJECT_URN,
      projectId,
      { name: "Shop" },
      { name: "Shop", defaultHookupMsg: "Hi" },
    );
    await expect(imported).rejects.toThrow(
      /^ {2}default_hookup_msg {2}"Hi" in the program, not set in the service$/m,
    );
  });

  test("all failures are reported at once, each with its path in the reason", async () => {
    const { failures } = await plugin.check(APPLICATION_URN, {
      projectId: UUID,
      appType: "IOS",
      appleInfo: { appName: secret("x".repeat(51)), bundleID: "a" },
    });
    expect(failures).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^appleInfo\.appName must be text/),
        expect.stringMatching(/^appleInfo\.appScheme is required/),
        expect.stringContaining("did you mean bundleId?"),
      ]),
    );
    expect(failures.join()).not.toContain("xxx");
  });
});

describe("the lifecycle of a custom domain and its activation", () => {
  test("a domain is created, waited for and deleted", async () => {
    const { projectId } = await projectInState();
    sent();
    const { inputs } = await plugin.check(DOMAIN_URN, { projectId, hostname: "Links.Shop.example." });
    expect(inputs).toEqual({ projectId, hostname: "links.shop.example" });
    const { id, outputs } = await plugin.create(DOMAIN_URN, inputs);
    expect(outputs).toEqual({ ...inputs, cnameTarget: expect.any(String), __organization: ORGANIZATION });
    expect(sent()).toEqual(["createCustomDomain"]);

    const active = await plugin.create(ACTIVATION_URN, { customDomainId: id, timeoutSeconds: 60 });
    expect(active).toMatchObject({ id, outputs: { hostname: "links.shop.example" } });
    expect(new Set(sent())).toEqual(new Set(["getCustomDomain"]));
    expect(plugin.events.reports.slice(0, 3)).toMatchObject([
      {
        urn: ACTIVATION_URN,
        persistent: true,
        message: expect.stringMatching(/^PENDING_\w+: CNAME links\.shop\.example -> /),
      },
      { urn: ACTIVATION_URN, persistent: true, message: expect.stringMatching(/^PENDING_\w+: http:/) },
      {
        urn: ACTIVATION_URN,
        persistent: false,
        message: expect.stringMatching(/^PENDING_\w+: CNAME links\.shop\.example -> /),
      },
    ]);

    expect(
      await plugin.diff(DOMAIN_URN, id, {
        olds: outputs,
        oldInputs: inputs,
        news: { projectId: UUID, hostname: "links.shop.example" },
      }),
    ).toMatchObject({
      changes: { projectId: "UPDATE_REPLACE" },
      replaces: ["projectId"],
      deleteBeforeReplace: true,
    });
    await plugin.delete(ACTIVATION_URN, id, active.outputs);
    await plugin.delete(DOMAIN_URN, id, outputs);
    expect(sent().slice(0, 2)).toEqual(["listCustomDomainLinks", "deleteCustomDomain"]);
    expect(service.state.customDomains).toEqual([]);
  });

  test("an activation that times out is saved as not ready, and the next update resumes it", async () => {
    service.setBehaviour({ domainAdvance: "manual" });
    const { projectId } = await projectInState();
    const { id } = await plugin.create(DOMAIN_URN, { projectId, hostname: "links.shop.example" });
    const inputs = { customDomainId: id, timeoutSeconds: 5 };
    const failure = await notReady(plugin.create(ACTIVATION_URN, inputs));
    expect(failure).toEqual({
      id,
      properties: { ...inputs, __organization: ORGANIZATION },
      reasons: [expect.stringContaining("after 5 seconds")],
      inputs: undefined,
    });
    const state = failure.properties;
    expect(
      await plugin.diff(ACTIVATION_URN, id, { olds: state, oldInputs: inputs, news: inputs }),
    ).toMatchObject({
      some: true,
      changes: { "~hostname": "ADD" },
      replaces: [],
    });
    const refreshed = await notReady(plugin.read(ACTIVATION_URN, id, { properties: state, inputs }));
    expect(refreshed).toMatchObject({ id, properties: state, inputs });
    expect(refreshed.reasons).toEqual([
      `Custom domain activation ${id} is not ready yet. Run \`pulumi up\` to continue.`,
    ]);
    service.setDomainStatus(id, "ACTIVE");
    const updated = await plugin.update(ACTIVATION_URN, id, state, inputs);
    expect(updated).toEqual({ ...state, hostname: "links.shop.example" });
    expect(
      await plugin.diff(ACTIVATION_URN, id, { olds: updated, oldInputs: inputs, news: inputs }),
    ).toMatchObject({
      some: false,
    });
  });
});

describe("previews", () => {
  test("a create returns its inputs and the organization, and sends nothing", async () => {
    expect(await plugin.create(PROJECT_URN, { name: "Shop" }, { preview: true })).toEqual({
      id: "",
      outputs: { name: "Shop", organizationId: ORGANIZATION, subDomain: UNKNOWN, createdAt: UNKNOWN },
    });
    const application = { projectId: UNKNOWN, appType: "WEB" };
    expect(await plugin.create(APPLICATION_URN, application, { preview: true })).toEqual({
      id: "",
      outputs: { ...application, createdAt: UNKNOWN },
    });
    expect(sent()).toEqual([]);
  });

  test("an update keeps unchanged outputs and their secrets, and sends nothing", async () => {
    const { projectId, project } = await projectInState();
    sent();
    const olds = { ...project, createdAt: secret(project.createdAt) };
    expect(
      await plugin.update(PROJECT_URN, projectId, olds, { name: secret("Store") }, { preview: true }),
    ).toEqual({
      name: secret("Store"),
      organizationId: ORGANIZATION,
      subDomain: UNKNOWN,
      createdAt: secret(project.createdAt),
    });
    expect(sent()).toEqual([]);
  });

  test("an output that is missing in the state is unknown", async () => {
    const olds = { projectId: UUID, hostname: "links.shop.example", __organization: ORGANIZATION };
    const { cnameTarget } = await plugin.update(DOMAIN_URN, UUID, olds, olds, { preview: true });
    expect(cnameTarget).toBe(UNKNOWN);
  });
});

describe("secrets", () => {
  test("reach the service as plain values, and every call returns them as secrets", async () => {
    const news = {
      projectId: UUID,
      appType: "IOS",
      appleInfo: { ...APPLE_INFO, appScheme: secret("hidden") },
    };
    const { projectId } = await projectInState();
    const { inputs } = await plugin.check(APPLICATION_URN, { ...news, projectId });
    expect(inputs).toMatchObject({ appleInfo: { appScheme: secret("hidden"), appName: "Shop" } });
    const { id, outputs } = await plugin.create(APPLICATION_URN, inputs);
    expect(outputs).toMatchObject({ appleInfo: { appScheme: secret("hidden"), appName: "Shop" } });
    expect(service.state.applications[0]?.appleInfo).toMatchObject({ appScheme: "hidden" });
    const read = await plugin.read(APPLICATION_URN, id, { properties: outputs, inputs });
    expect(read).toMatchObject({ outputs, inputs });
    const changed = { ...inputs, appleInfo: { ...APPLE_INFO, appScheme: secret("other") } };
    expect(await plugin.update(APPLICATION_URN, id, outputs, changed)).toMatchObject({
      appleInfo: { appScheme: secret("other") },
    });
    // A value that the program no longer marks as secret is not secret.
    const opened = { ...inputs, appleInfo: APPLE_INFO };
    expect(await plugin.update(APPLICATION_URN, id, outputs, opened)).toMatchObject({
      appleInfo: APPLE_INFO,
    });
    await plugin.delete(APPLICATION_URN, id, outputs);
  });

  test("an asset is rejected", async () => {
    const asset = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", text: "a" };
    const { failures } = await plugin.check(PROJECT_URN, { name: asset });
    expect(failures).toEqual(["name must be a plain value, not an asset."]);
  });
});

describe("import", () => {
  test("an application is read with the inputs that declare it, so that a preview shows no changes", async () => {
    const { projectId } = await projectInState();
    const { id } = service.createApplication(projectId, {
      appType: "IOS",
      appleInfo: { ...APPLE_INFO, appStoreId: null },
    } as never);
    sent();
    const { inputs = {}, outputs = {} } = await plugin.read(APPLICATION_URN, id);
    expect(sent()).toEqual(["getApplication"]);
    const declared = { projectId, appType: "IOS", appleInfo: APPLE_INFO };
    expect(inputs).toEqual({ ...declared, __imported: true });
    expect(await plugin.check(APPLICATION_URN, inputs, inputs)).toEqual({ inputs: declared, failures: [] });
    const compared = { olds: outputs, oldInputs: inputs, news: declared };
    // In the process that imports, an update follows, so that the state gets the inputs of the program.
    expect(await plugin.diff(APPLICATION_URN, id, compared)).toMatchObject({
      some: true,
      changes: { "~__adopted": "ADD" },
    });
    const later = await connected();
    expect(await later.diff(APPLICATION_URN, id, compared)).toMatchObject({ some: false });
    later.close();
  });

  test.each(["shop", "project/5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e", "", "5f0c9d3e"])(
    "%j is not a UUID, so nothing is sent",
    async (id) => {
      expect((await failing(plugin.read(PROJECT_URN, id))).message).toContain("must be a UUID");
      expect(service.requests).toEqual([]);
    },
  );

  test("the UUID of an object of another kind is not found", async () => {
    const { projectId } = await projectInState();
    for (const [urn, title] of [
      [APPLICATION_URN, "application"],
      [DOMAIN_URN, "custom domain"],
      [ACTIVATION_URN, "custom domain activation"],
    ] as const) {
      const { message } = await failing(plugin.read(urn, projectId));
      expect(message).toContain(`There is no ${title} ${projectId} in organization ${ORGANIZATION}`);
    }
  });

  test("an object that a run imports is not deleted because of an older entry of the stack", async () => {
    const { projectId, project } = await projectInState();
    await plugin.read(PROJECT_URN, projectId);
    await plugin.delete(PROJECT_URN, projectId, project);
    expect(service.state.projects).toHaveLength(1);
    expect(plugin.events.reports.at(-1)).toMatchObject({ urn: PROJECT_URN, persistent: true });
    // A read by `.get` is not an import.
    await reconnect();
    await plugin.read(PROJECT_URN, projectId, { properties: {}, inputs: {} });
    await plugin.delete(PROJECT_URN, projectId, project);
    expect(service.state.projects).toHaveLength(0);
  });
});

describe("a state of the dynamic host", () => {
  const hiddenInputs = { __provider: "text", __import: UUID };

  test("is accepted without changes, and keeps what a move back needs", async () => {
    const { projectId, project } = await projectInState();
    const adopted = { __import: projectId, __adopted: projectId, __adoption: UUID };
    const olds = { ...project, __provider: "text", ...adopted };
    const oldInputs = { name: "Shop", ...hiddenInputs };
    const { inputs, failures } = await plugin.check(PROJECT_URN, { name: "Shop" }, oldInputs);
    expect({ inputs, failures }).toEqual({ inputs: { name: "Shop" }, failures: [] });
    expect(await plugin.diff(PROJECT_URN, projectId, { olds, oldInputs, news: inputs })).toMatchObject({
      some: false,
      changes: {},
    });
    expect(await plugin.read(PROJECT_URN, projectId, { properties: olds, inputs: oldInputs })).toEqual({
      id: projectId,
      outputs: olds,
      inputs: oldInputs,
    });
    expect(await plugin.update(PROJECT_URN, projectId, olds, { name: "Store" })).toEqual({
      ...olds,
      name: "Store",
    });
    await reconnect();
    await plugin.delete(PROJECT_URN, projectId, olds);
    expect(service.state.projects).toEqual([]);
  });

  test("that has adopted an object prevents other entries from deleting it", async () => {
    const { projectId, project } = await projectInState();
    const adopted = { ...project, __adopted: projectId, __adoption: UUID, __import: projectId };
    const inputs = { name: "Shop" };
    await plugin.check(PROJECT_URN, inputs, inputs);
    await plugin.diff(PROJECT_URN, projectId, { olds: adopted, oldInputs: inputs, news: inputs });
    await plugin.delete(`${PROJECT_URN}-again`, projectId, project);
    expect(service.state.projects).toHaveLength(1);
    await reconnect();
    await plugin.delete(PROJECT_URN, projectId, adopted);
    expect(service.state.projects).toHaveLength(0);
  });

  test("that was saved as not ready is resumed", async () => {
    const olds = { customDomainId: UUID, __organization: ORGANIZATION, __provider: "text" };
    const oldInputs = { customDomainId: UUID, __provider: "text", __pending: true };
    expect(
      await plugin.diff(ACTIVATION_URN, UUID, { olds, oldInputs, news: { customDomainId: UUID } }),
    ).toMatchObject({ some: true, replaces: [] });
  });
});

describe("ownership", () => {
  test("the key of another organization fails in preview, and its 404 never counts as deleted", async () => {
    const { projectId, project } = await projectInState();
    await reconnect({ args: { apiKey: OTHER_KEY } });
    const inputs = { name: "Shop" };
    const calls = [
      plugin.diff(PROJECT_URN, projectId, { olds: project, oldInputs: inputs, news: inputs }),
      plugin.read(PROJECT_URN, projectId, { properties: project, inputs }),
      plugin.delete(PROJECT_URN, projectId, project),
      plugin.create(PROJECT_URN, { name: "Other" }),
    ];
    for (const call of calls) expect((await failing(call)).message).toContain(`organization ${ORGANIZATION}`);
    expect(service.state.projects).toHaveLength(1);
  });
});

describe("functions", () => {
  test.each([
    ["getProject", { name: "Shop", organizationId: ORGANIZATION, logoImageId: null }],
    ["getApplication", { appType: "WEB", appleInfo: null }],
    ["getCustomDomain", { hostname: "links.shop.example", retryCount: 0 }],
    ["getLink", { dynamicLinkName: "Link" }],
  ])("%s looks up by UUID", async (name, expected) => {
    const { projectId } = await projectInState();
    const ids: Record<string, string> = {
      getProject: projectId,
      getApplication: service.createApplication(projectId, { appType: "WEB" }).id,
      getCustomDomain: service.createCustomDomain(projectId, { hostname: "links.shop.example" }).id,
      getLink: service.createLink(projectId, { name: "Link", url: "https://shop.example" } as never).id,
    };
    const id = ids[name];
    sent();
    expect(await plugin.invoke(`dynamiclink:index:${name}`, { id })).toMatchObject({ id, ...expected });
    expect(sent()).toEqual([name]);
  });

  test("the result of a lookup by a secret is secret", async () => {
    const { projectId } = await projectInState();
    const result = await plugin.invoke("dynamiclink:index:getProject", { id: secret(projectId) });
    expect(result).toMatchObject({ id: secret(projectId), name: secret("Shop"), logoImageId: null });
  });

  test.each<[string, Values, string]>([
    ["getProject", { id: UUID }, `There is no project ${UUID} in organization ${ORGANIZATION}`],
    ["getProject", { id: "shop" }, "must be a UUID"],
    ["getProject", {}, "must be a UUID"],
    ["getProject", { Id: UUID }, "did you mean id?"],
    ["getProjects", { id: UUID }, "Did you mean dynamiclink:index:getProject?"],
  ])("%s with %j fails", async (name, args, message) => {
    expect((await failing(plugin.invoke(`dynamiclink:index:${name}`, args))).message).toContain(message);
  });
});

describe("invalid calls", () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ["an unknown type", () => plugin.create(urnOf("Projekt"), {}), "Did you mean dynamiclink:index:Project?"],
    ["no URN", () => plugin.read("", UUID), 'has no resource type ""'],
    [
      "create without properties",
      () => plugin.ask(methods.create, bare(new messages.CreateRequest())),
      "lacks the field properties",
    ],
    [
      "update without news",
      () => plugin.ask(methods.update, bare(new messages.UpdateRequest())),
      "lacks the field news",
    ],
    [
      "diff without an id",
      () => plugin.diff(PROJECT_URN, "", { olds: {}, oldInputs: {}, news: {} }),
      "must be a UUID",
    ],
    ["delete by a name", () => plugin.delete(PROJECT_URN, "shop", {}), "must be a UUID"],
    [
      "a state of an unknown owner",
      () => plugin.delete(PROJECT_URN, UUID, {}),
      "does not contain the organization that owns it",
    ],
    [
      "create with a value of no kind",
      () => plugin.ask(methods.create, withEmptyValue(new messages.CreateRequest(), "setProperties")),
      "appleInfo.names.appName of the request has no value. Update the Pulumi CLI and pulumi-dynamiclink.",
    ],
    [
      "configure with a value of no kind",
      () => plugin.ask(methods.configure, withEmptyValue(new messages.ConfigureRequest(), "setArgs")),
      "appleInfo.names.appName of the request has no value.",
    ],
    [
      "invoke with a value of no kind",
      () => {
        const request = withEmptyValue(new messages.InvokeRequest(), "setArgs");
        request.setTok("dynamiclink:index:getProject");
        return plugin.ask(methods.invoke, request);
      },
      "appleInfo.names.appName of the request has no value.",
    ],
    ...[Number.NaN, -1, Number.NEGATIVE_INFINITY].map(
      (timeout) =>
        [
          `create with a time limit of ${timeout}`,
          () => plugin.create(PROJECT_URN, { name: "Shop" }, { timeout }),
          `The time limit of a resource must be a number of seconds, 0 or more; it is ${timeout}. Correct the resource option customTimeouts.`,
        ] as [string, () => Promise<unknown>, string],
    ),
  ])("%s", async (_name, call, message) => {
    const error = await failing(call());
    expect(error.message).toContain(message);
    expect(error.code).toBe(status.FAILED_PRECONDITION);
    expect(error.message).not.toMatch(/\n\s+at /);
    expect((await plugin.check(PROJECT_URN, { name: "Shop" })).failures).toEqual([]);
  });

  test("an infinite time limit does not stop a call", async () => {
    const { outputs } = await plugin.create(
      PROJECT_URN,
      { name: "Shop" },
      { timeout: Number.POSITIVE_INFINITY },
    );
    expect(outputs).toMatchObject({ name: "Shop" });
  });

  test("the message of an unexpected error asks for a report", async () => {
    plugin.close();
    plugin = await connectPlugin({
      session: () => {
        throw new TypeError("broken");
      },
      environment: { DYNAMICLINK_API_KEY: KEY },
    });
    await plugin.configure({ apiUrl: service.url });
    const { code, message } = await failing(plugin.create(PROJECT_URN, { name: "Shop" }));
    expect(code).toBe(status.INTERNAL);
    expect(message).toBe(
      `Unexpected error: broken\nCreate of ${PROJECT_URN} failed. This is a bug in pulumi-dynamiclink. Please report it with this message and the versions of pulumi-dynamiclink and Pulumi.`,
    );
  });

  test("no property values cause an unexpected error", async () => {
    const { projectId } = await projectInState();
    const names = [
      "name",
      "appType",
      "appleInfo",
      "projectId",
      "hostname",
      "id",
      "__organization",
      "__adopted",
      "__import",
    ];
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(null, UNKNOWN, projectId, ORGANIZATION, "IOS", "", -1, 0.5, true),
        tie("value").map(secret),
        fc.array(tie("value"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom("appName", "bundleId", "__proto", "x"), tie("value")),
      ),
    })).value;
    const values = fc.dictionary(fc.constantFrom(...names), value);
    const type = fc.constantFrom("Project", "Application", "CustomDomain", "CustomDomainActivation", "Other");
    const bugs: string[] = [];
    await fc.assert(
      fc.asyncProperty(type, values, values, async (kind, olds, news) => {
        const urn = urnOf(kind);
        const calls = [
          plugin.check(urn, news, olds),
          plugin.diff(urn, projectId, { olds, oldInputs: olds, news }),
          plugin.create(urn, news, { preview: true }),
          plugin.update(urn, projectId, olds, news, { preview: true }),
          plugin.read(urn, projectId, { properties: olds, inputs: news }),
          plugin.checkConfig(news),
          plugin.diffConfig(olds, news),
          plugin.invoke("dynamiclink:index:getProject", news),
        ];
        for (const call of await Promise.allSettled(calls)) {
          const { code, message } = (call.status === "rejected" ? call.reason : {}) as CallError;
          if (code === status.INTERNAL || code === status.UNKNOWN) bugs.push(message);
        }
      }),
      { numRuns: 60 },
    );
    expect([...new Set(bugs)]).toEqual([]);
  });

  /** Sets properties in which a value in an object in a list has no kind, which JSON cannot express. */
  function withEmptyValue<
    Setter extends string,
    Request extends Record<Setter, (properties: Struct) => unknown>,
  >(request: Request, setter: Setter): Request {
    const properties = Struct.fromJavaScript({ name: "Shop", appleInfo: { names: [{}] } });
    const info = properties.getFieldsMap().get("appleInfo")?.getStructValue();
    const [item] = info?.getFieldsMap().get("names")?.getListValue()?.getValuesList() ?? [];
    item?.getStructValue()?.getFieldsMap().set("appName", new Value());
    request[setter](properties);
    return "setUrn" in request ? bare(request as Request & { setUrn(urn: string): unknown }) : request;
  }

  function bare<Request extends { setUrn(urn: string): unknown }>(request: Request): Request {
    request.setUrn(PROJECT_URN);
    return request;
  }
});

describe("stopping a call", () => {
  beforeEach(async () => {
    await reconnect({ realTime: true });
  });

  const CANCELLED = "Stopped: the run was cancelled. Run this again.";

  async function seen(operation: string, times = 1): Promise<void> {
    const received = () => service.requests.filter(({ operationId }) => operationId === operation);
    await until(
      () => received().length >= times,
      () => `The service has not received ${operation}.`,
    );
  }

  async function untilEnded(): Promise<void> {
    await until(
      () => plugin.events.ended > 0,
      () => "The plugin has not ended.",
    );
  }

  /** The inputs of a custom domain that never gets a CNAME target. */
  async function pendingDomain() {
    service.setBehaviour({ cnameTargetAppears: "never", domainAdvance: "manual" });
    const { projectId } = await projectInState();
    return { projectId, hostname: "links.shop.example" };
  }

  const NEW_URN = `${PROJECT_URN}-new`;
  const REMOVED_URN = `${PROJECT_URN}-removed`;

  /** The ways to stop calls: their time limits, and what stops them when the service has received the operations. */
  const STOPS: Readonly<
    Record<string, readonly [{ timeout?: number }, (operations: string[]) => Promise<void>]>
  > = {
    Cancel: [
      {},
      async (operations) => {
        await Promise.all(operations.map((operation) => seen(operation)));
        await plugin.cancel();
      },
    ],
    customTimeouts: [{ timeout: 0.4 }, async () => {}],
  };

  test.each(Object.entries(STOPS))(
    "after %s, a create, an update and a delete that were sent end, and their results are returned",
    async (_name, [limits, stop]) => {
      const changed = await projectInState("Changed");
      const removed = await projectInState("Removed", REMOVED_URN);
      const operations = ["createProject", "updateProject", "deleteProject"] as const;
      for (const operation of operations) service.inject({ operation, effect: { delayMs: 1_500 } });
      const calls = Promise.all([
        plugin.create(NEW_URN, { name: "New" }, limits),
        plugin.update(PROJECT_URN, changed.projectId, changed.project, { name: "Store" }, limits),
        plugin.delete(REMOVED_URN, removed.projectId, removed.project, limits),
      ]);
      await stop([...operations]);
      const [created, updated] = await calls;
      expect(created.outputs).toMatchObject({ name: "New", __organization: ORGANIZATION });
      expect(updated).toMatchObject({ name: "Store" });
      expect(service.state.projects.map(({ id, name }) => [id, name])).toEqual([
        [changed.projectId, "Store"],
        [created.id, "New"],
      ]);
    },
  );

  test.each(Object.entries(STOPS))(
    "after %s, an object whose response is lost is looked for with pauses, and adopted",
    async (_name, [limits, stop]) => {
      await reconnect({ realTime: true, timeoutMs: 1_000 });
      service.setBehaviour({ newObjectListed: { afterPolls: 1 } });
      service.inject({ operation: "createProject", effect: { hang: true, afterEffect: true } });
      const creating = plugin.create(PROJECT_URN, { name: "Shop" }, limits);
      await stop(["createProject"]);
      const { id } = await creating;
      expect(service.state.projects.map((project) => project.id)).toEqual([id]);
      expect(sent()).toEqual(["listProjects", "createProject", "listProjects", "listProjects"]);
    },
  );

  test("customTimeouts stop a create without a response, and the message has the limit and what is unknown", async () => {
    await reconnect({ realTime: true, timeoutMs: 1_000 });
    service.inject({ operation: "createProject", effect: { hang: true } });
    const { message, initFailure } = await failing(
      plugin.create(PROJECT_URN, { name: "Shop" }, { timeout: 0.4 }),
    );
    expect(initFailure).toBeUndefined();
    expect(message).toMatch(
      /^Stopped: it exceeded the time limit of 0.4 s set by the resource option customTimeouts\.\n/,
    );
    expect(message).toContain("unknown whether the project was created");
  });

  test("after Cancel, a delete whose object is gone looks for evidence, and succeeds", async () => {
    const { projectId, project } = await projectInState();
    service.inject({ operation: "deleteProject", effect: { delayMs: 1_000 } });
    const deleting = plugin.delete(PROJECT_URN, projectId, project);
    await seen("deleteProject");
    await plugin.cancel();
    service.deleteProject(projectId);
    await deleting;
    await untilEnded();
  });

  test("after Cancel, a create whose values the service has changed reports that, and not only that it was stopped", async () => {
    service.setBehaviour({ projectNameSpelling: "normalized" });
    service.inject({ operation: "createProject", effect: { delayMs: 1_000 } });
    const creating = notReady(plugin.create(PROJECT_URN, { name: "Shop" }));
    await seen("createProject");
    await plugin.cancel();
    const { id, reasons } = await creating;
    expect(reasons).toEqual([expect.stringContaining(`did not apply name of project ${id}`)]);
  });

  test("after Cancel, a create of which only the list before it was sent is not sent", async () => {
    service.inject({ operation: "listProjects", effect: { delayMs: 200 } });
    const creating = failing(plugin.create(PROJECT_URN, { name: "Shop" }));
    await seen("listProjects");
    await plugin.cancel();
    expect((await creating).message).toBe(CANCELLED);
    expect(sent()).toEqual(["listProjects"]);
  });

  test("after Cancel, an update of which only the read before it was sent is not sent", async () => {
    const { projectId } = await projectInState();
    const inputs = { projectId, appType: "IOS", appleInfo: APPLE_INFO };
    const { id, outputs } = await plugin.create(APPLICATION_URN, inputs);
    sent();
    service.inject({ operation: "getApplication", effect: { delayMs: 200 } });
    const news = { ...inputs, appleInfo: { ...APPLE_INFO, appName: "Store" } };
    const updating = failing(plugin.update(APPLICATION_URN, id, outputs ?? {}, news));
    await seen("getApplication");
    await plugin.cancel();
    expect((await updating).message).toBe(CANCELLED);
    expect(sent()).toEqual(["getApplication"]);
  });

  test.each([
    ["an update", "updateProject"],
    ["a create", "createProject"],
  ] as const)("after Cancel, %s is not sent again", async (_name, operation) => {
    const { projectId, project } = await projectInState();
    service.inject({ operation, effect: { status: 503, retryAfter: 30 } });
    const call = failing(
      operation === "createProject"
        ? plugin.create(NEW_URN, { name: "Other" })
        : plugin.update(PROJECT_URN, projectId, project, { name: "Store" }),
    );
    await seen(operation);
    await until(
      () => service.requests.every(({ status }) => status !== null),
      () => "The service has not responded.",
    );
    const startMs = performance.now();
    await plugin.cancel();
    expect((await call).message).toMatch(/^Stopped: the run was cancelled\.\n.* failed: 503 /);
    expect(performance.now() - startMs).toBeLessThan(500);
    expect(sent().filter((each) => each === operation)).toEqual(
      operation === "createProject" ? [operation, operation] : [operation],
    );
  });

  test("customTimeouts stop a wait, and the created object is saved", async () => {
    const inputs = await pendingDomain();
    const failure = await notReady(plugin.create(DOMAIN_URN, inputs, { timeout: 0.4 }));
    expect(failure).toMatchObject({ properties: { ...inputs, __organization: ORGANIZATION } });
    expect(failure.reasons).toEqual([
      `Custom domain ${failure.id} exists and is saved, but is not ready yet: it exceeded the time limit of 0.4 s set by the resource option customTimeouts. Run \`pulumi up\` to continue.`,
    ]);
  });

  test("customTimeouts stop reads, updates and deletes", async () => {
    await reconnect({ realTime: true, timeoutMs: 1_000 });
    const { projectId, project } = await projectInState();
    service.inject({ operation: "*", count: Number.POSITIVE_INFINITY, effect: { hang: true } });
    const limits = { timeout: 0.1 };
    const calls = [
      plugin.read(PROJECT_URN, projectId, { properties: project, ...limits }),
      plugin.update(PROJECT_URN, projectId, project, { name: "Store" }, limits),
      plugin.delete(PROJECT_URN, projectId, project, limits),
    ];
    for (const call of calls) expect((await failing(call)).message).toMatch(/^Stopped: .*customTimeouts/);
    service.clearFaults();
    expect((await plugin.read(PROJECT_URN, projectId, { properties: project })).id).toBe(projectId);
  });

  test.each([
    ["between two polls", undefined],
    ["in a poll that hangs", { hang: true }],
  ] as const)("Cancel stops a wait at once %s, and the created object is saved", async (_name, effect) => {
    const inputs = await pendingDomain();
    if (effect !== undefined) service.inject({ operation: "getCustomDomain", effect });
    const creating = notReady(plugin.create(DOMAIN_URN, inputs));
    // After the third poll, the pause is longer than the test allows.
    await seen("getCustomDomain", effect === undefined ? 3 : 1);
    const startMs = performance.now();
    await plugin.cancel();
    await plugin.cancel();
    const { id, reasons } = await creating;
    expect(performance.now() - startMs).toBeLessThan(500);
    expect(service.state.customDomains.map((domain) => domain.id)).toEqual([id]);
    expect(reasons).toEqual([
      `Custom domain ${id} exists and is saved, but is not ready yet: the run was cancelled. Run \`pulumi up\` to continue.`,
    ]);
    expect((await failing(plugin.create(PROJECT_URN, { name: "More" }))).message).toBe(CANCELLED);
  });

  test("a create that a hook has called again after Cancel saves what it has created, and the process ends on a signal", async () => {
    const inputs = await pendingDomain();
    const creating = notReady(plugin.create(DOMAIN_URN, inputs));
    await seen("getCustomDomain", 3);
    await plugin.cancel();
    const { id, reasons, properties } = await creating;
    const again = await notReady(plugin.create(DOMAIN_URN, inputs));
    expect(again).toMatchObject({ id, properties, reasons: [CANCELLED, ...reasons] });
    expect(service.state.customDomains.map((domain) => domain.id)).toEqual([id]);
    expect(plugin.events.ended).toBe(0);
    plugin.cancelBySignal();
    await untilEnded();
    expect(plugin.events.ended).toBe(1);
  });

  test.each<[moment: string, cancelAt: "before" | "during"]>([
    ["before", "before"],
    ["during", "during"],
  ])(
    "an application whose create was lost is listed by the call that a hook repeats, if Cancel comes %s that call",
    async (_moment, cancelAt) => {
      const { projectId } = await projectInState();
      service.clock.advance(2_000);
      service.inject({ operation: "createApplication", effect: { status: 502, afterEffect: true } });
      await failing(plugin.create(APPLICATION_URN, { projectId, appType: "WEB" }));
      const [{ id = "" } = {}] = service.state.applications;
      if (cancelAt === "during") service.inject({ operation: "listApplications", effect: { hang: true } });
      else await plugin.cancel();
      const listed = service.requests.filter(({ operationId }) => operationId === "listApplications").length;
      const again = failing(plugin.create(APPLICATION_URN, { projectId, appType: "WEB" }));
      if (cancelAt === "during") {
        await seen("listApplications", listed + 1);
        await plugin.cancel();
      }
      expect((await again).message).toContain(id);
      expect(plugin.events.ended).toBe(0);
      plugin.cancelBySignal();
      await untilEnded();
      expect(service.state.applications).toHaveLength(1);
    },
  );

  test("after Cancel, the wait for a deletion that was sent does not start, and the next deletion succeeds", async () => {
    const { projectId, project } = await projectInState();
    const { id, outputs } = await plugin.create(DOMAIN_URN, { projectId, hostname: "links.shop.example" });
    service.setBehaviour({ deletingPolls: Number.POSITIVE_INFINITY });
    service.inject({ operation: "deleteCustomDomain", effect: { delayMs: 1_000 } });
    const deleting = failing(plugin.delete(DOMAIN_URN, id, outputs ?? {}));
    await seen("deleteCustomDomain");
    await plugin.cancel();
    expect((await deleting).message).toBe(CANCELLED);
    expect(service.state.customDomains).toMatchObject([{ lifecycleStatus: "DELETING" }]);
    service.setBehaviour({ deletingPolls: 1 });
    await reconnect();
    await plugin.delete(DOMAIN_URN, id, outputs ?? {});
    await plugin.delete(PROJECT_URN, projectId, project);
    expect(service.state.customDomains).toEqual([]);
  });

  test.each(["getCurrentApiCredential", "listProjects", "getProject"] as const)(
    "Cancel stops calls that hang in %s within a second",
    async (operation) => {
      service.inject({ operation, count: Number.POSITIVE_INFINITY, effect: { hang: true } });
      const calls = [
        ...(operation === "getProject" ? [] : [plugin.create(PROJECT_URN, { name: "Shop" })]),
        ...(operation === "listProjects" ? [] : [plugin.read(PROJECT_URN, UUID)]),
        ...(operation === "listProjects"
          ? []
          : [plugin.invoke("dynamiclink:index:getProject", { id: UUID })]),
      ].map(failing);
      await seen(operation);
      const startMs = performance.now();
      plugin.cancelBySignal();
      for (const { message } of await Promise.all(calls)) expect(message).toBe(CANCELLED);
      await untilEnded();
      expect(performance.now() - startMs).toBeLessThan(1_000);
      expect(service.state.projects).toEqual([]);
    },
  );

  test("Cancel without calls in progress ends the process", async () => {
    await plugin.cancel();
    await untilEnded();
  });
});

test("a refresh of many resources requests lists", async () => {
  await reconnect({ realTime: true });
  const projects = await Promise.all(
    ["A", "B", "C", "D"].map(async (name) => ({ name, ...(await projectInState(name)) })),
  );
  sent();
  await Promise.all(
    projects.map(({ projectId, project, name }) =>
      plugin.read(PROJECT_URN, projectId, { properties: project, inputs: { name } }),
    ),
  );
  expect(sent()).toEqual(["listProjects"]);
});

test("one lookup of the key serves all calls", async () => {
  await Promise.all([
    plugin.check(PROJECT_URN, { name: "Shop" }),
    plugin.create(PROJECT_URN, { name: "Store" }, { preview: true }),
    plugin.create(PROJECT_URN, { name: "Other" }),
  ]);
  expect(service.requests.map(({ operationId }) => operationId).sort()).toEqual([
    "createProject",
    "getCurrentApiCredential",
    "listProjects",
  ]);
});

import { status } from "@grpc/grpc-js";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { type Fault, startEmulator } from "../../../../testing/emulator";
import {
  KEY,
  ORGANIZATION,
  OTHER_KEY,
  OTHER_ORGANIZATION,
  seedWith,
} from "../../../support/values/organizations";
import { connected, failing, plugin, projectInState, reconnect, sent, service, URN, UUID } from "./plugin";
import { connectPlugin, secret, UNKNOWN, urnOf } from "./pluginClient";

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

  test("the schema is that of the package", async () => {
    const request = new messages.GetSchemaRequest();
    expect(JSON.parse((await plugin.ask(methods.getSchema, request)).getSchema())).toEqual({
      name: "dynamiclink",
    });
  });

  test.each([
    ["terraform", "dynamiclink", true],
    // Pulumi asks so for providers that no plugin lists.
    ["terraform", "", true],
    ["terraform", "other", false],
    ["other", "dynamiclink", false],
  ])("the mapping from %s for the provider %j is that of dynamiclink: %s", async (key, provider, isOwn) => {
    const list = new messages.GetMappingsRequest();
    list.setKey(key);
    const providers = key === "terraform" ? ["dynamiclink"] : [];
    expect((await plugin.ask(methods.getMappings, list)).getProvidersList()).toEqual(providers);
    const request = new messages.GetMappingRequest();
    request.setKey(key);
    request.setProvider(provider);
    const response = await plugin.ask(methods.getMapping, request);
    expect(response.getProvider()).toBe(isOwn ? "dynamiclink" : "");
    const data = isOwn ? '{"name":"dynamiclink","version":"0.4.0"}' : "";
    expect(Buffer.from(response.getData_asU8()).toString()).toBe(data);
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
    expect((await plugin.check(URN.project, { name: "Shop" })).failures).toEqual([]);
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
      `The resources of this provider belong to organization ${OTHER_ORGANIZATION}, but the API key belongs to organization ${ORGANIZATION}. Use a key of organization ${OTHER_ORGANIZATION}: set the environment variable or the provider that this stack was deployed with. To move the stack to another organization on purpose, see docs/errors.md of pulumi-dynamiclink. To manage organization ${ORGANIZATION} as well, declare a Provider with another name. If its resources belong to organization ${ORGANIZATION}, because a command with another key has recorded the wrong one, declare a Provider with another name for them as well. If this provider has no resources, remove it from the state with \`pulumi state delete\`.`,
    ]);
    expect(await plugin.diffConfig(news, { ...news, __organization: ORGANIZATION })).toMatchObject({
      some: false,
      replaces: [],
    });
  });

  test.each<[string, object, Fault["effect"] | undefined]>([
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
    const { message } = await failing(later.create(URN.project, { name: "Shop" }));
    expect(message).toContain(`this stack has objects of organization ${OTHER_ORGANIZATION}`);
    expect(sent()).toEqual([]);
    later.close();
  });

  test("a key that is not known yet is reported", async () => {
    const { failures } = await plugin.checkConfig({ apiUrl: service.url, apiKey: UNKNOWN });
    expect(failures).toEqual([expect.stringContaining("apiKey is not known yet")]);
  });

  test("a changed configuration updates a provider and replaces nothing", async () => {
    const before = { "dynamiclink:apiUrl": "https://a.example", apiKey: "a" };
    expect(await plugin.diffConfig(before, { apiUrl: "https://b.example", apiKey: "b" })).toMatchObject({
      some: true,
      replaces: [],
    });
    expect(await plugin.diffConfig({ apiUrl: "a" }, { apiUrl: "a" })).toMatchObject({ some: false });
  });

  test("invalid settings fail each check, and the process continues", async () => {
    await reconnect({ environment: {} });
    for (const name of ["Shop", "Market"]) {
      const { failures } = await plugin.check(URN.project, { name });
      expect(failures).toEqual([expect.stringContaining("DYNAMICLINK_API_KEY is not set")]);
    }
  });
});

describe("functions", () => {
  test("the result of a lookup by a secret is secret", async () => {
    const { projectId } = await projectInState();
    const result = await plugin.invoke("dynamiclink:index:getProject", { id: secret(projectId) });
    expect(result).toMatchObject({ id: secret(projectId), name: secret("Shop"), logoImageId: null });
  });

  test("a list that is not found gives no advice about a state", async () => {
    service.inject({ operation: "listProjects", effect: { status: 404 } });
    const { message } = await failing(plugin.invoke("dynamiclink:index:getProjects", {}));
    expect(message).toMatch(/^Listing the projects of organization \S+ failed: 404 Not Found[^\n]*$/);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["getLinks", { id: UUID }, "has no function"],
    ["getApplications", { projectId: UUID }, `There is no project ${UUID} in organization `],
    ["getProjects", { name: "Shop" }, "getProjects: name is not an argument; none is allowed"],
    ["getProject", { name: "Shop" }, "allowed: id\nTo find a UUID by name, use getProjects."],
  ])("%s with %j fails", async (name, args, message) => {
    expect((await failing(plugin.invoke(`dynamiclink:index:${name}`, args))).message).toContain(message);
  });
});

describe("invalid calls", () => {
  const CREATE = new messages.CreateRequest();
  const UPDATE = new messages.UpdateRequest();
  const NOTHING = { olds: {}, oldInputs: {}, news: {} };
  for (const request of [CREATE, UPDATE]) request.setUrn(URN.project);

  test.each<[string, () => Promise<unknown>, string]>([
    ["an unknown type", () => plugin.create(urnOf("Projekt"), {}), "has no resource type"],
    ["no URN", () => plugin.read("", UUID), 'has no resource type ""'],
    ["create without properties", () => plugin.ask(methods.create, CREATE), "lacks the field properties"],
    ["update without news", () => plugin.ask(methods.update, UPDATE), "lacks the field news"],
    ["diff without an id", () => plugin.diff(URN.project, "", NOTHING), "must be a UUID"],
    ["delete by a name", () => plugin.delete(URN.project, "shop", {}), "must be a UUID"],
    ["a state of no owner", () => plugin.delete(URN.project, UUID, {}), "the organization that owns it"],
  ])("%s", async (_name, call, message) => {
    const error = await failing(call());
    expect(error.message).toContain(message);
    expect(error.code).toBe(status.FAILED_PRECONDITION);
    expect(error.message).not.toMatch(/\n\s+at /);
    expect((await plugin.check(URN.project, { name: "Shop" })).failures).toEqual([]);
  });

  test("an infinite time limit does not stop a call", async () => {
    const { outputs } = await plugin.create(URN.project, { name: "Shop" }, { timeout: Infinity });
    expect(outputs).toMatchObject({ name: "Shop" });
  });

  test("the message of an unexpected error asks for a report", async () => {
    const session = () => {
      throw new TypeError("broken");
    };
    const broken = await connectPlugin({ session, environment: { DYNAMICLINK_API_KEY: KEY } });
    await broken.configure({ apiUrl: service.url });
    const { code, message } = await failing(broken.create(URN.project, { name: "Shop" }));
    broken.close();
    expect(code).toBe(status.INTERNAL);
    expect(message).toBe(
      `Unexpected error: broken\nCreate of ${URN.project} failed. This is a bug in pulumi-dynamiclink. Please report it with this message and the versions of pulumi-dynamiclink and Pulumi.`,
    );
  });
});

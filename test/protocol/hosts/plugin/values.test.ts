/** The native plugin over its protocol: the values of its responses. */
import { ORGANIZATION } from "../../../support/values/organizations";
import {
  APPLE_INFO,
  failing,
  notReady,
  plugin,
  projectInState,
  reconnect,
  sent,
  service,
  URN,
  UUID,
} from "./plugin";
import { secret, UNKNOWN } from "./pluginClient";

describe("a value that is secret in the program", () => {
  const NAME = 'Canary "shop"';
  const quoting = [`name ${NAME} is not allowed`, `${"x".repeat(290)}${NAME}`];
  const hidden = /Canary|shop"/i;

  test("is not shown where the service quotes it, whole or cut off, in a failed create and in a failed update", async () => {
    const inject = (operation: "createProject" | "updateProject") =>
      service.inject({ operation, effect: { status: 400, message: quoting } });
    inject("createProject");
    const created = await failing(plugin.create(URN.project, { name: secret(NAME) }));
    const other = `${URN.project}-other`;
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
    const { reasons } = await notReady(plugin.create(URN.domain, inputs));
    expect(reasons.join()).toContain("***");
    expect(reasons.join()).not.toContain("links.shop");
  });

  test("is not shown in an error of a function whose argument it is", async () => {
    service.inject({
      operation: "getProject",
      effect: { status: 403, message: "not for links.shop.example" },
    });
    const call = plugin.invoke("dynamiclink:index:getProject", { id: secret("Links.Shop.example") });
    const { message } = await failing(call);
    expect(message).toContain("must be a UUID");
    expect(message.toLowerCase()).not.toContain("links.shop");
  });
});

test("the difference of a project has its changed properties, and what stays", async () => {
  const oldInputs = { name: "Shop" };
  const news = { name: "Store", defaultHookupMsg: "Hello" };
  const olds = { ...oldInputs, __organization: ORGANIZATION, organizationId: ORGANIZATION, createdAt: "" };
  expect(await plugin.diff(URN.project, UUID, { olds, oldInputs, news })).toEqual({
    some: true,
    changes: { name: "UPDATE", defaultHookupMsg: "ADD" },
    changed: ["name", "defaultHookupMsg"],
    replaces: [],
    deleteBeforeReplace: false,
    stable: ["organizationId", "createdAt"],
  });
});

test("the reports of a wait are about its resource, and none persists", async () => {
  const { projectId } = await projectInState();
  const { id } = await plugin.create(URN.domain, { projectId, hostname: "links.shop.example" });
  await plugin.create(URN.activation, { customDomainId: id, timeoutSeconds: 60 });
  const { reports } = plugin.events;
  expect(reports.length).toBeGreaterThan(1);
  expect(reports.filter(({ urn }) => urn !== URN.activation)).toEqual([]);
  expect(reports[0]).toMatchObject({ message: expect.stringMatching(/^An activation waits/) });
  expect(reports.filter(({ persistent }) => persistent)).toEqual([]);
});

test("a refresh of a resource that is not ready reports that, with what it has read", async () => {
  service.setBehaviour({ domainAdvance: "manual" });
  const { projectId } = await projectInState();
  const { id } = await plugin.create(URN.domain, { projectId, hostname: "links.shop.example" });
  const inputs = { customDomainId: id, timeoutSeconds: 5 };
  const { properties } = await notReady(plugin.create(URN.activation, inputs));
  expect(await notReady(plugin.read(URN.activation, id, { properties, inputs }))).toMatchObject({
    id,
    properties,
    inputs,
  });
});

test("until a program has run, a refresh of what Pulumi has imported takes all values, so that null clears one", async () => {
  const { id } = service.createProject(ORGANIZATION, { name: "Shop" });
  const imported = await plugin.read(URN.project, id);
  service.updateProject(id, { defaultHookupMsg: "Hello" });
  await reconnect();
  const { outputs: properties = {}, inputs = {} } = imported;
  const refreshed = await plugin.read(URN.project, id, { properties, inputs });
  expect(refreshed.inputs).toEqual({ ...inputs, defaultHookupMsg: "Hello" });
  const { outputs: olds = {}, inputs: oldInputs = {} } = refreshed;
  // The engine shows a refresh as the change from what it has read to what was before.
  const { changes } = await plugin.diff(URN.project, id, { olds, news: inputs, oldInputs });
  expect(changes).toEqual({ defaultHookupMsg: "DELETE" });
  const { inputs: news } = await plugin.check(URN.project, { name: "Shop", defaultHookupMsg: null });
  await plugin.update(URN.project, id, olds, news, { oldInputs });
  expect(service.state.projects[0]).toMatchObject({ defaultHookupMsg: null });
});

describe("previews", () => {
  test("a create returns its inputs and the organization, and only looks for the name", async () => {
    expect(await plugin.create(URN.project, { name: "Shop" }, { preview: true })).toEqual({
      id: "",
      outputs: { name: "Shop", organizationId: ORGANIZATION, subDomain: UNKNOWN, createdAt: UNKNOWN },
    });
    const application = { projectId: UNKNOWN, appType: "WEB" };
    expect(await plugin.create(URN.application, application, { preview: true })).toEqual({
      id: "",
      outputs: { ...application, createdAt: UNKNOWN },
    });
    expect(sent()).toEqual(["listProjects"]);
  });

  test("an update keeps unchanged outputs and their secrets, and only looks for the new name", async () => {
    const { projectId, project } = await projectInState();
    sent();
    const olds = { ...project, createdAt: secret(project.createdAt) };
    const news = { name: secret("Store") };
    expect(await plugin.update(URN.project, projectId, olds, news, { preview: true })).toEqual({
      name: secret("Store"),
      organizationId: ORGANIZATION,
      subDomain: UNKNOWN,
      createdAt: secret(project.createdAt),
    });
    expect(sent()).toEqual(["listProjects"]);
  });

  test("inputs that a policy has made invalid after the check fail", async () => {
    const news = { name: "" };
    const message = expect.stringContaining("A policy with remediations may have changed them");
    await expect(plugin.create(URN.project, news, { preview: true })).rejects.toMatchObject({ message });
    const { projectId, project } = await projectInState();
    await expect(
      plugin.update(URN.project, projectId, project, news, { preview: true }),
    ).rejects.toMatchObject({ message });
  });

  test("an output that is missing in the state is unknown", async () => {
    const olds = { projectId: UUID, hostname: "links.shop.example", __organization: ORGANIZATION };
    const { cnameTarget } = await plugin.update(URN.domain, UUID, olds, olds, { preview: true });
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
    const { inputs } = await plugin.check(URN.application, { ...news, projectId });
    const appleInfo = secret({ ...APPLE_INFO, appScheme: "hidden" });
    expect(inputs).toMatchObject({ appleInfo });
    const { id, outputs } = await plugin.create(URN.application, inputs);
    expect(outputs).toMatchObject({ appleInfo });
    expect(service.state.applications[0]?.appleInfo).toMatchObject({ appScheme: "hidden" });
    const read = await plugin.read(URN.application, id, { properties: outputs, inputs });
    expect(read).toMatchObject({ outputs, inputs });
    const changed = { ...inputs, appleInfo: { ...APPLE_INFO, appScheme: secret("other") } };
    expect(await plugin.update(URN.application, id, outputs, changed)).toMatchObject({
      appleInfo: secret({ ...APPLE_INFO, appScheme: "other" }),
    });
    // A value that the program no longer marks as secret is not secret.
    const opened = { ...inputs, appleInfo: APPLE_INFO };
    expect(await plugin.update(URN.application, id, outputs, opened)).toMatchObject({
      appleInfo: APPLE_INFO,
    });
    await plugin.delete(URN.application, id, outputs);
  });
});

test("a state of the dynamic host that was saved as not ready is resumed", async () => {
  const olds = { customDomainId: UUID, __organization: ORGANIZATION, __provider: "text" };
  const oldInputs = { customDomainId: UUID, __provider: "text", __pending: true };
  expect(
    await plugin.diff(URN.activation, UUID, { olds, oldInputs, news: { customDomainId: UUID } }),
  ).toMatchObject({ some: true, changes: { "~hostname": "ADD" }, replaces: [] });
});

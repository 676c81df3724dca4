/** The native plugin over its protocol: what a Cancel and a time limit stop, and what is saved. */
import { until } from "../../../support/processes/until";
import { ORGANIZATION } from "../../../support/values/organizations";
import {
  APPLE_INFO,
  APPLICATION_URN,
  createdBefore,
  DOMAIN_URN,
  failing,
  notReady,
  PROJECT_URN,
  plugin,
  projectInState,
  reconnect,
  sent,
  service,
  UUID,
} from "./support";

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
      for (const operation of operations) service.inject({ operation, effect: { delayMs: 700 } });
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
      await reconnect({ timeoutMs: 700 });
      service.setBehaviour({ listLag: { afterPolls: 1 } });
      service.inject({ operation: "createProject", effect: { hang: true, afterEffect: true } });
      const creating = plugin.create(PROJECT_URN, { name: "Shop" }, limits);
      await stop(["createProject"]);
      const { id } = await creating;
      expect(service.state.projects.map((project) => project.id)).toEqual([id]);
      expect(sent()).toEqual(["listProjects", "createProject", "listProjects", "listProjects"]);
    },
  );

  test("customTimeouts stop a create without a response, and the message has the limit and what is unknown", async () => {
    await reconnect({ timeoutMs: 700 });
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
    service.clock.advance(60_000);
    service.inject({ operation: "deleteProject", effect: { delayMs: 300 } });
    const deleting = plugin.delete(PROJECT_URN, projectId, project);
    await seen("deleteProject");
    await plugin.cancel();
    service.deleteProject(projectId);
    await deleting;
    await untilEnded();
  });

  test("after Cancel, a create whose values the service has changed reports that, and not only that it was stopped", async () => {
    service.setBehaviour({ storedForm: "normalizedNames" });
    service.inject({ operation: "createProject", effect: { delayMs: 300 } });
    const creating = notReady(plugin.create(PROJECT_URN, { name: "Shop" }));
    await seen("createProject");
    await plugin.cancel();
    const { id, reasons } = await creating;
    expect(reasons).toEqual([expect.stringContaining(`did not apply name of project ${id}`)]);
  });

  test.each([
    ["a create", "list", "listProjects"],
    ["an update", "read", "getApplication"],
  ] as const)(
    "after Cancel, %s of which only the %s before it was sent is not sent",
    async (_what, _read, first) => {
      const { projectId } = await projectInState();
      const inputs = { projectId, appType: "IOS", appleInfo: APPLE_INFO };
      const { id, outputs } = await plugin.create(APPLICATION_URN, inputs);
      sent();
      service.inject({ operation: first, effect: { delayMs: 200 } });
      const news = { ...inputs, appleInfo: { ...APPLE_INFO, appName: "Store" } };
      const call = failing(
        first === "listProjects"
          ? plugin.create(NEW_URN, { name: "New" })
          : plugin.update(APPLICATION_URN, id, outputs, news),
      );
      await seen(first);
      await plugin.cancel();
      expect((await call).message).toBe(CANCELLED);
      expect(sent()).toEqual([first]);
    },
  );

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
    expect(sent().filter((each) => each === operation)).toEqual([operation]);
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

  test("an application whose create was lost is named again by the call that a hook repeats after Cancel", async () => {
    const { projectId } = await projectInState();
    service.clock.advance(2_000);
    service.inject({ operation: "createApplication", effect: { status: 502, afterEffect: true } });
    await failing(plugin.create(APPLICATION_URN, { projectId, appType: "WEB" }));
    const [{ id = "" } = {}] = service.state.applications;
    await plugin.cancel();
    const again = failing(plugin.create(APPLICATION_URN, { projectId, appType: "WEB" }));
    expect((await again).message).toContain(id);
    expect(plugin.events.ended).toBe(0);
    plugin.cancelBySignal();
    await untilEnded();
    expect(service.state.applications).toHaveLength(1);
  });

  test("after Cancel, the wait for a deletion that was sent does not start, and the next deletion succeeds", async () => {
    const { projectId, project } = await projectInState();
    const { id, outputs } = await createdBefore(DOMAIN_URN, { projectId, hostname: "links.shop.example" });
    service.setBehaviour({ deletingPolls: Number.POSITIVE_INFINITY });
    service.inject({ operation: "deleteCustomDomain", effect: { delayMs: 300 } });
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

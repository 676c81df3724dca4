/** The native plugin over its protocol: what a Cancel and a time limit stop, and what is saved. */
import type { Fault } from "../../../../testing/emulator";
import { holdTimers } from "../../../support/processes/timers";
import { until } from "../../../support/processes/until";
import { ORGANIZATION } from "../../../support/values/organizations";
import {
  APPLE_INFO,
  createdBefore,
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

type Operation = NonNullable<Fault["operation"]>;

describe("stopping a call", () => {
  const CANCELLED = "Stopped: the run was cancelled. Run this again.";
  /** The time limit of a call in seconds. No call exceeds it by itself. */
  const timeout = 1_234;
  const OVERDUE = `it exceeded the time limit of ${timeout} s set by the resource option customTimeouts`;

  let limits: ReturnType<typeof holdTimers>;
  beforeEach(() => {
    limits = holdTimers(timeout * 1_000);
  });
  afterEach(() => limits[Symbol.dispose]());

  const NO_DELAY = { delayMs: 0 };
  function cancel(): void {
    plugin.cancelBySignal();
  }
  function exceed(): void {
    limits.expire();
  }
  /** Stops the calls when the service has received a request, to which it responds then. */
  function stopAt(operation: Operation, stop = cancel, effect: Fault["effect"] = NO_DELAY): void {
    function match(): boolean {
      stop();
      return true;
    }
    service.inject({ operation, match, effect, count: Number.POSITIVE_INFINITY });
  }

  async function seen(operation: string): Promise<void> {
    await until(() => service.requests.some(({ operationId }) => operationId === operation));
  }

  async function untilEnded(): Promise<void> {
    await until(() => plugin.events.ended > 0);
  }

  async function pendingDomain() {
    await reconnect({ waitsForever: true });
    service.setBehaviour({ cnameTargetAppears: "never", domainAdvance: "manual" });
    const { projectId } = await projectInState();
    return { projectId, hostname: "links.shop.example" };
  }

  const NEW_URN = `${URN.project}-new`;

  test("after Cancel, a create, an update and a delete that were sent end, and their results are returned", async () => {
    const { projectId, project } = await projectInState();
    stopAt(["createProject", "updateProject", "deleteProject"]);
    const { id, outputs } = await plugin.create(NEW_URN, { name: "New" });
    expect(outputs).toMatchObject({ name: "New", __organization: ORGANIZATION });
    await reconnect();
    const updated = await plugin.update(URN.project, projectId, project, { name: "Store" });
    expect(updated).toMatchObject({ name: "Store" });
    await reconnect();
    await plugin.delete(URN.project, projectId, updated);
    expect(service.state.projects).toMatchObject([{ id, name: "New" }]);
  });

  test("after Cancel, an object whose response is lost is looked for with pauses, and adopted", async () => {
    service.setBehaviour({ listLag: { afterPolls: 1 } });
    stopAt("createProject", cancel, { reset: "after" });
    const { id } = await plugin.create(URN.project, { name: "Shop" });
    expect(service.state.projects.map((project) => project.id)).toEqual([id]);
    expect(sent()).toEqual(["listProjects", "createProject", "listProjects", "listProjects"]);
  });

  test("customTimeouts stop a create without a response, and the message has the limit and what is unknown", async () => {
    stopAt("createProject", exceed, { reset: "before" });
    const { message, initFailure } = await failing(plugin.create(URN.project, { name: "Shop" }, { timeout }));
    expect(initFailure).toBeUndefined();
    expect(message.startsWith(`Stopped: ${OVERDUE}.\n`)).toBe(true);
    expect(message).toContain("unknown whether the project was created");
  });

  test("after Cancel, a create whose values the service has changed reports that, and not only that it was stopped", async () => {
    service.setBehaviour({ storedForm: "normalizedNames" });
    stopAt("createProject");
    const { id, reasons } = await notReady(plugin.create(URN.project, { name: "Shop" }));
    expect(reasons).toEqual([expect.stringContaining(`did not apply name of project ${id}`)]);
  });

  test.each([
    ["a create", "list", "listProjects"],
    ["an update", "read", "getApplication"],
  ] as const)("after Cancel, %s of which only the %s was sent is not sent", async (_what, _read, first) => {
    const { projectId } = await projectInState();
    const inputs = { projectId, appType: "IOS", appleInfo: APPLE_INFO };
    const { id, outputs } = await plugin.create(URN.application, inputs);
    sent();
    stopAt(first);
    const news = { ...inputs, appleInfo: { ...APPLE_INFO, appName: "Store" } };
    const call =
      first === "listProjects"
        ? plugin.create(NEW_URN, { name: "New" })
        : plugin.update(URN.application, id, outputs, news);
    expect((await failing(call)).message).toBe(CANCELLED);
    expect(sent()).toEqual([first]);
  });

  test("customTimeouts stop reads, updates and deletes", async () => {
    const { projectId, project } = await projectInState();
    stopAt("*", exceed, { reset: "before" });
    const calls = [
      () => plugin.read(URN.project, projectId, { properties: project, timeout }),
      () => plugin.update(URN.project, projectId, project, { name: "Store" }, { timeout }),
      () => plugin.delete(URN.project, projectId, project, { timeout }),
    ];
    for (const call of calls) expect((await failing(call())).message).toMatch(/^Stopped: .*customTimeouts/);
    service.clearFaults();
    expect((await plugin.read(URN.project, projectId, { properties: project })).id).toBe(projectId);
  });

  test.each([
    ["between two polls", undefined],
    ["in a poll that hangs", { hang: true }],
  ] as const)("Cancel stops a wait at once %s, and the created object is saved", async (_name, effect) => {
    const inputs = await pendingDomain();
    if (effect !== undefined) service.inject({ operation: "getCustomDomain", effect });
    const creating = notReady(plugin.create(URN.domain, inputs));
    await seen("getCustomDomain");
    await plugin.cancel();
    await plugin.cancel();
    const { id, reasons } = await creating;
    expect(service.state.customDomains.map((domain) => domain.id)).toEqual([id]);
    expect(reasons).toEqual([
      `Custom domain ${id} exists and is saved, but is not ready yet: the run was cancelled. Run \`pulumi up\` to continue.`,
    ]);
    expect((await failing(plugin.create(URN.project, { name: "More" }))).message).toBe(CANCELLED);
  });

  test("a create that a hook has called again after Cancel saves what it has created, and the process ends on a signal", async () => {
    const inputs = await pendingDomain();
    const creating = notReady(plugin.create(URN.domain, inputs));
    await seen("getCustomDomain");
    await plugin.cancel();
    const { id, reasons, properties } = await creating;
    const again = await notReady(plugin.create(URN.domain, inputs));
    expect(again).toMatchObject({ id, properties, reasons: [CANCELLED, ...reasons] });
    expect(service.state.customDomains.map((domain) => domain.id)).toEqual([id]);
    expect(plugin.events.ended).toBe(0);
    plugin.cancelBySignal();
    await untilEnded();
    expect(plugin.events.ended).toBe(1);
  });

  test("after Cancel, the wait for a deletion that was sent does not start, and the next deletion succeeds", async () => {
    const { projectId, project } = await projectInState();
    const { id, outputs } = await createdBefore(URN.domain, { projectId, hostname: "links.shop.example" });
    service.setBehaviour({ deletingPolls: Number.POSITIVE_INFINITY });
    stopAt("deleteCustomDomain");
    expect((await failing(plugin.delete(URN.domain, id, outputs ?? {}))).message).toBe(CANCELLED);
    service.clearFaults();
    expect(service.state.customDomains).toMatchObject([{ lifecycleStatus: "DELETING" }]);
    service.setBehaviour({ deletingPolls: 1 });
    await reconnect();
    await plugin.delete(URN.domain, id, outputs ?? {});
    await plugin.delete(URN.project, projectId, project);
    expect(service.state.customDomains).toEqual([]);
  });

  const creates = () => plugin.create(URN.project, { name: "Shop" });
  const reads = () => plugin.read(URN.project, UUID);
  const looksUp = () => plugin.invoke("dynamiclink:index:getProject", { id: UUID });
  test.each([
    ["getCurrentApiCredential", [creates, reads, looksUp]],
    ["listProjects", [creates]],
    ["getProject", [reads, looksUp]],
  ] as const)("Cancel stops calls that hang in %s", async (operation, calls) => {
    service.inject({ operation, count: Number.POSITIVE_INFINITY, effect: { hang: true } });
    const failures = calls.map((call) => failing(call()));
    await seen(operation);
    plugin.cancelBySignal();
    for (const { message } of await Promise.all(failures)) expect(message).toBe(CANCELLED);
    await untilEnded();
    expect(service.state.projects).toEqual([]);
  });
});

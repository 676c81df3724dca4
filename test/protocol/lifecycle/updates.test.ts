/** What an update sends, and what it leaves unchanged: the operations in this process, against an emulator. */
import type { ManagedObject } from "../../../provider/lifecycle/state";
import { changedAt } from "../../../provider/lifecycle/version";
import { applicationDescription } from "../../../provider/resources/application";
import { seedWith } from "../../support/values/organizations";
import { inProcessTools, operationsOf } from "../inProcess";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";

const tools = inProcessTools({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) });

function requests(): string[] {
  return tools.service.requests
    .filter(({ operationId }) => operationId !== "getCurrentApiCredential")
    .map(({ operationId, status }) => `${operationId} ${status}`);
}

function bodies(): unknown[] {
  return tools.service.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
}

describe("a read that lags", () => {
  const info = { appName: "One", appScheme: "shop", bundleId: "example.shop.app" };
  const ios = (more: object = {}) => ({
    projectId: PROJECT,
    appType: "IOS",
    appleInfo: { ...info, ...more },
  });
  const two = { appName: "Two", appScheme: "two" };
  const operations = () => operationsOf(applicationDescription, tools.inProcess);
  const update = ({ uuid, state }: ManagedObject, inputs: object) => operations().update(uuid, state, inputs);
  let application: ManagedObject;
  /** The responses of reads before the last update. */
  let outdated: object;

  function lag(body: unknown, count = Number.POSITIVE_INFINITY, skip = 0): void {
    tools.service.inject({ operation: "getApplication", count, skip, effect: { body } });
  }

  function edit(change: object): void {
    const [{ appleInfo } = {}] = tools.service.state.applications;
    tools.service.clock.advance(1_000);
    tools.service.updateApplication(application.uuid, { appleInfo: { ...appleInfo, ...change } });
  }

  function appleInfo(): unknown {
    return tools.service.state.applications[0]?.appleInfo;
  }

  beforeEach(async () => {
    const created = await operations().create(ios());
    tools.service.inject({
      operation: "getApplication",
      effect: {
        body(actual: object) {
          outdated = actual;
          return actual;
        },
      },
    });
    tools.service.clock.advance(1_000);
    application = { ...created, state: await update(created, ios({ appName: "Two" })) };
    tools.service.clearRequests();
  });

  test("is, after 30 seconds, an error that says what to do, and nothing is sent", async () => {
    lag(() => outdated);
    const { createdAt } = application.state;
    const updatedAt = changedAt(application.state);
    await expect(update(application, ios(two))).rejects.toThrow(
      `Application ${application.uuid} cannot be updated now: the service returns it as it was at ${createdAt}, but it has changed since, at ${updatedAt}. An update that starts from outdated values could undo that change. Run \`pulumi up\` again later. If this persists, run \`pulumi refresh\`, then \`pulumi up\`.`,
    );
    expect(bodies()).toEqual([]);
    expect(tools.inProcess.run.clock.now()).toBe(30_000);
  });

  test("between two attempts is not used: none is older than an earlier read", async () => {
    edit({ appStoreId: "1" });
    tools.service.inject({ operation: "updateApplication", effect: { status: 503 } });
    const beforeEdit = { ...outdated, updated_at: changedAt(application.state) };
    lag(beforeEdit, 1, 1);
    await update(application, ios(two));
    expect(requests()).toEqual([
      "getApplication 200",
      "updateApplication 503",
      "getApplication 200",
      "getApplication 200",
      "updateApplication 200",
    ]);
    expect(appleInfo()).toEqual({ ...info, ...two, appStoreId: "1" });
  });

  test("does not mistake an earlier attempt, whose response was lost, for a change outside Pulumi", async () => {
    tools.service.inject({ operation: "updateApplication", effect: { reset: "after" } });
    const state = await update(application, ios(two));
    expect(state).toEqual({
      ...application.state,
      ...ios(two),
      __changed: { at: tools.service.state.applications[0]?.updatedAt },
    });
    expect(tools.inProcess.reports).toEqual([]);
  });
});

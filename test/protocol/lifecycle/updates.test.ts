/** What an update of an application sends after reads that lag: the operations in this process, against an emulator. */
import type { ManagedObject } from "../../../provider/lifecycle/state";
import { changedAt } from "../../../provider/lifecycle/version";
import { applicationDescription } from "../../../provider/resources/application";
import { seedWith } from "../../support/values/organizations";
import { inProcessTools, operationsOf } from "../inProcess";

const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const INFO = { appName: "One", appScheme: "shop", bundleId: "example.shop.app" };
const TWO = { ...INFO, appName: "Two", appScheme: "two" };

const tools = inProcessTools({ seed: seedWith([{ id: PROJECT, name: "Shop" }]) });
let application: ManagedObject;

function ios(appleInfo: object) {
  return { projectId: PROJECT, appType: "IOS", appleInfo };
}

function update(appleInfo: object, { state } = application) {
  const { update } = operationsOf(applicationDescription, tools.inProcess);
  return update(application.uuid, state, ios(appleInfo));
}

function requests(): string[] {
  return tools.service.requests.map(({ operationId, status }) => `${operationId} ${status}`);
}

beforeEach(async () => {
  application = await operationsOf(applicationDescription, tools.inProcess).create(ios(INFO));
  tools.service.clock.advance(1_000);
  tools.service.clearRequests();
});

test("a read that is outdated for 30 seconds is an error that says what to do, and nothing is sent", async () => {
  tools.service.setBehaviour({ readLag: { afterSeconds: 60 } });
  const { uuid } = application;
  const state = await update({ ...INFO, appName: "Two" });
  tools.service.clearRequests();
  await expect(update(TWO, { uuid, state })).rejects.toThrow(
    `Application ${uuid} cannot be updated now: the service returns it as it was at ${state.createdAt}, but it has changed since, at ${changedAt(state)}. An update that starts from outdated values could undo that change. Run \`pulumi up\` again later. If this persists, run \`pulumi refresh\`, then \`pulumi up\`.`,
  );
  expect(new Set(requests())).toEqual(new Set(["getApplication 200"]));
  expect(tools.inProcess.run.clock.now()).toBe(30_000);
});

test("a read between two attempts that is older than the one before is not used", async () => {
  tools.service.updateApplication(application.uuid, { appleInfo: { ...INFO, appStoreId: "1" } });
  tools.service.inject({ operation: "updateApplication", effect: { status: 503 } });
  const body = (shown: object) => ({ ...shown, apple_info: null, updated_at: null });
  tools.service.inject({ operation: "getApplication", skip: 1, effect: { body } });
  await update(TWO);
  const [read, written] = ["getApplication 200", "updateApplication 200"];
  expect(requests()).toEqual([read, "updateApplication 503", read, read, written]);
  expect(tools.service.state.applications[0]?.appleInfo).toEqual({ ...TWO, appStoreId: "1" });
});

test("an earlier attempt, whose response was lost, is not mistaken for a change outside Pulumi", async () => {
  tools.service.inject({ operation: "updateApplication", effect: { reset: "after" } });
  expect(await update(TWO)).toEqual({
    ...application.state,
    ...ios(TWO),
    __changed: { at: tools.service.state.applications[0]?.updatedAt },
  });
  expect(tools.inProcess.reports).toEqual([]);
});

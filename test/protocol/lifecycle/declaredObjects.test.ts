/** When the deletion of an entry keeps the object, because another entry of the state has it: the calls that decide. */
import { applicationDescription } from "../../../provider/resources/application";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, ORGANIZATION, seedWith, writesIn } from "../../support/stacks/scenarios";

const SHOP = "0c0c0c0c-0000-4000-8000-000000000003";
const WEB = "0d0d0d0d-0000-4000-8000-000000000006";
const DOMAIN = "0d0d0d0d-0000-4000-8000-000000000007";

const tools = inProcessTools(
  {
    seed: seedWith([
      {
        id: SHOP,
        name: "Shop",
        applications: [{ id: WEB, appType: "ANDROID", androidInfo: androidInfo("Shop") }],
        customDomains: [{ id: DOMAIN, hostname: "links.shop.example", lifecycleStatus: "ACTIVE" }],
      },
    ]),
  },
  KEY,
);

function androidInfo(appName: string) {
  return { appName, appScheme: "shop", appPackageName: "example.shop" };
}

function inputsWith(appName: string) {
  return { projectId: SHOP, appType: "ANDROID", androidInfo: androidInfo(appName) };
}

const inputs = inputsWith("Shop");
const state = { ...inputs, createdAt: "2026-01-01T00:00:00.000Z", __organization: ORGANIZATION };
const KEPT = `Application ${WEB} is kept, because another entry of the state manages it, or the option import has adopted it. Only the removed entry is deleted from the state.`;

function application() {
  return operationsOf(applicationDescription, tools.inProcess);
}

async function expectKept(): Promise<void> {
  await application().delete(WEB, state);
  expect(tools.inProcess.reports).toEqual([KEPT]);
  expect(writesIn(tools.service)).not.toContain("deleteApplication 204");
}

async function expectDeleted(): Promise<void> {
  await application().delete(WEB, state);
  expect(tools.inProcess.reports).toEqual([]);
  expect(writesIn(tools.service)).toContain("deleteApplication 204");
}

describe("the deletion of an entry keeps the object", () => {
  test("if the program declares another entry without a change, in any order of its properties", async () => {
    const { projectId, appType } = inputs;
    const { appName, ...info } = inputs.androidInfo;
    await application().check(inputs, inputs);
    await application().diff(WEB, state, { androidInfo: { ...info, appName }, appType, projectId });
    await expectKept();
  });

  test("if the program changes another entry", async () => {
    const changed = inputsWith("Market");
    await application().check(changed, inputs);
    await application().diff(WEB, state, changed);
    await application().update(WEB, state, changed);
    await expectKept();
  });

  test("if the update of the other entry fails", async () => {
    const changed = inputsWith("Market");
    await application().check(changed, inputs);
    tools.service.inject({ operation: "updateApplication", effect: { status: 400 } });
    await expect(application().update(WEB, state, changed)).rejects.toThrow("400");
    await expectKept();
  });

  test("if the program declares two other entries and the engine replaces one of them", async () => {
    for (const resource of ["web", "site"]) {
      await application().check(inputs, inputs, resource);
      await application().diff(WEB, state, inputs);
    }
    await application().check(inputs, {}, "web");
    await expectKept();
  });

  test("if a new resource declares the same as the other entry", async () => {
    await application().check(inputs, inputs, "web");
    await application().diff(WEB, state, inputs);
    await application().check(inputs, {}, "new");
    await application().create(inputs);
    await expectKept();
  });

  test("if the host cannot identify resources, whatever it checks afterwards", async () => {
    await application().check(inputs, inputs);
    await application().diff(WEB, state, inputs);
    await application().check(inputs);
    await expectKept();
  });

  test("if the engine compares equal resources in parallel and replaces one of them, which may be another", async () => {
    for (const resource of ["web", "site"]) await application().check(inputs, inputs, resource);
    await application().diff(WEB, state, inputs);
    await application().diff("0d0d0d0d-0000-4000-8000-000000000009", state, inputs);
    await application().check(inputs, {}, "site");
    await expectKept();
  });
});

describe("the deletion of an entry deletes the object", () => {
  test("if the program does not declare it", async () => {
    await expectDeleted();
  });

  test("if only a refresh has compared it", async () => {
    await application().diff(WEB, state, inputs);
    await expectDeleted();
  });

  test("if the engine replaces it without a change, as with replaceOnChanges when it is not ready", async () => {
    await application().check(inputs, inputs, "web");
    await application().diff(WEB, state, inputs);
    await application().check(inputs, {}, "web");
    await expectDeleted();
  });

  test("if the engine replaces it, although another resource with the same inputs keeps its own object", async () => {
    const other = "0d0d0d0d-0000-4000-8000-000000000009";
    for (const [resource, uuid] of [
      ["site", other],
      ["web", WEB],
      ["blog", other],
    ] as const) {
      await application().check(inputs, inputs, resource);
      await application().diff(uuid, state, inputs);
    }
    await application().check(inputs, {}, "web");
    await expectDeleted();
  });

  test("if the engine replaces it on the host that passes URNs", async () => {
    const run = { ...tools.inProcess.run, urn: "urn:of:the:application" };
    const native = operationsOf(applicationDescription, { ...tools.inProcess, run });
    await native.check(inputs, inputs);
    await native.diff(WEB, state, inputs);
    await native.check(inputs);
    await native.delete(WEB, state);
    expect(writesIn(tools.service)).toEqual(["deleteApplication 204"]);
  });

  test("if the engine replaces it because of a change, as with replaceOnChanges and ignoreChanges", async () => {
    const changed = inputsWith("Market");
    const { appScheme: _ignored, ...info } = changed.androidInfo;
    const created = { ...changed, androidInfo: { ...info, appScheme: "market" } };
    await application().check(changed, inputs, "web");
    await application().diff(WEB, state, changed);
    await application().check(created, {}, "web");
    await application().create(created);
    await expectDeleted();
  });

  test("if a change of the entry replaces it", async () => {
    const moved = { ...inputs, projectId: "0d0d0d0d-0000-4000-8000-000000000008" };
    await application().check(moved, inputs);
    await application().diff(WEB, state, moved);
    await expectDeleted();
  });
});

test("the deletion of an activation reports nothing: several can have the UUID of a domain", async () => {
  const activation = operationsOf(customDomainActivationDescription, tools.inProcess);
  const declared = { customDomainId: DOMAIN };
  const saved = { ...declared, hostname: "links.shop.example", __organization: ORGANIZATION };
  await activation.check(declared, declared);
  await activation.diff(DOMAIN, saved, declared);
  await activation.delete(DOMAIN, saved);
  expect(tools.inProcess.reports).toEqual([]);
});

/** Where the check keeps null: only where the service can have no value, and where it does not add one itself. */
import * as operations from "../../../provider/lifecycle/operations";
import { applicationDescription } from "../../../provider/resources/application";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { projectDescription } from "../../../provider/resources/project";
import { inProcessTools, operationsOf, resourceRun } from "../../support/providers/inProcess";
import { KEY, seedWith } from "../../support/values/organizations";

const UUID = "0c0c0c0c-0000-4000-8000-000000000003";
const APPLE_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop" };
const ANDROID_INFO = { appName: "Shop", appScheme: "shop", appPackageName: "example.shop" };

const APPLE_NULLS = { ...APPLE_INFO, appStoreId: null, appIdPrefix: null };
const ANDROID_NULLS = { ...ANDROID_INFO, sha256Fingerprints: null };
const PROJECT = { name: "Shop", defaultHookupMsg: null };
const ACTIVATION = { customDomainId: UUID };
const ACTIVATION_NULLS = { ...ACTIVATION, timeoutSeconds: null, retryFailed: null };
const WEB = { projectId: UUID, appType: "WEB" };
const IOS = { projectId: UUID, appType: "IOS" };
const ANDROID = { projectId: UUID, appType: "ANDROID" };

const tools = inProcessTools({ seed: seedWith([{ id: UUID, name: "Shop" }]) }, KEY);

test.each([
  ["project", projectDescription, PROJECT, PROJECT],
  ["web application", applicationDescription, { ...WEB, appleInfo: null, androidInfo: null }, WEB],
  [
    "iOS application",
    applicationDescription,
    { ...IOS, appleInfo: { ...APPLE_NULLS, appId: null }, androidInfo: null },
    { ...IOS, appleInfo: APPLE_NULLS },
  ],
  [
    "Android application",
    applicationDescription,
    { ...ANDROID, androidInfo: ANDROID_NULLS, appleInfo: null },
    { ...ANDROID, androidInfo: ANDROID_NULLS },
  ],
  ["activation", customDomainActivationDescription, ACTIVATION_NULLS, ACTIVATION],
] as const)("null in the optional properties of a %s", async (_name, description, inputs, kept) => {
  const { check } = operationsOf(description as typeof projectDescription, tools.inProcess);
  expect(await check(inputs)).toEqual({ inputs: kept, failures: [] });
});

test("a platform that there is not is rejected, whatever its name", async () => {
  const { check } = operationsOf(applicationDescription, tools.inProcess);
  const { failures } = await check({ projectId: UUID, appType: "constructor" });
  expect(failures).toEqual(['appType must be one of "IOS", "ANDROID", "WEB"']);
});

describe("an application that lacks what a create requires", () => {
  const declared = { projectId: UUID, appType: "IOS" };
  const withInfo = { ...declared, appleInfo: { appName: null, appScheme: "shop", bundleId: null } };

  test.each<[string, inputs: object, info: object | undefined]>([
    ["a part of its info", withInfo, { appScheme: "shop" }],
    ["its info", declared, undefined],
  ])("is adopted, read, updated and replaced: %s", async (_what, inputs, info) => {
    const run = resourceRun(applicationDescription, tools.inProcess);
    const { id } = tools.service.createApplication(UUID, {
      appType: "IOS",
      ...(info !== undefined && { appleInfo: info }),
    });
    const check = (values: object, more: object) =>
      operations.check(run, { inputs: { ...values }, isNew: true, resource: "one", ...more });
    const { inputs: checked, failures } = await check(inputs, { adopt: id });
    expect({ checked, failures }).toEqual({ checked: inputs, failures: [] });
    const { uuid, state } = await operations.create(run, { inputs: checked, adopt: id });
    expect((await operations.read(run, { uuid, state }))?.inputs).toEqual(inputs);
    const again = await operations.read(run, { uuid, state: {} });
    expect(again?.inputs).toEqual({ appleInfo: null, ...inputs });
    const changed = { ...declared, appleInfo: { ...withInfo.appleInfo, appScheme: "new" } };
    expect((await check(changed, { isNew: false, before: checked })).failures).toEqual([]);
    await operations.update(run, { uuid, state, inputs: changed });
    const sent = tools.service.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body);
    expect(sent).toEqual([{ apple_info: { app_name: null, app_scheme: "new", bundle_id: null } }]);
    // The engine checks what replaces it as a new resource.
    expect((await check(changed, {})).failures).toEqual([
      "appleInfo.appName is required: text of at most 50 characters",
      expect.stringContaining("appleInfo.bundleId is required: two or more"),
    ]);
  });
});

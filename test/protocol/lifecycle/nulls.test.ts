import { applicationDescription } from "../../../provider/resources/application";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { projectDescription } from "../../../provider/resources/project";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
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

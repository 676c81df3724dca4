/** Where the check keeps null: only where the service can have no value, and where it does not add one itself. */
import { applicationDescription } from "../../../provider/resources/application";
import { customDomainActivationDescription } from "../../../provider/resources/customDomainActivation";
import { projectDescription } from "../../../provider/resources/project";
import { inProcessTools, operationsOf } from "../../support/providers/inProcess";
import { KEY, seedWith } from "../../support/values/organizations";

const UUID = "0c0c0c0c-0000-4000-8000-000000000003";
const APPLE_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop" };
const ANDROID_INFO = { appName: "Shop", appScheme: "shop", appPackageName: "example.shop" };

const tools = inProcessTools({ seed: seedWith([{ id: UUID, name: "Shop" }]) }, KEY);

test.each([
  ["project", projectDescription, { name: "Shop" }, { defaultHookupMsg: null }],
  ["web application", applicationDescription, { projectId: UUID, appType: "WEB" }, {}],
  [
    "iOS application",
    applicationDescription,
    { projectId: UUID, appType: "IOS", appleInfo: APPLE_INFO },
    { appleInfo: { ...APPLE_INFO, appStoreId: null, appIdPrefix: null } },
  ],
  [
    "Android application",
    applicationDescription,
    { projectId: UUID, appType: "ANDROID", androidInfo: ANDROID_INFO },
    { androidInfo: { ...ANDROID_INFO, sha256Fingerprints: null } },
  ],
  ["activation", customDomainActivationDescription, { customDomainId: UUID }, {}],
] as const)("null in every optional property of a %s", async (_name, description, inputs, kept) => {
  const { check } = operationsOf(description as typeof projectDescription, tools.inProcess);
  const allNull = {
    ...Object.fromEntries(Object.keys(description.inputs.shape).map((name) => [name, null])),
    ...inputs,
    ...("appleInfo" in inputs && {
      appleInfo: { appStoreId: null, appId: null, appIdPrefix: null, ...inputs.appleInfo },
    }),
    ...("androidInfo" in inputs && { androidInfo: { sha256Fingerprints: null, ...inputs.androidInfo } }),
  };
  expect(await check(allNull)).toEqual({ inputs: { ...inputs, ...kept }, failures: [] });
});

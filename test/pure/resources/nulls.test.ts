/** Where the check keeps null: only where the service can have no value, and where it does not add one itself. */
import type { Properties } from "../../../provider/lifecycle/properties";
import { DESCRIPTIONS } from "../../../provider/resources";
import { PLACE, setUp } from "../lifecycle/things";

const PROJECT = { name: "Shop", defaultHookupMsg: null };
const WEB = { projectId: PLACE, appType: "WEB" };
const APPLE = { appName: "Shop", appScheme: "shop", bundleId: "example.shop", appStoreId: null };
const IOS = { projectId: PLACE, appType: "IOS", appleInfo: APPLE };
const PACKAGE = { appName: "a", appScheme: "a", appPackageName: "a.b", sha256Fingerprints: null };
const ANDROID = { projectId: PLACE, appType: "ANDROID", androidInfo: PACKAGE };
const ACTIVATION = { customDomainId: PLACE };
const NO_OPTIONS = { timeoutSeconds: null, retryFailed: null };

function checked(type: keyof typeof DESCRIPTIONS, inputs: Properties) {
  const areas = ["projects", "applications", "domains"] as const;
  const scopes = areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const);
  const { check, run } = setUp({ kind: DESCRIPTIONS[type], scopes });
  return check(run, { inputs, isNew: true });
}

test.each<[keyof typeof DESCRIPTIONS, omitted: object, kept: Properties]>([
  ["Project", { other: null }, PROJECT],
  ["Application", { appleInfo: null, androidInfo: null }, WEB],
  ["Application", { appleInfo: { ...APPLE, appId: null }, androidInfo: null }, IOS],
  ["Application", { appleInfo: null }, ANDROID],
  ["CustomDomainActivation", NO_OPTIONS, ACTIVATION],
])("null in optional properties of a %s: %j is left out of %j", async (type, omitted, kept) => {
  expect(await checked(type, { ...kept, ...omitted })).toEqual({ inputs: kept, failures: [] });
});

test("a platform that there is not is rejected, whatever its name", async () => {
  const { failures } = await checked("Application", { ...WEB, appType: "constructor" });
  expect(failures).toEqual(['appType must be one of "IOS", "ANDROID", "WEB"']);
});

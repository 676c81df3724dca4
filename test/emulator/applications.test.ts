/** What a PATCH does to an application. */
import { expectAnswer, paths, useService } from "./service";

const apple = { app_name: "Shop", app_scheme: "shop", bundle_id: "example.shop.app" };
const android = { app_name: "Shop", app_scheme: "shop", app_package_name: "example.shop.app" };
const IOS = { app_type: "IOS", apple_info: apple };

const service = useService();
const { patch, behave } = service;

function changeIos(body: object) {
  return patch(paths.ios, body);
}

test("a null that is ignored keeps the value, also where a PATCH replaces the rest", async () => {
  behave({ patchInfo: "replace", nullInfoField: "ignore" });
  await changeIos({ apple_info: { ...apple, app_store_id: "123" } });
  const replaced = { app_name: "New", app_store_id: "123", bundle_id: null };
  const change = { apple_info: { app_name: "New", app_store_id: null } };
  await expectAnswer(changeIos(change), 200, { apple_info: replaced });
});

test.each<object>([
  { app_type: "ANDROID", android_info: android },
  { app_type: "WEB" },
  { apple_info: null },
  { android_info: android },
  { app_type: "ANDROID", apple_info: null },
])("a PATCH that leaves infos that do not fit app_type is a 400: %j", async (body) => {
  const { app_type } = { app_type: "IOS", ...body };
  await expectAnswer(changeIos(body), 400, `apple_info and android_info do not fit app_type ${app_type}.`);
  expect(service.emulator.state.applications[0]).toMatchObject({ appType: "IOS", updatedAt: null });
});

test.each([{}, { nullInfoField: "ignore", patchInfo: "replace" }] as const)(
  "a PATCH of app_type changes the platform in place when the other info is null, under %j too",
  async (behaviour) => {
    behave(behaviour);
    const toAndroid = { app_type: "ANDROID", android_info: android, apple_info: null };
    await expectAnswer(changeIos(toAndroid), 200, toAndroid);
    const toWeb = { app_type: "WEB", android_info: null };
    await expectAnswer(changeIos(toWeb), 200, toWeb);
    await expectAnswer(changeIos(IOS), 200, IOS);
  },
);

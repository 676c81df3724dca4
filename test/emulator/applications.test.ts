/** Applications: the three platforms, and what a PATCH does to them. */
import { expectAnswer, OWN, paths, useService } from "./service";

const applications = `${paths.project}/applications`;
const apple = { app_name: "Shop", app_scheme: "shop", bundle_id: "example.shop.app" };
const noApple = { app_store_id: null, app_id: null, app_id_prefix: null };
const android = { app_name: "Shop", app_scheme: "shop", app_package_name: "example.shop.app" };
const WHOLE_ANDROID = { ...android, sha256_fingerprints: null };

const service = useService();
const { get, post, patch, remove, behave } = service;

function ios(more: object = {}) {
  return { app_type: "IOS", apple_info: { ...apple, ...more } };
}

function changeIos(body: object) {
  return patch(paths.ios, body);
}

describe("an application", () => {
  test("that a link opens is not deleted by default", async () => {
    await patch(paths.link, { apple_options: { application_id: OWN.ios } });
    await expectAnswer(remove(paths.ios), 409, "Application is used by a link.");
  });

  test("that a link opens is removed from the link if configured", async () => {
    behave({ deleteWithContents: "cascade" });
    const apple_options = { application_id: OWN.ios, apple_action: "open" };
    await patch(paths.link, { apple_options, android_options: { application_id: OWN.android } });
    await expectAnswer(remove(paths.ios), 204);
    await expectAnswer(remove(paths.android), 204);
    await expectAnswer(get(paths.link), 200, {
      applications: { apple: null, android: null },
      apple_options: { application_id: null, apple_action: "open" },
      android_options: { application_id: null },
    });
  });

  test("omits info fields that are not set if configured", async () => {
    behave({ absentInfoField: "omit" });
    expect((await get(paths.ios)).body.apple_info).toEqual(apple);
    expect((await get(paths.android)).body.android_info).toEqual(android);
  });
});

const PREFIX = { app_id_prefix: "ABCDE12345" };
const OTHER_ID = { app_id: "ZZZZZ12345.example.other" };
test.each([
  ["not by default", false, PREFIX, null],
  ["if configured", true, PREFIX, "ABCDE12345.example.shop.app"],
  ["not without a prefix", true, {}, null],
  ["not if it is given", true, { ...PREFIX, ...OTHER_ID }, OTHER_ID.app_id],
])("app_id is derived from prefix and bundle: %s", async (_, deriveAppId, more, app_id) => {
  behave({ deriveAppId });
  await expectAnswer(post(applications, ios(more)), 201, { apple_info: { app_id } });
});

const unset = { app_name: null, app_scheme: null, bundle_id: null, ...noApple };

test.each([
  ["merge", "clear", { app_name: "New" }, { ...apple, app_name: "New", app_store_id: "123" }],
  ["merge", "clear", { app_store_id: null }, { ...apple, app_store_id: null }],
  ["merge", "ignore", { app_store_id: null }, { ...apple, app_store_id: "123" }],
  ["merge", "ignore", { app_id_prefix: null }, { ...apple, app_store_id: "123" }],
  ["merge", "clear", {}, { ...apple, app_store_id: "123" }],
  ["replace", "clear", { app_name: "New" }, { app_name: "New" }],
  ["replace", "clear", { app_name: "New", app_store_id: null }, { app_name: "New" }],
  ["replace", "ignore", { app_name: "New", app_store_id: null }, { app_name: "New", app_store_id: "123" }],
  ["replace", "clear", {}, {}],
] as const)(
  "a PATCH of an info object under %s and %s, %j leads to %j",
  async (patchInfo, nullInfoField, change, expected) => {
    behave({ patchInfo, nullInfoField });
    await changeIos({ apple_info: { ...apple, app_store_id: "123" } });
    const { apple_info } = (await changeIos({ apple_info: change })).body;
    expect(apple_info).toEqual({ ...unset, ...expected });
  },
);

test("fingerprints can be stored in upper case and in order", async () => {
  behave({ storedForm: "normalized" });
  const [one, other] = ["cd", "AB"].map((byte) => Array(32).fill(byte).join(":"));
  const sent = { android_info: { ...android, sha256_fingerprints: [one, other] } };
  const stored = { android_info: { sha256_fingerprints: [other, one?.toUpperCase()] } };
  await expectAnswer(post(applications, { app_type: "ANDROID", ...sent }), 201, stored);
  await expectAnswer(patch(paths.android, sent), 200, stored);
});

const TO_ANDROID = { app_type: "ANDROID", android_info: android };

test.each<object>([
  { app_type: "ANDROID" },
  TO_ANDROID,
  { app_type: "WEB" },
  { apple_info: null },
  { android_info: android },
  { app_type: "ANDROID", apple_info: null },
])("a PATCH that leaves infos that do not fit app_type is a 400: %j", async (body) => {
  const { app_type } = { app_type: "IOS", ...body };
  await expectAnswer(changeIos(body), 400, `apple_info and android_info do not fit app_type ${app_type}.`);
  expect(service.emulator.state.applications[0]).toMatchObject({ appType: "IOS", updatedAt: null });
});

describe("a PATCH of app_type", () => {
  const toAndroid = { app_type: "ANDROID", android_info: android, apple_info: null };

  test("changes the platform in place when the other info is null", async () => {
    await expectAnswer(changeIos(toAndroid), 200, { ...toAndroid, android_info: WHOLE_ANDROID });
    const web = { app_type: "WEB", android_info: null };
    await expectAnswer(changeIos(web), 200, web);
    await expectAnswer(changeIos(ios()), 200, ios());
  });

  test("does not depend on what a null field means", async () => {
    behave({ nullInfoField: "ignore", patchInfo: "replace" });
    await expectAnswer(changeIos(toAndroid), 200, toAndroid);
  });
});

const LINK_BODY = { dynamic_link_url: "https://shop.example/new", dynamic_link_name: "New" };
describe.each([
  ["an application", applications, "/applications", ios(), { apple_info: { app_name: "New" } }],
  ["a link", `${paths.project}/links`, "/links", LINK_BODY, { dynamic_link_name: "Newer" }],
])("updated_at of %s", (_, list, path, body, change) => {
  test.each([
    ["afterUpdate", null, "update"],
    ["fromCreation", "creation", "update"],
    ["never", null, null],
  ] as const)("can be set: %s", async (nullableUpdatedAt, created, updated) => {
    behave({ nullableUpdatedAt });
    const { id, created_at, updated_at } = await expectAnswer(post(list, body), 201);
    expect(updated_at).toBe(created === "creation" ? created_at : created);
    service.emulator.clock.advance(5_000);
    const changed = await expectAnswer(patch(`${path}/${id}`, change), 200);
    await expectAnswer(get(`${path}/${id}`), 200, { updated_at: changed.updated_at });
    if (updated === null) expect(changed.updated_at).toBeNull();
    else expect(Date.parse(String(changed.updated_at))).toBeGreaterThan(Date.parse(String(created_at)));
  });
});

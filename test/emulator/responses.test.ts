/** The form of responses: headers, errors, times, stored texts, and fields that may be absent or more. */
import { expectAnswer, NOWHERE, OWN, paths, START_MS, useService } from "./service";

const service = useService();
const { request, get, post, patch, put, behave } = service;
const { projects, project } = paths;

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

test.each([
  ["echoed", ["mine", "mine"], [UUID, UUID]],
  ["generated", [UUID, UUID], [UUID, UUID]],
  ["errorsOnly", [null, UUID], [null, UUID]],
] as const)("x-request-id of a success and an error can be %s", async (requestIds, ofSent, ofOthers) => {
  behave({ requestIds });
  const idsWith = async (headers: Record<string, string>) => {
    const answers = [project, `/applications/${NOWHERE}`].map((path) =>
      request("GET", path, undefined, headers),
    );
    return (await Promise.all(answers)).map((answer) => answer.headers.get("x-request-id"));
  };
  const ids = [await idsWith({ "x-request-id": "mine" }), await idsWith({})];
  expect(ids).toEqual([ofSent, ofOthers]);
  const generated = ids.flat().filter((id) => id !== null && id !== "mine");
  expect(new Set(generated).size).toBe(generated.length);
});

test.each([
  ["current", new Date(START_MS).toUTCString()],
  [{ secondsBehind: 90 }, new Date(START_MS - 90_000).toUTCString()],
  ["absent", null],
] as const)("the header Date can be %j", async (dateHeader, expected) => {
  behave({ dateHeader });
  expect((await get(projects)).headers.get("date")).toBe(expected);
});

test.each([
  [409, "Conflict", () => post(projects, { project_name: "Shop" })],
  // The one message that is documented.
  [404, "Skin not found.", () => get(`${project}/skin`)],
] as const)("an error %d can have the message %j alone", async (statusCode, message, ask) => {
  behave({ errorDetails: false });
  expect(await expectAnswer(ask(), statusCode)).toEqual({ statusCode, message });
});

const MILLISECONDS = /T\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECONDS = /T\d\d:\d\d:\d\dZ$/;
const APPLICATIONS = `${project}/applications`;
const DOMAINS = `${project}/custom-domains`;
const LINKS = `${project}/links`;

test.each([
  ["milliseconds", MILLISECONDS, MILLISECONDS],
  ["seconds", SECONDS, SECONDS],
  ["coarseReads", MILLISECONDS, SECONDS],
] as const)("times can have the precision %s", async (timestampPrecision, written, read) => {
  behave({ timestampPrecision });
  const writes = [
    await put(`${project}/skin`, { theme_type: "basic", theme_choice_type: "dark" }),
    await patch(project, { default_hookup_msg: "New" }),
    await post(APPLICATIONS, { app_type: "WEB" }),
    await post(LINKS, { dynamic_link_url: "https://shop.example/", dynamic_link_name: "x" }),
  ];
  const reads = await Promise.all([projects, APPLICATIONS, DOMAINS, LINKS].map((list) => get(list)));
  const timesIn = (answers: readonly { readonly body: object }[]) =>
    JSON.stringify(answers.map(({ body }) => body)).match(/(?<=_at":")[^"]+/g) ?? [];
  expect([timesIn(writes).length, timesIn(reads).length]).toEqual([6, 15]);
  expect(timesIn(writes).filter((time) => !written.test(time))).toEqual([]);
  expect(timesIn(reads).filter((time) => !read.test(time))).toEqual([]);
});

test.each([
  ["afterUpdate", null, "now"],
  ["fromCreation", "creation", "now"],
  ["never", null, null],
] as const)(
  "updated_at of applications and links can be set %s",
  async (nullableUpdatedAt, before, after) => {
    behave({ nullableUpdatedAt });
    service.emulator.clock.advance(5_000);
    const now = service.emulator.clock.now().toISOString();
    for (const [path, change] of [
      [paths.ios, { apple_info: { app_name: "New" } }],
      [paths.link, { dynamic_link_name: "New" }],
    ] as const) {
      const { created_at, updated_at } = (await get(path)).body;
      expect(updated_at).toBe(before && created_at);
      await expectAnswer(patch(path, change), 200, { updated_at: after && now });
    }
  },
);

const HOSTNAME = "New.München.Example.";
const ASCII = "new.xn--mnchen-3ya.example";
const [ONE = "", OTHER = ""] = ["cd", "AB"].map((byte) => Array(32).fill(byte).join(":"));
const SORTED = [OTHER, ONE.toUpperCase()];

test.each([
  ["asGiven", [" New ", " Other "], HOSTNAME, [ONE, OTHER], 201],
  ["normalized", [" New ", " Other "], ASCII, SORTED, 201],
  ["normalizedNames", ["new", "other"], ASCII, SORTED, 409],
] as const)("texts can be stored %s", async (storedForm, [created, updated], hostname, prints, sameName) => {
  behave({ storedForm });
  await expectAnswer(post(projects, { project_name: " New " }), 201, { project_name: created });
  await expectAnswer(post(projects, { project_name: "NEW" }), sameName);
  await expectAnswer(patch(project, { project_name: " Other " }), 200, { project_name: updated });
  await expectAnswer(post(DOMAINS, { hostname: HOSTNAME }), 201, { hostname });
  const info = { app_name: "Shop", app_scheme: "shop", app_package_name: "example.shop" };
  const android_info = { ...info, sha256_fingerprints: [ONE, OTHER] };
  const stored = { android_info: { sha256_fingerprints: prints } };
  await expectAnswer(post(APPLICATIONS, { app_type: "ANDROID", android_info }), 201, stored);
  await expectAnswer(patch(paths.android, { android_info }), 200, stored);
});

const APPLE = { app_name: "Shop", app_scheme: "shop", bundle_id: "example.shop.app" };
const ANDROID = { app_name: "Shop", app_scheme: "shop", app_package_name: "example.shop.app" };

test("info fields that are not set can be absent", async () => {
  behave({ absentInfoField: "omit" });
  expect((await get(paths.ios)).body.apple_info).toEqual(APPLE);
  expect((await get(paths.android)).body.android_info).toEqual(ANDROID);
});

const PREFIX = { app_id_prefix: "ABCDE12345" };
const OTHER_ID = { app_id: "ZZZZZ12345.example.other" };

test.each([
  ["not by default", false, PREFIX, null],
  ["if configured", true, PREFIX, "ABCDE12345.example.shop.app"],
  ["not without a prefix", true, {}, null],
  ["not if it is given", true, { ...PREFIX, ...OTHER_ID }, OTHER_ID.app_id],
])("app_id is derived from prefix and bundle: %s", async (_when, deriveAppId, more, app_id) => {
  behave({ deriveAppId });
  const body = { app_type: "IOS", apple_info: { ...APPLE, ...more } };
  await expectAnswer(post(APPLICATIONS, body), 201, { apple_info: { app_id } });
});

test("objects whose other fields are not documented can have some", async () => {
  behave({ extraFields: true });
  service.emulator.updateProject(OWN.project, { logoImageId: NOWHERE });
  const { logo_image } = (await get(project)).body;
  expect(logo_image).toEqual({ full_path: expect.any(String), undocumented: true });
  service.emulator.setDomainStatus(OWN.domain, "PENDING_CERTIFICATE");
  await expectAnswer(get(paths.domain), 200, {
    ownership_validation: { type: "txt", undocumented: true },
    ssl_validation_records: { undocumented: true, records: [{ status: "pending", undocumented: true }] },
  });
});

/**
 * The form of responses, as far as it cannot be asked of a service. The options of the behaviour are tested by the questions of
 * the acceptance run, which must find each value: test/service/questions/questions.test.ts.
 */
import { expectAnswer, NOWHERE, OWN, paths, useService } from "./service";

const service = useService();
const { get, post, patch, behave } = service;

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

test.each(["echoed", "errorsOnly"] as const)(
  "an error has x-request-id, a new one if none was sent: %s",
  async (requestIds) => {
    behave({ requestIds });
    expect((await get(`/applications/${NOWHERE}`)).headers.get("x-request-id")).toEqual(UUID);
  },
);

test("with errorDetails off, the one error message that is documented stays", async () => {
  behave({ errorDetails: false });
  const answer = expectAnswer(get(`${paths.project}/skin`), 404);
  expect(await answer).toEqual({ statusCode: 404, message: "Skin not found." });
});

test("in normalized form, names are compared, and fingerprints are sorted in upper case", async () => {
  behave({ storedForm: "normalizedNames" });
  await expectAnswer(post(paths.projects, { project_name: " SHOP " }), 409);
  await expectAnswer(patch(paths.project, { project_name: " Other " }), 200, { project_name: "other" });
  const [one, other] = ["cd", "AB"].map((byte) => Array(32).fill(byte).join(":"));
  await expectAnswer(patch(paths.android, { android_info: { sha256_fingerprints: [one, other] } }), 200, {
    android_info: { sha256_fingerprints: [other, one?.toUpperCase()] },
  });
});

const PREFIX = { app_id_prefix: "ABCDE12345" };
const OTHER_ID = { app_id: "ZZZZZ12345.example.other" };

test.each([
  ["without a prefix", {}, null],
  ["if it is given", { ...PREFIX, ...OTHER_ID }, OTHER_ID.app_id],
])("app_id is not derived %s", async (_when, apple_info, app_id) => {
  behave({ deriveAppId: true });
  await expectAnswer(patch(paths.ios, { apple_info }), 200, { apple_info: { app_id } });
});

test("each object whose other fields are not documented can have some", async () => {
  behave({ extraFields: true });
  service.emulator.updateProject(OWN.project, { logoImageId: NOWHERE });
  await expectAnswer(get(paths.project), 200, { logo_image: { undocumented: true } });
  service.emulator.setDomainStatus(OWN.domain, "PENDING_CERTIFICATE");
  await expectAnswer(get(paths.domain), 200, {
    ownership_validation: { type: "txt", undocumented: true },
    ssl_validation_records: { undocumented: true, records: [{ status: "pending", undocumented: true }] },
  });
});

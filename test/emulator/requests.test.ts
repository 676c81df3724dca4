/** The format of requests and answers: size, encoding, numbers, URLs, ids and times. */
import { expectAnswer, NOWHERE, OWN, paths, useService } from "./service";

const service = useService();
const { request, get, post, patch, put, behave } = service;
const links = `${paths.project}/links`;

function invalid(message: string) {
  return { statusCode: 400, message: [message], error: "Bad Request" };
}

test.each([
  ["is not JSON", "{", {}, expect.any(String)],
  ["is missing", undefined, {}, expect.any(String)],
  ["is not an object", "[]", {}, expect.any(String)],
  ["is of another type", '{"project_name":"x"}', { "content-type": "text/plain" }, expect.any(String)],
])("a body that %s is rejected, and nothing is created", async (_, body, headers, message) => {
  const before = service.emulator.state;
  await expectAnswer(request("POST", paths.projects, body, headers), 400, invalid(message));
  expect(service.emulator.state).toEqual(before);
});

test("ids that are not UUIDs lead to a 400 that reports them, and those in upper case to an answer in lower case", async () => {
  await expectAnswer(get("/organizations/x/projects/y"), 400, [
    'organization_id must match format "uuid"',
    'project_id must match format "uuid"',
  ]);
  const upper = paths.project.replaceAll(/[0-9a-f-]{36}/g, (id) => id.toUpperCase());
  await expectAnswer(get(upper), 200, { id: OWN.project });
});

test.each([
  ["/links/%zz", "a broken escape in the path"],
  [`${links}?limit=1&limit=2`, "a duplicate parameter"],
  // A number has only digits.
  ...["Infinity", "1e999", "1e1", "0x10", "%202", "2.0", "+5", "NaN", "-1", "٣"].map((limit) => [
    `${links}?limit=${limit}`,
    "a limit that is not a number",
  ]),
])("%s leads to a 400, because of %s", async (path) => {
  await expectAnswer(get(path), 400);
});

test.each([
  ["https://shop.example:8080/", 201],
  ["https://shop.example:port/", 400],
  ["https://shop.example:8x/", 400],
  ["https://shop.example:99999/", 400],
  ["https://[::g]/", 400],
  [" https://shop.example/", 400],
])("the URL %j leads to %d", async (url, status) => {
  const message = status === 400 ? ['dynamic_link_url must match format "uri"'] : {};
  await expectAnswer(post(links, { dynamic_link_url: url, dynamic_link_name: "x" }), status, message);
});

describe("the header x-request-id", () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  async function idOf(path: string, sent?: string): Promise<string | null> {
    const headers: Record<string, string> = sent === undefined ? {} : { "x-request-id": sent };
    return (await request("GET", path, undefined, headers)).headers.get("x-request-id");
  }
  const missing = `/applications/${NOWHERE}`;

  test("echoes the id that was sent, or is a generated UUID if none was", async () => {
    for (const path of [missing, paths.project]) {
      expect(await idOf(path, "mine")).toBe("mine");
      expect(await idOf(path)).toMatch(UUID);
    }
  });

  test("can be a generated UUID, another one each time", async () => {
    behave({ requestIds: "generated" });
    const ids = [await idOf(missing, NOWHERE), await idOf(missing, NOWHERE), await idOf("/nothing", NOWHERE)];
    service.emulator.inject({ effect: { status: 503 } });
    ids.push(await idOf(paths.project, NOWHERE), await idOf(paths.project, NOWHERE));
    expect(ids).toEqual(ids.map(() => expect.stringMatching(UUID)));
    expect(new Set([NOWHERE, ...ids]).size).toBe(6);
    expect(service.emulator.requests.map(({ requestId }) => requestId)).toEqual(ids.map(() => NOWHERE));
  });

  test("can be generated for errors, and missing otherwise", async () => {
    behave({ requestIds: "errorsOnly" });
    expect(await idOf(paths.project, "mine")).toBeNull();
    expect(await idOf(missing, "mine")).toMatch(UUID);
  });

  test("is echoed by a proxy that echoes it, whatever the service does", async () => {
    behave({ requestIds: "errorsOnly" });
    service.emulator.inject({ effect: { foreign: 502, text: "{}", echoRequestId: true } });
    service.emulator.inject({ effect: { foreign: 200, text: "{}", echoRequestId: true } });
    expect([await idOf(paths.project, "mine"), await idOf(paths.project, "mine")]).toEqual(["mine", "mine"]);
  });
});

describe("an error without details", () => {
  beforeEach(() => behave({ errorDetails: false }));

  test.each([
    [paths.projects, { project_name: "" }, 400, "Bad Request"],
    [paths.projects, { project_name: "Shop" }, 409, "Conflict"],
    [`/custom-domains/${NOWHERE}/retry`, undefined, 404, "Not Found"],
  ])("has only its status: POST %s with %j", async (path, sent, statusCode, message) => {
    expect(await expectAnswer(post(path, sent), statusCode)).toEqual({ statusCode, message });
  });

  test("has the one message that is documented", async () => {
    const body = await expectAnswer(get(`${paths.project}/skin`), 404);
    expect(body).toEqual({ statusCode: 404, message: "Skin not found." });
  });
});

const { projects, project } = paths;
const LISTS = {
  projects,
  applications: `${project}/applications`,
  custom_domains: `${project}/custom-domains`,
  links,
};

const MILLISECONDS = /T\d\d:\d\d:\d\d\.\d{3}Z$/;
const SECONDS = /T\d\d:\d\d:\d\dZ$/;

test.each([
  ["milliseconds", MILLISECONDS, MILLISECONDS],
  ["seconds", SECONDS, SECONDS],
  ["coarseReads", MILLISECONDS, SECONDS],
] as const)("times can have the precision %s", async (timestampPrecision, written, read) => {
  behave({ timestampPrecision });
  const writes = [
    await put(`${project}/skin`, { theme_type: "basic", theme_choice_type: "dark" }),
    await patch(project, { default_hookup_msg: "New" }),
    await post(LISTS.applications, { app_type: "WEB" }),
    await post(links, { dynamic_link_url: "https://shop.example/", dynamic_link_name: "x" }),
  ];
  const reads = await Promise.all(Object.values(LISTS).map((list) => get(list)));
  const timesIn = (answers: readonly { readonly body: object }[]) =>
    JSON.stringify(answers.map(({ body }) => body)).match(/(?<=_at":")[^"]+/g) ?? [];
  expect([timesIn(writes).length, timesIn(reads).length]).toEqual([6, 15]);
  expect(timesIn(writes).filter((time) => !written.test(time))).toEqual([]);
  expect(timesIn(reads).filter((time) => !read.test(time))).toEqual([]);
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

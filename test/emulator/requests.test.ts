/** The format of requests: size, encoding, numbers and URLs. */
import { DOMAIN, KEY, NOWHERE, PROJECT, paths, useService } from "./service";

const service = useService();
const links = `${paths.project}/links`;

test("a body of 1000000 bytes is read, and a larger one is rejected", async () => {
  const sized = (bytes: number) => JSON.stringify({ project_name: "Large" }).padEnd(bytes);
  expect((await service.post(paths.projects, sized(1_000_000))).status).toBe(201);
  for (const bytes of [1_000_001, 3_000_000]) {
    const { status, body } = await service.post(paths.projects, sized(bytes));
    expect([status, body]).toEqual([
      400,
      { statusCode: 400, message: ["the body is larger than 1000000 bytes"], error: "Bad Request" },
    ]);
  }
  expect(service.emulator.requests.map(({ body }) => body)).toEqual([
    { project_name: "Large" },
    undefined,
    undefined,
  ]);
});

test("a body that is not UTF-8 is rejected, and nothing is created", async () => {
  const before = service.emulator.state;
  for (const bytes of [
    Buffer.from('{"project_name":"caf\u00e9"}', "latin1"),
    // Half of a surrogate pair, which is not a character.
    Buffer.from('{"project_name":"\xed\xa0\x80"}', "latin1"),
  ]) {
    const { status, body } = await service.post(paths.projects, bytes);
    expect([status, body]).toEqual([
      400,
      { statusCode: 400, message: ["the body is not valid UTF-8"], error: "Bad Request" },
    ]);
  }
  expect(service.emulator.state).toEqual(before);
});

test("a body in several chunks that split a character is read correctly", async () => {
  const text = Buffer.from('{"project_name":"쇼핑"}');
  const cut = text.indexOf("쇼") + 1;
  const response = await fetch(`${service.emulator.url}/api/v2${paths.projects}`, {
    method: "POST",
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: ReadableStream.from([text.subarray(0, cut), text.subarray(cut)]),
    duplex: "half",
  } as RequestInit);
  expect(await response.json()).toMatchObject({ project_name: "쇼핑" });
});

test.each(["Infinity", "1e999", "1e1", "0x10", "%202", "2.0", "+5", "NaN", "-1", "٣"])(
  "a limit of %s is rejected, because a number has only digits",
  async (limit) => {
    expect((await service.get(`${links}?limit=${limit}`)).status).toBe(400);
  },
);

test.each([
  "https://shop.example:port/",
  "https://shop.example:8x/",
  "https://shop.example:99999/",
  "https://[::g]/",
  " https://shop.example/",
])("%s is not a URL", async (url) => {
  const { status, body } = await service.post(links, { dynamic_link_url: url, dynamic_link_name: "x" });
  expect([status, body.message]).toEqual([400, ['dynamic_link_url must match format "uri"']]);
});

test("a URL can have a port", async () => {
  const link = { dynamic_link_url: "https://shop.example:8080/", dynamic_link_name: "x" };
  expect((await service.post(links, link)).status).toBe(201);
});

describe("the header x-request-id", () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  const idOf = async (path: string, sent?: string) =>
    (
      await service.request("GET", path, undefined, sent === undefined ? {} : { "x-request-id": sent })
    ).headers.get("x-request-id");
  const missing = `/applications/${NOWHERE}`;

  test("echoes the id that was sent, or is a generated UUID if none was", async () => {
    for (const path of [missing, paths.project]) {
      expect(await idOf(path, "mine")).toBe("mine");
      expect(await idOf(path)).toMatch(UUID);
    }
  });

  test("of an error can be a generated UUID, another one each time", async () => {
    service.emulator.setBehaviour({ errorRequestId: "generated" });
    const ids = [await idOf(missing, NOWHERE), await idOf(missing, NOWHERE), await idOf("/nothing", NOWHERE)];
    service.emulator.inject({ effect: { status: 503 } });
    ids.push(await idOf(paths.project, NOWHERE));
    expect(ids).toEqual(ids.map(() => expect.stringMatching(UUID)));
    expect(new Set([NOWHERE, ...ids]).size).toBe(5);
    expect(service.emulator.requests.map(({ requestId }) => requestId)).toEqual(ids.map(() => NOWHERE));
    expect(await idOf(paths.project, "mine")).toBe("mine");
  });

  test.each([
    ["absent", null],
    ["generated", expect.stringMatching(UUID)],
  ] as const)("of a success can be %s", async (successRequestId, expected) => {
    service.emulator.setBehaviour({ successRequestId });
    expect(await idOf(paths.project, "mine")).toEqual(expected);
    expect(await idOf(missing, "mine")).toBe("mine");
  });

  test("is echoed by a proxy that echoes it, whatever the service does", async () => {
    service.emulator.setBehaviour({ errorRequestId: "generated", successRequestId: "absent" });
    service.emulator.inject({ effect: { foreign: 502, text: "{}", echoRequestId: true } });
    service.emulator.inject({ effect: { foreign: 200, text: "{}", echoRequestId: true } });
    expect([await idOf(paths.project, "mine"), await idOf(paths.project, "mine")]).toEqual(["mine", "mine"]);
  });
});

describe("an error without details", () => {
  beforeEach(() => service.emulator.setBehaviour({ errorDetails: false }));

  test.each([
    [paths.projects, { project_name: "" }, 400, "Bad Request"],
    [paths.projects, { project_name: "Shop" }, 409, "Conflict"],
    [`/custom-domains/${NOWHERE}/retry`, undefined, 404, "Not Found"],
  ])("has only its status: POST %s with %j", async (path, sent, statusCode, message) => {
    const { status, body } = await service.post(path, sent);
    expect([status, body]).toEqual([statusCode, { statusCode, message }]);
  });

  test("has the one message that is documented", async () => {
    const { body } = await service.get(`${paths.project}/skin`);
    expect(body).toEqual({ statusCode: 404, message: "Skin not found." });
  });
});

describe("times", () => {
  const { projects, project } = paths;
  const lists = [projects, `${project}/applications`, `${project}/custom-domains`, links];

  test.each([
    ["milliseconds", /T\d\d:\d\d:\d\d\.\d{3}Z$/],
    ["seconds", /T\d\d:\d\d:\d\dZ$/],
  ] as const)("can have %s", async (timestampPrecision, format) => {
    service.emulator.setBehaviour({ timestampPrecision });
    const skin = await service.put(`${project}/skin`, { theme_type: "basic", theme_choice_type: "dark" });
    await service.patch(project, { default_hookup_msg: "New" });
    const bodies = [skin, ...(await Promise.all(lists.map((list) => service.get(list))))].map(
      ({ body }) => body,
    );
    const times = JSON.stringify(bodies).match(/(?<=_at":")[^"]+/g) ?? [];
    expect(times.length).toBeGreaterThan(14);
    expect(times.filter((time) => !format.test(time))).toEqual([]);
  });
});

describe("lists", () => {
  test("can start with the newest", async () => {
    const ids = async () =>
      Promise.all(
        ["projects", "applications", "custom_domains", "links"].map(async (name) => {
          const list = name === "projects" ? paths.projects : `${paths.project}/${name.replace("_", "-")}`;
          return ((await service.get(list)).body[name] as { id: string }[]).map(({ id }) => id);
        }),
      );
    service.emulator.createCustomDomain(PROJECT, { hostname: "new.shop.example" });
    const before = await ids();
    expect(before.every((list) => list.length === 2)).toBe(true);
    service.emulator.setBehaviour({ listOrder: "newestFirst" });
    expect(await ids()).toEqual(before.map((list) => list.reverse()));
  });

  test("that start with the newest have pages in that order", async () => {
    service.emulator.setBehaviour({ listOrder: "newestFirst" });
    const page = async (cursor: unknown) =>
      (await service.get(`${links}?limit=1${cursor === undefined ? "" : `&cursor=${cursor}`}`)).body as {
        links: { suffix: string }[];
        next_cursor: string | null;
      };
    const first = await page(undefined);
    await service.post(links, { dynamic_link_url: "https://shop.example/", dynamic_link_name: "Newer" });
    const second = await page(first.next_cursor);
    expect([first, second].map((one) => one.links.map(({ suffix }) => suffix))).toEqual([["sale"], ["home"]]);
    expect(second.next_cursor).toBeNull();
  });
});

test("objects whose other fields are not documented can have some", async () => {
  service.emulator.setBehaviour({ extraFields: true });
  service.emulator.updateProject(PROJECT, { logoImageId: NOWHERE });
  expect((await service.get(paths.project)).body.logo_image).toEqual({
    full_path: expect.any(String),
    undocumented: true,
  });
  service.emulator.setDomainStatus(DOMAIN, "PENDING_CERTIFICATE");
  expect((await service.get(`/custom-domains/${DOMAIN}`)).body).toMatchObject({
    ownership_validation: { type: "txt", undocumented: true },
    ssl_validation_records: { undocumented: true, records: [{ status: "pending", undocumented: true }] },
  });
});

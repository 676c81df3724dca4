/** The format of requests: size, encoding, numbers and URLs. */
import { KEY, paths, useService } from "./service";

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

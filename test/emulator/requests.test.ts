/** The format of requests: bodies, numbers, URLs and ids. */
import { expectAnswer, OWN, paths, useService } from "./service";

const service = useService();
const { request, get, post } = service;
const links = `${paths.project}/links`;

function invalid(message: string) {
  return { statusCode: 400, message: [message], error: "Bad Request" };
}

function notUtf8(bytes: string): Buffer {
  return Buffer.from(`{"project_name":"${bytes}"}`, "latin1");
}

test.each([
  ["is not UTF-8", notUtf8("\xff"), {}, "the body is not valid UTF-8"],
  ["has half of a surrogate pair", notUtf8("\xed\xa0\x80"), {}, "the body is not valid UTF-8"],
  ["is not JSON", "{", {}, "the body is not valid JSON"],
  ["is missing", undefined, {}, "a JSON body is required"],
  ["is not an object", "[]", {}, "must be object"],
  ["is of another type", "{}", { "content-type": "text/plain" }, "Content-Type must be application/json"],
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
  ...["", "1e1", "%202", "2%20", "-1", "101", "0"].map((limit) => [`${links}?limit=${limit}`, "its limit"]),
])("%s leads to a 400, because of %s", async (path) => {
  await expectAnswer(get(path), 400);
});

test.each([
  ["https://shop.example:8080/", 201],
  ["https://shop.example:99999/", 400],
  [" https://shop.example/", 400],
])("the URL %j leads to %d", async (url, status) => {
  const message = status === 400 ? ['dynamic_link_url must match format "uri"'] : {};
  await expectAnswer(post(links, { dynamic_link_url: url, dynamic_link_name: "x" }), status, message);
});

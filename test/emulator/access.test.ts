/** Access: keys, blocked organizations, scopes, the order of checks, and objects of another organization. */
import fc from "fast-check";
import { contract, requestsOf } from "./contract/contract";
import { expectAnswer, FOREIGN, KEY, NOWHERE, OWN, paths, useService } from "./service";

const service = useService();
const { request, get, patch } = service;
const { operations } = contract;
const CREDENTIAL = "/api-credentials/current";

test("a key can read its credential whatever its scopes, until it is revoked; one that was added works at once", async () => {
  service.emulator.setScopes(KEY, []);
  expect(await expectAnswer(get(CREDENTIAL), 200)).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    organization_id: OWN.organization,
    key_prefix: "key-of",
    scopes: [],
  });
  service.emulator.revokeKey(KEY);
  await expectAnswer(get(CREDENTIAL), 401);
  service.emulator.addKey(OWN.organization, { key: "added-key-1", scopes: ["projects:read"] });
  await expectAnswer(get(paths.projects, "added-key-1"), 200);
});

test.each(operations.filter(({ scope }) => scope !== null))(
  "$operationId needs its scope and no other",
  async (operation) => {
    const { method, path, scope } = operation;
    const all = service.emulator.state.credentials[0]?.scopes ?? [];
    const filled = path.replace("/api/v2", "").replaceAll(/\{\w+\}/g, "not-a-uuid");
    const ask = (selected: (one: string | null) => boolean) => {
      service.emulator.setScopes(KEY, all.filter(selected));
      return request(method.toUpperCase(), filled);
    };
    const others = ask((one) => one !== scope);
    await expectAnswer(others, 403, `Missing scope ${scope}.`);
    // The scope is sufficient: now the request itself is invalid.
    const own = ask((one) => one === scope);
    await expectAnswer(own, 400);
  },
);

test("the order of checks is key, organization, scope, request, existence", async () => {
  const ask = (headers = {}) => request("PATCH", `/applications/${NOWHERE}`, "{", headers);
  service.emulator.setScopes(KEY, []);
  service.emulator.blockOrganization(OWN.organization, true);
  const unknown = { statusCode: 401, message: "Invalid API key.", error: "Unauthorized" };
  await expectAnswer(ask({ "x-api-key": KEY.toUpperCase() }), 401, unknown);
  await expectAnswer(ask(), 403, "Organization is blocked.");
  service.emulator.blockOrganization(OWN.organization, false);
  await expectAnswer(ask(), 403, "Missing scope applications:write.");
  service.emulator.setScopes(KEY, ["applications:write"]);
  await expectAnswer(ask(), 400);
  await expectAnswer(patch(`/applications/${NOWHERE}`, { app_type: "WEB" }), 404, "Application not found.");
});

const COUNTERPARTS: readonly (readonly [own: string, foreign: string, missing: string])[] = [
  [OWN.organization, FOREIGN.organization, NOWHERE],
  [OWN.project, FOREIGN.project, NOWHERE],
  [OWN.ios, FOREIGN.application, NOWHERE],
  [OWN.android, FOREIGN.application, NOWHERE],
  [OWN.domain, FOREIGN.domain, NOWHERE],
  [OWN.link, FOREIGN.link, NOWHERE],
  ["go.shop.example", "go.theirs.example", "go.nobody.example"],
];
/** Each operation with each object that its path, query and body can name. */
const REQUESTS = operations.flatMap((operation) => {
  const [{ path = "", body } = {}] = fc.sample(requestsOf(operation, true), { seed: 1, numRuns: 1 });
  const request = JSON.stringify({ method: operation.method.toUpperCase(), path, body });
  return COUNTERPARTS.filter(([own]) => request.includes(own)).map(
    (ids) => [operation.operationId, ids[0], ids.map((id) => request.replaceAll(ids[0], id))] as const,
  );
});

async function answerTo(text = "") {
  const { method, path, body } = JSON.parse(text);
  const { status, body: answer } = await request(method, path, body);
  return { status, answer };
}

test.each(REQUESTS)(
  "an object of another organization is not found: %s without %s",
  async (_operationId, _id, [own, foreign, missing]) => {
    const expected = await answerTo(missing);
    expect(expected.status).toBe(404);
    expect(await answerTo(foreign)).toEqual(expected);
    expect(await answerTo(own)).not.toEqual(expected);
  },
);

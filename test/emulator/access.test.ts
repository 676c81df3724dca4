/** Access: keys, blocked organizations, scopes, the order of checks, and objects of another organization. */
import { loadContract } from "../../testing/emulator/contract/contract";
import { expectAnswer, FOREIGN, FOREIGN_KEY, KEY, NOWHERE, OWN, paths, useService } from "./service";

const service = useService();
const { request, get, patch } = service;
const { operations } = loadContract("openapi.yaml");
const CREDENTIAL = "/api-credentials/current";

describe("a key", () => {
  test("that is valid can read its credential, whatever its scopes", async () => {
    service.emulator.setScopes(KEY, []);
    expect(await expectAnswer(get(CREDENTIAL), 200)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_id: OWN.organization,
      key_prefix: "key-of",
      scopes: [],
    });
  });

  test.each([
    ["unknown", "nobody-has-this-key"],
    ["empty", ""],
    ["that of another one in upper case", KEY.toUpperCase()],
  ])("that is %s leads to a 401", async (_, key) => {
    const body = { statusCode: 401, message: "Invalid API key.", error: "Unauthorized" };
    await expectAnswer(get(CREDENTIAL, key), 401, body);
  });

  test("that was revoked leads to a 401, and one that was added works immediately", async () => {
    service.emulator.revokeKey(KEY);
    await expectAnswer(get(paths.projects), 401);
    service.emulator.addKey(OWN.organization, { key: "added-key-1", scopes: ["projects:read"] });
    await expectAnswer(get(paths.projects, "added-key-1"), 200);
  });
});

test("a blocked organization leads to a 403, even for its credential, until it is unblocked", async () => {
  service.emulator.blockOrganization(OWN.organization, true);
  await expectAnswer(get(CREDENTIAL), 403);
  await expectAnswer(get(paths.projects), 403, "Organization is blocked.");
  service.emulator.blockOrganization(OWN.organization, false);
  await expectAnswer(get(CREDENTIAL), 200);
});

test.each(
  operations
    .filter(({ scope }) => scope !== null)
    .map((operation) => [operation.operationId, operation] as const),
)("%s needs its scope and no other", async (_, { method, path, scope }) => {
  const all = service.emulator.state.credentials[0]?.scopes ?? [];
  const filled = path.replace("/api/v2", "").replaceAll(/\{\w+\}/g, "not-a-uuid");
  const ask = (selected: (one: string | null) => boolean) => {
    service.emulator.setScopes(KEY, all.filter(selected));
    return request(method.toUpperCase(), filled);
  };
  await expectAnswer(
    ask((one) => one !== scope),
    403,
    `Missing scope ${scope}.`,
  );
  // The scope is sufficient: now the request itself is invalid.
  await expectAnswer(
    ask((one) => one === scope),
    400,
  );
});

test("the order of checks is key, organization, scope, request, existence", async () => {
  const ask = (headers = {}) => request("PATCH", `/applications/${NOWHERE}`, "{", headers);
  service.emulator.setScopes(KEY, []);
  service.emulator.blockOrganization(OWN.organization, true);
  await expectAnswer(ask({ "x-api-key": "unknown" }), 401);
  await expectAnswer(ask(), 403, "Organization is blocked.");
  service.emulator.blockOrganization(OWN.organization, false);
  await expectAnswer(ask(), 403, "Missing scope applications:write.");
  service.emulator.setScopes(KEY, ["applications:write"]);
  await expectAnswer(ask(), 400);
  await expectAnswer(patch(`/applications/${NOWHERE}`, { app_type: "WEB" }), 404);
});

test.each([
  ["GET", "/nothing"],
  ["PUT", paths.project],
  ["DELETE", paths.projects],
  ["POST", "/links/resolve"],
])("%s %s is not an operation, whatever the key", async (method, path) => {
  const body = { statusCode: 404, message: "Unknown operation.", error: "Not Found" };
  await expectAnswer(request(method, path, undefined, { "x-api-key": "unknown" }), 404, body);
});

describe("objects of another organization", () => {
  const link = { dynamic_link_url: "https://x.example/", dynamic_link_name: "x" };
  const ofForeign = `/organizations/${FOREIGN.organization}/projects/${FOREIGN.project}`;
  const mixed = `/organizations/${OWN.organization}/projects/${FOREIGN.project}`;

  const requests: [method: string, path: string, body?: unknown][] = [
    ["GET", `/organizations/${FOREIGN.organization}/projects`],
    ["POST", `/organizations/${FOREIGN.organization}/projects`, { project_name: "x" }],
    ["GET", `/organizations/${FOREIGN.organization}/projects/name-availability?project_name=x`],
    ["GET", ofForeign],
    ["GET", mixed],
    ["PATCH", mixed, { project_name: "x" }],
    ["DELETE", mixed],
    ["GET", `/organizations/${FOREIGN.organization}/projects/${OWN.project}`],
    ["GET", `${mixed}/skin`],
    ["PUT", `${mixed}/skin`, { theme_type: "basic", theme_choice_type: "dark" }],
    ["GET", `${mixed}/applications`],
    ["POST", `${mixed}/applications`, { app_type: "WEB" }],
    ["GET", `/applications/${FOREIGN.application}`],
    ["PATCH", `/applications/${FOREIGN.application}`, { app_type: "WEB", apple_info: null }],
    ["DELETE", `/applications/${FOREIGN.application}`],
    ["GET", `${mixed}/custom-domains`],
    ["POST", `${mixed}/custom-domains`, { hostname: "new.example.example" }],
    ["GET", `/custom-domains/${FOREIGN.domain}`],
    ["DELETE", `/custom-domains/${FOREIGN.domain}`],
    ["POST", `/custom-domains/${FOREIGN.domain}/retry`],
    ["GET", `/custom-domains/${FOREIGN.domain}/links`],
    ["POST", `/custom-domains/${FOREIGN.domain}/links`, link],
    ["GET", `${mixed}/links`],
    ["POST", `${mixed}/links`, link],
    ["POST", "/core/link", { ...link, project_id: FOREIGN.project }],
    ["POST", "/core/link", { ...link, project_id: OWN.project, custom_domain_id: FOREIGN.domain }],
    [
      "POST",
      "/core/link",
      { ...link, project_id: OWN.project, apple_options: { application_id: FOREIGN.application } },
    ],
    ["POST", "/links", { ...link, project_id: FOREIGN.project }],
    ["POST", "/links", { ...link, project_id: OWN.project, custom_domain_url: "https://go.theirs.example" }],
    ["GET", `/core/link/availability?project_id=${FOREIGN.project}&dynamic_link_suffix=x`],
    ["GET", `/links/${FOREIGN.link}`],
    ["PATCH", `/links/${FOREIGN.link}`, { stats_flag: true }],
    ["DELETE", `/links/${FOREIGN.link}`],
    ["PATCH", paths.link, { apple_options: { application_id: FOREIGN.application } }],
  ];

  // Rows of the same length: Jest would pass its own callback for a missing value.
  test.each(requests.map(([method, path, body]) => [method, path, body] as [string, string, unknown]))(
    "are not found: %s %s",
    async (method, path, body) => {
      const nowhere = body === undefined ? undefined : JSON.parse(replaceForeign(JSON.stringify(body)));
      const expected = (await request(method, replaceForeign(path), nowhere)).body;
      expect(await expectAnswer(request(method, path, body), 404)).toEqual(expected);
    },
  );

  test("cannot be resolved", async () => {
    const { short_url } = (await get(`/links/${FOREIGN.link}`, FOREIGN_KEY)).body;
    const query = `/links/resolve?url=${encodeURIComponent(String(short_url))}`;
    await expectAnswer(get(query), 404);
    await expectAnswer(get(query, FOREIGN_KEY), 200);
  });
});

function replaceForeign(text: string): string {
  return Object.values(FOREIGN)
    .reduce((changed, id) => changed.replaceAll(id, NOWHERE), text)
    .replaceAll("go.theirs.example", "go.nobody.example");
}

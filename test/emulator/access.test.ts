/** Access: keys, blocked organizations, scopes, the order of checks, and objects of another organization. */
import { loadContract } from "../../testing/emulator/contract/contract";
import {
  FOREIGN,
  FOREIGN_KEY,
  KEY,
  LINK,
  NOWHERE,
  ORGANIZATION,
  PROJECT,
  paths,
  useService,
} from "./service";

const service = useService();
const { operations } = loadContract("openapi.yaml");

describe("a key", () => {
  test("that is valid can read its credential, whatever its scopes", async () => {
    service.emulator.setScopes(KEY, []);
    const { status, body } = await service.get("/api-credentials/current");
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_id: ORGANIZATION,
      key_prefix: "key-of",
      scopes: [],
    });
  });

  test.each([
    ["unknown", { "x-api-key": "nobody-has-this-key" }],
    ["empty", { "x-api-key": "" }],
  ])("that is %s leads to a 401", async (_, headers) => {
    const { status, body } = await service.request("GET", "/api-credentials/current", undefined, headers);
    expect([status, body]).toEqual([
      401,
      { statusCode: 401, message: "Invalid API key.", error: "Unauthorized" },
    ]);
  });

  test("that is missing leads to a 401", async () => {
    const response = await fetch(`${service.emulator.url}/api/v2${paths.projects}`);
    expect(response.status).toBe(401);
  });

  test("that was revoked leads to a 401", async () => {
    service.emulator.revokeKey(KEY);
    expect((await service.get(paths.projects)).status).toBe(401);
  });

  test("that was added works immediately", async () => {
    service.emulator.addKey(ORGANIZATION, { key: "added-key-1", scopes: ["projects:read"] });
    const answer = await service.get(paths.projects, "added-key-1");
    expect(answer.status).toBe(200);
  });

  test("is case-sensitive", async () => {
    const answer = await service.get(paths.projects, KEY.toUpperCase());
    expect(answer.status).toBe(401);
  });
});

test("a blocked organization leads to a 403, even for its credential, until it is unblocked", async () => {
  service.emulator.blockOrganization(ORGANIZATION, true);
  expect((await service.get("/api-credentials/current")).status).toBe(403);
  expect((await service.get(paths.projects)).body).toMatchObject({ message: "Organization is blocked." });
  service.emulator.blockOrganization(ORGANIZATION, false);
  expect((await service.get("/api-credentials/current")).status).toBe(200);
});

test.each(
  operations
    .filter(({ scope }) => scope !== null)
    .map((operation) => [operation.operationId, operation] as const),
)("%s needs its scope and no other", async (_, { method, path, scope }) => {
  const all = service.emulator.state.credentials[0]?.scopes ?? [];
  const filled = path.replace("/api/v2", "").replaceAll(/\{\w+\}/g, "not-a-uuid");
  service.emulator.setScopes(
    KEY,
    all.filter((one) => one !== scope),
  );
  const refused = await service.request(method.toUpperCase(), filled);
  expect([refused.status, refused.body.message]).toEqual([403, `Missing scope ${scope}.`]);
  service.emulator.setScopes(
    KEY,
    all.filter((one) => one === scope),
  );
  // The scope is sufficient: now the request itself is invalid.
  expect((await service.request(method.toUpperCase(), filled)).status).toBe(400);
});

describe("the order of checks", () => {
  test("is key, organization, scope, request, existence", async () => {
    const ask = (headers = {}) => service.request("PATCH", `/applications/${NOWHERE}`, "{", headers);
    service.emulator.setScopes(KEY, []);
    service.emulator.blockOrganization(ORGANIZATION, true);
    expect((await ask({ "x-api-key": "unknown" })).status).toBe(401);
    expect((await ask()).body.message).toBe("Organization is blocked.");
    service.emulator.blockOrganization(ORGANIZATION, false);
    expect((await ask()).body.message).toBe("Missing scope applications:write.");
    service.emulator.setScopes(KEY, ["applications:write"]);
    expect((await ask()).status).toBe(400);
    expect((await service.patch(`/applications/${NOWHERE}`, { app_type: "WEB" })).status).toBe(404);
  });

  test("starts with the route, before the key", async () => {
    const { status, body } = await service.get("/nothing", "unknown");
    expect([status, body]).toEqual([
      404,
      { statusCode: 404, message: "Unknown operation.", error: "Not Found" },
    ]);
  });
});

test.each([
  ["PUT", paths.project],
  ["DELETE", paths.projects],
  ["HEAD", paths.projects],
  ["POST", "/links/resolve"],
])("%s %s is not an operation", async (method, path) => {
  expect((await service.request(method, path)).status).toBe(404);
});

describe("objects of another organization", () => {
  const link = { dynamic_link_url: "https://x.example/", dynamic_link_name: "x" };
  const ofForeign = `/organizations/${FOREIGN.organization}/projects/${FOREIGN.project}`;
  const mixed = `/organizations/${ORGANIZATION}/projects/${FOREIGN.project}`;

  const requests: [method: string, path: string, body?: unknown][] = [
    ["GET", `/organizations/${FOREIGN.organization}/projects`],
    ["POST", `/organizations/${FOREIGN.organization}/projects`, { project_name: "x" }],
    ["GET", `/organizations/${FOREIGN.organization}/projects/name-availability?project_name=x`],
    ["GET", ofForeign],
    ["GET", mixed],
    ["PATCH", mixed, { project_name: "x" }],
    ["DELETE", mixed],
    ["GET", `/organizations/${FOREIGN.organization}/projects/${PROJECT}`],
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
    ["POST", "/core/link", { ...link, project_id: PROJECT, custom_domain_id: FOREIGN.domain }],
    [
      "POST",
      "/core/link",
      { ...link, project_id: PROJECT, apple_options: { application_id: FOREIGN.application } },
    ],
    ["POST", "/links", { ...link, project_id: FOREIGN.project }],
    ["POST", "/links", { ...link, project_id: PROJECT, custom_domain_url: "https://go.theirs.example" }],
    ["GET", `/core/link/availability?project_id=${FOREIGN.project}&dynamic_link_suffix=x`],
    ["GET", `/links/${FOREIGN.link}`],
    ["PATCH", `/links/${FOREIGN.link}`, { stats_flag: true }],
    ["DELETE", `/links/${FOREIGN.link}`],
    ["PATCH", `/links/${LINK}`, { apple_options: { application_id: FOREIGN.application } }],
  ];

  // Rows of the same length: Jest would pass its own callback for a missing value.
  test.each(requests.map(([method, path, body]) => [method, path, body] as [string, string, unknown]))(
    "are not found: %s %s",
    async (method, path, body) => {
      const foreign = await service.request(method, path, body);
      const nowhere = await service.request(
        method,
        replaceForeign(path),
        body === undefined ? undefined : JSON.parse(replaceForeign(JSON.stringify(body))),
      );
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(nowhere.body);
    },
  );

  test("cannot be resolved", async () => {
    const { short_url } = (await service.get(`/links/${FOREIGN.link}`, FOREIGN_KEY)).body;
    const query = `/links/resolve?url=${encodeURIComponent(String(short_url))}`;
    expect((await service.get(query)).status).toBe(404);
    expect((await service.get(query, FOREIGN_KEY)).status).toBe(200);
  });
});

function replaceForeign(text: string): string {
  return Object.values(FOREIGN)
    .reduce((changed, id) => changed.replaceAll(id, NOWHERE), text)
    .replaceAll("go.theirs.example", "go.nobody.example");
}

describe("a request", () => {
  test.each([
    ["is not JSON", "{", {}],
    ["is missing", undefined, {}],
    ["is not an object", "[]", {}],
    ["is of another type", '{"project_name":"x"}', { "content-type": "text/plain" }],
  ])("whose body %s leads to a 400", async (_, body, headers) => {
    const answer = await service.request("POST", paths.projects, body, headers);
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.any(String)]);
  });

  test("whose ids are not UUIDs leads to a 400 that reports them", async () => {
    const { status, body } = await service.get("/organizations/x/projects/y");
    expect([status, body.message]).toEqual([
      400,
      ['organization_id must match format "uuid"', 'project_id must match format "uuid"'],
    ]);
  });

  test("can have ids in upper case, and the answer has them in lower case", async () => {
    const { status, body } = await service.get(
      paths.project
        .toUpperCase()
        .replace("/ORGANIZATIONS", "/organizations")
        .replace("/PROJECTS", "/projects"),
    );
    expect([status, body.id]).toEqual([200, PROJECT]);
  });

  test("with a broken escape in its path leads to a 400", async () => {
    expect((await service.get("/links/%zz")).status).toBe(400);
  });

  test("with a duplicate parameter leads to a 400", async () => {
    expect((await service.get(`${paths.project}/links?limit=1&limit=2`)).status).toBe(400);
  });
});

/** Every operation of the client: its request, its answer, and answers about another object. */
import { type Client, createClient, type OperationId } from "../../../provider/client";
import { type Operation, operations } from "../../../provider/client/operations";
import { cursorCheck, MAX_CURSOR_CHARACTERS, MAX_PAGES } from "../../../provider/client/pages";
import { type StubServer, startStubServer } from "../../support/servers/stubServer";
import {
  APPLICATION,
  DOMAIN,
  failureOf,
  LINK,
  ORGANIZATION,
  OTHER,
  PROJECT,
  wireApplication,
  wireDomain,
  wireLink,
  wireProject,
  wireSkin,
} from "./support";

let server: StubServer;
let client: Client;

beforeAll(async () => {
  server = await startStubServer();
  client = createClient({ apiUrl: server.url, apiKey: "key-of-tests" });
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(async () => {
  await client.close();
  await server.close();
});

const organizationId = ORGANIZATION;
const projectId = PROJECT;
const inProject = { organizationId, projectId };
const customDomainId = DOMAIN;
const linkId = LINK;
const projects = `/api/v2/organizations/${ORGANIZATION}/projects`;

function ask(operation: string, request: object): Promise<unknown> {
  return (client[operation as OperationId] as (request: object) => Promise<unknown>)(request);
}

/** The status of a success, as section 4 of the reference lists it. */
function statusOf(id: string): number {
  if (id.startsWith("create")) return 201;
  return id.startsWith("delete") ? 204 : 200;
}

test.each(Object.entries(operations))("%s succeeds with its own status only", async (id, { method }) => {
  const request = { ...inProject, customDomainId, linkId, applicationId: APPLICATION, body: {} };
  for (const status of [200, 201, 202, 203, 204].filter((each) => each !== statusOf(id))) {
    server.answer({ status });
    await expect(ask(id, request)).rejects.toMatchObject({
      name: "AnswerError",
      problems: [`its status must be ${statusOf(id)}`],
      effect: method === "GET" ? "none" : "unknown",
    });
  }
});

interface Row {
  readonly request: object;
  /** Method and path with query. */
  readonly asks: string;
  readonly sends?: object;
  readonly answer: object;
  readonly gives: unknown;
}

const newLink = { dynamicLinkUrl: "https://shop.example/?a=1", dynamicLinkName: "Sale" };
const wireNewLink = { dynamic_link_url: "https://shop.example/?a=1", dynamic_link_name: "Sale" };

/** Requests with characters, absent values and nested objects that the emulator's tests of all operations do not send. */
const rows: Readonly<Partial<Record<OperationId, Row>>> = {
  checkCoreLinkAvailability: {
    request: { projectId, dynamicLinkSuffix: "a b&c", customDomainId },
    asks: `GET /api/v2/core/link/availability?project_id=${PROJECT}&dynamic_link_suffix=a+b%26c&custom_domain_id=${DOMAIN}`,
    answer: { available: true },
    gives: { available: true },
  },
  checkProjectNameAvailability: {
    request: { organizationId, projectName: "Grüße/1" },
    asks: `GET ${projects}/name-availability?project_name=Gr%C3%BC%C3%9Fe%2F1`,
    answer: { is_available: false },
    gives: { isAvailable: false },
  },
  updateApplication: {
    request: {
      applicationId: APPLICATION,
      body: { appleInfo: null, androidInfo: { sha256Fingerprints: ["AA"], appName: null } },
    },
    asks: `PATCH /api/v2/applications/${APPLICATION}`,
    sends: { apple_info: null, android_info: { sha256_fingerprints: ["AA"], app_name: null } },
    answer: wireApplication,
    gives: expect.objectContaining({ projectId }),
  },
  listProjectLinks: {
    request: { ...inProject, limit: 100, cursor: "a+/=" },
    asks: `GET ${projects}/${PROJECT}/links?limit=100&cursor=a%2B%2F%3D`,
    answer: { links: [wireLink], next_cursor: "next" },
    gives: { links: [expect.objectContaining({ id: LINK })], nextCursor: "next" },
  },
  createCustomDomainLink: {
    request: {
      customDomainId,
      body: {
        ...newLink,
        dynamicLinkSuffix: "s",
        androidOptions: { androidAdvancedOptions: { advancedOption: true } },
        appleOptions: { appleAdvancedOptions: { ipadOption: null, at: "1" } },
        additionalOptions: { utmSource: "x" },
      },
    },
    asks: `POST /api/v2/custom-domains/${DOMAIN}/links`,
    sends: {
      ...wireNewLink,
      dynamic_link_suffix: "s",
      android_options: { android_advanced_options: { advanced_option: true } },
      apple_options: { apple_advanced_options: { ipad_option: null, at: "1" } },
      additional_options: { utm_source: "x" },
    },
    answer: wireLink,
    gives: expect.objectContaining({
      shortUrl: null,
      androidOptions: { applicationInfo: { sha256Fingerprint: "AA" } },
      applications: { apple: null, android: null },
    }),
  },
  listCustomDomainLinks: {
    request: { customDomainId, limit: undefined },
    asks: `GET /api/v2/custom-domains/${DOMAIN}/links`,
    answer: { links: [], next_cursor: null },
    gives: { links: [], nextCursor: null },
  },
  resolveLinkByUrl: {
    request: { url: "https://shop.links.example/sale?x=1&y=ü" },
    asks: "GET /api/v2/links/resolve?url=https%3A%2F%2Fshop.links.example%2Fsale%3Fx%3D1%26y%3D%C3%BC",
    answer: wireLink,
    gives: expect.objectContaining({ suffix: "sale" }),
  },
};

test.each(Object.entries(rows))("%s sends and returns what the interface specifies", async (id, row) => {
  server.answer({ status: statusOf(id), body: row.answer });
  expect(await ask(id, row.request)).toEqual(row.gives);

  expect(server.requests).toHaveLength(1);
  const [request] = server.requests;
  expect(`${request?.method} ${request?.url}`).toBe(row.asks);
  expect(request?.body === "" ? undefined : JSON.parse(request?.body ?? "")).toEqual(row.sends);
  expect(request?.headers["content-type"]).toBe(row.sends && "application/json");
  expect(request?.headers["x-api-key"]).toBe("key-of-tests");
  expect(request?.headers["x-request-id"]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(request?.headers.accept).toBe("application/json");
  expect(request?.headers["user-agent"]).toBe("pulumi-dynamiclink");
});

test("writes need a write scope and reads a read scope; only the credential needs none", () => {
  const { getCurrentApiCredential, ...others } = operations;
  expect(getCurrentApiCredential).not.toHaveProperty("scope");
  for (const { method, scope } of Object.values(others))
    expect(scope).toMatch(method === "GET" ? /:read$/ : /:write$/);
});

test("every request has its own id", async () => {
  server.answer({ body: wireProject });
  await client.getProject(inProject);
  await client.getProject(inProject);
  const ids = server.requests.map((request) => request.headers["x-request-id"]);
  expect(new Set(ids).size).toBe(2);
});

test("a parameter of the path is encoded, and cannot lead to another path", async () => {
  server.answer({ body: { ...wireLink, id: undefined } });
  await expect(client.getLink({ linkId: "../projects?x=1#y%/ü" })).rejects.toThrow("id is missing");
  expect(server.requests[0]?.url).toBe("/api/v2/links/..%2Fprojects%3Fx%3D1%23y%25%2F%C3%BC");
  for (const linkId of ["", ".", "..", undefined as unknown as string]) {
    await expect(client.getLink({ linkId })).rejects.toThrow(new TypeError("linkId must be a UUID."));
  }
  expect(server.requests).toHaveLength(1);
});

describe("a valid answer about another object fails", () => {
  const about: [OperationId, object, object][] = [
    ["getProject", { organizationId, projectId }, wireProject],
    ["updateProject", { organizationId, projectId, body: { projectName: "Shop" } }, wireProject],
    ["getApplication", { applicationId: APPLICATION }, wireApplication],
    ["updateApplication", { applicationId: APPLICATION, body: { appType: "WEB" } }, wireApplication],
    ["getCustomDomain", { customDomainId }, wireDomain],
    ["retryCustomDomain", { customDomainId }, wireDomain],
    ["getLink", { linkId }, wireLink],
    ["updateLink", { linkId, body: { dynamicLinkName: "Sale" } }, wireLink],
  ];
  test.each(about)("%s with another id", async (operation, request, body) => {
    server.answer({ body: { ...body, id: OTHER } });
    await expect(ask(operation, request)).rejects.toThrow(
      `200 OK, but the response is invalid: id is ${OTHER}, which was not requested`,
    );
    server.answer({ body });
    await ask(operation, request);
  });

  test.each(Object.entries<Operation>(operations))(
    "%s compares every field that repeats a parameter",
    (name, { path, repeats = {}, response, unwrap = "links" }) => {
      const { [unwrap]: list, ...fields } = response?.fields ?? {};
      const names = Object.keys(list?.item?.fields ?? fields);
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => String(parameter));
      const isAboutOne = about.some(([operation]) => operation === name);
      const expected = [...(isAboutOne ? ["id"] : []), ...parameters.filter((each) => names.includes(each))];
      expect(Object.keys(repeats).sort()).toEqual(expected.sort());
      if (path.endsWith("}") && response !== undefined) expect(repeats).toHaveProperty("id");
    },
  );

  test.each([
    [
      "listProjects",
      { projects: [wireProject, { ...wireProject, organization_id: OTHER }] },
      "organizationId",
    ],
    ["listApplications", { applications: [{ ...wireApplication, project_id: OTHER }] }, "projectId"],
    ["listCustomDomains", { custom_domains: [{ ...wireDomain, project_id: OTHER }] }, "projectId"],
    ["listProjectLinks", { links: [{ ...wireLink, project_id: OTHER }], next_cursor: null }, "projectId"],
    ["createApplication", { ...wireApplication, project_id: OTHER }, "projectId"],
    ["getProjectSkin", { ...wireSkin, project_id: OTHER }, "projectId"],
  ] as const)("%s with another project or organization", async (operation, body, field) => {
    server.answer({ status: statusOf(operation), body });
    await expect(ask(operation, { ...inProject, body: { appType: "WEB" } })).rejects.toThrow(
      `${field} is ${OTHER}, which was not requested`,
    );
  });
});

test("a base URL can have a path", async () => {
  const withPath = createClient({ apiUrl: `${server.url}/gateway/`, apiKey: "k-1234567" });
  server.answer({ body: wireLink });
  await withPath.getLink({ linkId });
  expect(server.requests[0]?.url).toBe(`/gateway/api/v2/links/${LINK}`);
  await withPath.close();
});

describe("the links of a project or domain", () => {
  const all = async () => {
    const ids: string[] = [];
    for await (const link of client.eachProjectLink({ ...inProject, limit: 2 })) ids.push(link.id);
    return ids;
  };
  const page = (ids: string[], next: string | null) => ({
    body: { links: ids.map((id) => ({ ...wireLink, id })), next_cursor: next },
  });

  test("are read page by page", async () => {
    server.answer(page([LINK, OTHER], "c 1"), page([], "c2"), page([PROJECT], null));
    expect(await all()).toEqual([LINK, OTHER, PROJECT]);
    expect(server.requests.map(({ url }) => url.replace(/.*\?/, ""))).toEqual([
      "limit=2",
      "limit=2&cursor=c+1",
      "limit=2&cursor=c2",
    ]);
  });

  test("are read only as far as the caller needs them", async () => {
    server.answer(page([LINK], "more"));
    for await (const link of client.eachCustomDomainLink({ customDomainId })) {
      expect(link.id).toBe(LINK);
      break;
    }
    expect(server.requests.map(({ url }) => url)).toEqual([`/api/v2/custom-domains/${DOMAIN}/links`]);
  });

  test.each([
    ["itself", [page([LINK], "a")], 2],
    ["one before", [page([LINK], "a"), page([LINK], "b"), page([LINK], "c"), page([LINK], "a")], 4],
    ["itself, with an empty cursor", [page([LINK], "")], 2],
  ])("fail when the cursor of a page leads to %s", async (_, pages, requests) => {
    server.answer(...pages);
    const error = await failureOf(all());
    expect(error).toMatchObject({
      name: "AnswerError",
      problems: ["next_cursor refers to a page that was already read"],
      requestId: server.requests.at(-1)?.headers["x-request-id"],
    });
    expect(server.requests).toHaveLength(requests);
  });

  test("fail when a cursor is too long for a URL", async () => {
    server.answer(page([LINK], "x".repeat(MAX_CURSOR_CHARACTERS)), page([LINK], "x".repeat(1_000_000)));
    await expect(all()).rejects.toThrow(
      "200 OK, but the response is invalid: next_cursor has 1000000 characters, more than 4096 (request",
    );
    expect(server.requests).toHaveLength(2);
  });

  test("fail when there are too many pages", () => {
    const problemOf = cursorCheck();
    // One expectation for all, because each takes longer than the check.
    const problems = Array.from({ length: MAX_PAGES - 1 }, (_, page) => problemOf(`c${page}`));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    expect(problemOf("another")).toBe("the list has more than 100000 pages");
  });
});

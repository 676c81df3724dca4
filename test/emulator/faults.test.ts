/** Faults: what a client receives, whether the operation has an effect, and which requests they apply to. */
import { type IncomingHttpHeaders, request as rawRequest } from "node:http";
import type { Fault } from "../../testing/emulator";
import {
  DOMAIN,
  IOS,
  KEY,
  LINK,
  NOWHERE,
  ORGANIZATION,
  PROJECT,
  paths,
  SECOND_PROJECT,
  useService,
} from "./service";

const service = useService();

function names() {
  return service.emulator.state.projects.map(({ name }) => name);
}

function create(name = "New") {
  return service.post(paths.projects, { project_name: name });
}

function statuses() {
  return service.emulator.requests.map(({ status }) => status);
}

/** What a client receives for one request, including a broken connection. */
function raw(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status?: number; text: string; headers?: IncomingHttpHeaders; error?: string }> {
  return new Promise((resolve) => {
    const request = rawRequest(`${service.emulator.url}/api/v2${path}`, {
      method,
      headers: { "x-api-key": KEY, "content-type": "application/json" },
    });
    let text = "";
    request.on("response", (response) => {
      const status = response.statusCode ?? 0;
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status, text, headers: response.headers }));
      response.on("error", (error: NodeJS.ErrnoException) =>
        resolve({ status, text, error: error.code ?? "" }),
      );
    });
    request.on("error", (error: NodeJS.ErrnoException) => resolve({ text, error: error.code ?? "" }));
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

describe("the header Date", () => {
  const dateOf = async () => (await raw("GET", paths.projects)).headers?.date;

  test.each([0, 90])("can be %d seconds behind", async (secondsBehind) => {
    if (secondsBehind > 0) service.emulator.setBehaviour({ dateHeader: { secondsBehind } });
    const date = Date.parse((await dateOf()) ?? "");
    const behindMs = service.emulator.clock.now().getTime() - date;
    expect(behindMs / 1_000).toBeGreaterThanOrEqual(secondsBehind);
    expect(behindMs / 1_000).toBeLessThan(secondsBehind + 30);
  });

  test("can be absent, except in the responses of a proxy", async () => {
    service.emulator.setBehaviour({ dateHeader: "absent" });
    expect(await dateOf()).toBeUndefined();
    service.emulator.inject({ effect: { foreign: 502 } });
    expect(await dateOf()).toEqual(expect.any(String));
  });
});

describe("an injected status", () => {
  test("replaces the operation, as an ErrorResponse with a request id", async () => {
    service.emulator.inject({ effect: { status: 503 } });
    const { status, body, headers } = await create();
    expect([status, body]).toEqual([
      503,
      { statusCode: 503, message: "Injected fault.", error: "Service Unavailable" },
    ]);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.has("retry-after")).toBe(false);
    expect(names()).not.toContain("New");
  });

  test.each([429, 500, 502, 504, 418])("can be any: %d", async (status) => {
    service.emulator.inject({ effect: { status } });
    expect(await create()).toMatchObject({ status, body: { statusCode: status } });
  });

  test.each([
    [2, "2"],
    ["Wed, 21 Oct 2030 07:28:00 GMT", "Wed, 21 Oct 2030 07:28:00 GMT"],
  ])("can have a Retry-After: %j", async (retryAfter, header) => {
    service.emulator.inject({ effect: { status: 429, retryAfter } });
    expect((await create()).headers.get("retry-after")).toBe(header);
  });

  test.each(["Slow down.", ["One.", "Two."]])("can have a message: %j", async (message) => {
    service.emulator.inject({ effect: { status: 400, message } });
    expect((await create()).body.message).toEqual(message);
  });

  test("can follow the effect", async () => {
    service.emulator.inject({ effect: { status: 500, afterEffect: true } });
    expect((await create()).status).toBe(500);
    expect(names()).toContain("New");
  });
});

test("a delay precedes the effect and the answer", async () => {
  service.emulator.inject({ operation: "createProject", effect: { delayMs: 250 } });
  const answer = create();
  const quick = await service.get(paths.projects);
  expect((quick.body.projects as unknown[]).length).toBe(2);
  expect((await answer).status).toBe(201);
  expect(names()).toContain("New");
});

describe("a request that hangs", () => {
  const hang = async () => {
    const cancel = new AbortController();
    const answer = fetch(`${service.emulator.url}/api/v2${paths.projects}`, {
      method: "POST",
      headers: { "x-api-key": KEY, "content-type": "application/json" },
      body: JSON.stringify({ project_name: "New" }),
      signal: cancel.signal,
    });
    // The next request arrives after the first one was received.
    while (service.emulator.faultsUsed.length === 0) await service.get(paths.projects);
    cancel.abort();
    await expect(answer).rejects.toThrow("aborted");
  };

  test("has no effect and no answer", async () => {
    service.emulator.inject({ operation: "createProject", effect: { hang: true } });
    await hang();
    expect(names()).not.toContain("New");
    expect(
      service.emulator.requests.find(({ operationId }) => operationId === "createProject")?.status,
    ).toBeNull();
  });

  test("can have its effect", async () => {
    service.emulator.inject({ operation: "createProject", effect: { hang: true, afterEffect: true } });
    await hang();
    expect(names()).toContain("New");
  });
});

test.each([
  ["before", false],
  ["after", true],
] as const)("a connection can be reset %s the effect", async (reset, effect) => {
  service.emulator.inject({ effect: { reset } });
  expect(await raw("POST", paths.projects, { project_name: "New" })).toEqual({
    text: "",
    error: "ECONNRESET",
  });
  expect(names().includes("New")).toBe(effect);
  expect(statuses()).toEqual([null]);
});

test("an answer can be malformed, after the effect", async () => {
  service.emulator.inject({ effect: { malformed: true } });
  const { status, text } = await raw("POST", paths.projects, { project_name: "New" });
  expect(status).toBe(201);
  expect(() => JSON.parse(text)).toThrow(SyntaxError);
  expect(names()).toContain("New");
});

test("an answer can be truncated, after the effect", async () => {
  service.emulator.inject({ effect: { truncated: true } });
  const { status, text, error } = await raw("POST", paths.projects, { project_name: "New" });
  expect([status, error]).toEqual([201, "ECONNRESET"]);
  expect(text).toMatch(/^\{"id":"[^}]+$/);
  expect(names()).toContain("New");
  expect(statuses()).toEqual([null]);
});

test.each([{ malformed: true }, { truncated: true }, { body: {} }] as const)(
  "an answer without content gets content to which the fault applies: %j",
  async (effect) => {
    const { id } = service.emulator.createProject(ORGANIZATION, { name: "New" });
    service.emulator.inject({ effect });
    expect(await raw("DELETE", `${paths.projects}/${id}`)).toMatchObject({ status: 200 });
    expect(names()).not.toContain("New");
  },
);

describe("a response with another object", () => {
  const CREATES = [
    ["createProject", paths.projects, { project_name: "New" }, SECOND_PROJECT, paths.secondProject],
    ["createApplication", `${paths.project}/applications`, { app_type: "WEB" }, IOS, `/applications/${IOS}`],
    [
      "createCustomDomain",
      `${paths.project}/custom-domains`,
      { hostname: "new.shop.example" },
      DOMAIN,
      `/custom-domains/${DOMAIN}`,
    ],
    [
      "createProjectLink",
      `${paths.project}/links`,
      { dynamic_link_url: "https://shop.example/", dynamic_link_name: "New" },
      LINK,
      `/links/${LINK}`,
    ],
  ] as const;
  const sizes = () => {
    const { projects, applications, customDomains, links } = service.emulator.state;
    return [projects, applications, customDomains, links].map(({ length }) => length);
  };
  const total = () => sizes().reduce((sum, size) => sum + size);

  test.each(CREATES)(
    "can be the result of %s, which creates none",
    async (operation, path, body, object, own) => {
      const before = sizes();
      const shown = (await service.get(own)).body;
      service.emulator.inject({ operation, effect: { object: object.toUpperCase() } });
      expect(await service.post(path, body)).toMatchObject({ status: 201, body: shown });
      expect(sizes()).toEqual(before);
    },
  );

  test.each(CREATES)(
    "can be the result of %s, which creates its own too",
    async (operation, path, body, object) => {
      const before = total();
      service.emulator.inject({ operation, effect: { object, afterEffect: true } });
      expect(await service.post(path, body)).toMatchObject({ status: 201, body: { id: object } });
      expect(total()).toBe(before + 1);
    },
  );

  test("can be the result of a create that the service refuses, and of a read", async () => {
    service.emulator.inject({ count: 2, effect: { object: SECOND_PROJECT, afterEffect: true } });
    expect(await create("Shop")).toMatchObject({ status: 201, body: { id: SECOND_PROJECT } });
    expect(await service.get(paths.project)).toMatchObject({ status: 200, body: { id: SECOND_PROJECT } });
  });

  test("shows the object as it is at that time", async () => {
    service.emulator.inject({ operation: "createProject", effect: { object: SECOND_PROJECT } });
    service.emulator.updateProject(SECOND_PROJECT, { name: "Renamed" });
    expect((await create()).body.project_name).toBe("Renamed");
  });

  test("is a 500 if the object does not exist", async () => {
    service.emulator.inject({ effect: { object: NOWHERE } });
    expect(await create()).toMatchObject({
      status: 500,
      body: { message: `The emulator failed: Error: ${NOWHERE} does not exist.` },
    });
  });
});

test("a request can be redirected, without effect", async () => {
  service.emulator.inject({ effect: { redirect: "https://elsewhere.example/x" } });
  const { status, headers } = await create();
  expect([status, headers.get("location")]).toEqual([302, "https://elsewhere.example/x"]);
  expect(names()).not.toContain("New");
});

describe("an injected body", () => {
  test("replaces the answer, after the effect, and is not validated", async () => {
    service.emulator.inject({ effect: { body: { id: 7 } } });
    expect(await create()).toMatchObject({ status: 201, body: { id: 7 } });
    expect(names()).toContain("New");
    expect(service.emulator.violations).toEqual([]);
  });

  test("can be made from the actual one", async () => {
    const renamed = (body: object) => ({ ...body, project_name: "Another", shade: "dark" });
    service.emulator.inject({ effect: { body: renamed } });
    expect((await create()).body).toMatchObject({
      organization_id: ORGANIZATION,
      project_name: "Another",
      shade: "dark",
    });
    expect(names()).toContain("New");
  });

  test("can have another status", async () => {
    service.emulator.inject({ effect: { body: null, status: 202 } });
    expect(await raw("GET", paths.project)).toMatchObject({ status: 202, text: "null" });
  });
});

describe("an answer that the service did not send", () => {
  test("is a page without request id and with another clock, and has no effect", async () => {
    service.emulator.clock.advance(1_000_000_000);
    service.emulator.inject({ operation: "createProject", effect: { foreign: 404 } });
    const before = Date.now();
    const { status, text, headers } = await raw("POST", paths.projects, { project_name: "New" });
    expect([status, text, headers?.["content-type"]]).toEqual([
      404,
      "<!doctype html><title>404</title>",
      "text/html",
    ]);
    expect(headers).not.toHaveProperty("x-request-id");
    expect(Date.parse(headers?.date ?? "") - before).toBeLessThan(60_000);
    expect(names()).not.toContain("New");
    expect(service.emulator.requests.map((request) => request.status)).toEqual([404]);
  });

  test("can be anything, can echo the request id, and can follow the effect", async () => {
    const effect = { foreign: 503, text: "{}", contentType: "application/json", retryAfter: 7 };
    service.emulator.inject({ effect: { ...effect, echoRequestId: true, afterEffect: true } });
    const { status, text, headers } = await raw("POST", paths.projects, { project_name: "New" });
    expect([status, text, headers?.["content-type"], headers?.["retry-after"]]).toEqual([
      503,
      "{}",
      "application/json",
      "7",
    ]);
    expect(headers?.["x-request-id"]).toBe(service.emulator.requests[0]?.requestId);
    expect(names()).toContain("New");
  });

  test("has no content with 204", async () => {
    service.emulator.inject({ effect: { foreign: 204 } });
    expect(await raw("DELETE", paths.project)).toMatchObject({ status: 204, text: "" });
    expect(service.emulator.state.projects.map(({ id }) => id)).toContain(PROJECT);
  });
});

describe("a fault applies to", () => {
  const ask = async () => (await service.get(paths.projects)).status;

  test.each([
    ["one request of any operation by default", {}, [500, 200]],
    ["the given number of requests", { count: 2 }, [500, 500, 200]],
    ["every request with an infinite count", { count: Number.POSITIVE_INFINITY }, [500, 500, 500]],
    ["requests after the given number of others", { skip: 2 }, [200, 200, 500, 200]],
  ])("%s", async (_, options, expected) => {
    service.emulator.inject({ ...options, effect: { status: 500 } });
    const seen: number[] = [];
    while (seen.length < expected.length) seen.push(await ask());
    expect(seen).toEqual(expected);
  });

  test.each([
    ["getProject", 200, 500],
    [["getProject", "listProjects"], 500, 500],
    ["*", 500, 500],
  ] as const)("the given operations: %j", async (operation, listed, got) => {
    service.emulator.inject({
      operation: typeof operation === "string" ? operation : [...operation],
      count: 2,
      effect: { status: 500 },
    });
    expect([await ask(), (await service.get(paths.project)).status]).toEqual([listed, got]);
  });

  test.each([
    ["text", "skin$"],
    ["expression", /skin$/],
    ["function", ({ path }: { path: string }) => path.endsWith("skin")],
  ])("the requests that match, by %s", async (_, match) => {
    service.emulator.inject({ match, effect: { status: 500 } });
    expect([await ask(), (await service.get(`${paths.project}/skin`)).status]).toEqual([200, 500]);
  });

  test("requests whose body a function matches", async () => {
    service.emulator.inject({
      match: ({ body }) => (body as { project_name?: string } | undefined)?.project_name === "Second",
      effect: { status: 500 },
    });
    expect([(await create("First")).status, (await create("Second")).status]).toEqual([201, 500]);
  });

  test("requests without a valid key, and routes that do not exist", async () => {
    service.emulator.inject({ count: 2, effect: { status: 503 } });
    const unknown = await service.get(paths.projects, "unknown");
    expect([unknown.status, (await service.get("/nothing")).status]).toEqual([503, 503]);
  });

  test("requests in the order of injection, one fault per request", async () => {
    service.emulator.inject({ effect: { status: 500 } });
    service.emulator.inject({ operation: "listProjects", effect: { status: 502 } });
    expect([await ask(), await ask(), await ask()]).toEqual([500, 502, 200]);
  });
});

test.each<[unknown, string]>([
  [{ operation: "getProjects" }, "The operation getProjects does not exist."],
  [{ operation: ["getProject", "toString"] }, "The operation toString does not exist."],
  [{ match: "[" }, "match is not a regular expression: Unterminated character class."],
])("a fault with %j is refused", async (fault, message) => {
  const { emulator } = service;
  expect(() => emulator.inject({ ...(fault as Partial<Fault>), effect: { status: 500 } })).toThrow(message);
  expect((await service.get(paths.project)).status).toBe(200);
});

test("faultsUsed lists the faults that were used, with their requests", async () => {
  const fault = { operation: "getProject", effect: { status: 500 } } as const;
  service.emulator.inject(fault);
  await service.get(paths.projects);
  expect(service.emulator.faultsUsed).toEqual([]);
  await service.get(paths.project);
  expect(service.emulator.faultsUsed).toEqual([
    { fault, request: expect.objectContaining({ path: `/api/v2${paths.project}`, status: 500 }) },
  ]);
  expect(PROJECT).toBe(service.emulator.faultsUsed[0]?.request.path.split("/").at(-1));
});

test("clearFaults removes all faults", async () => {
  service.emulator.inject({ count: 5, effect: { status: 500 } });
  await service.get(paths.project);
  service.emulator.clearFaults();
  expect((await service.get(paths.project)).status).toBe(200);
  expect(service.emulator.faultsUsed).toEqual([]);
});

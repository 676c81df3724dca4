/** Creates whose answer is lost end with one object, or with an error that says what to do. The clock does not wait. */

import { createOnce } from "../../provider/lifecycle/createOnce";
import type { OperationContext, ResourceDescription } from "../../provider/lifecycle/description";
import type { RunContext } from "../../provider/lifecycle/runContext";
import { type Emulator, type FaultEffect, type OperationId, startEmulator } from "../../testing/emulator";
import { type Declaration, type DeclaredStack, errorOf, type Outcome } from "../support/declaredStack";
import { inProcessStack } from "../support/inProcessStack";

const KEY = "canary-key-of-the-create-tests";
const ORGANIZATION = "0a0a0a0a-0000-4000-8000-000000000001";
const PROJECT = "0c0c0c0c-0000-4000-8000-000000000003";
const TIMEOUT_MS = 400;

const project: Declaration = { kind: "Project", name: "shop", properties: { name: "Shop" } };
const application: Declaration = {
  kind: "Application",
  name: "web",
  properties: { projectId: PROJECT, appType: "WEB" },
};
const domain: Declaration = {
  kind: "CustomDomain",
  name: "links",
  properties: { projectId: PROJECT, hostname: "links.shop.example" },
};
const CASES = [
  { declaration: project, title: "project", operation: "createProject", unique: "Shop" },
  {
    declaration: domain,
    title: "custom domain",
    operation: "createCustomDomain",
    unique: "links.shop.example",
  },
  { declaration: application, title: "application", operation: "createApplication", unique: undefined },
] as const;
const UNIQUE_CASES = CASES.filter(({ unique }) => unique !== undefined);

/** How the answer to a request with effect can be lost. */
const LOSSES: readonly (readonly [name: string, effect: FaultEffect])[] = [
  ["the connection is reset", { reset: "after" }],
  ["the answer is cut short", { truncated: true }],
  ["the answer is not JSON", { malformed: true }],
  ["the answer is an object of another kind", { body: { id: PROJECT } }],
  ["the request times out", { hang: true, afterEffect: true }],
  ["500", { status: 500, afterEffect: true }],
  ["502", { status: 502, afterEffect: true }],
  ["503", { status: 503, afterEffect: true }],
  ["504", { status: 504, afterEffect: true }],
];
/** How a request without effect can fail. */
const FAILURES: readonly (readonly [name: string, effect: FaultEffect])[] = [
  ["the connection is reset", { reset: "before" }],
  ["the request times out", { hang: true }],
  ...([500, 502, 503, 504] as const).map((status) => [String(status), { status }] as const),
];

let service: Emulator;
let stack: DeclaredStack;

beforeEach(async () => {
  service = await startEmulator({
    seed: {
      organizations: [
        { id: ORGANIZATION, keys: [{ key: KEY }], projects: [{ id: PROJECT, name: "Seeded" }] },
      ],
    },
  });
  // The seed is older than anything that is created from now on, even in whole seconds.
  service.clock.advance(5_000);
  stack = newStack();
});
afterEach(async () => {
  expect(service.violations).toEqual([]);
  await service.close();
});

function newStack(): DeclaredStack {
  return inProcessStack({
    environment: () => ({ DYNAMICLINK_API_KEY: KEY }),
    config: { "dynamiclink:apiUrl": service.url },
    timeoutMs: () => TIMEOUT_MS,
    random: () => 0,
  });
}

function objects(title: string): readonly { readonly id: string; readonly createdAt: string }[] {
  const { projects, applications, customDomains } = service.state;
  if (title === "project") return projects.filter(({ id }) => id !== PROJECT);
  return title === "application" ? applications : customDomains;
}

function posts(): (number | null)[] {
  return service.requests.filter(({ method }) => method === "POST").map(({ status }) => status);
}

function told({ diagnostics }: Outcome): string[] {
  return diagnostics.filter(({ ephemeral }) => ephemeral === false).map(({ message }) => message);
}

describe.each(LOSSES)("a create with effect whose answer is lost: %s", (_, effect) => {
  test.each(UNIQUE_CASES)(
    "the $title that was created is adopted, with a message that reports it",
    async (one) => {
      service.inject({ operation: one.operation, effect });
      const outcome = await stack.up([one.declaration]);
      expect(outcome.failed).toBe(false);
      const [made, ...others] = objects(one.title);
      expect(others).toEqual([]);
      expect(stack.resources.map(({ id }) => id)).toEqual([made?.id]);
      expect(told(outcome)).toEqual([
        `The response to creating the ${one.title} was lost. The service lists exactly one ${one.title} with the declared properties that was created since then: ${made?.id}. Adopted it.`,
      ]);
      expect(posts()).toHaveLength(1);
      expect((await stack.preview([one.declaration])).changes).not.toHaveProperty("create");
    },
  );

  test("the error lists the application with its import option, which adopts it", async () => {
    service.inject({ operation: "createApplication", effect });
    const error = errorOf(await stack.up([application]));
    const [made, ...others] = service.state.applications;
    expect(others).toEqual([]);
    expect(error).toContain("applications with the same properties cannot be told apart");
    expect(error).toContain(
      `  ${made?.id}, created ${made?.createdAt}: add the option { import: "${made?.id}" }`,
    );
    expect(stack.resources).toEqual([]);
    expect(posts()).toHaveLength(1);
    expect((await stack.up([{ ...application, adopt: made?.id ?? "" }])).failed).toBe(false);
    expect(stack.resources.map(({ id }) => id)).toEqual([made?.id]);
    expect(service.state.applications).toHaveLength(1);
  });
});

describe.each(FAILURES)("a create without effect and answer: %s", (_, effect) => {
  test.each(CASES)(
    "fails for a $title, and the next up creates exactly one",
    async ({ declaration, title, operation }) => {
      service.inject({ operation, effect });
      const error = errorOf(await stack.up([declaration]));
      expect(error).toMatch(/\(request [0-9a-f-]{36}\)/);
      expect(error).toContain(`It is unknown whether the ${title} was created`);
      expect(posts()).toHaveLength(1);
      expect(stack.resources).toEqual([]);
      expect((await stack.up([declaration])).failed).toBe(false);
      expect(objects(title).map(({ id }) => id)).toEqual(stack.resources.map(({ id }) => id));
      expect(stack.resources).toHaveLength(1);
    },
  );
});

test.each(CASES)("$title: a create is retried after 429, and after 503 with Retry-After", async (one) => {
  service.inject({ operation: one.operation, effect: { status: 429, retryAfter: 2 } });
  service.inject({ operation: one.operation, effect: { status: 503, retryAfter: 2 } });
  expect((await stack.up([one.declaration])).failed).toBe(false);
  expect(posts()).toEqual([429, 503, 201]);
  expect(objects(one.title)).toHaveLength(1);
});

test.each(UNIQUE_CASES)(
  "a 409 to a retried create of a $title adopts the one that the first request created",
  async (one) => {
    // The service should not answer 429 after it created the object; the 409 shows that it did.
    service.inject({ operation: one.operation, effect: { status: 429, retryAfter: 0, afterEffect: true } });
    const outcome = await stack.up([one.declaration]);
    expect(outcome.failed).toBe(false);
    expect(posts()).toEqual([429, 409]);
    expect(stack.resources.map(({ id }) => id)).toEqual(objects(one.title).map(({ id }) => id));
    expect(told(outcome)).toHaveLength(1);
  },
);

describe("after a lost answer, the provider does not adopt", () => {
  test.each(UNIQUE_CASES)(
    "a $title that was created before the attempt",
    async ({ declaration, title, operation }) => {
      service.setBehaviour({ uniqueProjectNames: false, uniqueHostnames: "none" });
      const other = newStack();
      await other.up([declaration]);
      service.clock.advance(2_000);
      service.inject({ operation, effect: { reset: "before" } });
      expect(errorOf(await stack.up([declaration]))).toContain("the service does not list it");
      expect(stack.resources).toEqual([]);
      expect(objects(title)).toHaveLength(1);
    },
  );

  test.each(UNIQUE_CASES)(
    "a $title that differs from the declared one",
    async ({ declaration, title, operation }) => {
      service.inject({ operation, effect: { reset: "before" } });
      service.inject({
        // Someone else creates another one while the answer is on its way.
        match: ({ method }) => {
          if (method === "POST") makeAnother(title);
          return false;
        },
        effect: { delayMs: 0 },
      });
      expect(errorOf(await stack.up([declaration]))).toContain("the service does not list it");
      expect(stack.resources).toEqual([]);
    },
  );

  test.each(UNIQUE_CASES)("one $title of several that match", async ({ declaration, title, operation }) => {
    service.setBehaviour({ uniqueProjectNames: false, uniqueHostnames: "none" });
    const other = newStack();
    service.inject({ operation, effect: { reset: "after" } });
    service.inject({ operation, effect: { reset: "after" } });
    // Both creates are sent before either looks for candidates.
    const [first, second] = await Promise.all([stack.up([declaration]), other.up([declaration])]);
    const candidates = objects(title).map(({ id }) => id);
    expect(candidates).toHaveLength(2);
    for (const outcome of [first, second]) {
      if (!outcome.failed) continue;
      for (const id of candidates) expect(errorOf(outcome)).toContain(`import: "${id}"`);
    }
    expect(first.failed || second.failed).toBe(true);
  });
});

function makeAnother(title: string): void {
  if (title === "project") service.createProject(ORGANIZATION, { name: "Another" });
  else service.createCustomDomain(PROJECT, { hostname: "another.shop.example" });
}

test.each(UNIQUE_CASES)("a 409 to a create reports which $title has the name", async (one) => {
  const { id } =
    one.title === "project"
      ? service.createProject(ORGANIZATION, { name: "Shop" })
      : service.createCustomDomain(PROJECT, { hostname: "links.shop.example" });
  const error = errorOf(await stack.up([one.declaration]));
  expect(error).toContain("409 Conflict");
  expect(error).toContain(
    `is used by ${one.title} ${id}. To manage that one, add the option { import: "${id}" }. If this stack manages it under another name, add the option \`aliases\` instead.`,
  );
  expect(posts()).toEqual([409]);
});

test("a 409 to a rename reports which project has the name, and suggests no adoption", async () => {
  const { id } = service.createProject(ORGANIZATION, { name: "Market" });
  await stack.up([project]);
  const error = errorOf(await stack.up([{ ...project, properties: { name: "Market" } }]));
  expect(error).toContain(`The name is used by project ${id}. Rename or delete that one`);
  expect(error).not.toContain("import:");
});

test("the error reports that the look-up after a lost answer failed, and says what to do before the next up", async () => {
  service.inject({ operation: "createProject", effect: { reset: "after" } });
  service.inject({ operation: "listProjects", effect: { status: 500 } });
  const error = errorOf(await stack.up([project]));
  expect(error).toContain("looking it up failed");
  expect(error).toContain("adopt it with the option import");
  // The next up fails on the name, and reports which project has it.
  const [made] = objects("project");
  expect(errorOf(await stack.up([project]))).toContain(`import: "${made?.id}"`);
  expect(objects("project")).toHaveLength(1);
});

test("the look-up after a lost answer waits for an object that is listed late", async () => {
  service.inject({ operation: "createProject", effect: { reset: "after" } });
  service.inject({ operation: "listProjects", count: 3, effect: { body: { projects: [] } } });
  expect((await stack.up([project])).failed).toBe(false);
  expect(service.requests.filter(({ operationId }) => operationId === "listProjects")).toHaveLength(4);
});

test("an up after an interrupted create reports the project or domain that was created", async () => {
  for (const { declaration, operation, title } of UNIQUE_CASES) {
    const interrupted = newStack();
    const killed = ({ method }: { readonly method: string }) => {
      if (method === "POST") interrupted.crash();
      return method === "POST";
    };
    service.inject({ operation, match: killed, effect: { delayMs: 0 } });
    expect((await interrupted.up([declaration])).failed).toBe(true);
    expect(interrupted.pending).toHaveLength(1);
    const error = errorOf(await interrupted.up([declaration]));
    expect(error).toContain(`import: "${objects(title)[0]?.id}"`);
    expect(objects(title)).toHaveLength(1);
    service.clearFaults();
  }
});

describe("two creates in one process with the same inputs", () => {
  const losses: OperationId[] = ["createProject", "createApplication"];
  test("never adopt each other's project, whichever answer is lost", async () => {
    service.setBehaviour({ uniqueProjectNames: false });
    for (const skip of [0, 1]) {
      const racing = newStack();
      const [one, two] = ["one", "two"].map((name) => ({ ...project, name: `${name}${skip}` }));
      if (one === undefined || two === undefined) throw new Error("There are two.");
      service.clearFaults();
      service.clock.advance(2_000);
      service.inject({ operation: losses[0] as OperationId, skip, effect: { reset: "before" } });
      const outcome = await racing.up([one, two]);
      // The failed create had no effect, so the object belongs to the other one.
      expect(errorOf(outcome)).toContain("the service does not list it");
      expect(racing.resources).toHaveLength(skip === 0 ? racing.resources.length : 1);
      expect(new Set(racing.resources.map(({ id }) => id)).size).toBe(racing.resources.length);
    }
  });

  test("never adopt a project that the other adopts", async () => {
    service.setBehaviour({ uniqueProjectNames: false });
    // Not older than the attempt, wherever in a second that starts.
    const createdAt = new Date(service.clock.now().getTime() + 60_000).toISOString();
    const { id } = service.createProject(ORGANIZATION, { name: "Shop", createdAt });
    service.inject({ operation: "createProject", effect: { reset: "before" } });
    const outcome = await stack.up([
      { ...project, adopt: id },
      { ...project, name: "second" },
    ]);
    expect(errorOf(outcome)).toContain("the service does not list it");
    expect(stack.resources.map((resource) => resource.id)).toEqual([id]);
  });

  test("never report each other's application as a candidate", async () => {
    service.inject({ operation: losses[1] as OperationId, skip: 1, effect: { reset: "before" } });
    const outcome = await stack.up([application, { ...application, name: "second" }]);
    const [made] = service.state.applications;
    expect(service.state.applications).toHaveLength(1);
    expect(stack.resources.map(({ id }) => id)).toEqual([made?.id]);
    expect(errorOf(outcome)).not.toContain(made?.id);
  });
});

test("an object that changes between comparison and adoption is not adopted", async () => {
  let readings = 0;
  service.inject({
    match: ({ operationId }) => {
      if (operationId === "getProject" && ++readings === 2)
        service.updateProject(PROJECT, { name: "Renamed" });
      return false;
    },
    effect: { delayMs: 0 },
  });
  const adopting: Declaration = { ...project, properties: { name: "Seeded" }, adopt: PROJECT };
  expect(errorOf(await stack.up([adopting]))).toBe(
    `Project ${PROJECT} has changed since it was compared with the program: name. Run this again.`,
  );
  expect(readings).toBe(2);
  expect(stack.resources).toEqual([]);
});

test("nothing is adopted when the answers have no Date header", async () => {
  const withoutDate = await import("node:http").then(({ createServer, request }) =>
    createServer((incoming, response) => {
      response.sendDate = false;
      const { method, url, headers } = incoming;
      const onward = request(new URL(url ?? "/", service.url), { method, headers }, (answer) => {
        const { date: _, ...rest } = answer.headers;
        response.writeHead(answer.statusCode ?? 500, rest);
        answer.pipe(response);
      });
      onward.on("error", () => response.socket?.resetAndDestroy());
      incoming.pipe(onward);
    }),
  );
  await new Promise<void>((resolve) => withoutDate.listen(0, "127.0.0.1", resolve));
  const address = withoutDate.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const undated = inProcessStack({
    environment: () => ({ DYNAMICLINK_API_KEY: KEY }),
    config: { "dynamiclink:apiUrl": `http://127.0.0.1:${port}` },
    timeoutMs: () => TIMEOUT_MS,
    random: () => 0,
  });
  service.inject({ operation: "createProject", effect: { reset: "after" } });
  const error = errorOf(await undated.up([project]));
  expect(error).toContain("It is unknown whether the project was created");
  expect(undated.resources).toEqual([]);
  expect(objects("project")).toHaveLength(1);
  withoutDate.closeAllConnections();
  await new Promise((resolve) => withoutDate.close(resolve));
});

test.each(["values", "nothing"] as const)(
  "a lost create of a resource that creates %s is not looked up, because it is safe to repeat",
  async (creates) => {
    const lost = new Error("The answer was lost.");
    const siblings = jest.fn();
    const description = { title: "thing", creates, siblings, create: () => Promise.reject(lost) };
    await expect(
      createOnce(description as unknown as ResourceDescription, {} as RunContext, {} as OperationContext, {}),
    ).rejects.toBe(lost);
    expect(siblings).not.toHaveBeenCalled();
  },
);

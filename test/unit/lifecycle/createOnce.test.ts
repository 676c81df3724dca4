/** Creates whose answer is lost end with one object, or with an error that says what to do. The clock does not wait. */

import { createOnce } from "../../../provider/lifecycle/create/createOnce";
import type { OperationContext } from "../../../provider/lifecycle/description";
import { resourceOperations } from "../../../provider/lifecycle/operations";
import type { ResourceRun } from "../../../provider/lifecycle/run/runContext";
import { projectDescription } from "../../../provider/resources/project";
import { type Emulator, type FaultEffect, type OperationId, startEmulator } from "../../../testing/emulator";
import { until } from "../../support/processes/until";
import { inProcessRun } from "../../support/providers/inProcess";
import {
  type Declaration,
  type DeclaredStack,
  errorOf,
  type Outcome,
  urnOf,
} from "../../support/stacks/declaredStack";
import { emulatedStack } from "../../support/stacks/inProcessStack";
import { KEY, ORGANIZATION, OTHER_KEY, OTHER_ORGANIZATION, seedWith } from "../../support/stacks/scenarios";

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
const IOS_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop" };
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
  ["503", { status: 503, afterEffect: true }],
];
/** How a request without effect can fail. */
const FAILURES: readonly (readonly [name: string, effect: FaultEffect])[] = [
  ["the connection is reset", { reset: "before" }],
  ["the request times out", { hang: true }],
  ...([500, 503] as const).map((status) => [String(status), { status }] as const),
];

let service: Emulator;
let stack: DeclaredStack;

beforeEach(async () => {
  service = await startEmulator({ seed: seedWith([{ id: PROJECT, name: "Seeded" }]) });
  // The seed is older than anything that is created from now on, even in whole seconds.
  service.clock.advance(5_000);
  stack = newStack();
});
afterEach(async () => {
  expect(service.violations).toEqual([]);
  await service.close();
});

function newStack(): DeclaredStack {
  return emulatedStack(service, KEY, { timeoutMs: () => TIMEOUT_MS });
}

function objects(title: string): readonly { readonly id: string; readonly createdAt: string }[] {
  const { projects, applications, customDomains } = service.state;
  if (title === "project") return projects.filter(({ id }) => id !== PROJECT);
  return title === "application" ? applications : customDomains;
}

/** The operation that lists objects of the kind of a declaration. */
function listOf({ kind }: Declaration): OperationId {
  return `list${kind}s` as OperationId;
}

function posts(): (number | null)[] {
  return service.requests.filter(({ method }) => method === "POST").map(({ status }) => status);
}

function told({ diagnostics }: Outcome): string[] {
  return diagnostics.filter(({ ephemeral }) => ephemeral === false).map(({ message }) => message);
}

/** The message about an object that an earlier create may have left behind. */
function leftover(
  title: string,
  by: string,
  { id, createdAt }: { readonly id: string; readonly createdAt: string },
): string {
  return [
    `The service already had ${title}s with the declared ${by}, and no resource that this run has processed so far manages them:`,
    `  ${id}, created ${createdAt}: add the option { import: "${id}" }`,
    "An interrupted run may have left them behind. Otherwise another stack manages them, a resource that this run processes later, or one that it replaces by force. Delete in the service what is left over, or adopt it: declare it as another resource with that option.",
  ].join("\n");
}

/** Does something while the service handles a create. */
function duringCreate(act: () => void): void {
  service.inject({
    match({ method }) {
      if (method === "POST") act();
      return false;
    },
    effect: { delayMs: 0 },
  });
}

function allowDuplicates(): void {
  service.setBehaviour({ uniqueProjectNames: false, uniqueHostnames: "none" });
}

/** The operations that were requested, in order. */
function sent(): string[] {
  return service.requests.map(({ operationId }) => String(operationId));
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
  test.each(UNIQUE_CASES.flatMap((one) => [false, true].map((isUnlisted) => ({ ...one, isUnlisted }))))(
    "a $title that was created before the attempt (the list could not be read then: $isUnlisted)",
    async ({ declaration, title, operation, isUnlisted }) => {
      allowDuplicates();
      const other = newStack();
      await other.up([declaration]);
      service.clock.advance(2_000);
      if (isUnlisted) service.inject({ operation: listOf(declaration), effect: { status: 403 } });
      service.inject({ operation, effect: { reset: "before" } });
      expect(errorOf(await stack.up([declaration]))).toContain("the service does not list it");
      expect(stack.resources).toEqual([]);
      expect(objects(title)).toHaveLength(1);
    },
  );

  test.each(UNIQUE_CASES.flatMap((one) => [true, false].map((enforced) => ({ ...one, enforced }))))(
    "a $title that was created before the attempt, although the Date header is far behind (unique: $enforced)",
    async ({ declaration, title, operation, enforced }) => {
      service.setBehaviour({
        dateHeader: { secondsBehind: 3_600 },
        uniqueProjectNames: enforced,
        uniqueHostnames: enforced ? "global" : "none",
      });
      const other = newStack();
      await other.up([declaration]);
      service.inject({ operation, effect: { reset: "before" } });
      const error = errorOf(await stack.up([declaration]));
      expect(error).toContain("the service does not list it");
      const [theirs, ...others] = objects(title);
      expect(error).not.toContain(theirs?.id);
      expect(stack.resources).toEqual([]);
      expect(others).toEqual([]);
    },
  );

  test.each(UNIQUE_CASES)(
    "a $title that differs from the declared one",
    async ({ declaration, title, operation }) => {
      // Someone else creates another one while the answer is on its way.
      duringCreate(() => makeAnother(title));
      service.inject({ operation, effect: { reset: "before" } });
      expect(errorOf(await stack.up([declaration]))).toContain("the service does not list it");
      expect(objects(title)).toHaveLength(1);
      expect(stack.resources).toEqual([]);
    },
  );

  test.each(UNIQUE_CASES)(
    "an older $title that the list lacked before, if the service has created it later than its Date header says",
    async ({ declaration, title, operation }) => {
      service.setBehaviour({
        uniqueProjectNames: false,
        uniqueHostnames: "none",
        newObjectListed: { afterPolls: 1 },
        dateHeader: { secondsBehind: 60 },
      });
      await stack.up([declaration]);
      const [{ id, createdAt } = { id: "", createdAt: "" }] = objects(title);
      service.clock.advance(2_000);
      service.inject({ operation, effect: { reset: "after" } });
      // The engine does not show the object before its forced replacement.
      const error = errorOf(await stack.up([declaration], { replace: [urnOf(declaration)] }));
      expect(error).toContain(
        `It may have been created nevertheless. The Date header of the service's responses is missing or behind, so it is unknown whether one of these, which have the same properties, was created since then:\n  ${id}, created ${createdAt}: add the option { import: "${id}" }`,
      );
      expect(stack.resources.map((one) => one.id)).toEqual([id]);
      expect(objects(title)).toHaveLength(2);
    },
  );

  test.each(UNIQUE_CASES)("one $title of several that match", async ({ declaration, title, operation }) => {
    allowDuplicates();
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
    `is used by ${one.title} ${id}. To manage that one, add the option { import: "${id}" }. If this stack manages it under another name, add the option \`aliases\` instead; if this run replaces it, the option \`deleteBeforeReplace\`.`,
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

test("the error reports that the lookup after a lost answer failed, and says what to do before the next up", async () => {
  service.inject({ operation: "createProject", effect: { reset: "after" } });
  service.inject({ operation: "listProjects", skip: 1, effect: { status: 500 } });
  const error = errorOf(await stack.up([project]));
  expect(error).toContain("looking it up failed");
  expect(error).toContain("adopt it with the option import");
  // The next up fails on the name, and reports which project has it.
  const [made] = objects("project");
  expect(errorOf(await stack.up([project]))).toContain(`import: "${made?.id}"`);
  expect(objects("project")).toHaveLength(1);
});

test("the lookup after a lost answer waits for an object that is listed late", async () => {
  service.inject({ operation: "createProject", effect: { reset: "after" } });
  service.inject({ operation: "listProjects", count: 4, effect: { body: { projects: [] } } });
  expect((await stack.up([project])).failed).toBe(false);
  expect(service.requests.filter(({ operationId }) => operationId === "listProjects")).toHaveLength(5);
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
    expect(interrupted.pending("creating")).toHaveLength(1);
    const error = errorOf(await interrupted.up([declaration]));
    expect(error).toContain(`import: "${objects(title)[0]?.id}"`);
    expect(objects(title)).toHaveLength(1);
    service.clearFaults();
  }
});

describe("two creates in one process with the same inputs", () => {
  test("never adopt each other's project, whichever answer is lost", async () => {
    service.setBehaviour({ uniqueProjectNames: false });
    for (const skip of [0, 1]) {
      const racing = newStack();
      const [one, two] = ["one", "two"].map((name) => ({ ...project, name: `${name}${skip}` }));
      if (one === undefined || two === undefined) throw new Error("There are two.");
      service.clearFaults();
      service.clock.advance(2_000);
      service.inject({ operation: "createProject", skip, effect: { reset: "before" } });
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
    service.inject({ operation: "createApplication", skip: 1, effect: { reset: "before" } });
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

describe("when the answers have no Date header", () => {
  beforeEach(() => service.setBehaviour({ dateHeader: "absent" }));

  test.each(UNIQUE_CASES)(
    "a $title with the declared properties is named as possible, and not adopted",
    async ({ declaration, operation, title }) => {
      service.inject({ operation, effect: { reset: "after" } });
      const error = errorOf(await stack.up([declaration]));
      const [made] = objects(title);
      expect(error).toContain(
        "The Date header of the service's responses is missing or behind, so it is unknown whether one of these, which have the same properties, was created since then:",
      );
      expect(error).toContain(
        `  ${made?.id}, created ${made?.createdAt}: add the option { import: "${made?.id}" }`,
      );
      expect(stack.resources).toEqual([]);
      expect(objects(title)).toHaveLength(1);
    },
  );

  test("an application that the service listed before the create is not named as possible", async () => {
    service.createApplication(PROJECT, { appType: "WEB" });
    service.inject({ operation: "createApplication", effect: { reset: "after" } });
    const outcome = await stack.up([application]);
    const [leftover, made] = service.state.applications;
    expect(errorOf(outcome)).toContain("The Date header of the service's responses is missing or behind");
    expect(errorOf(outcome)).toContain(`import: "${made?.id}"`);
    expect(errorOf(outcome)).not.toContain(leftover?.id);
    expect(told(outcome).join()).toContain(leftover?.id);
  });

  test.each(CASES)(
    "the $title is said not to be listed only after the list was read",
    async ({ declaration, operation }) => {
      service.inject({ operation, effect: { reset: "before" } });
      expect(errorOf(await stack.up([declaration]))).toContain("the service does not list it");
      expect(sent().filter((each) => each === listOf(declaration))).toHaveLength(5);
    },
  );
});

describe("an application is looked for before it is created", () => {
  const second: Declaration = { ...application, name: "second" };

  test("an equal one that no resource has is reported with both ways out, and another one is created", async () => {
    const { id, createdAt } = service.createApplication(PROJECT, { appType: "WEB" });
    const outcome = await stack.up([application]);
    expect(outcome.failed).toBe(false);
    expect(told(outcome)).toEqual([leftover("application", "properties", { id, createdAt })]);
    expect(sent()).toEqual([
      "getCurrentApiCredential",
      "getProject",
      "listApplications",
      "createApplication",
    ]);
    // Both ways out work.
    expect((await stack.up([application, { ...second, adopt: id }])).failed).toBe(false);
    expect(stack.resources.map((resource) => resource.id).sort()).toEqual(
      service.state.applications.map((each) => each.id).sort(),
    );
  });

  test("one left behind by a killed host is reported by the next up", async () => {
    duringCreate(() => stack.killHosts());
    expect(errorOf(await stack.up([application]))).toBe("error reading from server: EOF");
    expect(stack.pending("creating")).toEqual([]);
    service.clearFaults();
    const [left] = await applications(1);
    const outcome = await stack.up([application]);
    expect(outcome.failed).toBe(false);
    expect(told(outcome).join()).toContain(
      `  ${left?.id}, created ${left?.createdAt}: add the option { import: "${left?.id}" }`,
    );
    expect(stack.resources.map(({ id }) => id)).not.toContain(left?.id);
  });

  test("the list is read once for each run and project, however many are created", async () => {
    const { id } = service.createProject(ORGANIZATION, { name: "Other" });
    const many = Array.from({ length: 8 }, (_, index) => ({
      ...application,
      name: `web${index}`,
      properties: { ...application.properties, projectId: index % 2 === 0 ? PROJECT : id },
    }));
    expect((await stack.up(many)).failed).toBe(false);
    expect(sent().filter((operation) => operation === "listApplications")).toHaveLength(2);
    service.clearRequests();
    expect((await stack.up([...many, application])).failed).toBe(false);
    expect(sent().filter((operation) => operation === "listApplications")).toHaveLength(1);
  });

  test("no list is read in a project that the run has created", async () => {
    const within = (one: Declaration) => ({
      ...one,
      properties: { ...one.properties, projectId: { idOf: "shop" } },
    });
    expect((await stack.up([project, within(application), within(domain)])).failed).toBe(false);
    expect(sent().filter((operation) => operation.startsWith("list"))).toEqual(["listProjects"]);
  });

  test.each([
    ["declares", [application, second]],
    ["deletes", [second]],
  ] as const)("one that the program %s is not reported, nor one that it creates", async (_, next) => {
    await stack.up([application]);
    const outcome = await stack.up([...next, { ...application, name: "third" }]);
    expect(outcome.failed).toBe(false);
    expect(told(outcome)).toEqual(next.length === 1 ? [expect.stringContaining("processed so far")] : []);
  });

  test("one that the program adopts is not reported", async () => {
    const { id } = service.createApplication(PROJECT, { appType: "WEB" });
    const outcome = await stack.up([{ ...application, adopt: id }, second]);
    expect(outcome.failed).toBe(false);
    expect(told(outcome)).toEqual([expect.stringMatching(/^Adopts application /)]);
  });

  test("the old object of a replacement is not reported", async () => {
    const { id } = service.createProject(ORGANIZATION, { name: "Other" });
    await stack.up([application]);
    const moved = { ...application, properties: { ...application.properties, projectId: id } };
    const there = await stack.up([moved]);
    expect([there.failed, told(there)]).toEqual([false, []]);
    const [left] = service.state.applications;
    expect(stack.resources.map((resource) => resource.id)).toEqual([left?.id]);
  });

  test("one that differs is not reported", async () => {
    service.createApplication(PROJECT, {
      appType: "ANDROID",
      androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop.app" },
    });
    expect(told(await stack.up([application]))).toEqual([]);
  });

  test("one that was there before is not the result of a lost create, whatever the Date header says", async () => {
    service.setBehaviour({ dateHeader: { secondsBehind: 60 } });
    const { id } = service.createApplication(PROJECT, { appType: "WEB" });
    service.inject({ operation: "createApplication", effect: { reset: "before" } });
    const error = errorOf(await stack.up([application]));
    expect(error).toContain("the service does not list it");
    expect(error).not.toContain(id);
  });
});

test.each([
  { declaration: { ...project, properties: { name: "Shop " } }, stored: "project" },
  {
    declaration: {
      ...application,
      properties: { ...application.properties, appType: "IOS", appleInfo: IOS_INFO },
    },
    stored: "application",
  },
] as const)(
  "one in the form that the service has given the created $stored is reported",
  async ({ declaration, stored }) => {
    service.setBehaviour({ uniqueProjectNames: false, projectNameSpelling: "normalized" });
    const { id } =
      stored === "project"
        ? service.createProject(ORGANIZATION, { name: "shop" })
        : service.createApplication(PROJECT, { appType: "IOS", appleInfo: { ...IOS_INFO, appName: "shop" } });
    service.inject({
      operation: "createApplication",
      effect: {
        body: (created: { readonly apple_info: object }) => ({
          ...created,
          apple_info: { ...created.apple_info, app_name: "shop" },
        }),
      },
    });
    const outcome = await stack.up([declaration]);
    expect(errorOf(outcome)).toContain("The service did not apply");
    expect(told(outcome).join()).toContain(`  ${id}, created`);
  },
);

test.each(CASES)(
  "a list for a $title that cannot be read is reported once, and the declared ones are created",
  async ({ declaration, title }) => {
    allowDuplicates();
    service.inject({
      operation: listOf(declaration),
      count: Number.POSITIVE_INFINITY,
      effect: { status: 403 },
    });
    const outcome = await stack.up([declaration, { ...declaration, name: "second" }]);
    expect(outcome.failed).toBe(false);
    const [message, ...others] = told(outcome);
    expect(message).toContain(
      `It could not be checked whether an interrupted run left ${title}s behind: Listing the ${title}s of `,
    );
    expect(message).toContain("403 Forbidden");
    expect(others).toEqual([]);
    expect(stack.resources).toHaveLength(2);
    expect(new Set(objects(title).map(({ id }) => id))).toEqual(new Set(stack.resources.map(({ id }) => id)));
  },
);

describe.each(UNIQUE_CASES)(
  "a $title is looked for before it is created",
  ({ declaration, title, operation, unique }) => {
    const uniqueBy = title === "project" ? "name" : "hostname";
    const list = listOf(declaration);
    const second: Declaration = { ...declaration, name: "second" };

    /** Creates one that no stack has, with other properties where a kind has any. */
    function leave(): { readonly id: string; readonly createdAt: string } {
      return title === "project"
        ? service.createProject(ORGANIZATION, { name: unique, defaultHookupMsg: "Hello." })
        : service.createCustomDomain(PROJECT, { hostname: unique ?? "" });
    }

    test("if the service does not keep it unique, one that no resource has is reported", async () => {
      allowDuplicates();
      const { id, createdAt } = leave();
      const outcome = await stack.up([
        // The program may have changed the message since.
        title === "project"
          ? { ...declaration, properties: { ...declaration.properties, defaultHookupMsg: "Hi." } }
          : declaration,
      ]);
      expect(outcome.failed).toBe(false);
      expect(told(outcome)).toEqual([leftover(title, uniqueBy, { id, createdAt })]);
      const reads = title === "project" ? [list] : ["getProject", list];
      expect(sent()).toEqual(["getCurrentApiCredential", ...reads, operation]);
      expect(stack.resources.map((resource) => resource.id)).not.toContain(id);
    });

    test("a conflict names it, and nothing else does", async () => {
      const { id } = leave();
      const outcome = await stack.up([declaration]);
      expect(errorOf(outcome)).toContain(`The ${uniqueBy} is used by ${title} ${id}.`);
      expect(told(outcome)).toEqual([]);
    });

    test("one that the program declares or adopts is not reported, nor one with another name", async () => {
      allowDuplicates();
      const { id } = leave();
      makeAnother(title);
      const properties = {
        ...declaration.properties,
        ...(title === "project" && { defaultHookupMsg: "Hello." }),
      };
      const adopting = await stack.up([{ ...declaration, properties, adopt: id }, second]);
      expect(adopting.failed).toBe(false);
      expect(told(adopting)).toEqual([expect.stringMatching(`^Adopts ${title} `)]);
      const third = await stack.up([
        { ...declaration, properties, adopt: id },
        second,
        { ...declaration, name: "third" },
      ]);
      expect([third.failed, told(third)]).toEqual([false, []]);
    });

    test("if the list cannot be read, the one whose response was lost is adopted by its time", async () => {
      service.inject({ operation: list, effect: { status: 403 } });
      service.inject({ operation, effect: { reset: "after" } });
      expect((await stack.up([declaration])).failed).toBe(false);
      expect(objects(title).map(({ id }) => id)).toEqual(stack.resources.map(({ id }) => id));
      expect(stack.resources).toHaveLength(1);
    });
  },
);

test("a create that is cancelled while it reads the list does not take it from the others", async () => {
  const { run } = inProcessRun(service, KEY);
  const { create } = resourceOperations(projectDescription);
  service.inject({ operation: "listProjects", effect: { hang: true } });
  const { id } = service.createProject(ORGANIZATION, { name: "Shop" });
  service.setBehaviour({ uniqueProjectNames: false });
  const cancelled = new AbortController();
  const first = create({ ...run, signal: cancelled.signal }, { inputs: { name: "First" } });
  const reports: string[] = [];
  const report = (message: string) => void reports.push(message);
  const second = create({ ...run, report }, { inputs: { name: "Shop" } });
  await until(
    () => sent().includes("listProjects"),
    () => "The service has not received listProjects.",
  );
  cancelled.abort();
  await expect(first).rejects.toThrow();
  await second;
  expect(sent().slice(-3)).toEqual(["listProjects", "listProjects", "createProject"]);
  expect(reports.join()).toContain(id);
  await run.session.client.close();
});

test("a process with keys of two organizations reads the list of each", async () => {
  allowDuplicates();
  const { id } = service.createProject(OTHER_ORGANIZATION, { name: "Shop" });
  const { create } = resourceOperations(projectDescription);
  const { run: one } = inProcessRun(service, KEY);
  const { run: two } = inProcessRun(service, OTHER_KEY);
  const reports: string[] = [];
  const report = (message: string) => void reports.push(message);
  await create(one, { inputs: { name: "Shop" } });
  await create({ ...two, memory: one.memory, report }, { inputs: { name: "Shop" } });
  expect(reports.join()).toContain(id);
  for (const { session } of [one, two]) await session.client.close();
});

/** Waits until the service has so many applications. The request of a killed host may still be on its way. */
async function applications(count: number): Promise<Emulator["state"]["applications"]> {
  await until(
    () => service.state.applications.length >= count,
    () => `The service has ${service.state.applications.length} applications.`,
  );
  return service.state.applications;
}

test.each(CASES)("a lost $title that is not listed must be looked for before the next up", async (one) => {
  service.inject({ operation: one.operation, effect: { reset: "after" } });
  service.setBehaviour({ uniqueProjectNames: false, newObjectListed: { afterPolls: 10 } });
  const error = errorOf(await stack.up([one.declaration]));
  expect(error).toContain(
    "Before you run `pulumi up` again, which may create another one, check whether the service lists it now. If it does, adopt it with the option import.",
  );
  expect(error).not.toMatch(/^Run `pulumi up`/m);
});

test("objects that were created since a lost create are named, even if their properties differ", async () => {
  let changed = "";
  // A service that removes spaces.
  duringCreate(() => {
    changed = service.createProject(ORGANIZATION, { name: "Shop" }).id;
  });
  service.inject({ operation: "createProject", effect: { reset: "before" } });
  const error = errorOf(await stack.up([{ ...project, properties: { name: "Shop " } }]));
  expect(error).toContain("Created since then, with other properties:");
  expect(error).toContain(`import: "${changed}"`);
  expect(error).not.toContain(PROJECT);
});

describe("a 409 to a create whose exact name nothing has", () => {
  test.each(["shop", " Shop", "SHOP ", "\uff33hop"])(
    "names the project %j, which is similar",
    async (name) => {
      const { id, createdAt } = service.createProject(ORGANIZATION, {
        name,
        createdAt: "2020-01-01T00:00:00.000Z",
      });
      service.inject({ operation: "createProject", effect: { status: 409 } });
      const error = errorOf(await stack.up([project]));
      expect(error).toContain(
        `Project ${id}, created ${createdAt}, may be the one: the service may have changed its name, or consider a similar one equal. To manage it, declare the name that it has, and add the option { import: "${id}" }. Otherwise choose another name.`,
      );
      expect(error).not.toContain(PROJECT);
    },
  );

  test.each(["current", "absent", { secondsBehind: 60 }] as const)(
    "names a project that was created since then (Date header: %j)",
    async (dateHeader) => {
      service.setBehaviour({ dateHeader });
      let made = "";
      duringCreate(() => {
        made = service.createProject(ORGANIZATION, { name: "S." }).id;
      });
      service.inject({ operation: "createProject", effect: { status: 409 } });
      const error = errorOf(await stack.up([project]));
      expect(error).toContain(`Project ${made}, created`);
      expect(error).not.toContain(PROJECT);
    },
  );

  test("does not say that none has it if the list could not be read", async () => {
    service.createProject(ORGANIZATION, { name: "Shop" });
    service.inject({ operation: "listProjects", skip: 1, effect: { status: 403 } });
    const error = errorOf(await stack.up([project]));
    expect(error).toContain("Which project uses the name could not be looked up: Listing the projects");
    expect(error).not.toContain("finds no project");
  });

  test("names none that is older and not similar", async () => {
    service.inject({ operation: "createProject", effect: { status: 409 } });
    const error = errorOf(await stack.up([project]));
    expect(error).toContain("The API key finds no project in this organization that uses the name");
    expect(error).not.toContain("may be the one");
  });
});

/** Time passes only when the clock of the service is advanced. Timers run as always. */
function stopClocks(): void {
  jest.useFakeTimers({
    doNotFake: [
      "clearImmediate",
      "clearInterval",
      "clearTimeout",
      "hrtime",
      "nextTick",
      "queueMicrotask",
      "setImmediate",
      "setInterval",
      "setTimeout",
    ],
  });
}

describe("what the stack already has is no result of a lost create", () => {
  afterEach(() => jest.useRealTimers());

  const second: Declaration = { ...project, name: "second" };
  beforeEach(() => service.setBehaviour({ uniqueProjectNames: false, dateHeader: { secondsBehind: 60 } }));

  test("if the engine has shown it before the create", async () => {
    await stack.up([project]);
    service.inject({ operation: "createProject", effect: { reset: "before" } });
    expect(errorOf(await stack.up([project, second]))).toContain("the service does not list it");
    expect(stack.resources.map(({ id }) => id)).toEqual(objects("project").map(({ id }) => id));
  });

  test("if the engine shows it later, that is an error with the way out", async () => {
    stopClocks();
    await stack.up([project]);
    const [{ id } = { id: "" }] = objects("project");
    const { run } = inProcessRun(service, KEY);
    const { create, diff, delete: remove } = resourceOperations(projectDescription);
    // Otherwise the list shows that it was there before, or its time that the Date header is behind.
    service.inject({ operation: "listProjects", effect: { status: 403 } });
    service.clock.advance(60_000);
    service.inject({ operation: "createProject", effect: { reset: "before" } });
    const one = { ...run, urn: "urn:one" };
    const other = { ...run, urn: "urn:other" };
    const made = await create(one, { inputs: { name: "Shop" } });
    expect(made.uuid).toBe(id);
    const subject = { uuid: id, state: made.state };
    await expect(diff(other, { ...subject, inputs: { name: "Shop" } })).rejects.toThrow(
      [
        `Project ${id} of urn:other was adopted by urn:one in this run, because the response to its create was lost and this object was found instead. Both are in the state now.`,
        "Remove the other resource from the state, and run `pulumi up` again, which creates an object for it:",
        '  pulumi state delete "urn:one"',
        "`pulumi stack --show-urns --show-ids` lists both.",
      ].join("\n"),
    );
    service.clearRequests();
    await remove(other, subject);
    expect(sent()).toEqual([]);
    expect(objects("project").map((each) => each.id)).toEqual([id]);
    await run.session.client.close();
  });
});

test.each(["values", "nothing"] as const)(
  "a lost create of a resource that creates %s is not looked up, because it is safe to repeat",
  async (creates) => {
    const lost = new Error("The answer was lost.");
    const list = jest.fn();
    const description = { title: "thing", creates, list, create: () => Promise.reject(lost) };
    await expect(
      createOnce({ description } as unknown as ResourceRun, {} as OperationContext, {}),
    ).rejects.toBe(lost);
    expect(list).not.toHaveBeenCalled();
  },
);

/** Responses that break the interface: the command fails with the request id, loses no state, and the next one works. */
import { type Emulator, type OperationId, startEmulator } from "../../testing/emulator";
import { type Declaration, type DeclaredStack, errorOf, type Outcome } from "../support/stacks/declaredStack";
import { emulatedStack } from "../support/stacks/inProcessStack";
import { KEY, ORGANIZATION, seedWith } from "../support/values/organizations";

const SEEDED = "0c0c0c0c-0000-4000-8000-000000000003";
const OTHER = "0f0f0f0f-0000-4000-8000-00000000000f";
const SCOPES = ["projects:read", "projects:write"];
const HUGE_CHARACTERS = 17 * 1024 * 1024;

const project: Declaration = { kind: "Project", name: "shop", properties: { name: "Shop" } };
const application: Declaration = {
  kind: "Application",
  name: "android",
  properties: {
    projectId: SEEDED,
    appType: "ANDROID",
    androidInfo: { appName: "Shop", appScheme: "shop", appPackageName: "example.shop" },
  },
};
const domain: Declaration = {
  kind: "CustomDomain",
  name: "links",
  properties: { projectId: SEEDED, hostname: "links.shop.example" },
};
const activation: Declaration = {
  kind: "CustomDomainActivation",
  name: "active",
  properties: { customDomainId: { idOf: "links" } },
};

const BAD: readonly (readonly [name: string, body: unknown])[] = [
  ["an empty object", {}],
  ["a list", []],
  ["null", null],
  ["text", "<html>Bad gateway</html>"],
  ["wrong types", { id: 5, hostname: true, projects: {}, applications: "none", custom_domains: 7 }],
  [
    "lists with broken items",
    { projects: [{ id: OTHER }], applications: [null], custom_domains: [{ hostname: "x" }] },
  ],
];

let service: Emulator;
let stack: DeclaredStack;

beforeEach(async () => {
  service = await startEmulator({ seed: seedWith([{ id: SEEDED, name: "Seeded" }]) });
  service.clock.advance(5_000);
  stack = emulatedStack(service, KEY);
});
afterEach(async () => {
  expect(service.violations).toEqual([]);
  await service.close();
});

function badAnswerOf(outcome: Outcome): string {
  const error = errorOf(outcome);
  expect(error).toContain("the response is invalid");
  expect(error).toMatch(/\(request [0-9a-f-]{36}\)/);
  return error;
}

async function worked(command: Promise<Outcome>): Promise<void> {
  expect(await command).toMatchObject({ failed: false });
}

const RESOURCES = [
  { one: project, read: "getProject", update: "updateProject", changed: { name: "The shop" } },
  {
    one: application,
    read: "getApplication",
    update: "updateApplication",
    changed: { ...application.properties, appType: "WEB", androidInfo: undefined as never },
  },
  { one: domain, read: "getCustomDomain", update: undefined, changed: undefined },
] as const;

describe.each(BAD)("the answer %s", (_, body) => {
  test.each(RESOURCES)("to $read fails a refresh and changes no state", async ({ one, read }) => {
    await worked(stack.up([one]));
    const before = stack.resources;
    service.inject({ operation: read, effect: { body } });
    badAnswerOf(await stack.refresh());
    expect(stack.resources).toEqual(before);
    await worked(stack.refresh());
  });

  test.each(RESOURCES.filter(({ update }) => update !== undefined))(
    "to $update fails the update, and the next update succeeds",
    async ({ one, update, changed }) => {
      await worked(stack.up([one]));
      const properties = JSON.parse(JSON.stringify(changed));
      service.inject({ operation: update as OperationId, effect: { body } });
      badAnswerOf(await stack.up([{ ...one, properties }]));
      expect(stack.resources).toHaveLength(1);
      await worked(stack.up([{ ...one, properties }]));
      expect((await stack.preview([{ ...one, properties }])).changes).not.toHaveProperty("update");
      expect(stack.resources[0]?.outputs).toMatchObject(properties);
    },
  );

  test("to the read before an update of an application fails it before anything is sent", async () => {
    await worked(stack.up([application]));
    service.inject({ operation: "getApplication", effect: { body } });
    service.clearRequests();
    badAnswerOf(await stack.up([{ ...application, properties: { projectId: SEEDED, appType: "WEB" } }]));
    expect(service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("to the read of an adoption fails it, and nothing is adopted", async () => {
    service.inject({ operation: "getProject", effect: { body } });
    const adopting = { ...project, properties: { name: "Seeded" }, adopt: SEEDED };
    badAnswerOf(await stack.up([adopting]));
    expect(stack.resources).toEqual([]);
    await worked(stack.up([adopting]));
  });

  test("to a poll after a deletion fails it, and the domain stays in the state", async () => {
    await worked(stack.up([domain]));
    service.inject({ operation: "getCustomDomain", effect: { body } });
    badAnswerOf(await stack.destroy());
    expect(stack.resources).toHaveLength(1);
    await worked(stack.destroy());
    expect(service.state.customDomains).toEqual([]);
  });

  test("to a poll of an activation fails it, and the next up continues", async () => {
    await worked(stack.up([domain]));
    service.inject({ operation: "getCustomDomain", effect: { body } });
    badAnswerOf(await stack.up([domain, activation]));
    await worked(stack.up([domain, activation]));
    expect(stack.resources).toHaveLength(2);
  });

  test("to the lookup of the key fails the command before any other request", async () => {
    service.inject({ operation: "getCurrentApiCredential", effect: { body } });
    badAnswerOf(await stack.up([project]));
    expect(service.requests.map(({ operationId }) => operationId)).toEqual(["getCurrentApiCredential"]);
    await worked(stack.up([project]));
  });

  test("to the lookup of the key after a 404 fails the refresh, and the object stays in the state", async () => {
    await worked(stack.up([project]));
    service.deleteProject(stack.resources[0]?.id ?? "");
    service.inject({ operation: "getCurrentApiCredential", skip: 1, effect: { body } });
    badAnswerOf(await stack.refresh());
    expect(stack.resources).toHaveLength(1);
    await worked(stack.refresh());
    expect(stack.resources).toEqual([]);
  });
});

test.each([
  ["listProjects", [project, { ...project, name: "market", properties: { name: "Market" } }]],
  ["listApplications", [application, { ...application, name: "second" }]],
] as const)(
  "reads do not use an answer to %s that breaks the interface, and read each object",
  async (operation, program) => {
    await worked(stack.up(program));
    for (const [, body] of BAD) {
      service.clearFaults();
      service.inject({ operation, effect: { body } });
      await worked(stack.refresh());
      expect(service.faultsUsed).toHaveLength(1);
      expect(stack.resources).toHaveLength(2);
    }
  },
);

test("a body that is too large fails the command and not the process", async () => {
  await worked(stack.up([project]));
  service.inject({ operation: "getProject", effect: { body: { id: "x".repeat(HUGE_CHARACTERS) } } });
  expect(badAnswerOf(await stack.refresh())).toContain("it is larger than");
  await worked(stack.refresh());
});

test("a created domain is saved when the wait for its CNAME target fails", async () => {
  service.setBehaviour({ cnameTargetAppears: { afterPolls: 2 } });
  service.inject({ operation: "getCustomDomain", effect: { body: {} } });
  badAnswerOf(await stack.up([domain]));
  expect(stack.resources.map(({ id }) => id)).toEqual(service.state.customDomains.map(({ id }) => id));
  expect(stack.resources).toHaveLength(1);
  await worked(stack.up([domain]));
  expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a destroy waits for a domain that is being deleted already, even if the service answers 409", async () => {
  service.setBehaviour({ deletingPolls: 2, deleteWhileDeleting: "conflict" });
  await worked(stack.up([domain]));
  service.setDomainStatus(stack.resources[0]?.id ?? "", "DELETING");
  await worked(stack.destroy());
  expect(service.state.customDomains).toEqual([]);
});

test("a 404 does not count as deleted when the key now belongs to another organization", async () => {
  for (const command of ["refresh", "destroy"] as const) {
    await worked(stack.up([project]));
    const before = stack.resources;
    service.deleteProject(before[0]?.id ?? "");
    const credential = { id: OTHER, organization_id: OTHER, key_prefix: "canary", scopes: SCOPES };
    service.inject({ operation: "getCurrentApiCredential", skip: 1, effect: { body: credential } });
    const { failed, diagnostics } = await stack[command]();
    expect(failed).toBe(true);
    expect(diagnostics.map(({ message }) => message).join("\n")).toContain(
      `belongs to organization ${ORGANIZATION}, but the API key belongs to organization ${OTHER}`,
    );
    expect(stack.resources).toEqual(before);
    await worked(stack[command]());
    expect(stack.resources).toEqual([]);
    service.clearFaults();
  }
});

test.each([
  ["in its own form", { foreign: 404 }, "Check apiUrl, the network"],
  ["in the form of the service", { status: 404 }, "Check the host and the path in apiUrl."],
] as const)(
  "a wrong apiUrl that answers 404 %s fails every command, and deletes nothing",
  async (_, effect, advice) => {
    await worked(stack.up([project]));
    const before = stack.resources;
    service.inject({ operation: "getCurrentApiCredential", effect, count: Number.POSITIVE_INFINITY });
    service.clearRequests();
    for (const command of [() => stack.preview([project]), stack.refresh, stack.destroy]) {
      expect(errorOf(await command())).toContain(advice);
    }
    expect(stack.resources).toEqual(before);
    expect(service.requests.map(({ operationId }) => operationId)).toEqual(
      Array.from({ length: 3 }, () => "getCurrentApiCredential"),
    );
  },
);

test("an answer with another object fails the command and changes no state", async () => {
  await worked(stack.up([project]));
  const [{ id = "" } = {}] = stack.resources;
  service.createProject(ORGANIZATION, { id: OTHER, name: "Another" });
  const before = stack.resources;
  const another = await fetch(`${service.url}/api/v2/organizations/${ORGANIZATION}/projects/${OTHER}`, {
    headers: { "x-api-key": KEY },
  }).then((response) => response.json());
  service.inject({ operation: "getProject", effect: { body: another } });
  expect(badAnswerOf(await stack.refresh())).toContain(`id is ${OTHER}, which was not requested`);
  expect(stack.resources).toEqual(before);
  service.inject({ operation: "updateProject", effect: { body: another } });
  badAnswerOf(await stack.up([{ ...project, properties: { name: "The shop" } }]));
  expect(stack.resources.map((resource) => resource.id)).toEqual([id]);
});

describe("an answer that the service did not send", () => {
  const FOREIGN = {
    "a page": { foreign: 404 },
    "a page with the request id": { foreign: 404, echoRequestId: true },
    "an error of another service": {
      foreign: 404,
      contentType: "application/json",
      text: '{"statusCode":404,"message":"Not Found"}',
    },
  } as const;
  const CASES = Object.entries(FOREIGN).flatMap(([name, effect]) =>
    RESOURCES.map((resource) => ({ name, effect, ...resource })),
  );

  function foreignAnswerOf(outcome: Outcome): string {
    const error = errorOf(outcome);
    expect(error).toContain("404 Not Found, but not from the service: ");
    expect(error).toContain("Check apiUrl, the network, and the proxy if there is one");
    return error;
  }

  test.each(CASES)("removes nothing in a refresh: $name to $read", async ({ one, read, effect }) => {
    await worked(stack.up([one]));
    const before = stack.resources;
    service.inject({ operation: read, effect });
    foreignAnswerOf(await stack.refresh());
    expect(stack.resources).toEqual(before);
  });

  test.each(CASES)("removes nothing in a destroy: $name for $one.kind", async ({ one, effect }) => {
    await worked(stack.up([one]));
    const before = stack.resources;
    const operation = `delete${one.kind}` as OperationId;
    service.inject({ operation, effect });
    foreignAnswerOf(await stack.destroy());
    expect(stack.resources).toEqual(before);
    service.clearFaults();
    service.inject({ operation, effect: { foreign: 200 } });
    badAnswerOf(await stack.destroy());
    expect(stack.resources).toEqual(before);
    await worked(stack.destroy());
    expect(service.state.applications).toEqual([]);
    expect(service.state.customDomains).toEqual([]);
    expect(service.state.projects.map(({ id }) => id)).toEqual([SEEDED]);
  });

  test("does not end the wait for the deletion of a domain", async () => {
    service.setBehaviour({ deletingPolls: 3 });
    await worked(stack.up([domain]));
    service.inject({ operation: "getCustomDomain", effect: { foreign: 404 } });
    foreignAnswerOf(await stack.destroy());
    expect(stack.resources).toHaveLength(1);
    expect(service.state.customDomains).toHaveLength(1);
    await worked(stack.destroy());
    expect(service.state.customDomains).toEqual([]);
  });

  test("does not confirm that an object was deleted", async () => {
    await worked(stack.up([project]));
    service.deleteProject(stack.resources[0]?.id ?? "");
    service.inject({ operation: "getCurrentApiCredential", skip: 1, effect: { foreign: 404 } });
    foreignAnswerOf(await stack.refresh());
    expect(stack.resources).toHaveLength(1);
  });

  test.each([200, 302, 400, 401, 403, 404, 409, 500, 502, 503])(
    "to a create with effect does not lead to a second object: %d",
    async (foreign) => {
      service.inject({ operation: "createProject", effect: { foreign, afterEffect: true } });
      await worked(stack.up([project]));
      expect(service.state.projects.map(({ name }) => name)).toEqual(["Seeded", "Shop"]);
      expect(stack.resources.map(({ id }) => id)).toEqual([service.state.projects[1]?.id]);
      expect(service.requests.filter(({ method }) => method === "POST")).toHaveLength(1);
    },
  );

  test("with 409 to a create without effect is not reported as a name in use", async () => {
    service.inject({ operation: "createProject", effect: { foreign: 409 } });
    const error = errorOf(await stack.up([project]));
    expect(error).toContain("409 Conflict, but not from the service: it is not JSON but text/html");
    expect(error).not.toContain("used by");
    await worked(stack.up([project]));
    expect(service.state.projects).toHaveLength(2);
  });

  test.each([429, 503])(
    "with %d and Retry-After to a create without effect is not retried",
    async (status) => {
      service.inject({ operation: "createProject", effect: { foreign: status, retryAfter: 1 } });
      const posts = () => service.requests.filter(({ method }) => method === "POST").map((one) => one.status);
      expect(errorOf(await stack.up([project]))).toContain("It is unknown whether the project was created");
      expect(posts()).toEqual([status]);
      await worked(stack.up([project]));
      expect(posts()).toEqual([status, 201]);
      expect(service.state.projects).toHaveLength(2);
    },
  );

  test.each([429, 503])("with %d and Retry-After to an update or a deletion is retried", async (status) => {
    const effect = { foreign: status, retryAfter: 1 };
    await worked(stack.up([project]));
    service.inject({ operation: "updateProject", effect });
    await worked(stack.up([{ ...project, properties: { name: "Renamed" } }]));
    service.inject({ operation: "deleteProject", effect });
    await worked(stack.destroy());
    expect(service.state.projects).toHaveLength(1);
  });
});

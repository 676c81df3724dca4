/** What a call of create does, by how the earlier creates of the run have ended. */
import { ConflictError, ConnectionError } from "../../../provider/client/errors";
import { createOnce } from "../../../provider/lifecycle/create/createOnce";
import type { Found, OperationContext } from "../../../provider/lifecycle/description";
import { createKey, type Fact, objectKey } from "../../../provider/lifecycle/ledger/facts";
import { type Properties, sortedJson } from "../../../provider/lifecycle/properties";
import { resourceKey } from "../../../provider/lifecycle/run/checkedResources";
import type { ResourceRun } from "../../../provider/lifecycle/run/runContext";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import { errorOf } from "../../support/values/errorOf";
import { fakeClock } from "../../support/values/fakeClock";
import { NOT_FOUND } from "../lifecycle/things";

const FAILURE = { operation: "createProject", activity: "Creating the project", attempts: 1 } as const;
const LOST = new ConnectionError({ ...FAILURE, effect: "unknown" }, { reason: "reset" });
const CANCELLED = new ConnectionError({ ...FAILURE, effect: "none" }, { reason: "not sent" });
const CONFLICT = new ConflictError({ ...FAILURE, effect: "none" }, { status: 409, messages: [] });
const AGAIN = new ConflictError({ ...FAILURE, effect: "unknown" }, { status: 409, messages: [] });
const DEFECT = new Error("defect");

/** What the calls for a project have in common. */
function callOf(inputs: Properties): string {
  return resourceKey({ description: { title: "project" } } as unknown as ResourceRun, { inputs });
}

const INPUTS = { name: "Shop" };
const KEY = createKey("project", ["organization", "Shop"]);

const NOT_READY = new Error("not ready");

/** How a create ends: it has an object, an operation has failed since, or it has failed. */
type End = "created" | "not ready" | Error;

/** What a create is called with, what its response has, and what is special about its kind. */
interface Create {
  readonly inputs?: Properties;
  readonly result?: Properties;
  readonly creates?: object;
  readonly uniqueBy?: string | undefined;
  readonly parentId?: string;
  /** How many requests fail, and with what. Default: they do not find the parent. */
  readonly misses?: number;
  readonly miss?: Error;
  create?(): Promise<Found>;
}

const YOUNG = ["young", undefined];

function newProcess() {
  const memory = newRunMemory();
  const clock = fakeClock();
  const service: {
    listed: readonly Found[];
    /** What is listed after the first create. Default: the same. */
    later?: readonly Found[];
    reports: readonly string[];
    requests: number;
  } = { listed: [], reports: [], requests: 0 };
  const context = {
    organizationId: "organization",
    signal: new AbortController().signal,
    report(message: string, options?: { readonly persistent?: boolean }) {
      if (options?.persistent) service.reports = [...service.reports, message];
    },
    clock,
    facts: memory.ledger,
    client: {
      createProject: async () => undefined,
      withOptions: ({ onRequest }: { onRequest(id: string): void }) => ({
        createProject: async () => onRequest(`request ${service.requests}`),
      }),
      serviceTime: () => new Date("2026-01-01T10:00:00Z"),
      sanitized: (objects: readonly Found[]) => objects,
    },
  } as unknown as OperationContext;
  return {
    memory,
    service,
    clock,
    async create(
      end: End,
      urn?: string,
      { inputs = INPUTS, result = inputs, misses = 0, miss = NOT_FOUND, ...kind }: Create = {},
    ) {
      const uuid = `object ${service.requests + 1}`;
      const description = {
        title: "project",
        uniqueBy: "name",
        list: async () => (service.requests > 0 && service.later) || service.listed,
        async create({ client }: OperationContext) {
          service.requests++;
          if (service.requests <= misses) throw miss;
          await client.createProject({ body: { projectName: "Shop" }, organizationId: "organization" });
          if (end instanceof Error) throw end;
          return found(uuid, result);
        },
        ...kind,
      };
      const run = { description, memory, urn } as unknown as ResourceRun;
      const created = await createOnce(run, context, inputs);
      if (end === "not ready") created.failed(NOT_READY);
      return created;
    },
    facts: (object: string) => memory.ledger.about(object).map(({ is, by }: Fact) => [is, by]),
  };
}

function found(uuid: string, properties: Properties = INPUTS): Found {
  return { uuid, properties, createdAt: "2026-01-01T10:00:00.500Z" };
}

describe("a create of a resource that the host identifies", () => {
  const URN = "urn:shop";

  test.each<[situation: string, End]>([
    ["has created its object", "created"],
    ["has created its object, and failed later", "not ready"],
  ])("is not sent again if the first call %s", async (_situation, end) => {
    const { create, facts, service } = newProcess();
    const first = await create(end, URN);
    expect([first.found.uuid, first.isResumed, service.reports]).toEqual(["object 1", false, []]);
    for (let call = 2; call <= 3; call++) {
      const again = await create("created", URN);
      expect([again.found.uuid, again.isResumed, service.requests]).toEqual(["object 1", true, 1]);
      expect(service.reports).toHaveLength(call - 1);
    }
    expect(facts(objectKey("project", "object 1"))).toEqual([["created", URN], YOUNG]);
    expect(facts(KEY)).toEqual([["created", URN]]);
  });

  test.each<[string, Error, fact: string]>([
    ["it was not sent", CANCELLED, "notCreated"],
    ["it was rejected", CONFLICT, "notCreated"],
    ["its response was lost", LOST, "creating"],
    ["it was sent again and is in conflict with itself", AGAIN, "creating"],
    ["a defect", DEFECT, "creating"],
  ])("is not sent again after %s, and fails alike", async (_name, error, fact) => {
    const { create, facts, service } = newProcess();
    const first = await errorOf(create(error, URN));
    expect([first, first.cause]).toContain(error);
    service.listed = [found("listed")];
    expect(await errorOf(create("created", URN))).toBe(first);
    expect(service.requests).toBe(1);
    expect(facts(KEY)).toEqual([[fact, URN]]);
  });

  test("whose response was lost has the object that is listed afterwards", async () => {
    const { create, facts, service } = newProcess();
    service.later = [found("listed")];
    const created = await create(LOST, URN);
    expect([created.found.uuid, created.isResumed, service.requests]).toEqual(["listed", false, 1]);
    expect(facts(objectKey("project", "listed"))).toEqual([["recovered", URN], ["created", URN], YOUNG]);
    expect(facts(KEY)).toEqual([["created", URN]]);
    expect((await create("created", URN)).isResumed).toBe(true);
  });

  test("that was rejected because of a conflict lists what was created since then", async () => {
    const { create, service } = newProcess();
    service.later = [found("listed", { name: "Blog" })];
    expect(String(await errorOf(create(CONFLICT, URN)))).toContain("listed, created");
  });

  test("that was rejected because of what it replaces says so", async () => {
    const { create, memory, service } = newProcess();
    memory.checkedNew.add(callOf(INPUTS), URN);
    memory.ledger.record({ is: "replacing", object: objectKey("project", "listed"), by: URN });
    service.later = [found("listed")];
    expect(String(await errorOf(create(CONFLICT, URN)))).toContain("listed, which this resource replaces");
  });

  test("whose response is about an object that existed before looks for its own", async () => {
    const { create, facts, service } = newProcess();
    service.listed = [found("object 1")];
    const error = await errorOf(create("created", URN));
    expect(String(error)).toContain("project object 1, which existed before");
    expect(String(error)).toContain("(request request 1)");
    expect(facts(objectKey("project", "object 1"))).not.toContainEqual(["created", URN]);
    // The error names it, so no report does.
    expect(service.reports).toEqual([]);
  });
});

describe("the response to a create with the values of another create", () => {
  const BLOG = { name: "Blog" };

  test.each<[kind: string, Create]>([
    ["whose name is unique", {}],
    ["that has no unique value", { uniqueBy: undefined }],
  ])("is no result as long as that one is open: an object %s", async (_kind, kind) => {
    const { create } = newProcess();
    await errorOf(create(LOST, "urn:shop", kind));
    const error = await errorOf(create("created", "urn:blog", { ...kind, inputs: BLOG, result: INPUTS }));
    expect(String(error)).toContain("project object 2, which another resource of this run creates (request");
  });

  test("is no result while that one is under way", async () => {
    const { create } = newProcess();
    const kind = { uniqueBy: undefined };
    void create("created", "urn:shop", { ...kind, create: () => new Promise(() => {}) });
    await new Promise(setImmediate);
    const error = await errorOf(create("created", "urn:blog", { ...kind, inputs: BLOG, result: INPUTS }));
    expect(String(error)).toContain("project object 1, which another resource of this run creates (request");
  });

  test.each<[situation: string, first: End, second: Create]>([
    ["that has its object", "created", { inputs: BLOG, result: INPUTS }],
    ["but its own, too", LOST, { inputs: { ...INPUTS, logo: "new" }, result: { ...INPUTS, logo: "old" } }],
    ["without a unique value, but its own, too", LOST, { uniqueBy: undefined, inputs: {}, result: INPUTS }],
    ["and of none, without a unique value", LOST, { uniqueBy: undefined, inputs: BLOG, result: {} }],
  ])("may be its result: values of a create %s", async (_situation, first, second) => {
    const { create, service } = newProcess();
    await create(first, "urn:shop").catch(() => {});
    expect((await create("created", "urn:second", second)).found.uuid).toBe("object 2");
    expect(service.requests).toBe(2);
  });
});

describe("a create of one of two equal resources, on a host that does not identify them", () => {
  function two() {
    const one = newProcess();
    for (const resource of ["web", "site"]) one.memory.checkedNew.add(callOf(INPUTS), resource);
    return one;
  }

  test("is sent for each, as long as each ends well", async () => {
    const { create, service, facts } = two();
    for (const end of ["created", "created", "created"] as const) await create(end);
    expect(service.requests).toBe(3);
    // Which of them it was for is not known, but that they are two is.
    const bys = new Set(facts(KEY).map(([, by]) => by));
    expect(bys.size).toBe(3);
    expect([...bys]).not.toContain("web");
  });

  test.each<[string, End, object]>([
    ["the other one was rejected", CONFLICT, { cause: expect.objectContaining({ cause: CONFLICT }) }],
    ["the other one has a defect", DEFECT, { message: expect.stringMatching(/again\.\ndefect$/) }],
    [
      "the other one has created an object that the engine does not have",
      "not ready",
      { cause: NOT_READY, message: expect.stringMatching(/It created project object 1\.\nnot ready$/) },
    ],
  ])("is not sent if %s", async (_name, end, error) => {
    const { create, service } = two();
    await create(end).catch(() => {});
    expect(await errorOf(create("created"))).toMatchObject(error);
    expect(service.requests).toBe(1);
  });

  test("is sent after an only one that has failed is resumed", async () => {
    const { create, memory, service } = newProcess();
    memory.checkedNew.add(callOf({ ...INPUTS, other: null }), "web");
    await create("not ready");
    expect((await create("created")).isResumed).toBe(true);
    memory.checkedNew.add(callOf(INPUTS), "site");
    expect((await create("created")).found.uuid).toBe("object 2");
    expect(service.requests).toBe(2);
  });
});

test.each<[age: string, misses: number, waits: readonly number[]]>([
  ["new", 3, [250, 500, 1_000]],
  ["old", 1, []],
])("a create that does not find its %s parent %d times waits %j", async (age, misses, waits) => {
  const { clock, create, memory, service } = newProcess();
  if (age === "new")
    memory.ledger.record({ is: "young", object: objectKey("project", "parent"), untilMs: 30_000 });
  const inputs = { ...INPUTS, projectId: "parent" };
  const created = create("created", "urn:shop", { inputs, parentId: "projectId", misses });
  if (misses === waits.length) await created;
  else await expect(created).rejects.toBe(NOT_FOUND);
  expect(clock.waits).toEqual(waits);
  expect(service.requests).toBe(waits.length + 1);
});

test.each<[what: string, fact: Fact | undefined, miss: Error, sent: number]>([
  ["is sent again while the name is that of a deleted object", { is: "deleted", object: KEY }, CONFLICT, 3],
  ["is not sent again for a name that nothing had", undefined, CONFLICT, 1],
  ["is not sent again if it may have had an effect", { is: "deleted", object: KEY }, AGAIN, 1],
  ["is not sent again in a project that is gone", { is: "deleted", object: KEY }, NOT_FOUND, 1],
])("after a failure, a create %s", async (_what, fact, miss, sent) => {
  const { clock, create, memory, service } = newProcess();
  if (fact) memory.ledger.record(fact);
  await create("created", "urn:shop", { misses: 2, miss }).catch(() => {});
  expect(service.requests).toBe(sent);
  expect(clock.waits.slice(0, 2)).toEqual(sent === 3 ? [250, 500] : miss === AGAIN ? [1_000, 2_000] : []);
});

test.each<[situation: string, isReported: boolean, End]>([
  ["that has an object", true, "created"],
  ["that failed because of a defect", true, DEFECT],
  ["whose error quotes its UUID", true, new Error("left")],
  // The error lists it.
  ["whose response was lost", false, LOST],
  // The conflict itself says which object has the name.
  ["that was rejected because of a conflict", false, CONFLICT],
])("what was there before is reported after a create %s: %s", async (_situation, isReported, end) => {
  const { create, service } = newProcess();
  service.listed = [found("left")];
  service.later = [...service.listed, found("new")];
  await create(end, "urn:shop", { uniqueBy: end === CONFLICT ? "name" : undefined }).catch(() => {});
  expect(service.reports.filter((message) => message.includes("left"))).toHaveLength(isReported ? 1 : 0);
});

test("creates can be confused if they have the same values, where no value is unique", async () => {
  const { create, facts } = newProcess();
  await create("created", "urn:shop", { uniqueBy: undefined });
  const key = createKey("project", ["organization", sortedJson(INPUTS)]);
  expect(facts(key)).toEqual([["created", "urn:shop"]]);
});

test("a create of a resource that creates no object is sent each time", async () => {
  const { create, facts, service } = newProcess();
  const creates = { is: "setting", of: { title: "thing" } };
  for (let call = 1; call <= 2; call++) {
    const { found: object, isResumed } = await create("created", "urn:shop", { creates });
    expect([object.uuid, isResumed, service.requests]).toEqual([`object ${call}`, false, call]);
  }
  expect(facts(KEY)).toEqual([]);
});

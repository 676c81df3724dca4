/** Coalesced reads: each rule has a test that fails without the rule. */
import type { Clock } from "../../../provider/client";
import type { Found, OperationContext, ResourceDescription } from "../../../provider/lifecycle/description";
import { objectKey } from "../../../provider/lifecycle/ledger/facts";
import { newLedger } from "../../../provider/lifecycle/ledger/ledger";
import { coalescedReads } from "../../../provider/lifecycle/run/reads";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function recordedKind(objects: Record<string, string[]>) {
  const requests: string[] = [];
  const found = (uuid: string, from: string): Found => ({ uuid, properties: { from }, createdAt: "" });
  const description = {
    title: "thing",
    parentId: "projectId",
    async read(_context: OperationContext, uuid: string) {
      requests.push(`get ${uuid}`);
      return found(uuid, "get");
    },
    async list(_context: OperationContext, { projectId }: { projectId: string }) {
      requests.push(`list ${projectId}`);
      return (objects[projectId] ?? []).map((uuid) => found(uuid, "list"));
    },
  } as unknown as ResourceDescription;
  return { description, requests };
}

const clock: Clock = {
  now: () => Date.now(),
  date: () => new Date(),
  sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};
const client = { withOptions: () => client };
const context = { clock, client } as unknown as OperationContext;

function setUp(objects: Record<string, string[]>) {
  const kind = recordedKind(objects);
  const reads = coalescedReads();
  const read = (uuid: string, projectId: string) =>
    reads.read({ description: kind.description, context, uuid, state: { projectId } });
  const results = async (reading: Promise<Found>[]) => {
    await jest.advanceTimersByTimeAsync(20);
    return (await Promise.all(reading)).map(({ uuid, properties }) => `${uuid} by ${properties.from}`);
  };
  return { ...kind, reads, read, results };
}

test("after two reads, every further project is listed immediately, even for a single read", async () => {
  const { read, results, requests } = setUp({ p: ["a", "b"], q: ["c"] });
  await results([read("a", "p")]);
  const second = read("b", "p");
  const third = read("c", "q");
  await jest.advanceTimersByTimeAsync(0);
  expect(requests).toEqual(["get a", "list p", "list q"]);
  expect(await results([second, third])).toEqual(["b by list", "c by list"]);
});

test("a read that follows no other within ten seconds counts as a lone read", async () => {
  const { read, results, requests } = setUp({ p: ["a", "b"] });
  await results([read("a", "p")]);
  await jest.advanceTimersByTimeAsync(9_980);
  expect(await results([read("b", "p")])).toEqual(["b by get"]);
  await jest.advanceTimersByTimeAsync(9_970);
  expect(await results([read("b", "p")])).toEqual(["b by list"]);
  expect(requests).toEqual(["get a", "get b", "list p"]);
});

test("a list serves later reads for ten seconds after its request, and no longer", async () => {
  const { read, results, requests } = setUp({ p: ["a", "b", "c", "d"] });
  await results([read("a", "p"), read("b", "p")]);
  await jest.advanceTimersByTimeAsync(9_970);
  await results([read("c", "p")]);
  expect(requests).toEqual(["list p"]);
  await results([read("d", "p")]);
  expect(requests).toEqual(["list p", "list p"]);
});

test("an object that is missing from a list is read directly, because a list does not prove absence", async () => {
  const { read, results, requests } = setUp({ p: ["a"] });
  expect(await results([read("a", "p"), read("gone", "p")])).toEqual(["a by list", "gone by get"]);
  expect(requests).toEqual(["list p", "get gone"]);
});

test("a write invalidates the lists of its kind, and of no other", async () => {
  const { read, results, reads, description, requests } = setUp({ p: ["a", "b"] });
  await results([read("a", "p"), read("b", "p")]);
  reads.forget(recordedKind({}).description);
  expect(await results([read("a", "p")])).toEqual(["a by list"]);
  expect(requests).toEqual(["list p"]);
  reads.forget(description);
  expect(await results([read("a", "p")])).toEqual(["a by list"]);
  expect(requests).toEqual(["list p", "list p"]);
});

test("reads do not use a list that was requested before a write, and read each object", async () => {
  const kind = recordedKind({ p: ["a", "b"] });
  let answer: (found: Found[]) => void = () => {};
  const description = {
    ...kind.description,
    list: () => new Promise<Found[]>((resolve) => (answer = resolve)),
  } as unknown as ResourceDescription;
  const reads = coalescedReads();
  const read = (uuid: string) => reads.read({ description, context, uuid, state: { projectId: "p" } });
  const reading = [read("a"), read("b")];
  await jest.advanceTimersByTimeAsync(20);
  reads.forget(description);
  answer(["a", "b"].map((uuid) => ({ uuid, properties: { from: "list" }, createdAt: "" })));
  await Promise.all(reading);
  expect(kind.requests.sort()).toEqual(["get a", "get b"]);
});

test("a list that fails is not used, and each object is read", async () => {
  const { description, read, results } = setUp({});
  description.list = () => Promise.reject(new Error("invalid"));
  expect(await results([read("a", "p"), read("b", "p")])).toEqual(["a by get", "b by get"]);
});

describe("the evidence for an object that was not found", () => {
  const evidence = async ({ reads, description }: ReturnType<typeof setUp>, uuid: string) => {
    const request = { description, context, uuid, state: { projectId: "p" } };
    const { objects } = await reads.evidenceFor(request).list();
    return objects?.has(uuid);
  };

  test("is a recent list that lacks it, which is not requested again", async () => {
    const tools = setUp({ p: ["a", "b"] });
    await tools.results([tools.read("a", "p"), tools.read("b", "p")]);
    expect(await evidence(tools, "gone")).toBe(false);
    expect(tools.requests).toEqual(["list p"]);
  });

  test("is a new list if the recent one was requested while the object was new", async () => {
    const tools = setUp({ p: ["a", "b"] });
    await tools.results([tools.read("a", "p"), tools.read("b", "p")]);
    const facts = newLedger();
    const nowMs = clock.now();
    facts.record({ is: "young", object: objectKey("thing", "gone"), untilMs: nowMs + 1 });
    facts.record({ is: "young", object: objectKey("thing", "older"), untilMs: nowMs - 100 });
    const target = {
      description: tools.description,
      context: { ...context, facts },
      state: { projectId: "p" },
    };
    await tools.reads.evidenceFor({ ...target, uuid: "older" }).list();
    expect(tools.requests).toEqual(["list p"]);
    await tools.reads.evidenceFor({ ...target, uuid: "gone" }).list();
    expect(tools.requests).toEqual(["list p", "list p"]);
  });

  test("is a new list if there is none, if it is older than ten seconds, or if a write came after it", async () => {
    const tools = setUp({ p: ["a", "b"] });
    expect(await evidence(tools, "gone")).toBe(false);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await evidence(tools, "gone")).toBe(false);
    tools.reads.forget(tools.description);
    expect(await evidence(tools, "gone")).toBe(false);
    expect(tools.requests).toEqual(["list p", "list p", "list p"]);
  });

  test("is a new list if the recent one contains it, because it may have been deleted since", async () => {
    const objects = { p: ["a", "b"] };
    const tools = setUp(objects);
    await tools.results([tools.read("a", "p"), tools.read("b", "p")]);
    objects.p = ["a"];
    expect(await evidence(tools, "b")).toBe(false);
    expect(await evidence(tools, "a")).toBe(true);
    expect(tools.requests).toEqual(["list p", "list p", "list p"]);
  });

  test("is one list of the projects for all of them, until it has the project or a write of any kind follows", async () => {
    const { reads, description } = setUp({});
    let requests = 0;
    const listProjects = async () => {
      requests++;
      return [{ id: "p", createdAt: "" }];
    };
    const ofProjects = {
      ...context,
      client: { withOptions: () => ({ listProjects }) },
    } as unknown as OperationContext;
    const isListed = async (projectId: string) => {
      const target = { description, context: ofProjects, uuid: "a", state: { projectId } };
      return (await reads.evidenceFor(target).projects()).objects?.has(projectId);
    };
    expect([await isListed("q"), await isListed("r"), requests]).toEqual([false, false, 1]);
    expect([await isListed("p"), requests]).toEqual([true, 2]);
    reads.forget(description);
    expect([await isListed("q"), requests]).toEqual([false, 3]);
  });
});

test("an object whose parent is not known yet is found in the lists of the given parents, else read singly", async () => {
  const { reads, description, read, results, requests } = setUp({ p: ["a"], q: ["b"] });
  await results([read("a", "p"), read("b", "q")]);
  const among = (uuid: string) =>
    reads.readAmong({ description, context, uuid, state: { projectId: "unknown" } }, ["p", "q"]);
  expect(await results([among("b"), among("c")])).toEqual(["b by list", "c by get"]);
  expect(requests).toEqual(["list q", "list p", "get c"]);
});

/** What the operations of all kinds decide, record and report. */
import { z } from "zod";
import type { Scope } from "../../../provider/client";
import { NotReadyError } from "../../../provider/errors";
import { IF_DELETED } from "../../../provider/lifecycle/adoption";
import { createKey, objectKey } from "../../../provider/lifecycle/ledger/facts";
import type { CheckRequest } from "../../../provider/lifecycle/operations/check";
import { imported } from "../../../provider/lifecycle/operations/read";
import type { Properties } from "../../../provider/lifecycle/properties";
import { resourceKey } from "../../../provider/lifecycle/run/checkedResources";
import { errorOf } from "../../support/values/errorOf";
import { fakeClock } from "../../support/values/fakeClock";
import {
  A,
  B,
  BROKEN,
  CREATES_NOTHING,
  FOR_30_S,
  NEW,
  NOT_FOUND,
  OTHER_PLACE,
  PLACE,
  SHOP,
  STATE,
  setUp,
  UNKNOWN,
} from "./things";

type Tools = ReturnType<typeof setUp>;
type Situation = Parameters<typeof setUp>[0];
const PERSISTENT = { persistent: true };
const MOVED = { ...SHOP, place: OTHER_PLACE };
const STORE = { ...SHOP, name: "Store" };
const ANYWHERE = { ...SHOP, place: UNKNOWN };

const UNSCOPED = { scopes: { read: [] }, parentId: "place" };

function failing() {
  return Promise.reject(BROKEN);
}

const EXCLUDES_COLOR = z.strictObject({
  place: z.literal(PLACE),
  name: z.literal("Shop"),
  createdAt: z.string().optional(),
});

describe("a check", () => {
  test.each<[string, kind: object, inputs: Properties, adopt: unknown, failures: string[]]>([
    ["a value of another kind", {}, { ...SHOP, name: 1 }, undefined, ["^name must be text"]],
    ["an invalid import", {}, SHOP, "shop", ["^import: must be a UUID"]],
    [
      "a property that another value excludes",
      { schemaFor: () => EXCLUDES_COLOR },
      { ...SHOP, color: "red" },
      undefined,
      [`^color is not allowed with place "${PLACE}", name "Shop"$`],
    ],
  ])("finds what is wrong with %s", async (_name, kind, inputs, adopt, failures) => {
    const { check, run, requests } = setUp({ kind, scopes: [] });
    const result = await check(run, { inputs, adopt, isNew: false });
    expect(result).toEqual({ inputs, failures: failures.map((each) => expect.stringMatching(each)) });
    expect(requests).toEqual([]);
  });

  const [READ, WRITE] = ["projects:read", "projects:write"] as const;
  const others = (scopes: string) =>
    `which a thing needs. Other resources and functions may need ${scopes}, which it lacks too.`;
  test.each<[Scope, readOnly: boolean, write: unknown, lacks: string | undefined]>([
    [READ, false, ({ color }: Properties) => (color === "red" ? [WRITE] : []), undefined],
    [
      READ,
      false,
      [WRITE],
      `the scope ${WRITE}, ${others("applications:read, applications:write, domains:read, domains:write and links:read")}`,
    ],
    [WRITE, true, [WRITE], `the scope ${READ}, ${others("applications:read, domains:read and links:read")}`],
  ])("needs the scopes of its kind: %j, read-only %s", async (scope, readOnly, write, lacks) => {
    const kind = { scopes: { read: [READ], write } };
    const { check, run } = setUp({ kind, scopes: [scope], readOnly });
    const checked = check(run, { inputs: SHOP, isNew: false });
    if (lacks === undefined) expect((await checked).failures).toEqual([]);
    else await expect(checked).rejects.toThrow(lacks);
  });

  test("of a new resource knows which ones create an object, and that the engine replaces what it had", async () => {
    const { check, run, factsAbout } = setUp({ facts: ["declared"], by: "urn:a" });
    const call = resourceKey(run, { inputs: SHOP });
    const { checkedNew } = run.memory;
    const { ledger } = run.memory;
    ledger.record({ is: "declared", object: objectKey("thing", B) });
    ledger.record({ is: "seen", object: objectKey("thing", NEW), by: "urn:a" });
    await check(run, { inputs: SHOP, isNew: true, adopt: A, resource: "urn:b" });
    await check(run, { inputs: SHOP, isNew: false, resource: "urn:a" });
    expect(checkedNew.has(call)).toBe(false);
    expect(factsAbout(A)).toEqual([
      ["declared", "urn:a"],
      ["adopting", "urn:b"],
    ]);
    await check(run, { inputs: SHOP, isNew: true });
    expect(checkedNew.only(call)).toMatch(/^unidentified/);
    expect(factsAbout(A)[0]).toEqual(["declared", "urn:a"]);
    await check(run, { inputs: SHOP, isNew: true, resource: "urn:a" });
    expect([checkedNew.has(call), checkedNew.only(call)]).toEqual([true, undefined]);
    await check(run, { inputs: SHOP, isNew: true, resource: "urn:b" });
    expect(factsAbout(A)).toEqual([
      ["adopting", "urn:b"],
      ["replacing", "urn:a"],
    ]);
    expect(factsAbout(B)).toEqual([["declared", undefined]]);
    expect(factsAbout(NEW)).toContainEqual(["replacing", "urn:a"]);
  });

  test("tells which resource keeps an object, unless several have equal values", async () => {
    const { check, diff, update, run, factsAbout } = setUp({ things: { [A]: SHOP, [B]: SHOP } });
    for (const resource of ["web", "site"]) await check(run, { inputs: SHOP, isNew: false, resource });
    await check(run, { inputs: STORE, isNew: false, resource: "blog" });
    await diff(run, { uuid: A, state: STATE, inputs: SHOP });
    await diff(run, { uuid: B, state: STATE, inputs: STORE });
    await update(run, { uuid: B, state: STATE, inputs: STORE });
    expect(factsAbout(A)).toContainEqual(["declared", undefined]);
    expect(factsAbout(B)).toContainEqual(["declared", "blog"]);
  });

  test.each<[string, inputs: Properties, before: Properties, isReplaced: boolean, deletesFirst?: boolean]>([
    ["another place", MOVED, SHOP, true, true],
    ["another place, of a kind that checks none", MOVED, SHOP, false],
    ["another place, created first", MOVED, SHOP, true, false],
    // The state was edited. A replacement would delete the object.
    ["a place, if the state has an invalid one", SHOP, { ...SHOP, place: "there" }, false, true],
  ])("checks a replacement by %s", async (_name, inputs, before, isReplaced, ...[deletesFirst]) => {
    const check = jest.fn(async () => {});
    const replacement = deletesFirst !== undefined && { deletesFirst: () => deletesFirst, check };
    const kind = { parentId: "place", ...(replacement && { replacement }) };
    const { check: checks, run, requests } = setUp({ kind });
    const memory = run.memory;
    memory.ledger.record({ is: "created", object: objectKey("project", OTHER_PLACE), by: "urn:place" });
    expect((await checks(run, { inputs, before, isNew: false, resource: "urn:a" })).failures).toEqual([]);
    const checked = { before, inputs, isUnknown: run.isUnknown, isInNewProject: true, retainOnDelete: false };
    expect(check.mock.calls).toEqual(isReplaced ? [[expect.anything(), checked]] : []);
    expect([...memory.deletedFirst]).toEqual(isReplaced && deletesFirst ? ["urn:a"] : []);
    expect([...memory.projects.keys()]).toEqual(isReplaced ? [objectKey("project", OTHER_PLACE)] : []);
    expect(requests).toEqual([]);
  });

  test.each<[string, situation: Situation, more: object, requests: string[]]>([
    ["is read", {}, {}, [`place ${PLACE}`]],
    ["is not read without the scope", { scopes: [], readOnly: true, kind: UNSCOPED }, {}, []],
    ["is not read if the program adopts an object in it", {}, { adopt: A }, ["read", "list"]],
    ["is not read if the kind is in none", { kind: {} }, {}, []],
  ])("the place of a new object %s", async (_name, situation, more, requests) => {
    const { check, run, requests: sent } = setUp({ kind: { parentId: "place" }, ...situation });
    for (let time = 0; time < 2; time++)
      await check(run, { inputs: SHOP, isNew: true, resource: "urn:a", ...more });
    expect([...new Set(sent)]).toEqual(requests);
    if (requests[0]?.startsWith("place")) expect(sent).toHaveLength(1);
  });

  test.each<[string, failure: Error, isKnown: boolean, error: string | undefined]>([
    ["is not found, fails", NOT_FOUND, false, `There is no project ${PLACE}`],
    ["cannot be read, does not", BROKEN, false, undefined],
    ["the run has created, does not", NOT_FOUND, true, undefined],
  ])("in a place that %s", async (_name, failure, isKnown, error) => {
    const client = { getProject: () => Promise.reject(failure), listProjects: async () => [] };
    const { check, run } = setUp({ kind: { parentId: "place" }, client });
    if (isKnown) run.memory.ledger.record({ is: "created", object: objectKey("project", PLACE) });
    const checked = check(run, { inputs: SHOP, isNew: true });
    if (error === undefined) expect((await checked).failures).toEqual([]);
    else expect((await errorOf(checked)).message).toContain(error);
  });
});

describe("a preview of a unique name", () => {
  const WARNING = { persistent: true, warning: true };
  const isNew = { isNew: true, isPreview: true };
  const wasStore = { isNew: false, isPreview: true, before: STORE };
  const [A_, B_] = ["the resource a", "the resource b"];
  const USED = `used by thing ${A}`;
  const OF_B = { facts: ["created"], by: "b" } as const;

  test.each<[string, Situation, Partial<CheckRequest>, use: string | undefined, lists: number]>([
    [
      "of an object, if --replace would delete it first",
      {},
      { deleteBeforeReplace: true },
      `${USED}. If this resource was renamed or moved, add \`aliases\`. If no stack manages it, adopt it: set the option \`import\` to "${A}" (\`npx pulumi-dynamiclink discover ${A}\` prints all that is in it). Otherwise, choose another name. If Pulumi replaces it, it is deleted first.`,
      1,
    ],
    ["of a kind that creates nothing", { kind: CREATES_NOTHING }, {}, undefined, 0],
    ["of what it deletes", { facts: ["replacing"], by: "a" }, { deleteBeforeReplace: true }, undefined, 1],
    ["of what b has", OF_B, { deleteBeforeReplace: true }, `${USED} of ${B_}. Choose another name.`, 1],
    ["of what cannot be listed", { kind: { list: failing } }, {}, undefined, 0],
    ["of nothing that is identified", {}, { resource: undefined }, undefined, 0],
    ["of what is adopted", {}, { adopt: A }, undefined, 0],
  ])("%s", async (_name, situation, more, use, lists) => {
    const { check, run, reports, requests } = setUp(situation);
    const checked = { inputs: SHOP, resource: "a", ...isNew, ...more };
    for (let time = 0; time < 2; time++) await check(run, checked);
    const warning = [`The name of ${A_} is ${use}`, WARNING];
    expect(reports.filter(([, options]) => options && "warning" in options)).toEqual(use ? [warning] : []);
    if (more.adopt === undefined) expect(requests.filter((each) => each === "list")).toHaveLength(lists);
  });

  test.each<[string, Situation, isReported: boolean]>([
    ["nothing of the program has", {}, true],
    ["b has", OF_B, false],
  ])("that differs only in case from one that %s: reported, %s", async (_name, situation, isReported) => {
    const { check, run, reports } = setUp(situation);
    await check(run, { inputs: { ...SHOP, name: "sHop " }, resource: "a", ...isNew });
    const message = `The name of ${A_} differs from that of thing ${A} only in letter case or spaces, which the service may ignore. Choose another name, or declare the one that it has and set the option \`import\` to "${A}".`;
    expect(reports).toEqual(isReported ? [[message, WARNING]] : []);
  });

  const until = (heir: string, owner: string) =>
    `The name of ${heir} is that of ${owner} until this run changes it. In an earlier \`pulumi up\`, give ${owner} one that nothing uses.`;
  const both = (one: string, other: string) =>
    `The name of ${one} is also that of ${other}. Choose another one for one of them.`;
  const b = (before: Properties | undefined, inputs: Properties): Partial<CheckRequest> => ({
    resource: "b",
    inputs,
    before: before ?? {},
    isNew: before === undefined,
  });
  const UNNAMED = { ...SHOP, name: UNKNOWN };
  const REPLACING = { replaceOnChanges: ["name"] };
  test.each<
    [
      string,
      first: Partial<CheckRequest>,
      second: Partial<CheckRequest>,
      messages: string[],
      replaces?: object,
    ]
  >([
    ["a new one, and one that keeps it", {}, b(SHOP, SHOP), [both(B_, A_)]],
    ["a new one, and one that would be replaced", {}, b(SHOP, SHOP), [both(B_, A_)], REPLACING],
    ["one that gets another one, and a new one", b(SHOP, STORE), {}, [until(A_, B_)]],
    ["a new one, and one that gets another one", {}, b(SHOP, STORE), [until(A_, B_)]],
    ["two that are not known", { inputs: UNNAMED }, b(undefined, UNNAMED), []],
  ])("of %s", async (_name, first, second, messages, kind = {}) => {
    const { check, run, reports } = setUp({ things: {}, kind });
    for (const more of [first, second]) await check(run, { inputs: SHOP, resource: "a", ...isNew, ...more });
    expect(reports).toEqual(messages.map((message) => [message, WARNING]));
  });

  test.each([REPLACING, { uniqueBy: undefined }])("says nothing of %p", async (kind) => {
    const { check, run, reports } = setUp({ things: {}, kind });
    await check(run, { ...isNew, ...b(undefined, SHOP) } as CheckRequest);
    await check(run, { ...isNew, ...wasStore, inputs: SHOP, resource: "a" });
    expect(reports).toEqual([]);
  });
});

describe("a preview of a thing that the service already has", () => {
  const kind = { uniqueBy: undefined, identifiedBy: ["color"], parentId: "place" };
  const RED = { ...SHOP, color: "red" };
  const things = { [A]: RED, [B]: { ...STORE, color: "blue" } };

  test.each<[string, Situation, Partial<CheckRequest>, isReported: boolean, lists: number]>([
    ["with what identifies it, and another name", {}, { inputs: { ...STORE, color: "red" } }, true, 1],
    ["and perhaps itself, which --replace would delete first", {}, { deleteBeforeReplace: true }, true, 1],
    ["and a resource that only the state has", { facts: ["seen"], by: "former" }, {}, true, 1],
    // A refresh has read the object, and --replace forces a new one.
    ["and itself, which is checked as new", { facts: ["seen"], by: "a" }, {}, false, 1],
    ["and itself, which a refresh no longer finds", { facts: ["seen", "absent"], by: "a" }, {}, false, 1],
    ["without an identity, and an unknown value", {}, { inputs: { ...SHOP, name: UNKNOWN } }, false, 0],
    ["with an identity, and an unknown value", {}, { inputs: { ...RED, name: UNKNOWN } }, true, 1],
  ])("%s: reported, %s", async (_name, situation, more, isReported, lists) => {
    const { check, run, reports, requests } = setUp({ kind, things, ...situation });
    const checked = { inputs: RED, resource: "a", isNew: true, isPreview: true, ...more };
    for (let time = 0; time < 2; time++) await check(run, checked);
    const warnings = reports.filter(([, options]) => options && "warning" in options);
    const what = "color" in checked.inputs ? "color" : "properties";
    const replaced = more.deleteBeforeReplace ? "If Pulumi replaces one of them, it is deleted first. " : "";
    const message = [
      `The service already has things with the declared ${what} of the resource a:`,
      `  ${A}, created 2026-01-01T10:00:00Z`,
      `If this resource was renamed or moved, add \`aliases\`. ${replaced}If no stack manages one of them, adopt it: set the option \`import\` to its UUID. Otherwise, \`pulumi up\` creates another one.`,
    ].join("\n");
    expect(warnings).toEqual(isReported ? [[message, { persistent: true, warning: true }]] : []);
    expect(requests.filter((each) => each === "list")).toHaveLength(lists);
  });

  test("five times: three are named, the fourth warning says how to see the others, and nothing follows", async () => {
    const { check, run, reports } = setUp({ kind, things });
    for (const resource of ["a", "b", "a", "c", "d", "e"])
      await check(run, { inputs: RED, resource, isNew: true, isPreview: true });
    expect(reports.map(([message]) => / (?:resource .|run `.*`)/.exec(message)?.[0])).toEqual([
      ...[" resource a", " resource b", " resource c"],
      " run `npx pulumi-dynamiclink discover`",
    ]);
  });

  test.each([{}, { uniqueBy: undefined }])(
    "with %j, in a place that is one of those that this run adopts: only those are listed",
    async (unique) => {
      const lists: unknown[] = [];
      const list = async (_context: unknown, { place }: Properties) => {
        lists.push(place);
        return place === PLACE ? [{ uuid: A, properties: RED, createdAt: "then" }] : [];
      };
      const { check, run, reports } = setUp({ kind: { parentId: "place", list, ...unique } });
      for (const place of [OTHER_PLACE, PLACE]) run.memory.adoptedParents.add(place);
      for (const resource of ["a", "b"])
        await check(run, { inputs: { ...RED, place: UNKNOWN }, resource, isNew: true, isPreview: true });
      expect(lists).toEqual([OTHER_PLACE, PLACE]);
      expect(reports[0]?.[0]).toContain(A);
    },
  );

  test.each<[string, name: string, isPreview: boolean, kind: object, isReported: boolean]>([
    ["to what its object has already", "Shop", true, {}, false],
    ["to what another object has", "Mall", true, {}, true],
    ["to what another object has, in an up", "Mall", false, {}, false],
    ["to what another object has, with another place", "Mall", true, { replaceOnChanges: ["name"] }, false],
  ])("and that is renamed %s: reported, %s", async (_name, name, isPreview, kind, isReported) => {
    const { check, diff, run, reports } = setUp({
      kind,
      things: { [A]: SHOP, [B]: { ...SHOP, name: "Mall" } },
    });
    const inputs = { ...SHOP, name };
    await check(run, { inputs, before: STORE, resource: "a", isNew: false, isPreview });
    expect(reports).toEqual([]);
    await diff(run, { uuid: A, state: { ...STATE, ...STORE }, inputs });
    const message = `The name of the resource a is used by thing ${B}. Choose another name.`;
    expect(reports).toEqual(isReported ? [[message, { persistent: true, warning: true }]] : []);
  });
});

const UNCHANGED = { replaces: [], deleteBeforeReplace: false, newlyNull: [] };
const REPLACED = { ...UNCHANGED, replaces: ["place"] };
const DELETED_FIRST = { replacement: { deletesFirst: () => true } };

describe("a diff", () => {
  test.each<[string, inputs: Properties, kind: object, result: object, facts: string[]]>([
    ["nothing", SHOP, {}, UNCHANGED, ["seen", "declared"]],
    ["nothing of a kind that creates no object", SHOP, CREATES_NOTHING, UNCHANGED, ["seen"]],
    ["a new null", { ...SHOP, color: null }, {}, { ...UNCHANGED, newlyNull: ["color"] }, ["seen"]],
    ["the place", MOVED, {}, REPLACED, ["seen", "replacing"]],
    ["the place, which is not known", ANYWHERE, {}, REPLACED, ["seen"]],
    ["a busy place", MOVED, DELETED_FIRST, { ...REPLACED, deleteBeforeReplace: true }, ["seen", "replacing"]],
    ["a name in a busy place", STORE, DELETED_FIRST, UNCHANGED, ["seen"]],
  ])("that changes %s", async (_name, inputs, kind, result, facts) => {
    const { diff, run, factsAbout, requests } = setUp({ kind, run: { urn: "urn:a" } });
    run.memory.checkedExisting.add("urn:a", "urn:a");
    expect(await diff(run, { uuid: A.toUpperCase(), state: STATE, inputs })).toEqual(result);
    expect(factsAbout(A)).toEqual(facts.map((is) => [is, "urn:a"]));
    expect(requests).toEqual([]);
  });

  test("of an entry that adopted its object, and whose option remains, says both", async () => {
    const factsWith = async (hidden: Properties, adopt?: string) => {
      const { diff, run, factsAbout } = setUp({ run: { urn: "urn:a" } });
      await diff(run, { uuid: A, state: { ...STATE, ...hidden }, inputs: SHOP, adopt });
      return factsAbout(A).map(([is]) => is);
    };
    expect(await factsWith({ __adopted: A }, A)).toEqual(["seen", "adoptedBefore", "adoptedEntry"]);
    expect(await factsWith({ __adopted: A, __import: "" })).toEqual(["seen", "adoptedEntry"]);
    expect(await factsWith({ __adopted: B, __import: B })).toEqual(["seen"]);
  });

  test("that imports another object replaces one that was deleted, or that changes anyway", async () => {
    const request = { uuid: A, state: STATE, inputs: SHOP, adopt: B };
    const gone = setUp({ things: {} });
    expect(await gone.diff(gone.run, request)).toEqual({ ...UNCHANGED, replaces: ["__import"] });
    const { diff, run } = setUp();
    expect(await diff(run, { ...request, inputs: MOVED })).toMatchObject({ replaces: ["place"] });
    const { message } = await errorOf(diff(run, request));
    expect(message).toContain(`this resource already manages thing ${A}`);
    const broken = setUp({ kind: { read: failing } });
    expect(await errorOf(broken.diff(broken.run, request))).toBe(BROKEN);
  });

  test.each([
    [
      "created",
      "urn:b",
      /of this resource was adopted by the resource urn:b in this run, because the service's response .*\n.*\n {2}pulumi state delete "urn:b"\n/,
    ],
    ["recovered", "b", /by the resource b .* was lost .*\n.*\n {2}pulumi state delete "<URN>"\n/],
  ] as const)("of an object that another resource has %s is an error", async (is, by, message) => {
    const { diff, run } = setUp({ facts: [is], by });
    expect((await errorOf(diff(run, { uuid: A, state: STATE, inputs: SHOP }))).message).toMatch(message);
  });
});

test("what a policy has made invalid after the check sends nothing", async () => {
  const { update, run, requests } = setUp();
  const updated = update(run, { uuid: A, state: STATE, inputs: { ...SHOP, name: 1 } });
  const invalid = /^The thing is not valid, so nothing was sent:\n {2}name .*\n.* policy with remediations/;
  expect((await errorOf(updated)).message).toMatch(invalid);
  expect(requests).toEqual([]);
});

test.each<[string, isCreated: boolean, (tools: Tools) => Promise<unknown>]>([
  ["the check of a new resource", true, ({ check, run }) => check(run, { inputs: SHOP, isNew: true })],
  ["that of an adoption", false, ({ check, run }) => check(run, { inputs: SHOP, isNew: true, adopt: A })],
  ["a create", true, ({ create, run }) => create(run, { inputs: SHOP })],
  ["an adoption", false, ({ create, run }) => create(run, { inputs: SHOP, adopt: A })],
  ["an update", false, ({ update, run }) => update(run, { uuid: A, state: STATE, inputs: STORE })],
])("%s requires what a create does: %s", async (_name, isCreated, operation) => {
  const schemaFor = jest.fn();
  await operation(setUp({ kind: { schemaFor } }));
  expect(schemaFor.mock.calls.some(([, forCreate]) => forCreate)).toBe(isCreated);
});

describe("a create", () => {
  test("returns the state, and is known to other entries", async () => {
    const { create, run, requests, reports, factsAbout } = setUp({ things: {} });
    const inputs = { ...SHOP, color: null };
    const state = { ...STATE, color: null, __created: "2026-01-01T10:00:00.000Z" };
    expect(await create(run, { inputs })).toEqual({ uuid: NEW, state });
    expect(requests).toEqual(["list", "create"]);
    expect(factsAbout(NEW).map(([is]) => is)).toEqual(["created", "young"]);
    expect(reports).toEqual([]);
    const slow = setUp({ things: {}, kind: { notice: "It takes long." } });
    await slow.create(slow.run, { inputs });
    expect(slow.reports.map(([message]) => message)).toEqual(["It takes long."]);
  });

  test("on a service without dates saves the time of creation", async () => {
    const clock = fakeClock(Date.parse("2026-01-01T10:00:00Z"));
    const { create, run } = setUp({ client: { serviceTime: () => undefined }, run: { clock } });
    expect((await create(run, { inputs: SHOP })).state.__created).toBe("2026-01-01T10:00:00Z");
  });

  test("is refused while the state has objects of another organization", async () => {
    const { create, read, run, requests } = setUp();
    const foreign = read(run, { uuid: A, state: { ...STATE, __organization: "another" } });
    expect((await errorOf(foreign)).message).toContain(`Thing ${A} belongs to organization another`);
    expect((await errorOf(create(run, { inputs: SHOP }))).message).toContain("No thing was created");
    expect(requests).toEqual([]);
  });

  test("of values that the service changes is saved as not ready, and a repeated one applies them again", async () => {
    let isStubborn = true;
    const kind = {
      async create() {
        service.set(NEW, STORE);
        return { uuid: NEW, properties: STORE, createdAt: "2026-01-01T10:00:00Z" };
      },
      async read() {
        requests.push("read");
        if (isStubborn) throw BROKEN;
        return { uuid: NEW, properties: service.get(NEW), createdAt: "" };
      },
    };
    const { create, run, requests, service } = setUp({ kind, run: { urn: "urn:a" } });
    const first = await errorOf(create(run, { inputs: SHOP }));
    expect(first).toBeInstanceOf(NotReadyError);
    expect(first).toMatchObject({
      uuid: NEW,
      state: { name: "Store" },
      reasons: [expect.stringContaining("did not apply name of thing")],
    });
    expect(await errorOf(create(run, { inputs: SHOP }))).toMatchObject({
      uuid: NEW,
      state: { name: "Store" },
      reasons: ["broken"],
    });
    isStubborn = false;
    expect(await create(run, { inputs: SHOP })).toMatchObject({ uuid: NEW, state: { name: "Shop" } });
    expect(await create(run, { inputs: SHOP })).toMatchObject({ uuid: NEW });
    expect(requests).toEqual(["list", "read", "read", "update name", "read"]);
    const equal = setUp({ kind, things: {} });
    expect(await errorOf(equal.create(equal.run, { inputs: SHOP }))).toBeInstanceOf(NotReadyError);
    await expect(equal.create(equal.run, { inputs: SHOP })).rejects.toThrow("several equal things");
  });
});

describe("an update", () => {
  test.each<[string, state: Properties, adopt: string | undefined, option: unknown]>([
    ["of a created object", { __created: "2026-01-01T09:59:31Z" }, undefined, undefined],
    ["of an adopted object without the option", { __adopted: A, __import: A }, undefined, ""],
  ])("%s keeps what is known of its origin", async (_name, hidden, adopt, option) => {
    const { update, run, requests } = setUp();
    const state = await update(run, { uuid: A, state: { ...STATE, ...hidden }, inputs: STORE, adopt });
    expect(state).toEqual({ ...STATE, ...hidden, name: "Store", __import: option });
    expect(requests).toEqual(["update name"]);
  });

  const SAVED = "2026-01-01";
  const LATER = "2026-01-02";
  const BLUE = { ...SHOP, color: "blue" };
  test.each<[string, actual: Properties, inputs: Properties, updatedAt: string, drift: string | undefined]>([
    ["a change elsewhere", { color: "red" }, { ...BLUE, name: "Store" }, SAVED, "color of thing A was .* it"],
    ["several", { color: "red", name: "Mall" }, BLUE, LATER, "name, color of thing A were .* left them"],
    ["none in a read that may lag", { color: "red" }, BLUE, SAVED, undefined],
    ["none if there is none", {}, { ...BLUE, name: "Store" }, SAVED, undefined],
  ])("reports %s", async (_name, actual, inputs, updatedAt, drift) => {
    const found = async () => ({ uuid: A, properties: { ...inputs, ...actual }, createdAt: "", updatedAt });
    const { update, run, reports } = setUp({ kind: { update: found, read: found } });
    const state = { ...STATE, color: "blue", __changed: { at: SAVED } };
    const { __changed } = await update(run, { uuid: A, state, inputs });
    // The service's time does not show the change.
    const written = inputs.name === "Store" ? "2026-01-01T10:00:00.000Z" : undefined;
    expect(Object(__changed).written).toBe(written);
    const reported = drift && [expect.stringMatching(drift.replace("A", A)), PERSISTENT];
    expect(reports).toEqual(reported ? [reported] : []);
  });

  test.each([
    ["name", undefined],
    ["place", ["place"]],
  ])("whose %s the service does not apply fails", async (name, alsoSent) => {
    const properties = { ...STORE, [name]: "other" };
    const { update, run } = setUp({
      kind: { update: async () => ({ uuid: A, properties, createdAt: "", alsoSent }) },
    });
    const { message } = await errorOf(update(run, { uuid: A, state: STATE, inputs: STORE }));
    expect(message).toContain(`did not apply ${name} of thing`);
  });
});

// The service's time is ten seconds after the creation.
const NEW_STATE = { ...STATE, __created: "2026-01-01T09:59:50Z" };
const UNTIL_IT_IS_OLD = [250, 500, 1_000, 2_000, 4_000, 8_000, 7_250];

describe("a deletion", () => {
  test("records that the object is gone, its name is free, and its place is emptied", async () => {
    const clock = fakeClock(0);
    const { remove, run } = setUp({ kind: { parentId: "place" }, run: { clock } });
    await remove(run, { uuid: A, state: STATE });
    const { ledger } = run.memory;
    expect(ledger.has(objectKey("thing", A), "deleted")).toBe(true);
    expect(ledger.has(createKey("thing", ["organization", "Shop"]), "deleted")).toBe(true);
    expect(run.memory.emptiedUntilMs.get(objectKey("project", PLACE))).toBe(30_000);
    const send = jest.fn(async () => {});
    const ofProjects = setUp({ kind: { title: "project", deletion: { send } } });
    await ofProjects.remove({ ...ofProjects.run, memory: run.memory }, { uuid: PLACE, state: STATE });
    expect(send.mock.calls).toMatchObject([[{ emptiedUntilMs: 30_000 }, PLACE]]);
  });

  test.each<[string, situation: Situation, request: object, kept: string | undefined]>([
    ["of what another entry declares", { facts: ["declared"] }, {}, "the resource other manages it"],
    ["of what another entry imports", { facts: ["adopting"] }, {}, "the resource other imports it"],
    ["of what one has imported", { facts: ["adoptedBefore"] }, {}, "the resource other has imported it"],
    ["of what it has created", { facts: ["created"] }, {}, "this run has created it for the resource other"],
    ["for no known one", { facts: ["adopting"], by: "unidentified 1" }, {}, "another resource imports it"],
    ["that the host prevents", {}, { keptBecause: "the host says so" }, "the host says so."],
    ["of what creates none", { facts: ["declared"], kind: CREATES_NOTHING }, {}, undefined],
  ])("%s", async (_name, situation, request, kept) => {
    const { remove, run, requests, reports } = setUp(situation);
    await remove(run, { uuid: A, state: STATE, ...request });
    expect(requests).toEqual(kept === undefined ? ["delete"] : []);
    const report = [expect.stringContaining(`Thing ${A} is kept, because ${kept}`), PERSISTENT];
    expect(reports).toEqual(kept === undefined ? [] : [report]);
  });

  test.each<[string, hidden: Properties, fixed: unknown, isKept: boolean]>([
    ["created, and replaced by one in another place", {}, { place: OTHER_PLACE }, false],
    ["adopted", { __adopted: A }, { place: OTHER_PLACE }, true],
  ])("of an object that was %s through an import", async (_name, hidden, fixed, isKept) => {
    const tools = setUp({ kind: { title: "big thing" }, run: { urn: "urn:a" } });
    const { remove, diff, run, reports, requests } = tools;
    const other = { ...STATE, ...(fixed as object), __adopted: B, __import: "" };
    await diff(run, { uuid: B, state: other, inputs: { ...SHOP, ...(fixed as object) } });
    await remove(run, { uuid: A, state: { ...STATE, ...hidden } });
    expect(requests).toEqual(isKept ? [] : ["delete"]);
    const text = `because the resource now imports ${B}. If you no longer`;
    expect(reports).toEqual(isKept ? [[expect.stringContaining(text), PERSISTENT]] : []);
  });

  const none = () => ({});
  const inPlace = () => ({ parentId: "place" });
  const UNOWNED = { ...STATE, __organization: undefined };
  const GONE = ["delete", "read", "list"];
  const SENT_UNTIL_OLD = [...UNTIL_IT_IS_OLD.map(() => "delete"), ...GONE];
  const READ_FOR_30_S = ["delete", "read", ...FOR_30_S.map(() => "read")];
  /** A kind whose first lists, or reads, are older than the deletion. */
  const listed = (lists: number) => ({ list: async () => (lists-- > 0 ? [{ uuid: A }] : []) });
  const readable = (reads: number) => ({ read: async () => reads-- > 0 || Promise.reject(NOT_FOUND) });
  const READ_THRICE = ["delete", "read", "read", "read"];
  test.each<[string, () => object, Properties, string | undefined, requests: string[], waits: number[]]>([
    // Its deletion by a request whose response was lost, or in the console, was a moment ago.
    ["two lists still contain", () => listed(2), STATE, undefined, READ_THRICE, [250, 500]],
    ["two reads still find", () => readable(2), STATE, undefined, ["delete", "list"], [250, 500]],
    ["each list contains", () => listed(Infinity), STATE, "the list of the things", READ_FOR_30_S, FOR_30_S],
    ["each read finds", () => readable(Infinity), STATE, `reading thing ${A} finds it`, ["delete"], FOR_30_S],
    ["nothing shows, and is new", none, NEW_STATE, undefined, SENT_UNTIL_OLD, UNTIL_IT_IS_OLD],
    ["has no known owner", none, UNOWNED, `does not find thing ${A}, and the state`, GONE.slice(0, 2), []],
    ["is in no valid place", inPlace, { ...STATE, place: "shop" }, "no valid place", GONE.slice(0, 2), []],
    ["cannot be deleted", () => ({ deletion: { send: failing } }), STATE, "broken", [], []],
  ])("of an object that %s", async (_name, kind, state, error, requests, waits) => {
    const clock = fakeClock();
    const tools = setUp({ things: {}, kind: kind(), run: { clock } });
    const { remove, run, requests: sent, reports, factsAbout } = tools;
    const removed = remove(run, { uuid: A, state });
    if (error === undefined) {
      await removed;
      const shown = state === NEW_STATE ? `shows thing ${A}, which is new` : `no longer shows thing ${A}`;
      const until = `${state === NEW_STATE ? "33 seconds " : ""}until the service ${shown}`;
      const reported = [expect.stringContaining(until)];
      expect(reports).toEqual(waits.length > 0 ? [reported] : []);
    } else {
      const cause = waits.length > 0 && { cause: NOT_FOUND };
      expect(await errorOf(removed)).toMatchObject({ message: expect.stringContaining(error), ...cause });
    }
    expect(sent).toEqual(requests);
    expect(clock.waits).toEqual(waits);
    const isDeleted = factsAbout(A).some(([is]) => is === "deleted");
    expect(isDeleted).toBe(error === undefined);
  });
});

test("a deletion that was sent looks for its result also after waits are stopped", async () => {
  let reads = 2;
  const kind = { read: async () => reads-- > 0 || Promise.reject(NOT_FOUND) };
  const tools = setUp({ things: {}, kind, run: { clock: fakeClock(), waits: AbortSignal.abort() } });
  await tools.remove(tools.run, { uuid: A, state: STATE });
  expect(tools.factsAbout(A).map(([is]) => is)).toContain("deleted");
});

describe("a read", () => {
  test("of an id that is no UUID fails, and needs the scope", async () => {
    const { read, run } = setUp({ scopes: [] });
    expect((await errorOf(read(run, { uuid: "shop", state: {} }))).message).toMatch(/^must be a UUID, /);
    await expect(read(run, { uuid: A, state: {} })).rejects.toThrow("which reading a thing needs");
  });

  test.each([undefined, "ACTIVE"])(
    "without a state returns all values (lifecycle %s), never from a list",
    async (lifecycle) => {
      const inputs = { ...SHOP, color: "red" };
      const known = lifecycle && { lifecycle };
      const found = { uuid: A, properties: { ...inputs, other: 1 }, createdAt: "", ...known };
      const { read, run, requests } = setUp({ kind: { read: async () => found } });
      const all = { uuid: A, inputs, state: { ...inputs, __organization: "organization" }, ...known };
      for (const _ of [1, 2]) expect(await read(run, { uuid: A, state: {} })).toStrictEqual(all);
      expect(requests).toEqual([]);
      expect(imported(run.description, "organization", found)).toStrictEqual(all);
    },
  );

  test("of a state returns what it declares; of an object that was deleted, nothing", async () => {
    const { read, run, service, factsAbout, reports } = setUp({ things: { [A]: { ...STORE, color: "" } } });
    const state = { ...STATE, __import: A };
    const reading = { uuid: A, inputs: STORE, adopt: A, notReady: undefined };
    const expected = { ...reading, state: { ...state, name: "Store" } };
    // The owner is missing in a state that was edited.
    for (const each of [state, { ...state, __organization: undefined }])
      expect(await read(run, { uuid: A, state: each })).toStrictEqual(expected);
    service.clear();
    expect(await read(run, { uuid: A, state })).toBeUndefined();
    expect(factsAbout(A)).toContainEqual(["absent", undefined]);
    expect(String(reports)).toMatch(`Thing ${A} was deleted outside Pulumi.`);
    const nothing = { creates: { is: "nothing", of: { title: "item", list: async () => [] } } };
    const waiting = setUp({ things: {}, kind: { ...nothing, list: undefined } });
    expect(await waiting.read(waiting.run, { uuid: A, state })).toBeUndefined();
    expect(String(waiting.reports)).toMatch(`Item ${A} was not found, so its thing leaves the state. If`);
    const clock = fakeClock();
    const listed = setUp({ things: {}, kind: { list: async () => [{ uuid: A }] }, run: { clock } });
    await expect(listed.read(listed.run, { uuid: A, state })).rejects.toThrow("contains it");
    expect(clock.now()).toBe(30_000);
    const imported = read(run, { uuid: A, state: {}, isImport: true });
    await expect(imported).rejects.toThrow(`in a minute. ${IF_DELETED}`);
  });

  test("is repeated while it is older than the state", async () => {
    const clock = fakeClock();
    const times = ["2026-01-01", "2026-01-03"];
    const kind = {
      read: async () => ({ uuid: A, properties: SHOP, createdAt: "", updatedAt: times.shift() }),
    };
    const { read, run } = setUp({ kind, run: { clock } });
    const state = { ...STATE, __changed: { at: "2026-01-02" } };
    expect((await read(run, { uuid: A, state }))?.state.__changed).toEqual({ at: "2026-01-03" });
    expect(clock.waits.filter((wait) => wait !== 10)).toEqual([250]);
  });
});

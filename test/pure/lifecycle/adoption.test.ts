/** Which objects the option `import` adopts, and what the check, the error and the state say of it. */
import { compareImport, IF_DELETED, recordImport } from "../../../provider/lifecycle/adoption";
import type { Found } from "../../../provider/lifecycle/description";
import { type FactKind, objectKey } from "../../../provider/lifecycle/ledger/facts";
import type { Properties } from "../../../provider/lifecycle/properties";
import { errorOf } from "../../support/values/errorOf";
import { A, B, CREATES_NOTHING, OTHER_PLACE, PLACE, SHOP, STATE, setUp, UNKNOWN } from "./things";

const PERSISTENT = { persistent: true };
const ADOPTS = [expect.stringMatching(/^Resources with the option import are adopted without/), PERSISTENT];
const RED = { color: "red" };
const STORE = { ...SHOP, name: "Store" };

test.each<[string, inputs: Properties, actual: Properties, shown: string, lines: string[]]>([
  ["agree", SHOP, {}, "name", []],
  [
    "differ",
    { ...STORE, color: "red" },
    {},
    "name",
    [
      '  name: "Store" in the program, "Shop" in the service',
      "  color: declared, but not set in the service",
    ],
  ],
  ["hide a value", STORE, {}, "color", ["  name: declared with a value that differs from the service"]],
  ["have a value", { color: null }, RED, "name", ["  color: declared as null, but set in the service"]],
  ["lack a value", RED, {}, "color", ['  color: "red" in the program, not set in the service']],
])("the program and the object %s", async (_name, inputs, actual, shown, lines) => {
  for (const isManaged of [false, true]) {
    const things = { [A]: { ...SHOP, ...actual } };
    const { check, run, reports } = setUp({ things, facts: isManaged ? ["adoptedEntry", "seen"] : ["seen"] });
    const declared = { ...SHOP, ...inputs };
    const mayShow = (name: string) => name === shown;
    const { failures, adopt } = await check(run, {
      inputs: declared,
      adopt: A.toUpperCase(),
      isNew: true,
      mayShow,
    });
    expect(adopt).toBe(A);
    expect(reports).toEqual(lines.length === 0 ? [ADOPTS] : []);
    const text = [
      `the program and thing ${A} differ, so it was not adopted:`,
      ...lines,
      expect.stringContaining(`, call getThing({ id: "${A}" }) in the program, or run \`npx`),
      expect.stringMatching(/^Change the program or the object/),
      ...(isManaged ? [expect.stringMatching(/^This resource already manages .* would replace it/)] : []),
    ];
    expect(failures.map((failure) => failure.split("\n"))).toEqual(lines.length === 0 ? [] : [text]);
    const compared = await compareImport(run, { uuid: A, state: {}, inputs: declared, mayShow });
    expect(compared.properties).toEqual({ createdAt: "then", ...SHOP, ...actual });
    expect(compared.refusal?.split("\n")).toEqual(
      lines.length === 0 ? undefined : text.slice(0, lines.length + 3),
    );
  }
});

test.each([
  [{ ...SHOP, name: UNKNOWN }, `name of thing ${A} is not known yet and will be compared`],
  [{ name: UNKNOWN, place: UNKNOWN }, `name, place of thing ${A} are not known yet and`],
])("values that are not known yet are compared later: %j", async (inputs, report) => {
  const { check, run, reports } = setUp({});
  expect(await check(run, { inputs, adopt: A, isNew: true })).toMatchObject({ failures: [] });
  expect(reports).toEqual([[expect.stringContaining(report), PERSISTENT], ADOPTS]);
});

test.each([
  [[PLACE], []],
  [[OTHER_PLACE], [[expect.stringContaining(`place of thing ${A} is not known yet`), PERSISTENT]]],
])("a parent that is not known yet is the one that this run adopts: %j", async (adopted, unknown) => {
  const { check, run, reports } = setUp({ kind: { parentId: "place" } });
  for (const parent of adopted) run.memory.adoptedParents.add(parent);
  const inputs = { ...SHOP, place: UNKNOWN };
  expect(await check(run, { inputs, adopt: A, isNew: true })).toMatchObject({ failures: [] });
  expect(reports).toEqual([...unknown, ADOPTS]);
});

test("a resource that creates no object has no functions that show one", async () => {
  const { run } = setUp({ kind: CREATES_NOTHING });
  const compared = await compareImport(run, { uuid: A, state: {}, inputs: STORE, mayShow: () => true });
  expect(compared.refusal?.split("\n")).toHaveLength(3);
});

const REFUSED = `Thing ${A} was not adopted.\n`;

test.each<
  [string, Parameters<typeof setUp>[0], isNew: boolean, refusal: string | Error | undefined, reads: number]
>([
  ["nothing else has it", {}, true, undefined, 1],
  ["it has adopted it", {}, false, undefined, 0],
  ["one does", { facts: ["adopting"] }, true, `import: the resource other imports thing ${A}`, 0],
  ["one is replaced", { facts: ["replacing"] }, true, new Error(`${REFUSED}A change of the resource`), 0],
])("a resource may adopt an object or not, if %s", async (_name, situation, isNew, refusal, reads) => {
  const { check, run, factsAbout, requests } = setUp(situation);
  const before = isNew ? {} : SHOP;
  const request = { inputs: SHOP, adopt: A, isNew, before, resource: "urn:a" };
  if (refusal instanceof Error) {
    expect((await errorOf(check(run, request))).message).toContain(refusal.message);
  } else {
    const failures = refusal === undefined ? [] : [expect.stringContaining(refusal)];
    expect(await check(run, request)).toEqual({ inputs: SHOP, adopt: A, failures });
  }
  expect(factsAbout(A)).toContainEqual(["adopting", "urn:a"]);
  expect(requests).toHaveLength(reads);
});

test("of resources that nothing identifies, only one new one adopts an object", async () => {
  const { check, run, factsAbout } = setUp();
  const request = { inputs: SHOP, adopt: A, isNew: true };
  expect((await check(run, request)).failures).toEqual([]);
  expect((await check(run, request)).failures).toHaveLength(1);
  expect((await check(run, { ...request, isNew: false, before: SHOP })).failures).toEqual([]);
  expect(factsAbout(A).at(-1)).toEqual(["adoptedBefore", undefined]);
});

test.each<[string, facts: FactKind[], by: string, error: string | undefined]>([
  ["no other one has", ["seen"], "urn:b", undefined],
  ["another one may be replaced", ["replacing"], "urn:b", "Thing"],
])("an import by Pulumi is recorded if %s", (_name, facts, by, error) => {
  const { run, factsAbout } = setUp({ facts, by });
  const record = () => recordImport(run, A, "urn:a");
  if (error === undefined) expect(record()).toEqual({ __adopted: A });
  else expect(record).toThrow(error);
  expect(factsAbout(A)).toContainEqual(["adopting", "urn:a"]);
});

test("of several resources that import an object, the error has one that is not the same", () => {
  const { run } = setUp();
  recordImport(run, A, "urn:a");
  for (const fact of [{ is: "seen", by: "urn:c" }, { is: "adopting" }] as const)
    run.memory.ledger.record({ ...fact, object: objectKey("thing", A) });
  expect(() => recordImport(run, A, "urn:a")).toThrow("another resource imports");
  run.memory.ledger.record({ is: "adopting", by: "urn:b", object: objectKey("thing", B) });
  expect(() => recordImport(run, B, "urn:a")).toThrow("the resource urn:b imports");
});

test("an adoption sends no write, and its state shows it", async () => {
  const { create, run, requests } = setUp();
  // Its state has no time of its creation that is valid.
  const state = { ...STATE, __adopted: A, __import: A, __created: "2026-01-01T10:00:00Z" };
  expect(await create(run, { inputs: SHOP, adopt: A })).toEqual({ uuid: A, state });
  const message = `Thing ${A} and the program differ now: name, color. It has changed since it was compared, and you can run this again. Or a policy with remediations has changed what the program declares: correct it, or the program.`;
  const changed = create(run, { inputs: { ...STORE, color: "red" }, adopt: A });
  expect((await errorOf(changed)).message).toBe(message);
  expect(requests).toEqual(["read", "read"]);
});

test("a list, which may be older, neither refuses an adoption nor adopts", async () => {
  const list = async () => [{ uuid: A, properties: SHOP, createdAt: "" }];
  const { check, create, run } = setUp({ things: { [A]: STORE }, kind: { list } });
  for (const _ of [1, 2])
    expect(await check(run, { inputs: STORE, adopt: A, isNew: true, resource: "a" })).toMatchObject({
      failures: [],
    });
  await expect(create(run, { inputs: SHOP, adopt: A })).rejects.toThrow("It has changed since");
});

const DELETING = { uuid: A, properties: SHOP, lifecycle: "DELETING" };

test.each([
  ["does not exist", {}, `There is no thing ${A} in organization organization.`, IF_DELETED],
  ["cannot be read", { read: () => Promise.reject(new Error("broken")) }, "broken", "broken"],
  [
    "is being deleted",
    {
      read: async () => DELETING,
      deletion: { isUnderWay: ({ lifecycle }: Found) => lifecycle === "DELETING" },
    },
    `Thing ${A} is being deleted`,
    "creates a new one.",
  ],
])("an object that %s is not adopted", async (_name, kind, start, end) => {
  const { check, create, run } = setUp({ things: { [B]: SHOP }, kind });
  const request = { inputs: SHOP, adopt: A };
  for (const call of [check(run, { ...request, isNew: true }), create(run, request)]) {
    const { message } = await errorOf(call);
    expect([message.slice(0, start.length), message.slice(-end.length)]).toEqual([start, end]);
  }
});

test.each([
  ["name", / If a replacement failed because .* uses the name, remove the option/],
  [undefined, /under another name\.$/],
])("a resource that has an object does not adopt another one (unique: %s)", async (uniqueBy, message) => {
  const { diff, run } = setUp({ kind: { uniqueBy } });
  const request = { uuid: A, state: STATE, inputs: SHOP, adopt: B };
  expect((await errorOf(diff(run, request))).message).toMatch(message);
});

test.each([
  [{ __adopted: A }, undefined],
  [{ __import: A }, undefined],
  [{}, A],
])("a change does not replace an object that was adopted: %j, %s", async (hidden, adopt) => {
  const { diff, run } = setUp();
  const request = { uuid: A, state: { ...STATE, ...hidden }, inputs: { ...SHOP, place: B }, adopt };
  const lines = (await errorOf(diff(run, request))).message.split("\n");
  expect(lines).toHaveLength(3);
  const reason = "was adopted with the option import, and changing place would replace it.";
  expect(lines[0]).toBe(`Thing ${A} ${reason}`);
});

test("a removed option is reported", async () => {
  const { check, run, reports, factsAbout } = setUp();
  const request = { inputs: { name: "Shop", place: PLACE }, before: SHOP, isNew: false };
  await check(run, { ...request, adoptBefore: "" });
  await check(run, { ...request, adoptBefore: A, resource: "urn:a" });
  const removed = expect.stringContaining(`The option import of thing ${A} was removed`);
  expect(reports).toEqual([[removed, PERSISTENT]]);
  expect(factsAbout(A)).toEqual([["adoptedBefore", "urn:a"]]);
});

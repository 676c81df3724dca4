/** Values: their descriptions in messages, the validation of inputs and answers, and the mapping to the service. */
import fc from "fast-check";
import { z } from "zod";
import * as model from "../../provider/client/model";
import { dateTime, uri, uuid } from "../../provider/client/model/formats";
import { type Operation, operations } from "../../provider/client/operations";
import { customDomainDescription } from "../../provider/resources/customDomain";
import { canonicalValues } from "../../provider/values/canonical";
import { checkValue, type Problem } from "../../provider/values/check";
import { describeSchema } from "../../provider/values/describe";
import { nearestName } from "../../provider/values/nearestName";
import { choicesOf, fieldsOf, itemOf } from "../../provider/values/schema";
import { membersOf, pathText, propertyAt, stepsOf } from "../../provider/values/walk";
import { parseResponse, wireValue } from "../../provider/values/wire";
import { fingerprintOf } from "../support/values/resourceExamples";
import { MARK, places, replaced, valid } from "./schemaValues";

const UNKNOWN = "unknown-for-tests";

function check(schema: z.ZodType, value: unknown) {
  return checkValue(schema, value, { isUnknown: (each) => each === UNKNOWN });
}

function at(path: string, reason: string): Problem {
  return { path, reason };
}

const SEGMENTS = "two or more dot-separated segments of letters, digits and hyphens, at most 100 characters";
const INFO = "an object with appName, appScheme, bundleId";
const IOS = z.strictObject({ appType: z.literal("IOS"), appleInfo: model.appleInfoCreate });
const ANDROID = z.strictObject({ appType: z.literal("ANDROID"), androidInfo: model.androidInfoCreate });
const FINGERPRINT = fingerprintOf("aB");
const FLAGS = z.array(z.boolean()).max(1);
const NUMBERS = z.array(z.int()).min(2).max(9);
const OUTPUT_TEXT =
  "contains an Output that became text before its value was known: use pulumi.interpolate, or in Python pulumi.Output.format";

test.each<[string, z.ZodType]>([
  ["text of 1 to 100 characters", z.string().min(1).max(100)],
  ["text of at most 500 characters, or null", z.string().max(500).nullable()],
  ["a UUID", uuid],
  ["an absolute URL, at most 500 characters", uri.max(500)],
  ["an ISO 8601 date and time", dateTime],
  [SEGMENTS, model.appleInfoCreate.shape.bundleId],
  ['one of "basic", "custom"', model.themeType],
  ['"IOS"', z.literal("IOS")],
  ["true or false", z.boolean()],
  ["a whole number from 1 to 100", z.int().min(1).max(100)],
  ["a list, each text", z.array(z.string())],
  ["a list of 1 to 10 items, each true or false", z.array(z.boolean()).min(1).max(10)],
  ["an object", model.appleInfo],
  [INFO, model.appleInfoCreate],
])("the description of a schema is %s", (words, schema) => {
  expect(describeSchema(schema)).toBe(words);
});

describe("a declared value", () => {
  test("has every violation reported once, at its path", () => {
    const androidInfo = { appName: "x".repeat(51), appScheme: 5, appPackageName: "nodots" };
    const sha256Fingerprints = [FINGERPRINT, "no"];
    expect(
      check(z.strictObject({ name: z.string().min(1).max(100), androidInfo: model.androidInfo }), {
        androidInfo: { ...androidInfo, sha256Fingerprints },
        colour: "red",
      }),
    ).toEqual([
      at("name", "is required: text of 1 to 100 characters"),
      at("androidInfo.appName", "must be text of at most 50 characters, or null"),
      at("androidInfo.appPackageName", expect.stringMatching(/^must be two or .* 100 characters, or null$/)),
      at("androidInfo.appScheme", expect.stringMatching(/, or null; it is a number, so put it into quotes$/)),
      at("androidInfo.sha256Fingerprints[1]", expect.stringMatching(/^must be 32 pairs of hex digits /)),
      at("colour", "is not a property; allowed: name, androidInfo"),
    ]);
  });

  test.each<[string, z.ZodType, unknown, Problem[]]>([
    ["a missing object, as a whole", IOS, { appType: "IOS" }, [at("appleInfo", `is required: ${INFO}`)]],
    [
      "unknown fields of an object once, and without their names unless they are misspelt",
      z.strictObject({ one: z.strictObject({ two: z.looseObject({ three: z.string() }) }) }),
      { one: { two: { three: "x", "4": "x" }, hunter2: 1, secret: 2, tow: 3, nonsense: undefined }, five: 5 },
      [
        at("one", "has a property that does not exist, and whose name may be secret; allowed: two"),
        at("one.tow", "is not a property of one; allowed: two; did you mean two?"),
        at("five", "is not a property; allowed: one"),
      ],
    ],
    ["a value of another kind", model.createProject, "text", [at("", "must be an object with projectName")]],
    [
      "half of a surrogate pair",
      z.strictObject({ names: z.array(z.string().max(5)), name: z.string().optional() }),
      { names: ["fine 😀".slice(5), "a\ud800b"], name: "\udc00" },
      ["names[1]", "name"].map((path) =>
        at(path, "must be well-formed Unicode text: it contains half of a surrogate pair"),
      ),
    ],
    ...[
      "Hi, Calling [toString] on an [Output<T>] is not supported.\n\nTo get the value …",
      '{"a":"Calling [toJSON] on an [Output<T>] is not supported."}',
      "Calling __str__ on an Output[T] is not supported.",
    ].map((text): [string, z.ZodType, unknown, Problem[]] => [
      `the text of an Output in place of its value: ${text.slice(0, 30)}`,
      z.strictObject({ id: uuid, names: z.array(z.string().max(5)) }),
      { id: text, names: [text] },
      ["id", "names[0]"].map((path) => at(path, OUTPUT_TEXT)),
    ]),
    ...[1234567890, true].map((value): [string, z.ZodType, unknown, Problem[]] => [
      `a ${typeof value} in place of text`,
      z.strictObject({ id: z.string().nullish(), kind: z.enum(["a"]), uuid }),
      { id: value, kind: value, uuid: value },
      [
        at("id", `must be text, or null; it is a ${typeof value}, so put it into quotes`),
        at("kind", 'must be "a"'),
        at("uuid", "must be a UUID"),
      ],
    ]),
    ["short text", z.string().min(2).max(9).regex(/^b/), "a", [at("", "must be text of 2 to 9 characters")]],
    ["a broken number", z.int().min(1).max(9), 1.5, [at("", "must be a whole number from 1 to 9")]],
    ["nested lists", z.array(z.array(z.boolean())), [[true, "x"]], [at("[0][1]", "must be true or false")]],
    // A list that is too long, before its items are looked at, and one that is too short, once they are valid.
    ["a long list", FLAGS, [1, 2], [at("", "must be a list of at most 1 item, each true or false")]],
    ["a short list", NUMBERS, [1], [at("", "must be a list of 2 to 9 items, each a whole number")]],
  ])("is rejected for %s", (_, schema, value, problems) => {
    expect(check(schema, value)).toEqual(problems);
  });

  test.each<[string, z.ZodType, unknown]>([
    ["null in a field that may be absent", z.strictObject({ name: z.string().optional() }), { name: null }],
    ["an open object with further fields", z.looseObject({ name: z.string() }), { name: "x", more: 1 }],
    ["undefined in an unknown field", z.strictObject({}), { more: undefined }],
    ["100 characters that JavaScript counts twice", z.string().max(100), "😀".repeat(100)],
    ["a UUID in any case", uuid, "ABCDEF00-0000-0000-0000-00000000000f"],
    ["a custom scheme", uri, "shop://sale?x=1"],
    ["a time with an offset", dateTime, "2025-01-02T03:04:05.678+02:00"],
  ])("may be %s", (_, schema, value) => {
    expect(check(schema, value)).toEqual([]);
  });

  test("is measured in characters, not in UTF-16 units", () => {
    expect(check(z.string().max(100), "😀".repeat(101))).toHaveLength(1);
    expect(check(z.string().min(2), "😀")).toHaveLength(1);
  });

  test.each<[string, z.ZodType, unknown]>([
    ["a field", model.createCustomDomain, { hostname: UNKNOWN }],
    ["an object", IOS, { appType: "IOS", appleInfo: UNKNOWN }],
    ["an item", model.androidInfo, { sha256Fingerprints: [FINGERPRINT, UNKNOWN] }],
    ["a flag", z.strictObject({ on: z.boolean() }), { on: UNKNOWN }],
    ["a number", z.strictObject({ count: z.int() }), { count: UNKNOWN }],
  ])("may be unknown: %s", (_, schema, value) => {
    expect(check(schema, value)).toEqual([]);
  });

  test("that is unknown does not suppress problems of other values", () => {
    const bundleId = "example.shop";
    expect(check(IOS, { appType: "IOS", appleInfo: { appName: UNKNOWN, nam: UNKNOWN, bundleId } })).toEqual([
      at("appleInfo.appScheme", "is required: text of at most 50 characters"),
      at("appleInfo", expect.stringMatching(/^has a property that does not exist, .* may be secret/)),
    ]);
    const isUnknown = (each: unknown) => each instanceof Promise;
    const schema = z.strictObject({ one: z.strictObject({ two: z.string() }) });
    for (const one of [Promise.resolve(), { two: Promise.resolve() }])
      expect(checkValue(schema, { one }, { isUnknown })).toEqual([]);
  });
});

// Fields of every kind. The test of the interface compares those of all inputs with its description.
const INPUTS: [string, z.ZodType][] = [
  ["saveSkin", model.saveSkin],
  ["createApplication, for Android", ANDROID],
  ["createLink", model.createLink],
];

describe.each(INPUTS)("for the input of %s", (_, schema) => {
  test("any valid value is accepted", () => {
    fc.assert(fc.property(valid(schema, "some"), (value) => expect(check(schema, value)).toEqual([])));
  });

  test("any single violation is reported at exactly its path, without the value", () => {
    const broken = fc
      .tuple(valid(schema, "all"), fc.constantFrom(...places(schema)))
      .chain(([value, { path, wrong }]) => wrong.map((bad) => ({ value: replaced(value, path, bad), path })));
    fc.assert(
      fc.property(broken, ({ value, path }) => {
        const problems = check(schema, value);
        expect(problems.map((problem) => problem.path)).toEqual([pathText(path)]);
        expect(JSON.stringify(problems)).not.toContain(MARK);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a request body", () => {
  test("keeps null, drops undefined, and leaves unknown names unchanged", () => {
    const value = { projectName: "x", defaultHookupMsg: null, logoImageId: undefined, brandNew: { aB: 1 } };
    expect(wireValue(model.createProject, value)).toEqual({
      project_name: "x",
      default_hookup_msg: null,
      brandNew: { aB: 1 },
    });
  });

  test("treats names such as constructor like any other name", () => {
    const names = { constructor: "x", toString: "y" };
    expect(wireValue(model.createProject, names)).toEqual(names);
    expect(check(model.createProject, { projectName: "x", constructor: "x" })).toHaveLength(1);
    expect(check(model.createProject, JSON.parse('{"projectName":"x","__proto__":{}}'))).toHaveLength(1);
  });
});

describe("an answer", () => {
  test("is validated for types and required fields, not for lengths, patterns and enumerated values", () => {
    const loose = { app_name: "x".repeat(500), bundle_id: "no dots", app_id_prefix: "?" };
    expect(parseResponse(model.appleInfo, loose)).toEqual({
      ok: true,
      value: { appName: "x".repeat(500), bundleId: "no dots", appIdPrefix: "?" },
    });
    expect(parseResponse(model.androidInfo, { sha256_fingerprints: [] })).toMatchObject({ ok: true });
    expect(parseResponse(z.string().min(2), "a")).toEqual({ ok: true, value: "a" });
    expect(parseResponse(uuid.min(50), "a")).toEqual({ ok: false, problems: ["it is not a UUID"] });
    const failing = (...problems: string[]) => ({ ok: false, problems });
    expect(parseResponse(model.link.shape.domainType, 1)).toEqual(failing("it is not text"));
    const misspelt = { isAvailable: true };
    expect(parseResponse(model.nameAvailability, misspelt)).toEqual(failing("is_available is missing"));
  });

  test("keeps null where null is allowed, and drops it elsewhere", () => {
    const schema = z.strictObject({ aB: z.string().nullable().optional(), cD: z.string().optional() });
    expect(parseResponse(schema, { a_b: null, c_d: null })).toEqual({ ok: true, value: { aB: null } });
    expect(parseResponse(schema, {})).toEqual({ ok: true, value: {} });
    expect(parseResponse(schema, { a_b: 1, c_d: 1 })).toEqual({
      ok: false,
      problems: ["a_b is not text", "c_d is not text"],
    });
  });
});

const HOSTNAME = customDomainDescription.inputs.shape.hostname as z.ZodType;

test.each(["", ".", ".."])("a hostname cannot be %p, whose canonical form is empty", (value) => {
  expect(check(HOSTNAME, value)).toEqual([at("", "must be a hostname, 1 to 253 characters")]);
});

test("no response is limited to the enumerated values of this release", () => {
  const responses = Object.entries<Operation>(operations).flatMap(([name, { response }]) =>
    response === undefined ? [] : [[name, response] as const],
  );
  const choices = (schema: z.ZodType, path: string): string[] => {
    const item = itemOf(schema);
    return [
      ...(choicesOf(schema) === undefined ? [] : [path]),
      ...(item === undefined ? [] : choices(item, `${path}[]`)),
      ...Object.entries(fieldsOf(schema) ?? {}).flatMap(([name, field]) => choices(field, `${path}.${name}`)),
    ];
  };
  expect(responses.length).toBeGreaterThan(20);
  expect(responses.flatMap(([name, schema]) => choices(schema, name))).toEqual([]);
});

describe("canonical values", () => {
  const fields = { id: uuid, hostname: HOSTNAME, name: z.string() };

  test.each([
    ["lower case", "LINKS.Shop.example", "links.shop.example"],
    ["no trailing dot", "links.shop.example.", "links.shop.example"],
    ["no trailing dots", "links.shop.example..", "links.shop.example"],
    ["punycode", "Straße.example", "xn--strae-oqa.example"],
    ["punycode for dots of other scripts", "links。shop。example。。", "links.shop.example"],
    // What the converter refuses, and where it would end a hostname.
    ...[..." /\\?#@:"].map((each) => [`"${each}" unchanged`, `é${each}shop`, `é${each}shop`]),
    ["digits unchanged", "1.1", "1.1"],
  ])("of hostnames have %s", (_, hostname, canonical) => {
    expect(check(HOSTNAME, hostname)).toEqual([]);
    expect(canonicalValues(z.strictObject(fields), { hostname })).toEqual({ hostname: canonical });
  });

  test("of UUIDs are in lower case, even in answers", () => {
    const id = "ABCDEF00-0000-0000-0000-00000000000F";
    expect(canonicalValues(z.strictObject(fields), { id })).toEqual({ id: id.toLowerCase() });
    expect(parseResponse(z.strictObject(fields), { id, hostname: "X.", name: "X." })).toEqual({
      ok: true,
      value: { id: id.toLowerCase(), hostname: "x", name: "X." },
    });
  });

  test("leave everything else unchanged", () => {
    const unknown = Promise.resolve();
    const values = { id: unknown, hostname: null, name: "ABC", constructor: "X", more: "X" };
    expect(canonicalValues(z.strictObject(fields), values)).toEqual(values);
  });
});

test.each([
  ["bundelId", "bundleId"],
  ["bundle_id", "bundleId"],
  ["BUNDLEID", "bundleId"],
  ["appname", "appName"],
  ["apScheme", "appScheme"],
  // A letter more, and one less.
  ["xappame", "appName"],
  ["appmNe", undefined],
  ["colour", undefined],
  ["a1", undefined],
  ["", undefined],
])("the name nearest to %j is %s", (misspelt, nearest) => {
  expect(nearestName(misspelt, ["appName", "appScheme", "bundleId", "a2"])).toBe(nearest);
});

test("a long name is compared in no time", () => {
  expect(nearestName("x".repeat(100_000), ["x".repeat(100_000)])).toHaveLength(100_000);
});

test.each<[path: readonly (string | number)[], text: string]>([
  [["a", "bc"], "a.bc"],
  [["list", 12, "a"], "list[12].a"],
  [["a.b", "c"], '["a.b"].c'],
  [["tags", 'a"[0]\\'], 'tags["a\\"[0]\\\\"]'],
  [["list", "*"], "list.*"],
  [[], ""],
])("the path %j is written as %s, and read as that", (path, text) => {
  expect(pathText(path)).toBe(text);
  expect(stepsOf(text)).toEqual(path.map(String));
  expect(propertyAt(text)).toBe(String(path[0] ?? ""));
});

test("a path may have any item of a list, and promises have no members", () => {
  expect(stepsOf("list[*].a")).toEqual(["list", "*", "a"]);
  expect(membersOf(Object.assign(Promise.resolve(), { a: 1 }))).toEqual([]);
});

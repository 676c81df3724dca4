/** Generated programs are formatted like handwritten ones, and contain exactly the given values. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { transformSync } from "@swc/core";
import fc from "fast-check";
import { KIND_NAMES, KINDS } from "../../../cli/objects/kinds";
import { code, programSource } from "../../../cli/program/programSource";
import { jsonText } from "../../../cli/terminal/json";
import { unicodeText } from "../../support/values/arbitraries";
import { HOSTILE_NAMES } from "../largeSeed";

test("a program is formatted like a handwritten one, and a formatter leaves it as it is", () => {
  const projectId = code("shop.id");
  const appleInfo = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app", appStoreId: null };
  const options = { import: "0c0c0c0c-0000-4000-8000-000000000001" };
  const source = programSource(
    [
      { kind: "project", name: "shop", variable: "shop", inputs: { name: "Shop" }, options },
      { kind: "application", name: "shop-ios", inputs: { projectId, appType: "IOS", appleInfo } },
      { kind: "application", name: "shop-web", inputs: { projectId, appType: "WEB" } },
    ],
    ["What there is."],
  );
  expect(source).toBe(`// What there is.

import { Application, Project } from "pulumi-dynamiclink";

const shop = new Project(
  "shop",
  {
    name: "Shop",
  },
  { import: "0c0c0c0c-0000-4000-8000-000000000001" },
);

new Application("shop-ios", {
  projectId: shop.id,
  appType: "IOS",
  appleInfo: {
    appName: "Shop",
    appScheme: "shop",
    bundleId: "example.shop.app",
    appStoreId: null,
  },
});

new Application("shop-web", {
  projectId: shop.id,
  appType: "WEB",
});
`);
  const biome = [require.resolve("@biomejs/biome/bin/biome"), "format", "--stdin-file-path=index.ts"];
  const formatting = { cwd: resolve(__dirname, "../../.."), input: source, encoding: "utf8" } as const;
  expect(execFileSync(process.execPath, biome, formatting)).toBe(source);
});

test.each([
  ["쇼핑몰 👍️", '"쇼핑몰 👍️"'],
  ['"\\\n', '"\\"\\\\\\n"'],
  ["\u202eexe", '"\\u202eexe"'],
  ["\u2028\ufeff\u0085\u200d", '"\\u2028\\ufeff\\u0085\\u200d"'],
  ["\u{e0041}", '"\\udb40\\udc41"'],
  ["\ud800", '"\\ud800"'],
  ["$" + "{x} `y`", '"$' + '{x} `y`"'],
])("%j is written %s, in programs and in JSON", (value, expected) => {
  expect(jsonText(value)).toBe(expected);
  expect(JSON.parse(expected)).toBe(value);
});

/** Runs a program that declares resources, and returns their arguments. */
function declaredBy(source: string): unknown[][] {
  const { code: script } = transformSync(source, {
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    module: { type: "commonjs" },
  });
  const declared: unknown[][] = [];
  class Recorder {
    constructor(...args: unknown[]) {
      declared.push(args);
    }
  }
  const classes = Object.fromEntries(KIND_NAMES.map((kind) => [KINDS[kind].type, Recorder]));
  new Function("require", "exports", script)(() => classes, {});
  return declared;
}

test("no text in a program is a command of a CI runner, because discover prints the program", () => {
  const names = ["##vso[task.setvariable variable=a]b", "##[error]", "a ###vso[task.complete]", "# ## #a[0]"];
  const source = programSource(names.map((name) => ({ kind: "project", name, inputs: { name } })));
  expect(source).not.toMatch(/##\w*\[/);
  expect(source).toContain('"# ## #a[0]"');
  expect(declaredBy(source)).toEqual(names.map((name) => [name, { name }]));
});

const graphemes = fc.string({ unit: "grapheme", maxLength: 40 });
const text = fc.oneof(graphemes, unicodeText({ maxLength: 40 }), fc.constantFrom(...HOSTILE_NAMES));
const key = fc.oneof(
  fc.stringMatching(/^[a-z][A-Za-z0-9]{0,12}$/),
  fc.constantFrom("a-b", "1st", "", "쇼핑", 'quo"te', "$", "class", "__proto", "ünï", "42"),
);
const plain = fc.oneof(text, fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 4 }));
const { inputs } = fc.letrec<{ value: unknown; inputs: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, plain, tie("inputs")),
  inputs: fc.dictionary(key, tie("value"), { maxKeys: 5, noNullPrototype: true }),
}));

test("any values are the same in the program", () => {
  const declaration = fc.record({
    kind: fc.constantFrom(...KIND_NAMES),
    name: text,
    variable: fc.constantFrom(undefined, "shop"),
    inputs,
    options: fc.constantFrom<Record<string, unknown>>({}, { import: "uuid" }),
  });
  fc.assert(
    fc.property(declaration, (one) => {
      const source = programSource([one]);
      expect(declaredBy(source)).toEqual([
        [one.name, one.inputs, ...(one.options.import === undefined ? [] : [one.options])],
      ]);
    }),
  );
});

test("a value of an unsupported type is rejected", () => {
  expect(() => programSource([{ kind: "project", name: "shop", inputs: { name: 1 } }])).toThrow(
    "A generated program cannot express 1.",
  );
});

/** Generated programs are formatted as Prettier would format them, whatever they contain. */
import fc from "fast-check";
import type { Plugin } from "prettier";
import * as babel from "prettier/plugins/babel";
import * as estree from "prettier/plugins/estree";
import { format } from "prettier/standalone";
import { KIND_NAMES, KINDS } from "../../../cli/objects/kinds";
import { code, type Declaration, literal, programSource } from "../../../cli/program/programSource";
import { valid } from "../../support/shapeValues";
import { HOSTILE_NAMES } from "../largeSeed";

const TIMEOUT_MS = 300_000;

/** The program with one line per statement, as the input for Prettier. */
function inOneLineEach(declarations: readonly Declaration[]): string {
  const source = (value: unknown): string => {
    if (typeof value === "string") return literal(value);
    if (typeof value !== "object" || value === null) return String(value);
    if (Array.isArray(value)) return `[${value.map(source).join(", ")}]`;
    const [mark] = Object.getOwnPropertySymbols(value);
    if (mark !== undefined) return String(Reflect.get(value, mark));
    const fields = Object.entries(value).flatMap(([name, field]) =>
      field === undefined ? [] : [`${literal(name)}: ${source(field)}`],
    );
    return `{ ${fields.join(", ")} }`;
  };
  return declarations
    .map(({ kind, name, variable, inputs, options = {} }) => {
      const given = Object.values(options).some((option) => option !== undefined);
      const args = [source(name), source(inputs), ...(given ? [source(options)] : [])].join(", ");
      return `${variable ? `const ${variable} = ` : ""}new ${KINDS[kind].description.type}(${args});`;
    })
    .join("\n\n");
}

async function expectLayout(declarations: readonly Declaration[]): Promise<void> {
  const source = programSource(declarations);
  const imports = `${source.split("\n", 1)[0]}\n\n`;
  expect(source).toBe(
    await format(imports + inOneLineEach(declarations), {
      parser: "babel-ts",
      // Its type is a module with printers of any kind, which the type of a plugin does not include.
      plugins: [babel, estree as Plugin],
      printWidth: 110,
    }),
  );
}

/** Words in many scripts, so that the width of a text is not its length. */
const words = fc.constantFrom(
  ..."shop Links Ünïcödé Straße привет Ωμέγα שָׁלוֹם हिन्दी ภาษาไทย مشروع 日本語 プロジェクト ｶﾅ ＦＵＬＬ 쇼핑몰 e\u0301 👩‍👩‍👧 🚀 🇰🇷 ☀️ 1️⃣ ' \" \\ \n \u202e \u0000".split(
    " ",
  ),
);
const longText = fc.array(words, { maxLength: 30 }).map((parts) => parts.join(" "));
const text = fc.oneof(
  longText,
  fc.string({ unit: "grapheme-ascii", maxLength: 120 }),
  fc.constantFrom(...HOSTILE_NAMES),
  // Around the limit, where one column more decides.
  fc.integer({ min: 40, max: 110 }).map((length) => "x".repeat(length)),
);
const scalar = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("shop.id", `${"long".repeat(25)}.id`).map(code),
  fc.array(text, { maxLength: 4 }),
);
const key = fc.oneof(
  fc.stringMatching(/^[a-z][A-Za-z0-9]{0,12}$/),
  fc.constantFrom("a-b", "1st", "", "쇼핑", 'quo"te', "$", "class", "__proto", "ünï", "42"),
);
const { inputs } = fc.letrec<{ value: unknown; inputs: Record<string, unknown> }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, { weight: 3, arbitrary: scalar }, tie("inputs")),
  inputs: fc.dictionary(key, tie("value"), { maxKeys: 5 }),
}));
const declaration = fc.record({
  kind: fc.constantFrom(...KIND_NAMES),
  name: text,
  variable: fc.option(fc.stringMatching(/^[a-z][A-Za-z0-9가-하]{0,100}Shop$/), { nil: undefined }),
  inputs,
  options: fc.oneof(
    fc.constantFrom<Record<string, unknown>>({}, { protect: true }, { parent: undefined }),
    fc.record({
      parent: fc.constant(code("shop")),
      provider: fc.constant(code("europe")),
      protect: fc.boolean(),
    }),
  ),
});

test(
  "any declarations are formatted as Prettier formats them",
  () =>
    fc.assert(fc.asyncProperty(fc.array(declaration, { minLength: 1, maxLength: 5 }), expectLayout), {
      numRuns: 200,
    }),
  TIMEOUT_MS,
);

/**
 * The same values without letters of other scripts. The width of letters in recent scripts differs between versions of
 * Unicode, so the two formatters may disagree on it.
 */
function inKnownScripts<Values extends object>(values: Values): Values {
  const others = /[^\x20-\x7e\u00a1-\u024f\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]/gu;
  return JSON.parse(JSON.stringify(values).replace(others, "é")) as Values;
}

test.each(KIND_NAMES)("any %s is formatted as Prettier formats it", async (kind) => {
  const { description } = KINDS[kind];
  const shapes = Object.entries(description.inputs).map(
    ([name, shape]) => [name, valid(shape, "all")] as const,
  );
  await fc.assert(
    fc.asyncProperty(fc.record(Object.fromEntries(shapes)).map(inKnownScripts), async (inputs) => {
      await expectLayout([{ kind, name: "shop", variable: "shop", inputs, options: { protect: true } }]);
      await expectLayout([{ kind, name: "shop", inputs }]);
    }),
    { numRuns: 50 },
  );
});

test("text of any length around the limit is formatted as Prettier formats it", async () => {
  for (let length = 40; length <= 112; length++) {
    const name = "x".repeat(length);
    const one = { kind: "project", name: "shop", inputs: { name } } as const;
    await expectLayout([
      one,
      { ...one, variable: "shop" },
      { ...one, options: { protect: true } },
      { ...one, name, inputs: {} },
      { ...one, inputs: { info: { appName: name, codes: [name] } } },
    ]);
  }
});

test("a value of an unsupported type is rejected", () => {
  expect(() => programSource([{ kind: "project", name: "shop", inputs: { name: 1 } }])).toThrow(
    "A generated program cannot express 1.",
  );
});

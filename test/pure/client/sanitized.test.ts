/** What messages show of text from outside: its limits, and no form of a key or of a hidden value. */
import fc from "fast-check";
import { hiding, sanitized, sanitizedIn, sanitizerWithout } from "../../../provider/client/sanitized";

test.each([
  ["a".repeat(300), "a".repeat(300)],
  ["😀".repeat(301), `${"😀".repeat(300)}…`],
  ["::group:: and ::x", ": :group:: and ::x"],
  ["a\u200b\u202eb\u0007\u0007 c", "ab c"],
  ["#a ##a ::b", "#a ##a ::b"],
])("the text %j is shown as %j", (text, shown) => {
  expect(sanitized(text)).toBe(shown);
});

test.each([
  ["a/b", "a\\/b a/b a\\u002fb", "*** *** ***"],
  ["ab", "ba a%62", "ba ***"],
])("without the key %j, %j is %j", (key, text, shown) => {
  expect(sanitizerWithout(key)(text)).toBe(shown);
});

test("control characters of a text that people copy become one space", () => {
  expect(sanitizerWithout("key", { whole: true })("a\u0007\u0007b")).toBe("a b");
});

test("every text in a response is changed, and nothing else", () => {
  const value = { a: "x", b: [1, "x", null, { c: "x", d: true }], e: undefined };
  const shown = { a: "x!", b: [1, "x!", null, { c: "x!", d: true }], e: undefined };
  expect(sanitizedIn(value, (text) => `${text}!`)).toStrictEqual(shown);
});

test("a value is replaced as a whole and cut off to four characters, the longest one first", () => {
  const hide = hiding(["hidden", "hidden value", "iOS", "other"]);
  expect(hide("a HIDDEN value, oth… othe… hidden val")).toBe("a ***, oth… ***… *** val");
  expect(hide("hidden valu… and hidden…")).toBe("***… and ***…");
});

test("values are replaced in any letter case, escaped, as hostnames and cut off, but not if they are short", () => {
  const hide = hiding(["Straße.example", 'a "b" c', "iOS", ""]);
  expect(hide("STRAßE.example xn--strae-oqa.example iOS")).toBe("*** *** iOS");
  expect(hide(JSON.stringify({ is: 'a "b" c' }))).toBe('{"is":"***"}');
  expect(hide("begins Straße.ex… and ends")).toBe("begins ***… and ends");
  expect(hide("no value…")).toBe("no value…");
  expect([["iOS"], ["four"]].map((values) => hiding(values)("iOS four"))).toEqual(["iOS four", "iOS ***"]);
});

test.each(["::group::x", "a##[b", "a\u200bb  \ncd", 'née "b"', "half \ud800"])(
  "the value %j is replaced in every form in which a message quotes it",
  (value) => {
    const hide = hiding([value]);
    const json = JSON.stringify(value).slice(1, -1);
    const ascii = json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
    const quoted = [value, json, ascii, encodeURIComponent(value.toWellFormed())];
    // As a message begins with it and contains it, after what is not the key was made sanitized.
    const shown = quoted.flatMap((form) => [form, `the name ${form}.`]).map(sanitizerWithout("another key"));
    expect(shown.map(hide)).toEqual(quoted.flatMap(() => ["***", "the name ***."]));
  },
);

test("a key with spaces is found in text with other white space, and one that ends with a backslash in JSON", () => {
  expect(sanitizerWithout("a  key")("no a  key, no a \n key")).toBe("no ***, no ***");
  expect(sanitizerWithout("key\\")(JSON.stringify("no key\\"))).toBe('"no ***"');
});

test("a text that people copy keeps its length and its spaces, and nothing else that a message must not show", () => {
  const whole = sanitizerWithout("a  key", { whole: true });
  const long = " x  ".repeat(200);
  expect(whole(long)).toBe(long);
  expect(whole("::no a  key\u001b[1m\n\u202e##vso[x]")).toBe(": :no *** [1m # #vso[x]");
});

describe("any key", () => {
  const keys = fc
    .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 8, maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes));

  const hex = (character: string) => Buffer.from(character).toString("hex");
  const percent = (character: string) => `%${hex(character)}`;
  const inJson = (character: string) => JSON.stringify(character).slice(1, -1);
  test.each<[string, readonly ((character: string) => string)[]]>([
    ["percent-encoded", [String, percent, (character) => percent(character).toUpperCase()]],
    ["in JSON", [inJson, (character) => `\\u00${hex(character)}`]],
  ])("is removed with any of its characters %s", (_, escapes) => {
    const choices = fc.infiniteStream(fc.constantFrom(...escapes));
    fc.assert(
      fc.property(keys, choices, (key, each) => {
        const text = [...key].map((character) => each.next().value?.(character)).join("");
        expect(sanitizerWithout(key)(` ${text} `)).toBe("***");
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["repeats its beginning", "aaaaaaaaaaaaaaab", "a"],
    ["has backslashes", "\\\\\\\\\\\\\\x", "\\"],
  ])("that %s is looked for in linear time", (_, key, part) => {
    // Quadratic time would take hours.
    expect(sanitizerWithout(key)(part.repeat(1_000_000))).toHaveLength(301);
  });
});

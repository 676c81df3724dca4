/** What messages show of text from outside: the limits. That no form of a key is shown is tested with the client. */
import {
  newHiddenValues,
  sanitized,
  sanitizedIn,
  sanitizerWithout,
} from "../../../provider/client/sanitized";

test.each([
  ["a".repeat(300), "a".repeat(300)],
  ["a".repeat(301), `${"a".repeat(300)}…`],
  ["::group:: and ::x", ": :group:: and ::x"],
  ["a\u200b\u202eb\u0007\u0007 c", "ab c"],
  ["#a ##a", "#a ##a"],
])("the text %j is shown as %j", (text, shown) => {
  expect(sanitized(text)).toBe(shown);
});

test.each([
  // Three bytes of base64 are the shortest part that is replaced.
  [
    "abc",
    `${Buffer.from("abc").toString("base64")} ${Buffer.from("-abc").toString("base64")}`,
    "*** LWFiYw==",
  ],
  ["a/b", "a\\/b a/b a\\u002fb", "*** *** ***"],
  ["ab", "YWI= a%62", "YWI= ***"],
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

test("a value is hidden as a whole and cut off to four characters, the longest one first", () => {
  const { add, isHidden, sanitized: hide } = newHiddenValues();
  add(["hidden", "hidden value", "iOS", "other"]);
  expect(["hidden", "other", "hid", "iOS", "hidden value x"].map(isHidden)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(hide("a HIDDEN value, oth… othe… hidden val")).toBe("a ***, oth… ***… *** val");
  expect(hide("hidden valu… and hidden…")).toBe("***… and ***…");
});

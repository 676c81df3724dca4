/** Generated programs are formatted like handwritten ones, and contain exactly the given values. */
import { transformSync } from "@swc/core";
import fc from "fast-check";
import { code, literal, programSource } from "../../../cli/program/programSource";
import { HOSTILE_NAMES } from "../largeSeed";

test("a program is formatted like a handwritten one", () => {
  const source = programSource(
    [
      {
        kind: "project",
        name: "shop",
        variable: "shop",
        inputs: { name: "Shop" },
        options: { protect: true },
      },
      {
        kind: "application",
        name: "shop-ios",
        inputs: {
          projectId: code("shop.id"),
          appType: "IOS",
          appleInfo: {
            appName: "Shop",
            appScheme: "shop",
            bundleId: "example.shop.app",
            appStoreId: "1234567890",
          },
        },
      },
      {
        kind: "application",
        name: "shop-web",
        inputs: { projectId: code("shop.id"), appType: "WEB" },
        options: { parent: undefined },
      },
    ],
    { comment: ["What there is."], imports: ["./more.ts"] },
  );
  expect(source).toBe(`// What there is.

import { Application, Project } from "pulumi-dynamiclink";
import "./more.ts";

const shop = new Project("shop", { name: "Shop" }, { protect: true });

new Application("shop-ios", {
  projectId: shop.id,
  appType: "IOS",
  appleInfo: { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app", appStoreId: "1234567890" },
});

new Application("shop-web", { projectId: shop.id, appType: "WEB" });
`);
});

test.each([
  ["쇼핑몰 👩‍👩‍👧", '"쇼핑몰 👩‍👩‍👧"'],
  ['"\\\n', '"\\"\\\\\\n"'],
  ["\u202eexe", '"\\u{202e}exe"'],
  ["\u2028\ufeff\u0085", '"\\u{2028}\\u{feff}\\u{85}"'],
  ["\ud800", '"\\ud800"'],
  ["$" + "{x} `y`", '"$' + '{x} `y`"'],
])("%j is written %s", (value, expected) => {
  expect(literal(value)).toBe(expected);
});

test("any text has the same value in the program", () => {
  const texts = [
    ...HOSTILE_NAMES,
    ...fc.sample(fc.string({ unit: "binary", maxLength: 100 }), 300),
    ...fc.sample(fc.string({ unit: "grapheme", maxLength: 100 }), 100),
  ];
  const source = programSource(
    texts.map((text, index) => ({ kind: "project", name: `${index}${text}`, inputs: { name: text } })),
  );
  const { code: script } = transformSync(source, {
    jsc: { parser: { syntax: "typescript" }, target: "es2023" },
    module: { type: "commonjs" },
  });
  const declared: { name: string; inputs: { name: string } }[] = [];
  class Project {
    constructor(name: string, inputs: { name: string }) {
      declared.push({ name, inputs });
    }
  }
  new Function("require", "exports", script)(() => ({ Project }), {});
  expect(declared).toEqual(texts.map((text, index) => ({ name: `${index}${text}`, inputs: { name: text } })));
});

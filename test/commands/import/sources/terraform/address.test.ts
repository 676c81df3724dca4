/** Addresses in a Terraform state: their notation, and that of provider configurations. */
import fc from "fast-check";
import {
  addressText,
  parseConfiguration,
  parseModuleAddress,
} from "../../../../../cli/import/sources/terraform/address";
import { unicodeText } from "../../../../support/values/text";

const PROVIDER = 'provider["registry.example/platform/dynamiclink"]';

function keyed(key: string | number) {
  return addressText({ modules: [], isData: false, type: "dynamiclink_project", name: "x", key });
}

test.each([
  [0, "[0]"],
  ["0", '["0"]'],
  ["쇼핑 / 😀", '["쇼핑 / 😀"]'],
  ['"\\', '["\\"\\\\"]'],
  // Other spaces, private use, and control characters.
  ["\u00a0\ue000\u001b[31m\u007f", '["\\u00a0\\ue000\\u001b[31m\\u007f"]'],
  ["\n\r\t\u0000\u2028\u{e0001}", '["\\n\\r\\t\\u0000\\u2028\\U000e0001"]'],
  ["$" + "{a} $a %{b}", '["$$' + '{a} $a %%{b}"]'],
])("the key %j is written as %s", (key, text) => {
  expect(keyed(key)).toBe(`dynamiclink_project.x${text}`);
});

test("a data source in modules has both in its address", () => {
  const modules = [{ name: "a", key: "b.c" }, { name: "d" }];
  const address = { modules, isData: true, type: "dynamiclink_project", name: "x" };
  expect(addressText(address)).toBe('module.a["b.c"].module.d.data.dynamiclink_project.x');
});

test("any module address is read as it is written", () => {
  const key = fc.oneof(fc.nat(), unicodeText(), fc.constantFrom('"].module.b["', "\\", "${"));
  const step = fc.record({
    name: fc.stringMatching(/^[a-z_][a-z0-9_-]{0,5}$/),
    key: fc.option(key, { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (modules) => {
      const text = addressText({ modules, isData: false, type: "t", name: "n" }).replace(/\.t\.n$/, "");
      expect(parseModuleAddress(text)).toEqual(modules.map(({ name, key }) => ({ name, key })));
    }),
  );
});

test.each([
  "module",
  "module.",
  "module.a.",
  "module.a[",
  'module.a["b]',
  "module.a[b]",
  "a",
  "module.a b",
  "module.1",
])("%j is no module address", (text) => {
  expect(parseModuleAddress(text)).toBeUndefined();
});

test.each([
  [PROVIDER, ""],
  [`${PROVIDER}.europe`, "europe"],
  [`module.brand.${PROVIDER}`, "module.brand"],
  [`module.brand.module.shop.${PROVIDER}.europe`, "module.brand.module.shop.europe"],
  [`${PROVIDER}.by_region["eu"]`, 'by_region["eu"]'],
  ["provider.dynamiclink", ""],
  ["provider.dynamiclink.europe", "europe"],
  ["something else", "something else"],
])("the provider configuration %j is named %j", (text, name) => {
  expect(parseConfiguration(text)).toBe(name);
});

/** Decoding property values removes the marks and records the secrets. Encoding marks the secrets again. */
import { fromStruct, fromWire, secretTexts, withMarks } from "../../../provider/hosts/plugin/wire";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
function secret(value: unknown) {
  return { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value };
}
function output(fields: object) {
  return { [SIGNATURE]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...fields };
}
function reference(fields: object) {
  return { [SIGNATURE]: "5cf8f73096256a8f31e491e813e4eb8e", ...fields };
}

describe("decoding", () => {
  test.each<[string, unknown, unknown, string[]]>([
    ["null", null, null, []],
    ["an object", { a: [1, { b: true }] }, { a: [1, { b: true }] }, []],
    ["an unknown value", UNKNOWN, UNKNOWN, []],
    ["a secret", secret("Shop"), "Shop", ["it"]],
    ["a secret in a secret", secret({ a: secret("b") }), { a: "b" }, ["it"]],
    ["a secret member", { a: { b: secret("c"), d: "e" } }, { a: { b: "c", d: "e" } }, ["it"]],
    ["secrets in a list", [secret("a"), { b: secret("c") }], ["a", { b: "c" }], ["it"]],
    ["an output", output({ value: "a", dependencies: [] }), "a", []],
    ["a secret output", output({ value: { a: "b" }, secret: true }), { a: "b" }, ["it"]],
    ["an unknown output", output({ secret: true }), UNKNOWN, ["it"]],
    ["a resource", reference({ urn: "urn:a", id: "id" }), "id", []],
    ["a resource that is not created yet", reference({ urn: "urn:a", id: "" }), UNKNOWN, []],
    ["a component", reference({ urn: "urn:a" }), "urn:a", []],
  ])("%s", (_name, value, values, secrets) => {
    expect(fromWire({ it: value })).toEqual({ values: { it: values }, secrets });
  });

  test.each([
    ["an asset", "c44067f5952c0a294b673a41bacd8c17"],
    ["an archive", "0def7320c3a5731c473e5ecbe6d01bc7"],
    ["an unknown mark", "0"],
  ])("%s is rejected", (_name, signature) => {
    expect(() => fromWire({ a: { b: { [SIGNATURE]: signature, text: "c" } } })).toThrow(
      "a must contain only plain values",
    );
  });

  test("a message without properties is decoded to none", () => {
    expect(fromStruct(undefined)).toEqual({ values: {}, secrets: [] });
  });
});

test.each<[string, object, string[], object]>([
  ["marks a secret", { a: "b", c: "d" }, ["a"], { a: secret("b"), c: "d" }],
  ["marks a value once", { a: "b" }, ["a", "a"], { a: secret("b") }],
  ["marks nothing that is absent or null", { a: null }, ["a", "b"], { a: null }],
  ["marks no inherited member", {}, ["toString"], {}],
  ["omits undefined values", { a: undefined, b: { c: undefined } }, [], { b: {} }],
  ["keeps the indices of a list", { a: [undefined, { b: undefined }] }, [], { a: [null, {}] }],
])("encoding %s", (_name, values, secrets, marked) => {
  expect(withMarks({ values: values as Record<string, unknown>, secrets })).toStrictEqual(marked);
});

test("the texts of secrets are those at any depth, except UUIDs", () => {
  const uuid = "0c0c0c0c-0000-4000-8000-000000000001";
  const values = { a: "text", b: { c: ["in a list", 1, null, uuid, { d: "in an object" }] }, e: "shown" };
  const secrets = ["a", "b", "f"];
  expect(secretTexts({ values, secrets })).toEqual(["text", "in a list", "in an object"]);
});

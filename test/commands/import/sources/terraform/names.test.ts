/** Logical names from addresses in a Terraform state: readable, unique, and independent of the order. */
import fc from "fast-check";
import type { TerraformAddress } from "../../../../../cli/import/sources/terraform/address";
import { type Addressed, namesFromAddresses } from "../../../../../cli/import/sources/terraform/names";
import { unicodeText } from "../../../../support/values/text";

function uuidOf(number: number) {
  return `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

function object(number: number, address: Partial<TerraformAddress>, kind = "project"): Addressed {
  const whole = { modules: [], isData: false, type: "dynamiclink_project", name: "x", ...address };
  return { kind, uuid: uuidOf(number), address: whole };
}

function namesOf(...objects: readonly Addressed[]): string[] {
  return [...namesFromAddresses(objects).values()];
}

test.each([
  [{ name: "shop" }, "shop"],
  [{ name: "shop_ios" }, "shop-ios"],
  [{ name: "web", key: 0 }, "web-0"],
  [{ name: "campaign", key: "Summer / 2026" }, "campaign-summer-2026"],
  [{ name: "campaign", key: "쇼핑" }, "campaign-쇼핑"],
  [{ modules: [{ name: "brand", key: "north" }], name: "this" }, "brand-north-this"],
  [{ modules: [{ name: "a" }, { name: "b", key: 1 }], name: "this", key: 2 }, "a-b-1-this-2"],
  [{ name: "_", key: "/" }, "project"],
  [{ name: "x", key: "k".repeat(10_000) }, `x-${"k".repeat(40)}`],
])("%j is named %s", (address, name) => {
  expect(namesOf(object(1, address))).toEqual([name]);
});

test("all objects whose addresses give the same name get a part of their UUIDs", () => {
  expect(
    namesOf(object(1, { name: "web", key: 0 }), object(2, { name: "web_0" }), object(3, { name: "web" })),
  ).toEqual(["web-0-00000001", "web-0-00000002", "web"]);
});

test("objects of different kinds can have the same name", () => {
  expect(namesOf(object(1, {}), object(2, {}, "application"))).toEqual(["x", "x"]);
});

test("a name with a part of a UUID can itself be taken", () => {
  const names = namesOf(
    object(1, { name: "web", key: 0 }),
    object(2, { name: "web_0" }),
    object(3, { name: "web_0_00000001" }),
  );
  expect(names).toEqual([`web-0-${uuidOf(1)}`, "web-0-00000002", "web-0-00000001-00000003"]);
});

test("names are unique and do not depend on the order", () => {
  const key = fc.oneof(fc.nat(3), fc.constantFrom("a", "A", "a-", "/", "00000001"), unicodeText());
  const name = fc.constantFrom("web", "web_0", "web_a", "web_a_00000001");
  fc.assert(
    fc.property(
      fc.array(fc.record({ name, key: fc.option(key, { nil: undefined }) }), { maxLength: 8 }),
      (addresses) => {
        const objects = addresses.map((address, index) => object(index, address));
        const names = namesFromAddresses(objects);
        expect(new Set(names.values()).size).toBe(objects.length);
        const reversed = namesFromAddresses(objects.toReversed());
        for (const one of objects) expect(reversed.get(one)).toBe(names.get(one));
      },
    ),
  );
});

/** The names that `pulumi convert` gives to resources, as its converter derives them. */
import type { TerraformAddress } from "../../../../../cli/import/sources/terraform/address";
import { convertedName, withoutSuffixes } from "../../../../../cli/import/sources/terraform/convertedNames";

function address(
  name: string,
  key?: string | number,
  ...modules: TerraformAddress["modules"]
): TerraformAddress {
  return { modules, isData: false, type: "dynamiclink_project", name, key };
}

test.each<[TerraformAddress, string, string | undefined]>([
  [address("shop_ios"), "shop_ios", undefined],
  [address("web", 0), "web-0", undefined],
  [address("campaign", "Summer / 2026"), "campaign-Summer / 2026", undefined],
  [address("this", undefined, { name: "brand" }), "brand-this", "brand"],
  [address("a_b", "c_d", { name: "my_brand", key: "x_y" }), "myBrand-x_y-a_b-c_d", "myBrand-x_y"],
  [
    address("this", undefined, { name: "outer", key: 1 }, { name: "inner" }),
    "outer-1-inner-this",
    "outer-1-inner",
  ],
  [address("this", undefined, { name: "EU" }), "EU-this", "EU"],
  [address("this", undefined, { name: "Eu_west" }), "euWest-this", "euWest"],
  [address("this", undefined, { name: "_private_part" }), "_privatePart-this", "_privatePart"],
  [address("this", undefined, { name: "zone_1_b" }), "zone1B-this", "zone1B"],
  [address("this", undefined, { name: "last_" }), "last_-this", "last_"],
])("%j is named %s in %s", (one, name, parent) => {
  expect(convertedName(one)).toEqual(parent === undefined ? { name } : { name, parent });
});

test.each([
  [{ name: "brandComponent-north-this", parent: "brandComponent-north" }, "brand-north-this", "brand-north"],
  [{ name: "brandComponent2-this", parent: "brandComponent2" }, "brand-this", "brand"],
  [{ name: "ComponentList-this", parent: "ComponentList" }, "ComponentList-this", "ComponentList"],
])("%j is without suffixes %s in %s", (converted, name, parent) => {
  expect(withoutSuffixes(converted)).toEqual({ name, parent });
});

/** Selecting objects of an organization by name and type. */
import fc from "fast-check";
import { type InventoryFilter, selectedObjects } from "../../../cli/discover/inventoryFilter";
import type { KindName } from "../../../cli/objects/kinds";
import type { Inventory, InventoryObject } from "../../../cli/service/inventory";
import { unicodeText } from "../../support/values/text";

function object(kind: KindName, uuid: string, inputs: Readonly<Record<string, unknown>>): InventoryObject {
  return { kind, uuid, createdAt: "", reading: { uuid, inputs, state: {}, ready: true } };
}

const INVENTORY: Inventory = {
  objects: [
    object("project", "shop", { name: "Shop" }),
    object("project", "eu", { name: "Brands/EU (north) [1]" }),
    object("project", "korea", { name: "쇼핑몰\n테스트" }),
    object("application", "ios", { projectId: "shop", appType: "IOS", appleInfo: { appName: "Shop App" } }),
    object("application", "web", { projectId: "eu", appType: "WEB" }),
    object("application", "orphan", { projectId: "forbidden", appType: "WEB" }),
    object("customDomain", "links", { projectId: "shop", hostname: "links.shop.example" }),
    object("customDomain", "xn", { projectId: "eu", hostname: "xn--0-o44f180c.example" }),
  ],
  undeclarable: [
    object("application", "broken", {
      projectId: "korea",
      appType: "ANDROID",
      androidInfo: { appName: null },
    }),
  ],
  incomplete: new Set(),
  links: new Map(),
  problems: [],
};

/** The UUIDs of what is selected. */
function selected(inventory: Inventory, filter: InventoryFilter): string[] {
  return [...selectedObjects(inventory, filter)].map((key) => key.replace(/^.* /, ""));
}

const ALL = ["shop", "eu", "korea", "ios", "web", "orphan", "links", "xn", "broken"];

test.each<[string, InventoryFilter, string[]]>([
  ["nothing selects everything", {}, ALL],
  ["a project's name selects what is in it", { include: ["shop"] }, ["shop", "ios", "links"]],
  ["a pattern matches whole names", { include: ["sho"] }, []],
  ["* stands for any characters", { include: ["s*"] }, ["shop", "ios", "links"]],
  ["* alone selects everything", { include: ["*"] }, ALL],
  ["* also stands for none", { include: ["*s*hop*"] }, ["shop", "ios", "links"]],
  ["? stands for one character", { include: ["sh?p"] }, ["shop", "ios", "links"]],
  ["? stands for one character of any script", { include: ["쇼?몰*"] }, ["korea", "broken"]],
  [
    "* matches slashes and line breaks",
    { include: ["brands*1]", "*테스트"] },
    ["eu", "korea", "web", "xn", "broken"],
  ],
  ["slashes and brackets stand for themselves", { include: ["brands/eu (north) [1]"] }, ["eu", "web", "xn"]],
  ["brackets are no class", { include: ["[Ss]hop", "Brands/EU (north) 1"] }, []],
  [
    "other special characters stand for themselves",
    { include: ["Sh.p", "^Shop$", "Shop|x", "S{1}hop", "\\Shop"] },
    [],
  ],
  ["an application's name selects it without its project", { include: ["Shop App"] }, ["ios"]],
  [
    "an application is also known by platform and name",
    { include: ["ios shop app", "WEB"] },
    ["ios", "web", "orphan"],
  ],
  ["a host name selects it without its project", { include: ["LINKS.*"] }, ["links"]],
  ["a host name matches in Unicode", { include: ["쇼핑*.example"] }, ["xn"]],
  ["a host name matches in punycode", { include: ["xn--*"] }, ["xn"]],
  ["a decomposed name matches", { include: ["쇼핑몰\n테스트".normalize("NFD")] }, ["korea", "broken"]],
  [
    "exclude leaves out a project with its content",
    { exclude: ["shop", "*몰*"] },
    ["eu", "web", "orphan", "xn"],
  ],
  ["exclude wins", { include: ["shop"], exclude: ["*App", "links*"] }, ["shop"]],
  ["types", { kinds: ["customDomain", "project"] }, ["shop", "eu", "korea", "links", "xn"]],
  ["types and names", { kinds: ["application"], include: ["shop", "brands*"] }, ["ios", "web"]],
])("%s", (_, filter, expected) => {
  expect(selected(INVENTORY, filter)).toEqual(expected);
});

test("any name without wildcards is a pattern for itself", () => {
  fc.assert(
    fc.property(unicodeText(), (text) => {
      const name = text.replaceAll(/[*?]/g, "");
      const objects = [object("project", "one", { name })];
      const inventory = { ...INVENTORY, objects, undeclarable: [] };
      expect(selected(inventory, { include: [name] })).toEqual(["one"]);
      expect(selected(inventory, { include: [`${name}x`] })).toEqual([]);
    }),
  );
});

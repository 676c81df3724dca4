/** Parents and providers, by name and by URN. */
import { referencesIn } from "../../../cli/pulumi/resourceReferences";

function urn(type: string, name: string) {
  return `urn:pulumi:test::p::${type}::${name}`;
}

const PROVIDER = "pulumi:providers:pulumi-nodejs";
const RESOURCES = [
  { urn: urn("acme:index:Team", "team"), type: "acme:index:Team" },
  { urn: urn("acme:index:Team", "twice"), type: "acme:index:Team" },
  { urn: urn("acme:index:Group", "twice"), type: "acme:index:Group" },
  { urn: urn("acme:index:Team", "eu"), type: "acme:index:Team" },
  { urn: urn(PROVIDER, "eu"), type: PROVIDER },
];
const NATIVE = "pulumi:providers:dynamiclink";
const TEAM = urn("acme:index:Team", "eu");

type Call = readonly [role: "parent" | "provider", given: string, name: string];
type Places = Partial<Parameters<typeof referencesIn>[0]>;

test.each<[string, Call[], Record<string, string>, Places?]>([
  ["an entry", [["parent", "shop", "shop"]], {}],
  ["a parent in the stack", [["parent", "team", "team"]], { team: urn("acme:index:Team", "team") }],
  ["a parent with the name of a provider", [["parent", "eu", "eu"]], { eu: TEAM }],
  ["a provider with the name of a parent", [["provider", "eu", "eu"]], { eu: urn(PROVIDER, "eu") }],
  ["a URN", [["provider", urn(PROVIDER, "us"), "us"]], { us: urn(PROVIDER, "us") }],
  [
    "a URN with the name of an entry",
    [["parent", urn("acme:index:Team", "shop"), "shop2"]],
    { shop2: urn("acme:index:Team", "shop") },
  ],
  [
    "two resources with the same name, each named once",
    [
      ["parent", TEAM, "eu"],
      ["provider", urn(PROVIDER, "eu"), "eu2"],
      ["provider", "eu", "eu2"],
    ],
    { eu: TEAM, eu2: urn(PROVIDER, "eu") },
  ],
  [
    "a provider of the stack with the name of an entry",
    [
      ["provider", "eu", "eu2"],
      ["parent", "eu", "eu"],
    ],
    { eu2: urn(PROVIDER, "eu") },
    { entries: ["eu"] },
  ],
  [
    "a provider with the name of an entry that can get another one",
    [["provider", "eu", "eu"]],
    { eu: urn(PROVIDER, "eu") },
    { entries: ["eu"], reserved: [] },
  ],
  [
    "a name that cannot be a variable",
    [["parent", urn("acme:index:Team", "1st team/x"), "project1stTeamX"]],
    { project1stTeamX: urn("acme:index:Team", "1st team/x") },
  ],
])("%s has a name in the import file", (_, calls, nameTable, places = {}) => {
  const references = referencesIn({ resources: RESOURCES, entries: ["shop"], ...places });
  for (const [role, given, name] of calls) expect(references.nameFor(role, given)).toBe(name);
  expect(references.nameTable).toEqual(nameTable);
});

test.each([PROVIDER, NATIVE])("of two providers with the same name, that of %s is used", (providerType) => {
  const references = referencesIn({ resources: [...RESOURCES, { urn: urn(NATIVE, "eu"), type: NATIVE }] });
  references.nameFor("provider", "eu", { providerType });
  expect(references.nameTable).toEqual({ eu: urn(providerType, "eu") });
});

test.each<[string, "parent" | "provider", string, RegExp, Places?]>([
  ["a name of two resources", "parent", "twice", /more than one resource twice/],
  ["no resource", "parent", "absent", /The stack has no parent absent/],
  ["no provider", "provider", "team", /The stack has no provider team/],
  ["a name without a stack", "parent", "team", /Without a stack/, { resources: undefined }],
])("%s is rejected", (_, role, given, message, places = {}) => {
  expect(() => referencesIn({ resources: RESOURCES, ...places }).nameFor(role, given)).toThrow(message);
});

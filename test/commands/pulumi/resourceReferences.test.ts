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
const places = { resources: RESOURCES, entries: ["shop"], providers: [], nameTable: {} };

test.each([
  ["parent", "shop", "shop", {}],
  ["parent", "team", "team", { team: urn("acme:index:Team", "team") }],
  ["parent", "eu", "eu", { eu: urn("acme:index:Team", "eu") }],
  ["provider", "eu", "eu", { eu: urn(PROVIDER, "eu") }],
  ["provider", urn(PROVIDER, "us"), "us", { us: urn(PROVIDER, "us") }],
  // An entry already has the name.
  ["parent", urn("acme:index:Team", "shop"), "shop2", { shop2: urn("acme:index:Team", "shop") }],
] as const)("the name for %s %s is %s", (role, given, name, nameTable) => {
  const references = referencesIn(places);
  expect(references.nameFor(role, given)).toBe(name);
  expect(references.nameTable).toEqual(nameTable);
});

test("two resources with the same name get different names", () => {
  const references = referencesIn(places);
  references.nameFor("parent", urn("acme:index:Team", "eu"));
  expect(references.nameFor("provider", urn(PROVIDER, "eu"))).toBe("eu2");
  expect(references.nameFor("provider", urn(PROVIDER, "eu"))).toBe("eu2");
});

test("a provider of the stack is found although a resource of the import has its name", () => {
  const references = referencesIn({ ...places, entries: ["eu"] });
  expect(references.nameFor("provider", "eu")).toBe("eu2");
  expect(references.nameFor("parent", "eu")).toBe("eu");
  expect(references.nameTable).toEqual({ eu2: urn(PROVIDER, "eu") });
});

test("a provider keeps its name if the entry of that name can get another one", () => {
  const references = referencesIn({ ...places, entries: ["eu"], reserved: [] });
  expect(references.nameFor("provider", "eu")).toBe("eu");
});

test("a provider is found although a parent has its name", () => {
  const references = referencesIn(places);
  expect([references.nameFor("parent", "eu"), references.nameFor("provider", "eu")]).toEqual(["eu", "eu2"]);
});

test("a name that cannot be a variable is converted to one", () => {
  const references = referencesIn(places);
  expect(references.nameFor("parent", urn("acme:index:Team", "1st team/x"))).toBe("project1stTeamX");
});

test("of two providers with the same name, the one of the host's package is used", () => {
  const native = "pulumi:providers:dynamiclink";
  const both = [...RESOURCES, { urn: urn(native, "eu"), type: native }];
  for (const providerType of [PROVIDER, native]) {
    const references = referencesIn({ ...places, resources: both });
    references.nameFor("provider", "eu", { providerType });
    expect(references.nameTable).toEqual({ eu: urn(providerType, "eu") });
  }
});

test.each([
  ["parent", "twice", /more than one resource twice/],
  ["parent", "absent", /The stack has no parent absent/],
  ["provider", "team", /The stack has no provider team/],
] as const)("%s %s is rejected", (role, given, message) => {
  expect(() => referencesIn(places).nameFor(role, given)).toThrow(message);
});

test("without a stack, only URNs are accepted", () => {
  expect(() => referencesIn({ ...places, resources: undefined }).nameFor("parent", "team")).toThrow(
    "Without a stack",
  );
});

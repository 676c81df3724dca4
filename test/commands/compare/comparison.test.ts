/** Comparing an organization with stacks: what counts as managed, unmanaged, managed more than once and missing. */
import { type ComparisonOptions, comparisonOf, isDifferent } from "../../../cli/compare/comparison";
import { identityKey } from "../../../cli/objects/identity";
import { KIND_NAMES, type KindName } from "../../../cli/objects/kinds";
import type { ManagedObject } from "../../../cli/pulumi/stackState";
import { type Inventory, type InventoryObject, objectsOf } from "../../../cli/service/inventory";
import { ORGANIZATION, OTHER_ORGANIZATION } from "../../support/values/organizations";

/** An object of the service: its kind, and the last digit of its UUID. */
type Short = `${KindName} ${string}`;

function split(short: Short): { readonly kind: KindName; readonly uuid: string } {
  const [kind, last = ""] = short.split(" ") as [KindName, string];
  return { kind, uuid: `0c0c0c0c-0000-4000-8000-00000000000${last}` };
}

function object(short: Short, lifecycle?: string): InventoryObject {
  const { kind, uuid } = split(short);
  const reading = { uuid, inputs: {}, state: {}, ready: true, ...(lifecycle !== undefined && { lifecycle }) };
  return { kind, uuid, createdAt: `2024-01-0${9 - Number(uuid.at(-1))}T00:00:00Z`, reading };
}

function estate(objects: readonly InventoryObject[], more: Partial<Inventory> = {}): Inventory {
  return {
    objects: KIND_NAMES.flatMap((kind) => objects.filter((one) => one.kind === kind)),
    undeclarable: [],
    incomplete: new Set(),
    links: new Map(),
    problems: [],
    ...more,
  };
}

/** A stack with resources such as `project 1`, or `project 1 = name` for a certain URN. */
function stack(name: string, ...resources: readonly string[]) {
  return {
    name,
    outputs: new Map(),
    objects: resources.map((text): ManagedObject => {
      const [short = "", urn = short] = text.split(" = ");
      return { ...split(short as Short), urn: `${name}::${urn}` };
    }),
  };
}

function compare(
  found: Inventory,
  states: ReturnType<typeof stack>[],
  options: Partial<ComparisonOptions> = {},
) {
  const selected = new Set(objectsOf(found).map(identityKey));
  const all = { organizationId: ORGANIZATION, states, isWhole: true, selected };
  const comparison = comparisonOf(found, { ...all, ...options });
  const short = ({ kind, uuid }: ReturnType<typeof split>) => `${kind} ${uuid.at(-1)}`;
  return {
    ...comparison,
    unmanaged: comparison.unmanaged.map(short),
    duplicates: comparison.duplicates.map((one) => `${short(one)}: ${one.urns.join(", ")}`),
    missing: comparison.missing.map(({ urn }) => urn),
    notCompared: comparison.notCompared.map(({ urn }) => urn),
    isDifferent: isDifferent(comparison),
  };
}

test("an organization that stacks manage completely, each object once, has no difference", () => {
  expect(
    compare(estate([object("project 1"), object("application 2")]), [
      stack("b", "application 2"),
      stack("a", "project 1"),
    ]),
  ).toEqual({
    stacks: ["a", "b"],
    total: 2,
    managed: 2,
    unmanaged: [],
    duplicates: [],
    missing: [],
    notCompared: [],
    inOtherOrganizations: 0,
    isDifferent: false,
  });
});

test("what no stack manages is listed by kind, and then from the oldest", () => {
  const found = estate(
    [object("customDomain 1"), object("application 1"), object("application 2"), object("project 1")],
    { undeclarable: [object("application 3")] },
  );
  expect(compare(found, [stack("a", "project 1")])).toMatchObject({
    total: 5,
    managed: 1,
    unmanaged: ["application 3", "application 2", "application 1", "customDomain 1"],
    isDifferent: true,
  });
});

test("an object that two resources manage is listed with both, whether of two stacks or of one", () => {
  const found = estate([object("project 1"), object("project 2")]);
  const states = [stack("b", "project 1", "project 2"), stack("a", "project 1 = x", "project 2 = y")];
  expect(compare(found, states)).toMatchObject({
    managed: 2,
    duplicates: ["project 1: a::x, b::project 1", "project 2: a::y, b::project 2"],
    isDifferent: true,
  });
  expect(compare(found, [stack("a", "project 1", "project 2 = y", "project 1 = x")]).duplicates).toEqual([
    "project 1: a::project 1, a::x",
  ]);
});

test("a stack that is given twice counts once", () => {
  const found = estate([object("project 1")]);
  expect(compare(found, [stack("a", "project 1"), stack("a", "project 1")])).toMatchObject({
    stacks: ["a"],
    duplicates: [],
    isDifferent: false,
  });
});

test("what the service does not have is missing, once for each resource", () => {
  const states = [stack("a", "project 1", "project 3"), stack("b", "project 3")];
  expect(compare(estate([object("project 1")]), states)).toMatchObject({
    total: 1,
    managed: 1,
    duplicates: ["project 3: a::project 3, b::project 3"],
    missing: ["a::project 3", "b::project 3"],
    isDifferent: true,
  });
});

test("an object of one kind does not cover one of another kind with the same UUID", () => {
  expect(compare(estate([object("project 1")]), [stack("a", "application 1")])).toMatchObject({
    unmanaged: ["project 1"],
    missing: ["a::application 1"],
  });
});

test("objects of a kind that could not be read completely are not missing", () => {
  const found = estate([object("project 1")], { incomplete: new Set(["application"]) });
  expect(compare(found, [stack("a", "project 1", "application 1", "customDomain 1")])).toMatchObject({
    missing: ["a::customDomain 1"],
    notCompared: ["a::application 1"],
  });
});

test("a custom domain that is being deleted is neither unmanaged nor missing", () => {
  const found = estate([], { undeclarable: [object("customDomain 1", "DELETING")] });
  const nothing = { total: 0, unmanaged: [], missing: [], isDifferent: false };
  expect(compare(found, [stack("a")])).toMatchObject(nothing);
  expect(compare(found, [stack("a", "customDomain 1")])).toMatchObject({ ...nothing, managed: 0 });
});

test("objects of other organizations are only counted", () => {
  const states = [stack("a", "project 1", "project 2")];
  const [first, second] = states[0]?.objects ?? [];
  const owned = [
    {
      ...stack("a"),
      objects: [
        { ...(first as ManagedObject), organizationId: OTHER_ORGANIZATION },
        { ...(second as ManagedObject), organizationId: ORGANIZATION },
      ],
    },
  ];
  expect(compare(estate([object("project 2")]), owned)).toMatchObject({
    managed: 1,
    missing: [],
    inOtherOrganizations: 1,
    isDifferent: false,
  });
});

test("in a part of the organization, what it does not contain is ignored", () => {
  const states = [stack("a", "project 1", "project 2", "project 2 = again", "project 3")];
  expect(compare(estate([object("project 1")]), states, { isWhole: false })).toMatchObject({
    managed: 1,
    duplicates: [],
    missing: [],
    isDifferent: false,
  });
});

test("every kind is compared", () => {
  const objects = KIND_NAMES.map((kind) => object(`${kind} 1`));
  expect(compare(estate(objects), []).unmanaged).toEqual(KIND_NAMES.map((kind) => `${kind} 1`));
});

test("only the selected objects are compared, and what is missing by its kind", () => {
  const found = estate([object("project 1"), object("project 2"), object("application 3")]);
  const states = [stack("a", "project 1", "project 8", "application 9"), stack("b", "project 1 = other")];
  const { total, unmanaged, duplicates, missing } = compare(found, states, {
    selected: new Set(["project 0c0c0c0c-0000-4000-8000-000000000002"]),
    kinds: ["project"],
  });
  expect({ total, unmanaged, duplicates, missing }).toEqual({
    total: 1,
    unmanaged: ["project 2"],
    duplicates: [],
    missing: ["a::project 8"],
  });
});

/** Comparing an organization with stacks: what counts as managed, unmanaged, managed more than once and missing. */
import { comparisonOf, isDifferent, type StackState } from "../../../cli/compare/comparison";
import { KIND_NAMES, type KindName } from "../../../cli/objects/kinds";
import type { StackObject } from "../../../cli/pulumi/state";
import { type Inventory, type InventoryObject, sorted } from "../../../cli/service/inventory";
import { ORGANIZATION, OTHER_ORGANIZATION } from "../../support/values/organizations";

/** The kind of an object and the last digit of its UUID, such as `project 1`. Higher digits are older. */
type Short = `${KindName} ${string}`;

function identity(short: Short): { readonly kind: KindName; readonly uuid: string } {
  const [kind, last = ""] = short.split(" ") as [KindName, string];
  return { kind, uuid: `0c0c0c0c-0000-4000-8000-00000000000${last}` };
}

function object(short: Short): InventoryObject {
  const { kind, uuid } = identity(short);
  const reading = { uuid, inputs: {}, state: {}, ready: true };
  return { kind, uuid, createdAt: `2024-01-0${9 - Number(uuid.at(-1))}T00:00:00Z`, reading };
}

function organization(objects: readonly Short[], more: Partial<Inventory> = {}): Inventory {
  return { objects: sorted(objects.map(object)), incomplete: new Set(), problems: [], ...more };
}

/** A stack with resources such as `project 1`, or `project 1 = name` for a certain URN. */
function stack(name: string, ...resources: readonly string[]): StackState {
  const objects = resources.map((text): StackObject => {
    const [short = "", urn = short] = text.split(" = ");
    return {
      ...identity(short as Short),
      name: urn,
      urn: `${name}::${urn}`,
      isManaged: !urn.startsWith("read"),
    };
  });
  return { name, objects };
}

/** The same as resources of an organization. */
function ofOrganization(organizationId: string, state: StackState): StackState {
  return { ...state, objects: state.objects.map((one) => ({ ...one, organizationId })) };
}

const DELETING = organization([], {
  objects: [
    { ...object("customDomain 1"), reading: { ...object("customDomain 1").reading, lifecycle: "DELETING" } },
  ],
});

test.each<[string, Inventory, StackState[], object, (readonly string[])?]>([
  [
    "an organization that stacks manage completely, each object once, has no difference",
    organization(["project 1", "application 2"]),
    [stack("b", "application 2"), stack("a", "project 1")],
    { stacks: ["a", "b"], total: 2 },
  ],
  [
    "what no stack manages is listed by kind, and then from the oldest",
    organization(["customDomain 1", "application 1", "application 2", "project 1", "application 3"]),
    [stack("a", "project 1")],
    {
      ...{ total: 5, isDifferent: true },
      unmanaged: ["application 3", "application 2", "application 1", "customDomain 1"],
    },
  ],
  [
    "an object that resources of two stacks manage is listed with both",
    organization(["project 1", "project 2"]),
    [stack("b", "project 1", "project 2"), stack("a", "project 1 = x", "project 2 = y")],
    {
      ...{ stacks: ["a", "b"], total: 2, isDifferent: true },
      duplicates: ["project 1: a::x, b::project 1", "project 2: a::y, b::project 2"],
    },
  ],
  [
    "so is one that two resources of one stack manage",
    organization(["project 1", "project 2"]),
    [stack("a", "project 1", "project 2 = y", "project 1 = x")],
    { total: 2, duplicates: ["project 1: a::project 1, a::x"], isDifferent: true },
  ],
  [
    "so are those of stacks of two backends with the same project and name",
    organization(["project 1"]),
    [stack("a", "project 1"), stack("a", "project 1")],
    {
      ...{ stacks: ["a", "a"], total: 1, isDifferent: true },
      duplicates: ["project 1: a::project 1, a::project 1"],
    },
  ],
  [
    "what the service does not have is missing, once for each resource",
    organization(["project 1"]),
    [stack("a", "project 1", "project 3"), stack("b", "project 3")],
    {
      ...{ stacks: ["a", "b"], total: 1, isDifferent: true },
      duplicates: ["project 3: a::project 3, b::project 3"],
      missing: ["a::project 3", "b::project 3"],
    },
  ],
  [
    "an object of one kind does not cover one of another kind with the same UUID",
    organization(["project 1"]),
    [stack("a", "application 1")],
    { total: 1, unmanaged: ["project 1"], missing: ["a::application 1"], isDifferent: true },
  ],
  [
    "objects of a kind that could not be read completely are not missing",
    organization(["project 1"], { incomplete: new Set(["application"]) }),
    [stack("a", "project 1", "application 1", "customDomain 1")],
    {
      ...{ total: 1, isDifferent: true },
      missing: ["a::customDomain 1"],
      notCompared: ["a::application 1"],
    },
  ],
  ["a custom domain that is being deleted is not unmanaged", DELETING, [stack("a")], {}],
  ["nor is it missing", DELETING, [stack("a", "customDomain 1")], {}],
  [
    "objects of other organizations are only counted",
    organization(["project 2"]),
    [
      ofOrganization(OTHER_ORGANIZATION, stack("a", "project 1")),
      ofOrganization(ORGANIZATION, stack("b", "project 2")),
    ],
    { stacks: ["a", "b"], total: 1, inOtherOrganizations: 1 },
  ],
  [
    "what a stack only reads is not managed",
    organization(["project 1"]),
    [stack("a", "project 1 = read", "project 2 = read")],
    { total: 1, unmanaged: ["project 1"], isDifferent: true },
  ],
  [
    "every kind is compared",
    organization(KIND_NAMES.map((kind) => `${kind} 1` as const)),
    [],
    {
      ...{ stacks: [], total: KIND_NAMES.length, isDifferent: true },
      unmanaged: KIND_NAMES.map((kind) => `${kind} 1`),
    },
  ],
  [
    "objects that are unmanaged on purpose are ignored",
    organization(["project 1", "project 2"]),
    [stack("a")],
    { total: 2, unmanaged: ["project 1"], isDifferent: true },
    [identity("project 2").uuid],
  ],
])("%s", (_, found, states, expected, ignored = []) => {
  const comparison = comparisonOf(found, { organizationId: ORGANIZATION, states, ignored });
  const short = ({ kind, uuid }: ReturnType<typeof identity>) => `${kind} ${uuid.at(-1)}`;
  const nothing = { unmanaged: [], duplicates: [], missing: [], notCompared: [], inOtherOrganizations: 0 };
  expect({
    ...comparison,
    unmanaged: comparison.unmanaged.map(short),
    duplicates: comparison.duplicates.map((one) => `${short(one)}: ${one.urns.join(", ")}`),
    missing: comparison.missing.map(({ urn }) => urn),
    notCompared: comparison.notCompared.map(({ urn }) => urn),
    isDifferent: isDifferent(comparison),
  }).toEqual({ stacks: ["a"], total: 0, ...nothing, isDifferent: false, ...expected });
});

/** Comparing an organization with stacks: what counts as managed, unmanaged, managed more than once and missing. */
import { type ComparisonOptions, comparisonOf, isDifferent } from "../../../cli/compare/comparison";
import { identityKey } from "../../../cli/objects/identity";
import { KIND_NAMES, type KindName } from "../../../cli/objects/kinds";
import type { ManagedObject, StackState } from "../../../cli/pulumi/stackState";
import { type Inventory, type InventoryObject, objectsOf } from "../../../cli/service/inventory";
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

function estate(objects: readonly Short[], more: Partial<Inventory> = {}): Inventory {
  const found = KIND_NAMES.flatMap((kind) => objects.map(object).filter((one) => one.kind === kind));
  const nothing = { undeclarable: [], incomplete: new Set<KindName>(), links: new Map(), problems: [] };
  return { objects: found, ...nothing, ...more };
}

/** A stack with resources such as `project 1`, or `project 1 = name` for a certain URN. */
function stack(name: string, ...resources: readonly string[]): StackState {
  const objects = resources.map((text): ManagedObject => {
    const [short = "", urn = short] = text.split(" = ");
    return { ...identity(short as Short), urn: `${name}::${urn}` };
  });
  return { name, outputs: new Map(), objects };
}

/** The same as resources of an organization. */
function ofOrganization(organizationId: string, state: StackState): StackState {
  return { ...state, objects: state.objects.map((one) => ({ ...one, organizationId })) };
}

const DELETING = estate([], {
  undeclarable: [
    { ...object("customDomain 1"), reading: { ...object("customDomain 1").reading, lifecycle: "DELETING" } },
  ],
});

test.each<[string, Inventory, StackState[], object, Partial<ComparisonOptions>?]>([
  [
    "an organization that stacks manage completely, each object once, has no difference",
    estate(["project 1", "application 2"]),
    [stack("b", "application 2"), stack("a", "project 1")],
    { stacks: ["a", "b"], total: 2, managed: 2 },
  ],
  [
    "what no stack manages is listed by kind, and then from the oldest",
    estate(["customDomain 1", "application 1", "application 2", "project 1"], {
      undeclarable: [object("application 3")],
    }),
    [stack("a", "project 1")],
    {
      ...{ total: 5, managed: 1, isDifferent: true },
      unmanaged: ["application 3", "application 2", "application 1", "customDomain 1"],
    },
  ],
  [
    "an object that resources of two stacks manage is listed with both",
    estate(["project 1", "project 2"]),
    [stack("b", "project 1", "project 2"), stack("a", "project 1 = x", "project 2 = y")],
    {
      ...{ stacks: ["a", "b"], total: 2, managed: 2, isDifferent: true },
      duplicates: ["project 1: a::x, b::project 1", "project 2: a::y, b::project 2"],
    },
  ],
  [
    "so is one that two resources of one stack manage",
    estate(["project 1", "project 2"]),
    [stack("a", "project 1", "project 2 = y", "project 1 = x")],
    { total: 2, managed: 2, duplicates: ["project 1: a::project 1, a::x"], isDifferent: true },
  ],
  [
    "a stack that is given twice counts once",
    estate(["project 1"]),
    [stack("a", "project 1"), stack("a", "project 1")],
    { total: 1, managed: 1 },
  ],
  [
    "what the service does not have is missing, once for each resource",
    estate(["project 1"]),
    [stack("a", "project 1", "project 3"), stack("b", "project 3")],
    {
      ...{ stacks: ["a", "b"], total: 1, managed: 1, isDifferent: true },
      duplicates: ["project 3: a::project 3, b::project 3"],
      missing: ["a::project 3", "b::project 3"],
    },
  ],
  [
    "an object of one kind does not cover one of another kind with the same UUID",
    estate(["project 1"]),
    [stack("a", "application 1")],
    { total: 1, unmanaged: ["project 1"], missing: ["a::application 1"], isDifferent: true },
  ],
  [
    "objects of a kind that could not be read completely are not missing",
    estate(["project 1"], { incomplete: new Set(["application"]) }),
    [stack("a", "project 1", "application 1", "customDomain 1")],
    {
      ...{ total: 1, managed: 1, isDifferent: true },
      missing: ["a::customDomain 1"],
      notCompared: ["a::application 1"],
    },
  ],
  ["a custom domain that is being deleted is not unmanaged", DELETING, [stack("a")], {}],
  ["nor is it missing", DELETING, [stack("a", "customDomain 1")], {}],
  [
    "objects of other organizations are only counted",
    estate(["project 2"]),
    [
      ofOrganization(OTHER_ORGANIZATION, stack("a", "project 1")),
      ofOrganization(ORGANIZATION, stack("a", "project 2")),
    ],
    { total: 1, managed: 1, inOtherOrganizations: 1 },
  ],
  [
    "in a part of the organization, what it does not contain is ignored",
    estate(["project 1"]),
    [stack("a", "project 1", "project 2", "project 2 = again", "project 3")],
    { total: 1, managed: 1 },
    { isWhole: false },
  ],
  [
    "every kind is compared",
    estate(KIND_NAMES.map((kind) => `${kind} 1` as const)),
    [],
    {
      ...{ stacks: [], total: KIND_NAMES.length, isDifferent: true },
      unmanaged: KIND_NAMES.map((kind) => `${kind} 1`),
    },
  ],
  [
    "only the selected objects are compared, and what is missing by its kind",
    estate(["project 1", "project 2", "application 3"]),
    [stack("a", "project 1", "project 8", "application 9"), stack("b", "project 1 = other")],
    {
      ...{ stacks: ["a", "b"], total: 1, isDifferent: true },
      unmanaged: ["project 2"],
      missing: ["a::project 8"],
    },
    { selected: new Set([identityKey(identity("project 2"))]), kinds: ["project"] },
  ],
])("%s", (_, found, states, expected, options = {}) => {
  const selected = new Set(objectsOf(found).map(identityKey));
  const all = { organizationId: ORGANIZATION, states, isWhole: true, selected };
  const comparison = comparisonOf(found, { ...all, ...options });
  const short = ({ kind, uuid }: ReturnType<typeof identity>) => `${kind} ${uuid.at(-1)}`;
  const nothing = { unmanaged: [], duplicates: [], missing: [], notCompared: [], inOtherOrganizations: 0 };
  expect({
    ...comparison,
    unmanaged: comparison.unmanaged.map(short),
    duplicates: comparison.duplicates.map((one) => `${short(one)}: ${one.urns.join(", ")}`),
    missing: comparison.missing.map(({ urn }) => urn),
    notCompared: comparison.notCompared.map(({ urn }) => urn),
    isDifferent: isDifferent(comparison),
  }).toEqual({ stacks: ["a"], total: 0, managed: 0, ...nothing, isDifferent: false, ...expected });
});

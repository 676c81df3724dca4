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

function organization(...objects: readonly Short[]): Inventory {
  return { objects: sorted(objects.map(object)), incomplete: new Set(), problems: [] };
}

/** A stack with resources such as `project 1`, or `project 1 = name` for a certain URN. */
function stack(name: string, ...resources: readonly string[]): StackState {
  const objects = resources.map((text): StackObject => {
    const [short = "", urn = short] = text.split(" = ");
    const isManaged = !urn.startsWith("read");
    return { ...identity(short as Short), name: urn, urn: `${name}::${urn}`, isManaged };
  });
  return { name, objects };
}

/** The same as resources of an organization. */
function ofOrganization(organizationId: string, state: StackState): StackState {
  return { ...state, objects: state.objects.map((one) => ({ ...one, organizationId })) };
}

const DELETING = (["customDomain 1", "customDomain 2"] as const).map((short) => {
  const { reading, ...domain } = object(short);
  return { ...domain, reading: { ...reading, lifecycle: "DELETING" } };
});

test.each<[string, Inventory, StackState[], string, (readonly string[])?]>([
  [
    "an organization that stacks manage completely, each object once, has no difference",
    organization("project 1", "application 2"),
    [stack("b", "application 2"), stack("a", "project 1")],
    "2 and stacks a, b: equal",
  ],
  [
    "what no stack manages is listed by kind, and then from the oldest",
    organization("customDomain 1", "application 1", "application 2", "project 1", "application 3"),
    [stack("a", "project 1")],
    "5 and stacks a: different; unmanaged application 3, application 2, application 1, customDomain 1",
  ],
  [
    "an object that resources of two stacks manage is listed with both",
    organization("project 1", "project 2"),
    [stack("b", "project 1", "project 2"), stack("a", "project 1 = x", "project 2 = y")],
    "2 and stacks a, b: different; duplicates project 1 (a::x b::project 1), project 2 (a::y b::project 2)",
  ],
  [
    "so is one that two resources of one stack manage",
    organization("project 1", "project 2"),
    [stack("a", "project 1", "project 2 = y", "project 1 = x")],
    "2 and stacks a: different; duplicates project 1 (a::project 1 a::x)",
  ],
  [
    "so are those of stacks of two backends with the same project and name",
    organization("project 1"),
    [stack("a", "project 1"), stack("a", "project 1")],
    "1 and stacks a, a: different; duplicates project 1 (a::project 1 a::project 1)",
  ],
  [
    "what the service does not have is missing, once for each resource",
    organization("project 1"),
    [stack("a", "project 1", "project 3"), stack("b", "project 3")],
    "1 and stacks a, b: different; duplicates project 3 (a::project 3 b::project 3); missing a::project 3, b::project 3",
  ],
  [
    "an object of one kind does not cover one of another kind with the same UUID",
    organization("project 1"),
    [stack("a", "application 1")],
    "1 and stacks a: different; unmanaged project 1; missing a::application 1",
  ],
  [
    "objects of a kind that could not be read completely are not missing",
    { ...organization("project 1"), incomplete: new Set(["application"]) },
    [stack("a", "project 1", "application 1", "customDomain 1")],
    "1 and stacks a: different; missing a::customDomain 1; notCompared a::application 1",
  ],
  [
    "a custom domain that is being deleted is neither unmanaged nor missing",
    { ...organization(), objects: DELETING },
    [stack("a", "customDomain 1")],
    "0 and stacks a: equal",
  ],
  [
    "objects of other organizations are only counted",
    organization("project 2"),
    [
      ofOrganization(OTHER_ORGANIZATION, stack("a", "project 1")),
      ofOrganization(ORGANIZATION, stack("b", "project 2")),
    ],
    "1 and stacks a, b: equal; inOtherOrganizations 1",
  ],
  [
    "what a stack only reads is not managed",
    organization("project 1"),
    [stack("a", "project 1 = read", "project 2 = read")],
    "1 and stacks a: different; unmanaged project 1",
  ],
  [
    "every kind is compared",
    organization(...KIND_NAMES.map((kind) => `${kind} 1` as const)),
    [],
    `${KIND_NAMES.length} and stacks : different; unmanaged ${KIND_NAMES.map((kind) => `${kind} 1`).join(", ")}`,
  ],
  [
    "objects that are unmanaged on purpose are ignored",
    organization("project 1", "project 2"),
    [stack("a")],
    "2 and stacks a: different; unmanaged project 1",
    [identity("project 2").uuid],
  ],
])("%s", (_, found, states, expected, ignored = []) => {
  const comparison = comparisonOf(found, { organizationId: ORGANIZATION, states, ignored });
  const short = ({ kind, uuid }: ReturnType<typeof identity>) => `${kind} ${uuid.at(-1)}`;
  const { stacks, total, ...groups } = {
    ...comparison,
    unmanaged: comparison.unmanaged.map(short),
    duplicates: comparison.duplicates.map((one) => `${short(one)} (${one.urns.join(" ")})`),
    missing: comparison.missing.map(({ urn }) => urn),
    notCompared: comparison.notCompared.map(({ urn }) => urn),
  };
  const listed = Object.entries(groups)
    .map(([name, group]) => [name, Array.isArray(group) ? group.join(", ") : group || ""])
    .filter(([, group]) => group !== "")
    .map((pair) => `; ${pair.join(" ")}`);
  const result = isDifferent(comparison) ? "different" : "equal";
  expect(`${total} and stacks ${stacks.join(", ")}: ${result}${listed.join("")}`).toBe(expected);
});

/**
 * Comparing an organization with stacks: what counts as managed, unmanaged, managed more than once and missing. Objects are
 * their kind and the last digit of their UUID, such as `project 1`; those with higher digits are older. In a stack,
 * `project 1 = name` has a certain URN.
 */
import { comparisonOf, isDifferent, type StackState } from "../../../cli/compare/comparison";
import type { KindName } from "../../../cli/objects/kinds";
import { type InventoryObject, sorted } from "../../../cli/service/inventory";
import { ORGANIZATION } from "../../support/values/organizations";

function identity(short: string): { readonly kind: KindName; readonly uuid: string } {
  const [kind, last] = short.split(" ") as [KindName, string];
  return { kind, uuid: `0c0c0c0c-0000-4000-8000-00000000000${last}` };
}

function objectsOf(shorts: string, lifecycle?: string): readonly InventoryObject[] {
  const objects = shorts.split(", ").map((short): InventoryObject => {
    const { kind, uuid } = identity(short);
    const reading = { uuid, inputs: {}, state: {}, ready: true, ...(lifecycle && { lifecycle }) };
    return { kind, uuid, createdAt: `2024-01-0${9 - Number(uuid.at(-1))}T00:00:00Z`, reading };
  });
  return sorted(objects);
}

/** A stack with its resources, such as `a: project 1, application 2`. Its resources called `read` are only read. */
function stackOf(text: string): StackState {
  const [name = "", shorts = ""] = text.split(": ");
  const objects = shorts.split(", ").map((each) => {
    const [short = "", urn = short] = each.split(" = ");
    const isManaged = urn !== "read";
    return { ...identity(short), name: urn, urn: `${name}::${urn}`, isManaged };
  });
  return { name, objects };
}

interface Result extends Partial<Record<"unmanaged" | "duplicates" | "missing" | "notCompared", string>> {
  readonly total: number;
}

test.each<[string, readonly InventoryObject[], readonly StackState[], Result, incomplete?: KindName]>([
  [
    "what no stack manages is listed by kind, and then from the oldest",
    objectsOf("customDomain 1, application 1, application 2, project 1, application 3"),
    [stackOf("a: project 1")],
    { total: 5, unmanaged: "application 3, application 2, application 1, customDomain 1" },
  ],
  [
    "an object of stacks of two backends with the same project and name is listed with both",
    objectsOf("project 1"),
    [stackOf("a: project 1"), stackOf("a: project 1")],
    { total: 1, duplicates: "project 1 (a::project 1 a::project 1)" },
  ],
  [
    "what the service does not have is missing, once for each resource",
    objectsOf("project 1"),
    [stackOf("a: project 1, project 3"), stackOf("b: project 3")],
    {
      ...{ total: 1, duplicates: "project 3 (a::project 3 b::project 3)" },
      missing: "a::project 3, b::project 3",
    },
  ],
  [
    "an object of one kind does not cover one of another kind with the same UUID",
    objectsOf("project 1"),
    [stackOf("a: application 1")],
    { total: 1, unmanaged: "project 1", missing: "a::application 1" },
  ],
  [
    "objects of a kind that could not be read completely are not missing",
    objectsOf("project 1"),
    [stackOf("a: project 1, application 1, customDomain 1")],
    { total: 1, missing: "a::customDomain 1", notCompared: "a::application 1" },
    "application",
  ],
  [
    "a custom domain that is being deleted is neither unmanaged nor missing",
    objectsOf("customDomain 1, customDomain 2", "DELETING"),
    [stackOf("a: customDomain 1")],
    { total: 0 },
  ],
  [
    "what a stack only reads is not managed",
    objectsOf("project 1"),
    [stackOf("a: project 1 = read, project 2 = read")],
    { total: 1, unmanaged: "project 1" },
  ],
])("%s", (_, objects, states, expected, ...[incomplete]) => {
  const { stacks, ...found } = comparisonOf(
    { objects, incomplete: new Set(incomplete === undefined ? [] : [incomplete]) },
    { organizationId: ORGANIZATION, states },
  );
  expect(stacks).toEqual(states.map(({ name }) => name).sort());
  const short = ({ kind, uuid }: ReturnType<typeof identity>) => `${kind} ${uuid.at(-1)}`;
  expect({
    ...found,
    unmanaged: found.unmanaged.map(short).join(", "),
    duplicates: found.duplicates.map((one) => `${short(one)} (${one.urns.join(" ")})`).join(", "),
    missing: found.missing.map(({ urn }) => urn).join(", "),
    notCompared: found.notCompared.map(({ urn }) => urn).join(", "),
  }).toEqual({
    ...{ unmanaged: "", duplicates: "", missing: "", notCompared: "", inOtherOrganizations: 0 },
    ...expected,
  });
  const { unmanaged, duplicates, missing } = expected;
  expect(isDifferent({ stacks, ...found })).toBe(Boolean(unmanaged ?? duplicates ?? missing));
});

/** The result of a comparison with stacks, as values for JSON and as text. */
import { counted } from "../../provider/values/phrases";
import { identityKey, parentOf } from "../objects/identity";
import { KINDS, type KindName } from "../objects/kinds";
import { objectName } from "../objects/objectName";
import type { StackObject } from "../pulumi/state";
import type { InventoryObject } from "../service/inventory";
import { tableSection } from "../terminal/tableText";
import type { Comparison } from "./comparison";

/** A comparison as values. Scripts depend on their names. */
export type ComparisonValues = ReturnType<typeof comparisonValues>;

export function comparisonValues(
  organizationId: string,
  { stacks, total, unmanaged, duplicates, missing, notCompared, inOtherOrganizations }: Comparison,
  objects: readonly InventoryObject[],
) {
  const names = new Map(objects.map((object) => [identityKey(object), objectName(object)]));
  const resource = ({ kind, uuid, urn }: StackObject) => ({ kind, uuid, urn });
  return {
    organizationId,
    stacks,
    counts: {
      objects: total,
      unmanaged: unmanaged.length,
      managedMoreThanOnce: duplicates.length,
      missing: missing.length,
      notCompared: notCompared.length,
      inOtherOrganizations,
    },
    unmanaged: unmanaged.map((object) => {
      const { kind, uuid, problem } = object;
      const parent = parentOf(object);
      return {
        ...{ kind, name: objectName(object), uuid },
        ...(parent && { projectId: parent.uuid, projectName: names.get(identityKey(parent)) ?? null }),
        ...(problem !== undefined && { problem }),
      };
    }),
    managedMoreThanOnce: duplicates.map((one) => ({ ...one, name: names.get(identityKey(one)) ?? null })),
    missing: missing.map(resource),
    notCompared: notCompared.map(resource),
  };
}

/** The values as text: one line of counts, and a table for each kind of finding. */
export function comparisonText(values: ComparisonValues): string {
  const { organizationId, stacks, counts } = values;
  const { objects, unmanaged, managedMoreThanOnce, missing, notCompared, inOtherOrganizations } = counts;
  const summary = [
    `${unmanaged} unmanaged`,
    `${managedMoreThanOnce} managed more than once`,
    `${missing} missing`,
    ...(notCompared > 0 ? [`${notCompared} not compared`] : []),
    ...(inOtherOrganizations > 0 ? [`${inOtherOrganizations} of other organizations not compared`] : []),
  ];
  const titleOf = (kind: KindName) => KINDS[kind].title;
  const resources = (heading: string, rows: ComparisonValues["missing"]) =>
    tableSection(
      heading,
      ["TYPE", "URN", "UUID"],
      rows.map(({ kind, urn, uuid }) => [titleOf(kind), urn, uuid]),
    );
  return [
    `Organization ${organizationId}: ${counted(objects, "object")} compared with ${counted(stacks.length, "stack")}: ${summary.join(", ")}.\n`,
    tableSection(
      "Unmanaged: in the service, and in no stack. `npx pulumi-dynamiclink discover <uuid>` writes their code, in YAML, Python and Go with --native.",
      ["TYPE", "NAME", "UUID", "PROJECT"],
      values.unmanaged.map(({ kind, name, uuid, projectId = "", projectName }) => [
        ...[titleOf(kind), name, uuid],
        projectName ?? projectId,
      ]),
    ),
    tableSection(
      "Managed more than once: whichever resource is destroyed first deletes the object.",
      ["TYPE", "NAME", "UUID", "URN"],
      values.managedMoreThanOnce.flatMap(({ kind, name, uuid, urns }) =>
        urns.map((urn) => [titleOf(kind), name ?? "", uuid, urn]),
      ),
    ),
    resources("Missing: in a stack, and not in the service.", values.missing),
    resources("Not compared: in a stack, but not all objects of the type could be read.", values.notCompared),
  ].join("");
}

/** The result of a comparison with stacks, as values for JSON and as text. */
import { counted } from "../../provider/values/phrases";
import { identityKey } from "../objects/identity";
import { KINDS, type KindName } from "../objects/kinds";
import { objectName } from "../objects/objectName";
import type { ManagedObject } from "../pulumi/stackState";
import { type Inventory, type InventoryObject, objectsOf, type Problem } from "../service/inventory";
import type { Organization } from "../service/organization";
import type { KeySource } from "../service/organizations";
import { tableSection } from "../terminal/tableText";
import type { Comparison } from "./comparison";

/** A comparison as values, safe to print. Scripts depend on their names, which docs/importing.md lists. */
export type ComparisonValues = ReturnType<typeof comparisonValues>;

/** The values of a comparison. */
export function comparisonValues(
  comparison: Comparison,
  {
    organization: { organizationId, client },
    source,
    read,
  }: {
    readonly organization: Organization;
    /** Where the key is from, if the command names organizations. */
    readonly source: KeySource | undefined;
    /** Everything that was read of the organization. */
    readonly read: Inventory;
  },
) {
  const { total, managed, unmanaged, duplicates, missing, notCompared } = comparison;
  const projectNames = new Map(
    objectsOf(read).flatMap((object) =>
      object.kind === "project" ? [[object.uuid, objectName(object)] as const] : [],
    ),
  );
  const problems = new Map(read.problems.map((problem) => [identityKey(problem), problem.message]));
  const described = (object: InventoryObject) => {
    const projectId = object.reading.inputs.projectId as string | undefined;
    const problem = problems.get(identityKey(object));
    return {
      kind: object.kind,
      name: objectName(object),
      uuid: object.uuid,
      ...(projectId !== undefined && { projectId, projectName: projectNames.get(projectId) ?? null }),
      ...(problem !== undefined && { problem }),
    };
  };
  const resource = ({ kind, uuid, urn }: ManagedObject) => ({ kind, uuid, urn });
  return client.sanitized({
    ...(source !== undefined && { source: source.name }),
    organizationId,
    stacks: comparison.stacks,
    counts: {
      objects: total,
      managed,
      managedPercent: percentage(managed, total),
      unmanaged: unmanaged.length,
      managedMoreThanOnce: duplicates.length,
      missing: missing.length,
      notCompared: notCompared.length,
      inOtherOrganizations: comparison.inOtherOrganizations,
    },
    unmanaged: unmanaged.map(described),
    managedMoreThanOnce: duplicates.map(({ kind, uuid, object, urns }) => ({
      kind,
      name: object === undefined ? null : objectName(object),
      uuid,
      urns,
    })),
    missing: missing.map(resource),
    notCompared: notCompared.map(resource),
  });
}

/** The values as text: one line of counts, and a table for each kind of finding. */
export function comparisonText({
  organizationId,
  source,
  stacks,
  counts,
  ...findings
}: ComparisonValues): string {
  const { objects, managed, managedPercent, inOtherOrganizations } = counts;
  const summary = [
    `${managed} managed${objects === 0 ? "" : ` (${managedPercent}%)`}`,
    `${counts.unmanaged} unmanaged`,
    `${counts.managedMoreThanOnce} managed more than once`,
    `${counts.missing} missing`,
    ...(counts.notCompared > 0 ? [`${counts.notCompared} not compared`] : []),
  ];
  const resourceRow = ({ kind, urn, uuid }: { kind: KindName; urn: string; uuid: string }) => [
    titleOf(kind),
    urn,
    uuid,
  ];
  return [
    `${organizationTitle(organizationId, source)}: ${counted(objects, "object")} compared with ${counted(stacks.length, "stack")}: ${summary.join(", ")}.\n`,
    ...(inOtherOrganizations > 0
      ? [`${counted(inOtherOrganizations, "managed object")} of other organizations not compared.\n`]
      : []),
    tableSection(
      "Unmanaged: in the service, and in no stack.",
      ["TYPE", "NAME", "UUID", "PROJECT"],
      findings.unmanaged.map(({ kind, name, uuid, projectId, projectName }) => [
        titleOf(kind),
        name,
        uuid,
        projectName ?? projectId ?? "",
      ]),
    ),
    tableSection(
      "Managed more than once: whichever resource is destroyed first deletes the object.",
      ["TYPE", "NAME", "UUID", "URN"],
      findings.managedMoreThanOnce.map(({ kind, name, uuid, urns }) => [
        titleOf(kind),
        name ?? "",
        uuid,
        urns.join("\n"),
      ]),
    ),
    tableSection(
      "Missing: in a stack, and not in the service.",
      ["TYPE", "URN", "UUID"],
      findings.missing.map(resourceRow),
    ),
    tableSection(
      "Not compared: in a stack, but not all objects of the type could be read.",
      ["TYPE", "URN", "UUID"],
      findings.notCompared.map(resourceRow),
    ),
  ].join("");
}

/** An organization, with the variable or provider of its key if the command names organizations. */
export function organizationTitle(id: string, source: string | undefined): string {
  return `Organization ${id}${source === undefined ? "" : ` (${source})`}`;
}

/** The problems to report: not those of objects that a stack manages, or that are being deleted. */
export function problemsToReport({ unmanaged }: Comparison, inventory: Inventory): Problem[] {
  const objects = new Set(objectsOf(inventory).map(identityKey));
  const reported = new Set(unmanaged.map(identityKey));
  return inventory.problems.filter(
    (problem) => !objects.has(identityKey(problem)) || reported.has(identityKey(problem)),
  );
}

/** A share in percent, rounded down to one decimal, so that 100 means all. */
function percentage(part: number, whole: number): number {
  return whole === 0 ? 100 : Math.floor((part * 1000) / whole) / 10;
}

function titleOf(kind: KindName): string {
  return KINDS[kind].description.title;
}

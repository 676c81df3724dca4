/** Reads an organization, compares it with stacks, and generates the program for what it contains. */
import { posix } from "node:path";
import { UserError } from "../../provider/errors";
import { type Comparison, comparisonOf } from "../compare/comparison";
import { problemsToReport } from "../compare/comparisonReport";
import { identityKey } from "../objects/identity";
import type { ProjectReference } from "../program/projectReferences";
import type { HostChoice } from "../pulumi/hostChoice";
import type { ImportedObject } from "../pulumi/importFile";
import { objectsIn, type StackResource } from "../pulumi/stack";
import type { PulumiContext } from "../pulumi/stackSettings";
import type { StackState } from "../pulumi/stackState";
import { type Inventory, type Problem, readInventory } from "../service/inventory";
import { type Organization, requireStackOrganization } from "../service/organization";
import type { KeySource, OpenOrganization } from "../service/organizations";
import { type Console, withProgress } from "../terminal/console";
import { selectedObjects, selectedPart } from "./inventoryFilter";
import type { Programs } from "./inventoryProgram";
import type { DiscoverPlan } from "./plan";
import { programsFor, programTarget } from "./programTarget";

/** What was found in an organization, and the programs for it. Nothing of it is reported or written yet. */
export interface Discovery extends Pick<HostChoice, "host" | "runtime"> {
  readonly organization: Organization;
  /** Where its key is from, if the command names organizations. */
  readonly source: KeySource | undefined;
  /** Everything that was read. */
  readonly read: Inventory;
  /** What was selected. */
  readonly selected: Inventory;
  /** Undefined unless the organization was compared with stacks. */
  readonly comparison: Comparison | undefined;
  /** What needs review. */
  readonly problems: readonly Problem[];
  /** The stack that the settings are from, if any. */
  readonly stackName: string | undefined;
  /** How many of the selected objects the stack has. */
  readonly managed: number;
  /** Absent if no program was asked for, or there is nothing to declare. */
  readonly written?: Written;
}

/** Programs, their directory, and all their files and objects. A dry run does not write them. */
export interface Written {
  readonly directory: string;
  readonly programs: Programs;
  /** Whether the programs share an installation of their packages, in that directory. */
  readonly isWorkspace: boolean;
  readonly files: Readonly<Record<string, string>>;
  readonly objects: readonly ImportedObject[];
}

interface DiscoverContext {
  readonly plan: DiscoverPlan;
  readonly choice: HostChoice;
  readonly pulumi: PulumiContext;
  /** The states to compare with; undefined without a comparison. */
  readonly states: readonly StackState[] | undefined;
  readonly references: readonly ProjectReference[];
  readonly console: Console;
}

/** Reads an organization, compares it with the states if there are any, and generates the program. */
export async function discoverIn(
  { organization, source, directory }: OpenOrganization,
  { plan, choice: { host, runtime }, pulumi, states, references, console }: DiscoverContext,
): Promise<Discovery> {
  const { organizationId, publicSettings: settings } = organization;
  const { select, output } = plan;
  const resources = output === undefined ? [] : ((await pulumi.stack?.resources()) ?? []);
  // Stacks to compare with may have objects of several organizations, and a variable may have any key.
  if (states === undefined && (source === undefined || source.provider !== undefined))
    requireStackOrganization(organization, resources, source?.provider);
  const target =
    output && (await programTarget(output, { subdirectory: directory, host, runtime, resources }));
  const read = await withProgress(console, "Reading", (progress) =>
    readInventory(organization, select, progress),
  );
  const keys = selectedObjects(read, select);
  // One of several organizations may have none.
  if (source === undefined && keys.size === 0 && select.filters.length > 0) {
    throw new UserError(
      `No object matches ${select.filters.join(" and ")}. Patterns match whole names: *shop* matches every name that contains shop.`,
    );
  }
  const isWhole = select.projects === undefined;
  const selected = selectedPart(read, keys);
  const comparison =
    states && comparisonOf(read, { organizationId, states, isWhole, selected: keys, kinds: select.kinds });
  const found = {
    organization,
    source,
    host,
    runtime,
    read,
    selected,
    comparison,
    problems: comparison ? problemsToReport(comparison, read) : selected.problems,
    stackName: pulumi.stack?.name,
    managed: managedIn(resources, selected),
  };
  if (target === undefined) return found;
  const programs = programsFor(target, read, {
    organizationId,
    host,
    provider: source?.provider,
    protect: output?.protect ?? "all",
    only: comparison ? new Set(comparison.unmanaged.map(identityKey)) : keys,
    isWhole: isWhole && select.kinds === undefined && read.incomplete.size === 0,
    references,
    settings,
  });
  const objects = [...programs.values()].flatMap((program) => program.objects);
  // Without a comparison, an empty organization leads to a program without resources.
  if (objects.length === 0 && (comparison !== undefined || target.isSplit)) return found;
  const { directory: path, workspace } = target;
  const files = { ...workspace?.files, ...filesOf(programs) };
  return {
    ...found,
    written: { directory: path, programs, isWorkspace: workspace !== undefined, files, objects },
  };
}

/** The files of all programs, by their paths. */
function filesOf(programs: Programs): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...programs].flatMap(([directory, { files }]) =>
      Object.entries(files).map(([name, text]) => [posix.join(directory, name), text]),
    ),
  );
}

/** How many of the objects resources manage. */
function managedIn(resources: readonly StackResource[], { objects }: Inventory): number {
  const managed = objectsIn(resources).filter(({ isManaged }) => isManaged);
  const keys = new Set(managed.map(identityKey));
  return objects.filter((object) => keys.has(identityKey(object))).length;
}

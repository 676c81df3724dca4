/** Reads an organization, compares it with stacks, and generates the program for what it contains. */
import { posix, resolve } from "node:path";
import { UserError } from "../../provider/errors";
import { comparisonOf, isDifferent } from "../compare/comparison";
import { type ComparisonValues, comparisonValues, problemsToReport } from "../compare/comparisonReport";
import { keyOf } from "../objects/identity";
import { objectsIn } from "../program/keptNames";
import type { ProjectReference } from "../program/projectReferences";
import type { HostChoice } from "../pulumi/hostChoice";
import type { ImportedObject } from "../pulumi/importFile";
import type { StackResource } from "../pulumi/stack";
import type { PulumiContext } from "../pulumi/stackSettings";
import type { StackState } from "../pulumi/stackState";
import { type Inventory, type Problem, readInventory } from "../service/inventory";
import { type Organization, requireSameOrganization } from "../service/organization";
import type { KeySource, OpenOrganization } from "../service/organizations";
import { type Console, printMessage, withProgress } from "../terminal/console";
import { selectedObjects, selectedPart } from "./inventoryFilter";
import type { Programs } from "./inventoryProgram";
import type { DiscoverPlan } from "./plan";
import { programsFor, programTarget } from "./programTarget";

/** What `discover` found in an organization, and the program for it. */
export interface Discovery extends Pick<HostChoice, "host" | "runtime"> {
  readonly organization: Organization;
  /** Where its key is from, if the command names organizations. */
  readonly source: KeySource | undefined;
  /** What was selected. */
  readonly inventory: Inventory;
  /** Undefined unless the organization was compared with stacks. */
  readonly compared: { readonly isDifferent: boolean; readonly values: ComparisonValues } | undefined;
  /** What needs review. */
  readonly problems: readonly Problem[];
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
  { plan, choice, pulumi, states, references, console }: DiscoverContext,
): Promise<Discovery> {
  const { id: organizationId, publicSettings: settings } = organization;
  const { host, runtime } = choice;
  const { select, output } = plan;
  const resources = output === undefined ? [] : ((await pulumi.stack?.resources()) ?? []);
  // Stacks to compare with may have objects of several organizations, and a variable may have any key.
  if (states === undefined && (source === undefined || source.provider !== undefined))
    requireSameOrganization(organization, resources, { provider: source?.provider });
  const target =
    output && (await programTarget(output, { subdirectory: directory, host, runtime, resources }));
  const inventory = await withProgress(console, "Reading", (progress) =>
    readInventory(organization, { ...select, progress }),
  );
  const selected = selectedObjects(inventory, select);
  // One of several organizations may have none.
  if (source === undefined && selected.size === 0 && select.filters.length > 0) {
    throw new UserError(
      `No object matches ${select.filters.join(" and ")}. Patterns match whole names: *shop* matches every name that contains shop.`,
    );
  }
  const isWhole = select.projects === undefined;
  const comparison =
    states && comparisonOf(inventory, { organizationId, states, isWhole, selected, kinds: select.kinds });
  const part = selectedPart(inventory, selected);
  const compared = comparison && {
    isDifferent: isDifferent(comparison),
    values: comparisonValues(comparison, { organization, source: source?.name, inventory }),
  };
  const problems = comparison ? problemsToReport(comparison, inventory) : part.problems;
  const found = { organization, source, host, runtime, inventory: part, compared, problems };
  if (target === undefined || output === undefined) return found;
  const programs = programsFor(target, inventory, {
    organizationId,
    host,
    provider: source?.provider,
    protect: output.protect,
    only: comparison ? new Set(comparison.unmanaged.map(keyOf)) : selected,
    isWhole: isWhole && select.kinds === undefined && inventory.incomplete.size === 0,
    references,
    settings,
  });
  // In its own directory, the program is that of the stack and keeps its objects.
  const isOwn = resolve(output.directory) === resolve(plan.stackOptions.cwd ?? ".");
  if (compared === undefined && !isOwn) reportManaged(part, { resources, console });
  const objects = [...programs.values()].flatMap((program) => program.objects);
  // Without a comparison, an empty organization leads to a program without resources.
  if (objects.length === 0 && (compared !== undefined || output.isSplit)) return found;
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

/** Reports how many of the objects the selected stack has already. */
function reportManaged(
  { objects }: Inventory,
  { resources, console }: { readonly resources: readonly StackResource[]; readonly console: Console },
): void {
  const managed = new Set(
    objectsIn(resources)
      .filter(({ uuid }) => uuid !== undefined)
      .map(keyOf),
  );
  const count = objects.map(keyOf).filter((key) => managed.has(key)).length;
  if (count === 0) return;
  printMessage(
    console,
    "note",
    `The stack has ${count} of these objects already. In a program of their own, they would be managed more than once: add --unmanaged to write only what no stack manages.`,
  );
}

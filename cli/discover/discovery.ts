/** Reads an organization, compares it with stacks, and generates the program for what it contains. */
import { resolve } from "node:path";
import type { Client } from "../../provider/client";
import { UserError } from "../../provider/errors";
import { comparisonOf } from "../compare/comparison";
import { type Compared, problemsToReport } from "../compare/comparisonReport";
import { type Host, importableType } from "../objects/hosts";
import { keyOf } from "../objects/identity";
import type { ProjectReference } from "../program/projectReferences";
import { type HostChoice, NODE_RUNTIME } from "../pulumi/hostChoice";
import type { StackResource } from "../pulumi/stack";
import type { PulumiContext } from "../pulumi/stackSettings";
import type { StackState } from "../pulumi/stackState";
import { type Inventory, type Problem, readInventory } from "../service/inventory";
import { requireSameOrganization } from "../service/organization";
import type { KeySource, OpenOrganization } from "../service/organizations";
import { type Console, printMessage, withProgress } from "../terminal/console";
import { selectedObjects, selectedPart } from "./inventoryFilter";
import type { InventoryProgram } from "./inventoryProgram";
import type { DiscoverPlan } from "./plan";
import { programTarget } from "./programTarget";

/** What `discover` found in an organization, and the program for it. */
export interface Discovery {
  readonly organizationId: string;
  /** Where its key is from, if the command names organizations. */
  readonly source: KeySource | undefined;
  readonly host: Host;
  readonly runtime: string;
  /** The scopes of the key. */
  readonly scopes: readonly string[];
  readonly inventory: Inventory;
  /** Undefined unless the organization was compared with stacks. */
  readonly compared: Compared | undefined;
  /** Absent if no program was asked for, or there is nothing to declare. */
  readonly written?: Written;
  readonly sanitized: Client["sanitized"];
}

/** A program, and its directory. A dry run does not write it. */
export interface Written {
  readonly program: InventoryProgram;
  readonly directory: string;
}

/** What needs review. */
export function problemsOf({ compared, inventory }: Discovery): readonly Problem[] {
  return compared === undefined ? inventory.problems : problemsToReport(compared);
}

/** What `discover` runs with. */
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
  const { id: organizationId, context, publicSettings: settings } = organization;
  const { host, runtime = NODE_RUNTIME } = choice;
  const { sanitized } = context.client;
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
  const compared = states && {
    organizationId,
    source: source?.name,
    inventory,
    comparison: comparisonOf(inventory, { organizationId, states, isWhole, selected, kinds: select.kinds }),
    sanitized,
  };
  const found = {
    organizationId,
    source,
    host,
    runtime,
    scopes: context.scopes,
    inventory: selectedPart(inventory, selected),
    compared,
    sanitized,
  };
  if (target === undefined || output === undefined) return found;
  const program = target.programFor(inventory, {
    organizationId,
    host,
    provider: source?.provider,
    protect: output.protect,
    only: compared ? new Set(compared.comparison.unmanaged.map(keyOf)) : selected,
    isWhole: isWhole && select.kinds === undefined && inventory.incomplete.size === 0,
    references,
    settings,
  });
  // In its own directory, the program is that of the stack and keeps its objects.
  const isOwn = resolve(output.directory) === resolve(plan.stackOptions.cwd ?? ".");
  if (compared === undefined && !isOwn) reportManaged(inventory, { selected, resources, console });
  // Without a comparison, an empty organization leads to a program without resources.
  const isEmpty = program.objects.length === 0 && (compared !== undefined || output.isSplit);
  return isEmpty ? found : { ...found, written: { program, directory: target.directory } };
}

/** Reports how many of the objects the selected stack has already. */
function reportManaged(
  { objects }: Pick<Inventory, "objects">,
  {
    selected,
    resources,
    console,
  }: {
    readonly selected: ReadonlySet<string>;
    readonly resources: readonly StackResource[];
    readonly console: Console;
  },
): void {
  const managed = new Set(
    resources.flatMap(({ type, id, external }) => {
      const kind = importableType(type)?.kind;
      return kind === undefined || external ? [] : [keyOf({ kind, uuid: id })];
    }),
  );
  const count = objects.map(keyOf).filter((key) => selected.has(key) && managed.has(key)).length;
  if (count === 0) return;
  printMessage(
    console,
    "note",
    `The stack has ${count} of these objects already. In a program of their own, they would be managed more than once: add --unmanaged to write only what no stack manages.`,
  );
}

/** Reads an organization, compares it with stacks, and generates the program for what it contains. */
import type { Client } from "../../provider/client";
import { UserError } from "../../provider/errors";
import { comparisonOf } from "../compare/comparison";
import { type Compared, problemsToReport } from "../compare/comparisonReport";
import type { StatesOptions } from "../compare/readStates";
import type { Host } from "../objects/hosts";
import { keyOf } from "../objects/identity";
import type { ProjectReference } from "../program/projectReferences";
import { type HostChoice, type HostOptions, NODE_RUNTIME } from "../pulumi/hostChoice";
import type { PulumiContext, StackOptions } from "../pulumi/stackSettings";
import type { StackState } from "../pulumi/stackState";
import { type Inventory, type Problem, readInventory } from "../service/inventory";
import { requireSameOrganization } from "../service/organization";
import type { KeySource, OpenOrganization, OrganizationsOptions } from "../service/organizations";
import { type Console, withProgress } from "../terminal/console";
import { type InventoryFilter, selectedObjects, selectedPart } from "./inventoryFilter";
import type { InventoryProgram } from "./inventoryProgram";
import { programTarget, type TargetOptions } from "./programTarget";

/** The options of the command line. */
export interface DiscoverOptions
  extends Omit<StackOptions, "stack">,
    StatesOptions,
    HostOptions,
    OrganizationsOptions,
    TargetOptions,
    InventoryFilter {
  readonly unmanaged?: boolean;
  readonly check?: boolean;
  readonly project?: readonly string[];
  readonly links?: boolean;
  readonly json?: boolean;
  readonly force?: boolean;
  readonly dryRun?: boolean;
}

/** The options that select objects by name or type. */
const FILTERS = ["include", "exclude", "type"] as const;

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
  readonly program?: InventoryProgram;
  /** The directory of the program. */
  readonly directory?: string;
  readonly printable: Client["printable"];
}

/** What needs review. */
export function problemsOf({ compared, inventory }: Discovery): readonly Problem[] {
  return compared === undefined ? inventory.problems : problemsToReport(compared);
}

/** What `discover` runs with. */
interface DiscoverContext {
  readonly options: DiscoverOptions;
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
  { options, choice, pulumi, states, references, console }: DiscoverContext,
): Promise<Discovery> {
  const { id: organizationId, context, publicSettings: settings } = organization;
  const { host, runtime = NODE_RUNTIME } = choice;
  const { printable } = context.client;
  const isWritten = (options.out ?? options.split) !== undefined;
  const resources = isWritten ? ((await pulumi.stack?.resources()) ?? []) : [];
  // Stacks to compare with may have objects of several organizations, and a variable may have any key.
  if (states === undefined && (source === undefined || source.provider !== undefined))
    requireSameOrganization(organization, resources, { provider: source?.provider });
  const target = await programTarget(options, { subdirectory: directory, host, runtime, resources });
  const inventory = await withProgress(console, "Reading", (progress) =>
    readInventory(organization, {
      projects: options.project,
      kinds: options.type,
      links: options.links,
      progress,
    }),
  );
  const selected = selectedObjects(inventory, options);
  const filters = FILTERS.filter((name) => options[name] !== undefined).map((name) => `--${name}`);
  // One of several organizations may have none.
  if (source === undefined && selected.size === 0 && filters.length > 0) {
    throw new UserError(
      `No object matches ${filters.join(" and ")}. Patterns match whole names: *shop* matches every name that contains shop.`,
    );
  }
  const isWhole = options.project === undefined;
  const compared = states && {
    organizationId,
    source: source?.name,
    inventory,
    comparison: comparisonOf(inventory, { organizationId, states, isWhole, selected, kinds: options.type }),
    printable,
  };
  const found = {
    organizationId,
    source,
    host,
    runtime,
    scopes: context.scopes,
    inventory: selectedPart(inventory, selected),
    compared,
    printable,
  };
  if (target === undefined) return found;
  const program = target.programFor(inventory, {
    organizationId,
    host,
    provider: source?.provider,
    protect: options.protect || "none",
    only: compared ? new Set(compared.comparison.unmanaged.map(keyOf)) : selected,
    isWhole: isWhole && options.type === undefined && inventory.incomplete.size === 0,
    references,
    settings,
    dependencies: dependencies(),
  });
  // Without a comparison, an empty organization leads to a program without resources.
  return program.objects.length === 0 && (compared ?? options.split) !== undefined
    ? found
    : { ...found, program, directory: target.directory };
}

/** The dependencies of the program: this package and its peer dependencies. */
function dependencies(): Record<string, string> {
  const { version, peerDependencies } = require("pulumi-dynamiclink/package.json") as {
    version: string;
    peerDependencies: Record<string, string>;
  };
  return { ...peerDependencies, "pulumi-dynamiclink": `^${version}` };
}

/** What a run of `discover` or `compare` does: the options of the command line, parsed once. */
import { UserError } from "../../provider/errors";
import { requireUuids } from "../objects/identity";
import type { KindName } from "../objects/kinds";
import { parseReference, type ReferenceOption } from "../program/projectReferences";
import type { StackOptions } from "../pulumi/stackSettings";
import type { InventoryOptions } from "../service/inventory";
import type { OrganizationsOptions } from "../service/organizations";
import type { InventoryFilter } from "./inventoryFilter";
import type { Protection } from "./inventoryProgram";

/** The options of both commands, as the command line has them. */
export interface DiscoverOptions extends Omit<InventoryFilter, "kinds">, OrganizationsOptions {
  readonly out?: string;
  readonly split?: string;
  readonly force?: boolean;
  readonly dryRun?: boolean;
  /** False for none. */
  readonly protect: Exclude<Protection, "none"> | false;
  /** Whether the resources are native. Default: the project decides. */
  readonly native?: boolean;
  readonly project?: readonly string[];
  readonly type?: readonly KindName[];
  readonly links?: boolean;
  readonly check?: boolean;
  readonly state?: readonly string[];
  readonly reference?: readonly string[];
  readonly stack?: readonly string[];
  readonly cwd?: string;
  readonly apiUrl?: string;
  readonly json?: boolean;
}

export interface Selection extends InventoryOptions, InventoryFilter {
  /** The options that select by name or type, for messages. */
  readonly filters: readonly string[];
}

export interface ComparisonPlan {
  /** Names of stacks. */
  readonly stacks: readonly string[];
  /** Files with exported states. */
  readonly files: readonly string[];
  /** Whether a difference needs review. If not, it is the result that was asked for. */
  readonly isCheck: boolean;
}

export interface OutputPlan {
  readonly directory: string;
  /** Whether each project has a program of its own. */
  readonly isSplit: boolean;
  readonly protect: Protection;
  /** How the program refers to projects that other stacks manage. */
  readonly references: readonly ReferenceOption[];
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** A plan. It compares, writes, or does both. */
export interface DiscoverPlan {
  readonly select: Selection;
  /** Undefined without a comparison. */
  readonly compare: ComparisonPlan | undefined;
  /** Undefined if nothing is written. */
  readonly output: OutputPlan | undefined;
  /** Where the settings are. */
  readonly stackOptions: StackOptions;
  readonly options: DiscoverOptions;
}

/** Parses the options. @throws UserError for options that exclude each other. */
export function discoverPlan(
  options: DiscoverOptions,
  { isComparison }: { readonly isComparison: boolean },
): DiscoverPlan {
  const { cwd, apiUrl, stack: stacks = [], state: files = [], check: isCheck = false } = options;
  const output = outputPlan(options);
  if (!isComparison && output === undefined)
    throw new UserError("Specify the directory to write to with --out or --split.");
  if (!isComparison && stacks.length > 1) {
    throw new UserError(
      "--stack takes one name here. To compare the organization with several stacks, use `pulumi-dynamiclink compare`.",
    );
  }
  return {
    select: selection(options),
    compare: isComparison ? { stacks, files, isCheck } : undefined,
    output,
    stackOptions: { stack: stacks[0], cwd, apiUrl },
    options,
  };
}

function outputPlan(options: DiscoverOptions): OutputPlan | undefined {
  const { out, split, force = false, dryRun = false, protect, reference = [] } = options;
  if (out !== undefined && split !== undefined) {
    throw new UserError("--out writes one program and --split one for each project. Use one of them.");
  }
  const directory = out ?? split;
  // A script may have passed a variable that is not set. The current directory may have another program.
  if (directory === "")
    throw new UserError("The directory is empty. To write to the current one, specify a dot.");
  const references = reference.map(parseReference);
  if (directory !== undefined)
    return { directory, isSplit: split !== undefined, protect: protect || "none", references, force, dryRun };
  if (references.length > 0)
    throw new UserError("--reference is for a program: specify its directory with --out or --split.");
  return undefined;
}

function selection({ project: projects, include, exclude, type, links = false }: DiscoverOptions): Selection {
  requireUuids("--project", projects);
  const filters = Object.entries({ include, exclude, type }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`],
  );
  return { projects, include, exclude, kinds: type, links, filters };
}

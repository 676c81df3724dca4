/** Reads an organization, compares it with stacks, and generates the program for what it contains. */
import { basename, join, resolve } from "node:path";
import type { Client } from "../provider/client";
import { UserError } from "../provider/lifecycle/errors";
import { type Console, withProgress } from "./console";
import { coverageOf } from "./coverage";
import type { Comparison } from "./coverageReport";
import { type Estate, readEstate } from "./estate";
import {
  type EstateProgram,
  estateProgram,
  IMPORT_FILE_NAME,
  type ProgramOptions,
  type Protection,
} from "./estateProgram";
import type { Host } from "./host";
import { type HostChoice, type HostOptions, NODE_RUNTIME } from "./hostChoice";
import { objectsIn, objectsInFile } from "./keptNames";
import { type Organization, requireSameOrganization } from "./organization";
import { projectOf, type StackResource } from "./pulumiStack";
import type { StatesOptions } from "./readStates";
import type { PulumiContext, StackOptions } from "./stackSettings";
import type { StackState } from "./stackState";

/** The options of the command line. */
export interface DiscoverOptions extends Omit<StackOptions, "stack">, StatesOptions, HostOptions {
  readonly out?: string;
  readonly unmanaged?: boolean;
  readonly check?: boolean;
  readonly project?: readonly string[];
  readonly links?: boolean;
  readonly json?: boolean;
  readonly force?: boolean;
  /** False for none. */
  readonly protect: Exclude<Protection, "none"> | false;
}

/** What `discover` found in an organization, and the program for it. */
export interface Discovery {
  readonly organizationId: string;
  readonly host: Host;
  readonly runtime: string;
  readonly estate: Estate;
  /** Undefined unless the organization was compared with stacks. */
  readonly comparison: Comparison | undefined;
  /** Absent if no program was asked for, or there is nothing to declare. */
  readonly program?: EstateProgram;
  /** The directory of the program. */
  readonly directory?: string;
  readonly printable: Client["printable"];
}

/** Reads an organization, compares it with the states if there are any, and generates the program. */
export async function discoverIn(
  organization: Organization,
  {
    options,
    choice: { host, runtime = NODE_RUNTIME },
    pulumi,
    states,
    console,
  }: {
    readonly options: DiscoverOptions;
    readonly choice: HostChoice;
    readonly pulumi: PulumiContext;
    readonly states: readonly StackState[] | undefined;
    readonly console: Console;
  },
): Promise<Discovery> {
  const { id: organizationId, context, publicSettings: settings } = organization;
  const { out } = options;
  const { printable } = context.client;
  const resources = out === undefined ? [] : ((await pulumi.stack?.resources()) ?? []);
  // Stacks to compare with may have objects of several organizations.
  if (states === undefined) requireSameOrganization(organization, resources);
  const target = out === undefined ? undefined : await targetIn(out, { host, runtime, resources });
  if (target?.isImportFileOnly && options.protect === "projects") {
    throw new UserError(
      `--protect projects needs a program that discover writes. For a project with the runtime ${runtime}, Pulumi writes it and protects either all resources or none: omit --protect, or use --no-protect.`,
    );
  }
  const estate = await withProgress(console, "Reading", (progress) =>
    readEstate(organization, { projects: options.project, links: options.links, progress }),
  );
  const isWhole = options.project === undefined;
  const comparison = states && {
    organizationId,
    estate,
    coverage: coverageOf(estate, { organizationId, states, isWhole }),
    printable,
  };
  const found = { organizationId, host, runtime, estate, comparison, printable };
  if (out === undefined || target === undefined) return found;
  const program = estateProgram(estate, {
    ...target,
    organizationId,
    host,
    protect: options.protect || "none",
    only: comparison && new Set(comparison.coverage.unmanaged.map(({ uuid }) => uuid)),
    settings,
    dependencies: dependencies(),
  });
  return program.objects.length === 0 && comparison !== undefined
    ? found
    : { ...found, program, directory: out };
}

/**
 * The program to write, and the names that objects have in it so far. The stack of the program counts more than the
 * earlier import file, because a resource can be renamed with `aliases`. A stack of another program counts less.
 */
async function targetIn(
  out: string,
  {
    host,
    runtime,
    resources,
  }: Pick<Discovery, "host" | "runtime"> & { readonly resources: readonly StackResource[] },
): Promise<Pick<ProgramOptions, "name" | "isImportFileOnly" | "named" | "inStack">> {
  const name = projectName(out);
  const isImportFileOnly = host.isReadByPulumi && runtime !== NODE_RUNTIME;
  const inFile = await objectsInFile(join(out, IMPORT_FILE_NAME));
  const inStack = objectsIn(resources);
  // Without a program of its own, the import file is for the program of the stack.
  const isOwnStack = isImportFileOnly || inStack.some(({ urn }) => projectOf(urn) === name);
  return isOwnStack
    ? { name, isImportFileOnly, named: [...inStack, ...inFile], inStack }
    : { name, isImportFileOnly, named: [...inFile, ...inStack], inStack: [] };
}

/** Derives a valid name of a Pulumi project from the directory. */
function projectName(out: string): string {
  return (
    basename(resolve(out))
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[^A-Za-z0-9]+/, "")
      .slice(0, 100) || "dynamiclink-estate"
  );
}

/** The dependencies of the program: this package and its peer dependencies. */
function dependencies(): Record<string, string> {
  const { version, peerDependencies } = require("pulumi-dynamiclink/package.json") as {
    version: string;
    peerDependencies: Record<string, string>;
  };
  return { ...peerDependencies, "pulumi-dynamiclink": `^${version}` };
}

/** `pulumi-dynamiclink discover`: writes a program for the objects of an organization, and the import file for it. */
import { basename, join, resolve } from "node:path";
import { Command, Option } from "commander";
import type { Client } from "../provider/client";
import { UserError } from "../provider/lifecycle/errors";
import { checkUuid } from "../provider/shapes/uuid";
import { counted } from "../provider/shapes/words";
import {
  type Console,
  EXIT_CODES,
  EXIT_CODES_HELP,
  type ExitCode,
  printMessage,
  processConsole,
  runCommand,
  withProgress,
} from "./console";
import { coverageOf, isDifferent, keyOf } from "./coverage";
import { type Comparison, coverageText, coverageValues, problemsToReport } from "./coverageReport";
import { type Estate, objectsOf, type Problem, readEstate } from "./estate";
import {
  type EstateProgram,
  estateProgram,
  IMPORT_FILE_NAME,
  type ProgramOptions,
  type Protection,
} from "./estateProgram";
import type { Host } from "./host";
import { chooseHost, type HostChoice, type HostOptions, hostOptions, NODE_RUNTIME } from "./hostChoice";
import { AFTER_IMPORT, FIRST_CLI_VERSION, importArguments } from "./importFile";
import { objectsIn, objectsInFile } from "./keptNames";
import { type Organization, openOrganization, requireSameOrganization } from "./organization";
import { type ProjectReference, parseReference, projectReferences } from "./projectReferences";
import { projectOf, type StackResource } from "./pulumiStack";
import { readStates, type StatesOptions } from "./readStates";
import { findPulumiContext, type PulumiContext, type StackOptions, stackSettings } from "./stackSettings";
import type { StackState } from "./stackState";
import { writeFiles } from "./writeFiles";

interface DiscoverOptions extends Omit<StackOptions, "stack">, StatesOptions, HostOptions {
  readonly out?: string;
  readonly unmanaged?: boolean;
  readonly check?: boolean;
  readonly reference?: readonly string[];
  readonly project?: readonly string[];
  readonly links?: boolean;
  readonly json?: boolean;
  readonly force?: boolean;
  /** False for none. */
  readonly protect: Exclude<Protection, "none"> | false;
}

/** Creates the subcommand. */
export function discoverCommand(console: Console = processConsole): Command {
  const command = new Command("discover")
    .summary("write a program and an import file for the objects of an organization")
    .description(
      "Lists the projects, applications and custom domains of the organization that the API key belongs to, and writes a program that declares them and an import file that imports them into a stack. If the project has native resources and a runtime other than nodejs, it writes only the import file, from which Pulumi generates the program. Requires projects:read, applications:read and domains:read; writes nothing to the service.",
    )
    .option("-o, --out <directory>", "directory to write the program to")
    .option("-p, --project <uuid...>", "only these projects (default: all)")
    .addOption(
      new Option("--protect <objects>", "which resources the program protects from deletion")
        .choices(["all", "projects"])
        .default("all"),
    )
    .option("--no-protect", "protect none of the resources")
    .option("--links", "also count links; requires links:read, and sends one request per hundred links")
    .option("--json", "print the result as JSON")
    .option("--force", "replace existing files")
    .option("--unmanaged", "compare with stacks; with --out, only what none of them manages is written")
    .option("--check", "like --unmanaged, but write nothing and exit with 2 if there is a difference")
    .option(
      "-s, --stack <name...>",
      "the stack whose configuration has the settings (default: the selected one); with --unmanaged, the stacks to compare with, of which the first has the settings",
    )
    .option(
      "--reference <stack=output...>",
      "refer to managed projects by this output of one of the stacks, not by UUID",
    )
    .option("--state <file...>", "states to compare with, from `pulumi stack export` (- for standard input)")
    .option("-C, --cwd <directory>", "directory in which to look for the stack")
    .addOption(new Option("--api-url <url>", "origin of the service, for use without a stack"))
    .addHelpText("after", EXIT_CODES_HELP);
  for (const option of hostOptions()) command.addOption(option);
  return command.action((options: DiscoverOptions) => runCommand(console, () => discover(options, console)));
}

async function discover(options: DiscoverOptions, console: Console): Promise<ExitCode> {
  requireConsistent(options);
  for (const uuid of options.project ?? []) {
    const [failure] = checkUuid(uuid);
    if (failure !== undefined) throw new UserError(`--project ${uuid}: ${failure}`);
  }
  const choice = await chooseHost(options);
  if (choice.reason !== undefined) printMessage(console, "note", choice.reason);
  requireProgramOptions(choice, options);
  const pulumi = await findPulumiContext({ ...options, stack: options.stack?.[0] }, console);
  const wanted = (options.reference ?? []).map(parseReference);
  const outputs = wanted.map(({ output }) => output);
  const states = compares(options) ? await readStates(options, pulumi, { outputs, console }) : undefined;
  const references = projectReferences(wanted, states ?? []);
  const organization = await openOrganization(await stackSettings(pulumi, options), console);
  try {
    const discovery = await discoverIn(organization, {
      options,
      choice,
      pulumi,
      states,
      references,
      console,
    });
    const { directory, program, comparison, estate } = discovery;
    if (directory !== undefined && program !== undefined) await writeFiles(directory, program.files, options);
    const problems = comparison === undefined ? estate.problems : problemsToReport(comparison);
    for (const { message } of problems) printMessage(console, "warning", message);
    console.stdout.write(options.json ? asJson(discovery) : asText(discovery, options));
    return exitCode(discovery, options, problems);
  } finally {
    await organization.close();
  }
}

/** Whether the organization is compared with stacks. */
function compares({ unmanaged, check }: DiscoverOptions): boolean {
  return unmanaged === true || check === true;
}

/** Rejects options that exclude each other. */
function requireConsistent(options: DiscoverOptions): void {
  const { out, check, stack = [], state, links, reference } = options;
  const problems: readonly (readonly [boolean, string])[] = compares(options)
    ? [
        [
          check === true && out !== undefined,
          "--check writes nothing, so it cannot be used with --out. To write a program for what is unmanaged, use --unmanaged.",
        ],
        [links === true, "--links cannot be used with --unmanaged or --check."],
        [
          reference !== undefined && out === undefined,
          "--reference can be used only with --unmanaged and --out.",
        ],
      ]
    : [
        [
          out === undefined,
          "Specify the directory to write to with --out, or use --unmanaged to compare the organization with stacks.",
        ],
        [
          stack.length > 1,
          "--stack takes one name here. To compare the organization with several stacks, use --unmanaged.",
        ],
        [state !== undefined, "--state can be used only with --unmanaged or --check."],
        [reference !== undefined, "--reference can be used only with --unmanaged and --out."],
      ];
  const [first] = problems.filter(([applies]) => applies);
  if (first !== undefined) throw new UserError(first[1]);
}

/** Whether Pulumi writes the program, from the import file. */
function isWrittenByPulumi({ host, runtime = NODE_RUNTIME }: HostChoice): boolean {
  return host.isReadByPulumi && runtime !== NODE_RUNTIME;
}

/** Rejects options for a program that Pulumi writes. */
function requireProgramOptions(choice: HostChoice, { protect, reference }: DiscoverOptions): void {
  if (!isWrittenByPulumi(choice)) return;
  if (reference !== undefined) {
    throw new UserError(
      `--reference needs a program that discover writes. For a project with the runtime ${choice.runtime}, Pulumi writes it: replace the UUIDs in it.`,
    );
  }
  if (protect !== "projects") return;
  throw new UserError(
    `--protect projects needs a program that discover writes. For a project with the runtime ${choice.runtime}, Pulumi writes it and protects either all resources or none: omit --protect, or use --no-protect.`,
  );
}

/** Reads an organization, compares it with the states if there are any, and generates the program. */
async function discoverIn(
  organization: Organization,
  {
    options,
    choice: { host, runtime = NODE_RUNTIME },
    pulumi,
    states,
    references,
    console,
  }: {
    readonly options: DiscoverOptions;
    readonly choice: HostChoice;
    readonly pulumi: PulumiContext;
    readonly states: readonly StackState[] | undefined;
    readonly references: readonly ProjectReference[];
    readonly console: Console;
  },
): Promise<Discovery> {
  const { id: organizationId, context, publicSettings: settings } = organization;
  const { out } = options;
  const { printable } = context.client;
  const resources = out === undefined ? [] : ((await pulumi.stack?.resources()) ?? []);
  // Stacks to compare with may have objects of several organizations.
  if (states === undefined) requireSameOrganization(organization, resources);
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
  if (out === undefined) return found;
  if (comparison !== undefined) await requireNotInUse(out, comparison);
  const name = projectName(out);
  const isImportFileOnly = isWrittenByPulumi({ host, runtime });
  const program = estateProgram(estate, {
    name,
    organizationId,
    host,
    isImportFileOnly,
    protect: options.protect || "none",
    ...(await namesSoFar({ name, isImportFileOnly, resources }, out)),
    only: comparison && new Set(comparison.coverage.unmanaged.map(({ uuid }) => uuid)),
    references,
    settings,
    dependencies: dependencies(),
  });
  return program.objects.length === 0 && comparison !== undefined
    ? found
    : { ...found, program, directory: out };
}

/**
 * Requires that no stack was imported from the directory: its program would lose the objects that are managed by now, and
 * the next `pulumi up` would delete them.
 */
async function requireNotInUse(out: string, { estate, coverage }: Comparison): Promise<void> {
  const file = join(out, IMPORT_FILE_NAME);
  const unmanaged = new Set(coverage.unmanaged.map(keyOf));
  const managed = new Set(
    objectsOf(estate)
      .map(keyOf)
      .filter((key) => !unmanaged.has(key)),
  );
  const imported = (await objectsInFile(file)).filter((object) => managed.has(keyOf(object)));
  if (imported.length === 0) return;
  throw new UserError(
    `${file} has ${counted(imported.length, "object")} that a stack manages by now. A program with only the unmanaged objects must not replace it, because \`pulumi up\` would delete the others. Choose another directory.`,
  );
}

/** Without `--check`, a difference is the result that was asked for. */
function exitCode(
  { estate, comparison, program }: Discovery,
  { check }: DiscoverOptions,
  problems: readonly Problem[],
): ExitCode {
  const needsReview =
    comparison === undefined || program !== undefined
      ? problems.length > 0
      : estate.incomplete.size > 0 || (check === true && isDifferent(comparison.coverage));
  return needsReview ? EXIT_CODES.partial : EXIT_CODES.all;
}

/**
 * The names that objects have so far. The stack of the program counts more than the earlier import file, because a
 * resource can be renamed with `aliases`. A stack of another program counts less.
 */
async function namesSoFar(
  {
    name,
    isImportFileOnly,
    resources,
  }: Pick<ProgramOptions, "name" | "isImportFileOnly"> & { readonly resources: readonly StackResource[] },
  out: string,
): Promise<Pick<ProgramOptions, "named" | "inStack">> {
  const inFile = await objectsInFile(join(out, IMPORT_FILE_NAME));
  const inStack = objectsIn(resources);
  // Without a program of its own, the import file is for the program of the stack.
  const isOwnStack = isImportFileOnly || inStack.some(({ urn }) => projectOf(urn) === name);
  return isOwnStack
    ? { named: [...inStack, ...inFile], inStack }
    : { named: [...inFile, ...inStack], inStack: [] };
}

interface Discovery {
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

function asJson(discovery: Discovery): string {
  const { organizationId, host, estate, comparison, program, directory } = discovery;
  const written = program &&
    directory !== undefined && {
      host: host.name,
      directory: resolve(directory),
      files: Object.keys(program.files),
      objects: program.objects.map(({ kind, name, reading: { uuid } }) => ({
        kind,
        name,
        uuid,
        ...(estate.links.has(uuid) && { links: estate.links.get(uuid) }),
      })),
    };
  const result =
    comparison === undefined
      ? { organizationId, ...written, problems: estate.problems }
      : { ...coverageValues(comparison), ...written, problems: problemsToReport(comparison) };
  return `${JSON.stringify(result, null, 2)}\n`;
}

function asText(discovery: Discovery, options: DiscoverOptions): string {
  const { comparison } = discovery;
  const paragraphs =
    comparison === undefined
      ? [[...contents(discovery, options), ...written(discovery, options)]]
      : [[coverageText(coverageValues(comparison)).trimEnd()], written(discovery, options)];
  return paragraphs.flatMap((lines) => (lines.length === 0 ? [] : [`${lines.join("\n")}\n`])).join("\n");
}

/** What was written, and what to do with it. */
function written(discovery: Discovery, options: DiscoverOptions): readonly string[] {
  const { program, directory } = discovery;
  if (options.out === undefined) return [];
  if (program === undefined || directory === undefined)
    return ["There is nothing to declare, so no file was written."];
  return [
    `${counted(Object.keys(program.files).length, "file")} written to ${directory}.`,
    "",
    ...nextSteps(discovery, { ...options, out: directory }),
  ];
}

/** The number of objects and links. */
function contents(
  { organizationId, estate, program, printable }: Discovery,
  { links }: DiscoverOptions,
): string[] {
  const { projects, applications, customDomains } = estate;
  const counts = [
    counted(projects.length, "project"),
    counted(applications.length, "application"),
    counted(customDomains.length, "custom domain"),
  ];
  const total = [...estate.links.values()].reduce((sum, count) => sum + count, 0);
  const names = new Map(program?.objects.map(({ name, reading: { uuid } }) => [uuid, name]));
  return [
    `Organization ${organizationId}: ${counts.join(", ")}${links ? `, ${counted(total, "link")}` : ""}.`,
    ...[...estate.links]
      .filter(([, count]) => count > 0)
      .map(([uuid, count]) => `  ${printable(names.get(uuid) ?? uuid)}: ${counted(count, "link")}`),
  ];
}

/** What to do with the files. */
function nextSteps(
  { host, runtime }: Discovery,
  { out, stack: stacks = [], cwd, protect: protection }: DiscoverOptions & { readonly out: string },
): readonly string[] {
  const [stack] = stacks.length === 1 ? stacks : [];
  const preview = "  pulumi preview --expect-no-changes";
  // Pulumi protects what it imports, unless this is stated.
  const protect = protection === false ? false : undefined;
  if (isWrittenByPulumi({ host, runtime })) {
    const code = CODE_FILES[runtime] ?? "imported.txt";
    const args = importArguments(resolve(out, IMPORT_FILE_NAME), { stack, cwd, protect, code });
    return [
      "Next, import the objects and let Pulumi generate their code:",
      `  pulumi ${args.join(" ")}`,
      `Add the code in ${code} to your program, and check that nothing changes:`,
      preview,
      AFTER_IMPORT,
    ];
  }
  return [
    `Next${host.isReadByPulumi ? "" : `, with a Pulumi CLI of ${FIRST_CLI_VERSION} or newer`}:`,
    `  cd ${out} && npm install && pulumi stack init <name>`,
    `  pulumi ${importArguments(IMPORT_FILE_NAME, { protect }).join(" ")}`,
    preview,
    AFTER_IMPORT,
  ];
}

/**
 * The files that Pulumi writes generated code to, by runtime. Go and .NET compile all their files in the directory of a
 * program, and the code has a main function of its own.
 */
const CODE_FILES: Readonly<Record<string, string>> = {
  python: "imported.py",
  go: "imported.go.txt",
  yaml: "imported.yaml",
  dotnet: "Imported.cs.txt",
  java: "Imported.java",
};

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

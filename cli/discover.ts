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
import { type Estate, readEstate } from "./estate";
import {
  type EstateProgram,
  estateProgram,
  IMPORT_FILE_NAME,
  type ProgramOptions,
  type Protection,
} from "./estateProgram";
import type { Host } from "./host";
import { chooseHost, type HostOptions, hostOptions, NODE_RUNTIME } from "./hostChoice";
import { AFTER_IMPORT, FIRST_CLI_VERSION, importArguments } from "./importFile";
import { objectsIn, objectsInFile } from "./keptNames";
import { openOrganization, requireSameOrganization } from "./organization";
import { projectOf, type StackResource } from "./pulumiStack";
import { findPulumiContext, type StackOptions, stackSettings } from "./stackSettings";
import { writeFiles } from "./writeFiles";

interface DiscoverOptions extends StackOptions, HostOptions {
  readonly out: string;
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
    .requiredOption("-o, --out <directory>", "directory to write the program to")
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
    .option(
      "-s, --stack <name>",
      "the stack whose configuration has the settings (default: the selected one)",
    )
    .option("-C, --cwd <directory>", "directory in which to look for the stack")
    .addOption(new Option("--api-url <url>", "origin of the service, for use without a stack"))
    .addHelpText("after", EXIT_CODES_HELP);
  for (const option of hostOptions()) command.addOption(option);
  return command.action((options: DiscoverOptions) => runCommand(console, () => discover(options, console)));
}

async function discover(options: DiscoverOptions, console: Console): Promise<ExitCode> {
  for (const uuid of options.project ?? []) {
    const [failure] = checkUuid(uuid);
    if (failure !== undefined) throw new UserError(`--project ${uuid}: ${failure}`);
  }
  const { host, runtime = NODE_RUNTIME, reason } = await chooseHost(options);
  if (reason !== undefined) printMessage(console, "note", reason);
  const isImportFileOnly = host.isReadByPulumi && runtime !== NODE_RUNTIME;
  if (isImportFileOnly && options.protect === "projects") {
    throw new UserError(
      `--protect projects needs a program that discover writes. For a project with the runtime ${runtime}, Pulumi writes it and protects either all resources or none: omit --protect, or use --no-protect.`,
    );
  }
  const pulumi = await findPulumiContext(options, console);
  const organization = await openOrganization(await stackSettings(pulumi, options), console);
  try {
    const resources = (await pulumi.stack?.resources()) ?? [];
    requireSameOrganization(organization, resources);
    const name = projectName(options.out);
    const names = await namesSoFar({ name, isImportFileOnly, resources }, options);
    const estate = await withProgress(console, "Reading", (progress) =>
      readEstate(organization, { projects: options.project, links: options.links, progress }),
    );
    const program = estateProgram(estate, {
      name,
      organizationId: organization.id,
      host,
      isImportFileOnly,
      protect: options.protect || "none",
      ...names,
      settings: organization.publicSettings,
      dependencies: dependencies(),
    });
    await writeFiles(options.out, program.files, options);
    for (const { message } of estate.problems) printMessage(console, "warning", message);
    const { printable } = organization.context.client;
    const found = { organizationId: organization.id, host, runtime, estate, program, printable };
    console.stdout.write(options.json ? asJson(found, options) : asText(found, options));
    return estate.problems.length === 0 ? EXIT_CODES.all : EXIT_CODES.partial;
  } finally {
    await organization.close();
  }
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
  { out }: DiscoverOptions,
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
  readonly program: EstateProgram;
  readonly printable: Client["printable"];
}

function asJson({ organizationId, host, estate, program }: Discovery, { out }: DiscoverOptions): string {
  const result = {
    organizationId,
    host: host.name,
    directory: resolve(out),
    files: Object.keys(program.files),
    objects: program.objects.map(({ kind, name, reading: { uuid } }) => ({
      kind,
      name,
      uuid,
      ...(estate.links.has(uuid) && { links: estate.links.get(uuid) }),
    })),
    problems: estate.problems,
  };
  return `${JSON.stringify(result, null, 2)}\n`;
}

function asText(discovery: Discovery, options: DiscoverOptions): string {
  const { organizationId, estate, program, printable } = discovery;
  const { out, links } = options;
  const { projects, applications, customDomains } = estate;
  const counts = [
    counted(projects.length, "project"),
    counted(applications.length, "application"),
    counted(customDomains.length, "custom domain"),
  ];
  const total = [...estate.links.values()].reduce((sum, count) => sum + count, 0);
  const names = new Map(program.objects.map(({ name, reading: { uuid } }) => [uuid, name]));
  return [
    `Organization ${organizationId}: ${counts.join(", ")}${links ? `, ${counted(total, "link")}` : ""}.`,
    ...[...estate.links]
      .filter(([, count]) => count > 0)
      .map(([uuid, count]) => `  ${printable(names.get(uuid) ?? uuid)}: ${counted(count, "link")}`),
    `${counted(Object.keys(program.files).length, "file")} written to ${out}.`,
    "",
    ...nextSteps(discovery, options),
    "",
  ].join("\n");
}

/** What to do with the files. */
function nextSteps(
  { host, runtime }: Discovery,
  { out, stack, cwd, protect: protection }: DiscoverOptions,
): readonly string[] {
  const preview = "  pulumi preview --expect-no-changes";
  // Pulumi protects what it imports, unless this is stated.
  const protect = protection === false ? false : undefined;
  if (host.isReadByPulumi && runtime !== NODE_RUNTIME) {
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

/** `pulumi-dynamiclink import`: takes objects that exist into a stack, by UUID. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { bulkhead } from "cockatiel";
import { Argument, Command } from "commander";
import type { ImportEntry } from "../provider/hosts/dynamic/importFile";
import { typeToken } from "../provider/hosts/dynamic/names";
import { UserError } from "../provider/lifecycle/errors";
import { explain } from "../provider/lifecycle/explain";
import type { RawSettings } from "../provider/session/settings";
import {
  type Console,
  EXIT_CODES,
  EXIT_CODES_HELP,
  type ExitCode,
  processConsole,
  runCommand,
  say,
  withProgress,
} from "./console";
import { declarationSource } from "./declarationSource";
import { PARALLEL_READS } from "./estate";
import { importability } from "./importability";
import {
  AFTER_IMPORT,
  FIRST_CLI_VERSION,
  type ImportedObject,
  importArguments,
  importEntry,
  importFileText,
} from "./importFile";
import { type ImportRequest, importRequest, parseImportList } from "./importList";
import { KIND_NAMES, KINDS } from "./kinds";
import { type Organization, openOrganization, requireSameOrganization } from "./organization";
import { type PreviewFile, parsePreviewFile } from "./previewFile";
import { type PulumiCli, type StackResource, settingKey, settingsIn } from "./pulumiStack";
import { readText } from "./readText";
import { referencesIn } from "./references";
import { findSurroundings, type StackOptions, type Surroundings, stackSettings } from "./stackSettings";
import { writeFiles } from "./writeFiles";

/** Where the import file is left when no CLI can take it, unless `--out` says otherwise. */
const DEFAULT_FILE = "dynamiclink-import.json";

interface ImportOptions extends StackOptions {
  readonly file?: string;
  readonly fromPreview?: string;
  readonly parent?: string;
  readonly provider?: string;
  readonly protect: boolean;
  readonly yes?: boolean;
  readonly out?: string;
  readonly force?: boolean;
}

/** The sub-command. */
export function importCommand(console: Console = processConsole): Command {
  return new Command("import")
    .summary("take objects that exist into a stack")
    .description(
      "Reads objects by UUID, takes them into the stack with `pulumi import`, and prints the TypeScript that declares them. Needs the read scopes of their kinds; writes nothing to the service.",
    )
    .addArgument(new Argument("[type]", "what it is").choices(KIND_NAMES))
    .argument("[name]", "its logical name in the program")
    .argument("[uuid]", "its UUID")
    .option(
      "-f, --file <file>",
      "a list instead: CSV or JSON with type, name, uuid, and where needed parent and provider",
    )
    .option("--from-preview <file>", "what `pulumi preview --import-file` wrote, with UUIDs filled in")
    .option("--parent <name or URN>", "the parent of what has none in a list")
    .option("--provider <name or URN>", "the provider of what has none in a list")
    .option("--no-protect", "do not protect what is imported from deletion")
    .option("-s, --stack <name>", "the stack (default: the selected one)")
    .option("-C, --cwd <directory>", "look for the stack as if started there")
    .option("-y, --yes", "import without asking")
    .option("-o, --out <file>", "write the import file there and run nothing")
    .option("--force", "replace a file that exists")
    .option("--api-url <url>", "origin of the service, to be used without a stack")
    .addHelpText("after", EXIT_CODES_HELP)
    .action((type, name, uuid, options: ImportOptions) =>
      runCommand(console, () => importObjects({ type, name, uuid }, options, console)),
    );
}

/** What the command line names besides options. */
interface Named {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly uuid?: string | undefined;
}

/** What is to be imported, and what it hangs on. */
type Wanted = Pick<PreviewFile, "requests" | "support" | "nameTable" | "leftOut">;

async function importObjects(named: Named, options: ImportOptions, console: Console): Promise<ExitCode> {
  const wanted = await whatIsWanted(named, options);
  for (const message of wanted.leftOut) say(console, "warning", message);
  if (wanted.requests.length === 0) throw new UserError("Nothing is left to import.");
  const surroundings = await findSurroundings(options, console);
  const runner = options.out === undefined ? runnerIn(surroundings) : undefined;

  const { file, objects, problems } = await prepare(wanted, { options, surroundings, console });
  for (const message of problems) say(console, "warning", message);
  const partial = wanted.leftOut.length + problems.length > 0;
  const text = importFileText(file);
  if (runner === undefined) await leaveFile(text, { options, surroundings, console });
  else await runImport(runner, text, { options, console });

  // A program that was previewed declares everything already.
  if (options.fromPreview === undefined) console.stdout.write(declarationSource(objects, options));
  const done = runner !== undefined || options.out !== undefined;
  return done && !partial ? EXIT_CODES.all : EXIT_CODES.partial;
}

async function whatIsWanted({ type, name, uuid }: Named, options: ImportOptions): Promise<Wanted> {
  const { file, fromPreview } = options;
  const ways = [type, file, fromPreview].filter((way) => way !== undefined);
  if (ways.length === 1 && type !== undefined && uuid === undefined) {
    throw new UserError(`The UUID is missing: import ${type} <name> <uuid>.`);
  }
  if (ways.length !== 1) {
    throw new UserError("Say what to import in one way: <type> <name> <uuid>, --file, or --from-preview.");
  }
  if (fromPreview !== undefined && (options.parent ?? options.provider) !== undefined) {
    throw new UserError(
      "A preview's file says itself what is whose parent and provider: leave --parent and --provider out.",
    );
  }
  const nothingElse = { support: [], nameTable: {}, leftOut: [] };
  const { problems, ...wanted } =
    fromPreview !== undefined
      ? parsePreviewFile(await readText(fromPreview), { file: fromPreview })
      : {
          ...nothingElse,
          ...(file === undefined
            ? single({ type, name, uuid })
            : parseImportList(await readText(file), { file })),
        };
  refuse([...problems, ...repetitions(wanted.requests)]);
  return wanted;
}

function single(named: Named): {
  readonly requests: readonly ImportRequest[];
  readonly problems: readonly string[];
} {
  const { request, problems } = importRequest(named, `${named.type} ${named.name}`);
  return { requests: request === undefined ? [] : [request], problems };
}

/** Fails with all that stands against it. */
function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new AggregateError(problems.map((problem) => new UserError(problem)));
}

/** UUIDs and names that were given twice. */
function repetitions(requests: readonly ImportRequest[]): string[] {
  const repeated = (keyOf: (request: ImportRequest) => string) =>
    [...Map.groupBy(requests, keyOf)].filter(([, group]) => group.length > 1).map(([key]) => key);
  const title = ({ kind }: ImportRequest) => KINDS[kind].description.title;
  return [
    ...repeated((request) => `${title(request)} ${request.uuid}`).map(
      (subject) => `${subject} is named more than once. Give each UUID to one resource.`,
    ),
    ...repeated(
      (request) =>
        `${title(request)} ${request.name}${request.parent === undefined ? "" : ` in ${request.parent}`}`,
    ).map((subject) => `There is more than one ${subject}. Give each resource a name of its own.`),
  ];
}

/** The CLI that can import, if there is one. */
function runnerIn({ cli, stack, whyNoStack }: Surroundings): PulumiCli | undefined {
  if (cli === undefined || !cli.importsOutputs) return undefined;
  if (stack === undefined) {
    throw new UserError(
      `There is no stack to import into: ${whyNoStack} Or write the import file only, with --out.`,
    );
  }
  return cli;
}

interface Preparation {
  readonly options: ImportOptions;
  readonly surroundings: Surroundings;
  readonly console: Console;
}

interface Prepared {
  readonly file: {
    readonly nameTable: Readonly<Record<string, string>>;
    readonly resources: readonly ImportEntry[];
  };
  readonly objects: readonly ImportedObject[];
  /** What needs to be looked at all the same. */
  readonly problems: readonly string[];
}

/** Reads everything that is wanted, each under its provider's settings. Fails with all that is wrong. */
async function prepare(wanted: Wanted, preparation: Preparation): Promise<Prepared> {
  const { options, surroundings } = preparation;
  // Only a provider's settings may be secret.
  const showSecrets = [options, ...wanted.requests].some(({ provider }) => provider !== undefined);
  const resources = await surroundings.stack?.resources({ showSecrets });
  const references = referencesIn({
    resources,
    entries: [...wanted.requests, ...wanted.support].map(({ name }) => name),
    nameTable: wanted.nameTable,
  });
  const nameFor = (role: "parent" | "provider", given: string | undefined) =>
    given === undefined ? undefined : references.nameFor(role, given);
  const requests = wanted.requests.map((request) => ({
    ...request,
    parent: nameFor("parent", request.parent ?? options.parent),
    provider: nameFor("provider", request.provider ?? options.provider),
  }));
  refuse(requests.flatMap((request) => alreadyIn(resources ?? [], request)));

  const objects: ImportedObject[] = [];
  const failures: string[] = [];
  const problems: string[] = [];
  for (const [provider, group] of Map.groupBy(requests, (request) => request.provider)) {
    const settings = await settingsOf(provider, { wanted, resources, references, ...preparation });
    const organization = await openOrganization(settings, preparation.console);
    try {
      const urn = provider === undefined ? undefined : (references.nameTable[provider] ?? provider);
      requireSameOrganization(organization, resources ?? [], { provider: urn });
      const read = await readAll(organization, group, preparation.console);
      objects.push(...read.objects);
      failures.push(...read.failures);
      problems.push(...read.problems);
    } finally {
      await organization.close();
    }
  }
  refuse(failures);
  const entries = objects.map(importEntry);
  return {
    objects,
    problems,
    file: { nameTable: references.nameTable, resources: [...wanted.support, ...entries] },
  };
}

function alreadyIn(resources: readonly StackResource[], { kind, uuid }: ImportRequest): string[] {
  const { description } = KINDS[kind];
  return resources
    .filter((one) => one.type === typeToken(description) && one.id === uuid && !one.external)
    .map(({ urn }) => `${description.title} ${uuid} is in the stack already: ${urn}.`);
}

/** What a provider of the stack or of the import says, or without one what the stack says. */
async function settingsOf(
  provider: string | undefined,
  {
    wanted,
    resources,
    references,
    options,
    surroundings,
  }: Preparation & {
    readonly wanted: Wanted;
    readonly resources: readonly StackResource[] | undefined;
    readonly references: { readonly nameTable: Readonly<Record<string, string>> };
  },
): Promise<RawSettings> {
  if (provider === undefined) return await stackSettings(surroundings, options);
  const entry = wanted.support.find(({ name }) => name === provider);
  if (entry !== undefined) {
    if (entry.inputs?.[settingKey("apiKey")] == null) {
      return settingsIn(`provider ${provider}`, (key) => entry.inputs?.[key]);
    }
    throw new UserError(
      `Provider ${provider} is not in the stack yet and has its API key as an argument, which must not stand in a file. Deploy the provider first, or use apiKeyEnvVar.`,
    );
  }
  // Without a stack the environment has to do: a key of another organization does not find the objects.
  if (resources === undefined) return { apiUrl: options.apiUrl };
  const resource = resources.find(({ urn }) => urn === references.nameTable[provider]);
  if (resource === undefined)
    throw new UserError(`The stack has no provider ${references.nameTable[provider]}. Deploy it first.`);
  return settingsIn(`provider ${provider}`, (key) => resource.inputs?.[key]);
}

async function readAll(organization: Organization, requests: readonly ImportRequest[], console: Console) {
  const objects: ImportedObject[] = [];
  const failures: string[] = [];
  const problems: string[] = [];
  const { host } = organization;
  const reads = bulkhead(PARALLEL_READS, Number.POSITIVE_INFINITY);
  await withProgress(console, "Reading", async (progress) => {
    progress.expect(requests.length);
    const read = async ({ uuid, kind, ...rest }: ImportRequest) => {
      try {
        const reading = await KINDS[kind].read(host, { uuid, state: {} });
        if (reading === undefined)
          throw new UserError(`There is no ${KINDS[kind].description.title} ${uuid}.`);
        return { kind, ...rest, ...(await importability(host, { kind, reading })) };
      } catch (error) {
        return { kind, ...rest, problem: explain(error).message };
      } finally {
        progress.done();
      }
    };
    // In the order of the requests, whatever order the answers come in.
    for (const { reading, problem, ...rest } of await Promise.all(
      requests.map((request) => reads.execute(() => read(request))),
    )) {
      if (reading !== undefined) objects.push({ ...rest, reading });
      if (problem !== undefined) (reading === undefined ? failures : problems).push(problem);
    }
  });
  return { objects, failures, problems };
}

/** Leaves the import file to be imported by hand. */
async function leaveFile(text: string, { options, surroundings, console }: Preparation): Promise<void> {
  const out = options.out ?? DEFAULT_FILE;
  await writeFiles(dirname(out), { [basename(out)]: text }, options);
  const { cli, stack, whyNoStack } = surroundings;
  if (options.out === undefined) {
    say(
      console,
      "warning",
      cli === undefined
        ? "There is no Pulumi CLI on PATH, so nothing was imported."
        : `The Pulumi CLI on PATH is ${cli.version}, and importing dynamic resources needs ${FIRST_CLI_VERSION} or newer, so nothing was imported.`,
    );
  }
  if (stack === undefined) say(console, "warning", `What the stack has already is not known: ${whyNoStack}`);
  say(
    console,
    "note",
    `The import file is ${out}. Import it with: pulumi ${importArguments(resolve(out), options).join(" ")}`,
  );
  say(console, "note", AFTER_IMPORT);
}

/** Has the CLI import the file. */
async function runImport(
  cli: PulumiCli,
  text: string,
  { options, console }: Pick<Preparation, "options" | "console">,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "dynamiclink-import-"));
  try {
    const file = join(directory, "import.json");
    await writeFile(file, text);
    const code = await cli.run(importArguments(file, options));
    if (code !== 0)
      throw new UserError(`pulumi import ended with exit code ${code}; what it said stands above.`);
    say(console, "note", AFTER_IMPORT);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Reads the objects to import, resolves their parents and providers, and builds the import file. */
import type { ImportEntry } from "../provider/hosts/dynamic/importFile";
import { UserError } from "../provider/lifecycle/errors";
import { explain } from "../provider/lifecycle/explain";
import type { RawSettings } from "../provider/session/settings";
import { type Console, withProgress } from "./console";
import { HOSTS, type Host } from "./host";
import { importability } from "./importability";
import { entriesForCode, type ImportedObject, importEntry } from "./importFile";
import type { ImportRequest } from "./importList";
import { failOn, type ImportSelection, type SelectionOptions } from "./importSelection";
import { KINDS } from "./kinds";
import { type Organization, openOrganization, requireSameOrganization } from "./organization";
import { type StackResource, settingsIn, typeOf } from "./pulumiStack";
import { type References, referencesIn } from "./references";
import { type PulumiContext, type StackOptions, stackSettings } from "./stackSettings";

/** What an import runs with. */
interface Preparation {
  readonly options: StackOptions & Pick<SelectionOptions, "parent" | "provider">;
  /** The host of the objects whose type the selection does not have. */
  readonly host: Host;
  /** Whether Pulumi generates code for the objects. */
  readonly generatesCode: boolean;
  readonly pulumi: PulumiContext;
  readonly console: Console;
}

/** An object to import whose host and references are known. */
interface Request extends ImportRequest {
  readonly host: Host;
}

/** The import file and its objects. */
interface PreparedImport {
  readonly file: {
    readonly nameTable: Readonly<Record<string, string>>;
    readonly resources: readonly ImportEntry[];
  };
  readonly objects: readonly ImportedObject[];
  /** What needs review, although the objects can be imported. */
  readonly problems: readonly string[];
}

/**
 * Reads the selected objects, each with the settings of its provider.
 *
 * @throws UserError, or an AggregateError of all that is wrong with the objects.
 */
export async function prepareImport(
  selection: ImportSelection,
  preparation: Preparation,
): Promise<PreparedImport> {
  const { options, pulumi } = preparation;
  // Secrets are needed only to read the settings of a provider.
  const showSecrets = [options, ...selection.requests].some(({ provider }) => provider !== undefined);
  const resources = await pulumi.stack?.resources({ showSecrets });
  const references = referencesIn({
    resources,
    entries: [...selection.requests, ...selection.support].map(({ name }) => name),
    nameTable: selection.nameTable,
  });
  const requests = selection.requests.map((request): Request => {
    const { host = preparation.host } = request;
    const { providerType } = host;
    const nameFor = (role: "parent" | "provider", given: string | undefined) =>
      given === undefined ? undefined : references.nameFor(role, given, { providerType });
    return {
      ...request,
      host,
      parent: nameFor("parent", request.parent ?? options.parent),
      provider: nameFor("provider", request.provider ?? options.provider),
    };
  });
  failOn(requests.flatMap((request) => wrongProvider(request, { selection, references })));
  failOn(requests.flatMap((request) => managedAlready(resources ?? [], request)));

  const objects: ImportedObject[] = [];
  const failures: string[] = [];
  const problems: string[] = [];
  for (const [provider, group] of Map.groupBy(requests, (request) => request.provider)) {
    // All objects of a provider have its host.
    const { host } = group[0] ?? preparation;
    const settings = await settingsFor(provider, { selection, resources, references, ...preparation, host });
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
  failOn(failures);
  const entries = preparation.generatesCode
    ? entriesForCode(objects, { taken: Object.keys(references.nameTable) })
    : objects.map(importEntry);
  return {
    objects,
    problems,
    file: { nameTable: references.nameTable, resources: [...selection.support, ...entries] },
  };
}

/** Reports a provider of another package: Pulumi would start the wrong one. */
function wrongProvider(
  { kind, host, name, provider }: Request,
  { selection, references }: { readonly selection: ImportSelection; readonly references: References },
): string[] {
  if (provider === undefined) return [];
  const type =
    selection.support.find((entry) => entry.name === provider)?.type ??
    typeOf(references.nameTable[provider] ?? "");
  if (type === host.providerType) return [];
  const { description } = KINDS[kind];
  const fact = type === "" ? "is not a provider" : `has the type ${type}`;
  return [
    `${description.title} ${name} cannot use ${provider}, which ${fact}. Resources of type ${host.typeToken(description)} need a provider of type ${host.providerType}.`,
  ];
}

/** Reports an object that the stack has already, as a resource of any host. */
function managedAlready(resources: readonly StackResource[], { kind, uuid }: ImportRequest): string[] {
  const { description } = KINDS[kind];
  const types = Object.values(HOSTS).map((host) => host.typeToken(description));
  return resources
    .filter((one) => types.includes(one.type) && one.id === uuid && !one.external)
    .map(({ urn }) => `${description.title} ${uuid} is already in the stack: ${urn}.`);
}

/** Reads the settings of a provider in the stack or in the import, or without a provider those of the stack. */
async function settingsFor(
  provider: string | undefined,
  {
    selection,
    resources,
    references,
    options,
    pulumi,
    host,
  }: Preparation & {
    readonly selection: ImportSelection;
    readonly resources: readonly StackResource[] | undefined;
    readonly references: { readonly nameTable: Readonly<Record<string, string>> };
  },
): Promise<RawSettings> {
  if (provider === undefined) return await stackSettings(pulumi, options);
  const entry = selection.support.find(({ name }) => name === provider);
  if (entry !== undefined) {
    if (entry.inputs?.[host.providerArgument("apiKey")] == null) {
      return settingsIn(`provider ${provider}`, (name) => entry.inputs?.[host.providerArgument(name)]);
    }
    throw new UserError(
      `Provider ${provider} is not in the stack yet and has its API key as an argument, which must not be written to a file. Deploy the provider first, or use apiKeyEnvVar.`,
    );
  }
  // Without a stack, use the environment. With a key of another organization, the objects are not found.
  if (resources === undefined) return { apiUrl: options.apiUrl };
  const resource = resources.find(({ urn }) => urn === references.nameTable[provider]);
  if (resource === undefined)
    throw new UserError(`The stack has no provider ${references.nameTable[provider]}. Deploy it first.`);
  return settingsIn(`provider ${provider}`, (name) => resource.inputs?.[host.providerArgument(name)]);
}

async function readAll(organization: Organization, requests: readonly Request[], console: Console) {
  const objects: ImportedObject[] = [];
  const failures: string[] = [];
  const problems: string[] = [];
  const { run } = organization;
  await withProgress(console, "Reading", async (progress) => {
    progress.addSteps(requests.length);
    const read = async ({ uuid, kind, ...rest }: Request) => {
      try {
        const reading = await KINDS[kind].read(run, { uuid, state: {} });
        if (reading === undefined)
          throw new UserError(`There is no ${KINDS[kind].description.title} ${uuid}.`);
        return { kind, ...rest, ...(await importability(run, { kind, reading })) };
      } catch (error) {
        return { kind, ...rest, problem: explain(error).message };
      } finally {
        progress.done();
      }
    };
    // Keeps the order of the requests.
    for (const { reading, problem, ...rest } of await Promise.all(requests.map(read))) {
      if (reading !== undefined) objects.push({ ...rest, reading });
      if (problem !== undefined) (reading === undefined ? failures : problems).push(problem);
    }
  });
  return { objects, failures, problems };
}

/** Opens the organizations that a command reads: one for each key or provider, by default that of the stack's settings. */
import { UserError } from "../../provider/errors";
import { explain } from "../../provider/lifecycle/explain";
import { isShownName, type RawSettings } from "../../provider/session/settings";
import { HOSTS, type Host } from "../objects/hosts";
import { DEVICE_NAMES, uniqueNames } from "../objects/logicalNames";
import { referencesIn } from "../pulumi/resourceReferences";
import { type PulumiContext, stackSettings } from "../pulumi/stackSettings";
import { nameInUrn, typeOf } from "../pulumi/urn";
import type { Console } from "../terminal/console";
import { closeAll, type Organization, openOrganization } from "./organization";
import { storedSettings } from "./storedSettings";

/** The options of the command line that name organizations. */
export interface OrganizationsOptions {
  /** Environment variables, each with a key. */
  readonly apiKeyEnvVar?: readonly string[] | undefined;
  /** Providers of the stack, each by name or URN. */
  readonly provider?: readonly string[] | undefined;
}

/** Where the key of an organization is from. */
export interface KeySource {
  /** The variable or the logical name of the provider. */
  readonly name: string;
  /** The URN of the provider. */
  readonly provider?: string;
}

export interface OpenOrganization {
  readonly organization: Organization;
  /** Undefined for the settings of the stack or of the environment. */
  readonly source?: KeySource;
  /** A unique name for its files; empty for the only organization of a command without these options. */
  readonly directory: string;
}

/** A source, and the settings that it supplies. */
interface Candidate extends KeySource {
  settings(): Promise<RawSettings>;
}

interface Places {
  readonly pulumi: PulumiContext;
  /** The host whose providers are meant if several have the same name. */
  readonly host: Host;
  readonly console: Console;
}

export function namesOrganizations({ apiKeyEnvVar, provider }: OrganizationsOptions): boolean {
  return apiKeyEnvVar !== undefined || provider !== undefined;
}

/**
 * Opens the organizations.
 *
 * @throws UserError, or an AggregateError of all keys that cannot be used. Two keys of one organization are an error.
 */
export async function openOrganizations(
  options: OrganizationsOptions,
  { pulumi, host, console }: Places,
): Promise<readonly OpenOrganization[]> {
  if (!namesOrganizations(options)) {
    const organization = await openOrganization(await stackSettings(pulumi), console);
    return [{ organization, directory: "" }];
  }
  const candidates = [
    ...variables(options, pulumi),
    ...(await providerSources(options.provider, { pulumi, host })),
  ];
  const opened = await Promise.all(
    candidates.map(async ({ settings, ...source }) => {
      try {
        return { source, organization: await openOrganization(await settings(), console) };
      } catch (error) {
        return { failure: `${label(source)}: ${explain(error).message}` };
      }
    }),
  );
  const organizations = opened.filter((one) => one.organization !== undefined);
  const failures = [
    ...opened.flatMap(({ failure }) => failure ?? []),
    ...[...Map.groupBy(organizations, ({ organization }) => organization.organizationId)]
      .filter(([, group]) => group.length > 1)
      .map(
        ([id, group]) =>
          `${group.map(({ source }) => source.name).join(" and ")} belong to the same organization, ${id}. Specify one of them.`,
      ),
  ];
  if (failures.length > 0) {
    await closeAll(organizations.map(({ organization }) => organization));
    throw new AggregateError(failures.map((failure) => new UserError(failure)));
  }
  const directories = uniqueNames(
    organizations.map(({ organization, source }) => ({ uuid: organization.organizationId, source })),
    ({ source }) => [directoryName(source.name)],
    { reserved: DEVICE_NAMES },
  );
  return organizations.map((one) => ({
    ...one,
    directory: directories.get(one.organization.organizationId) ?? "",
  }));
}

/** The source in messages. A key in place of a variable is not shown. */
function label({ name, provider }: KeySource): string {
  return provider !== undefined || isShownName(name) ? name : "--api-key-env-var";
}

/** A key from a variable is used with the other settings of the stack. */
function variables({ apiKeyEnvVar = [] }: OrganizationsOptions, pulumi: PulumiContext): Candidate[] {
  return [...new Set(apiKeyEnvVar)].map((name) => ({
    name,
    settings: async () => ({ ...(await stackSettings(pulumi)), apiKey: undefined, apiKeyEnvVar: name }),
  }));
}

/** Providers of the stack, by name or URN. */
export async function providerSources(
  given: readonly string[] = [],
  { pulumi, host }: Pick<Places, "pulumi" | "host">,
): Promise<Candidate[]> {
  if (given.length === 0) return [];
  if (pulumi.stack === undefined) {
    throw new UserError(
      `--provider needs the stack that has the provider, but ${pulumi.noStackReason} Select it with --stack.`,
    );
  }
  const resources = await pulumi.stack.resources({ showSecrets: true });
  const { nameTable, nameFor } = referencesIn({ resources });
  return [...new Set(given.map((one) => nameFor("provider", one, host)))].map((entry) => {
    const urn = nameTable[entry] ?? entry;
    return {
      name: nameInUrn(urn),
      provider: urn,
      settings: () => storedSettings(entry, { resources, nameTable, pulumi, host: hostOf(urn) }),
    };
  });
}

/** The host of a provider. @throws UserError if it is one of another package. */
function hostOf(urn: string): Host {
  const host = Object.values(HOSTS).find(({ providerType }) => providerType === typeOf(urn));
  if (host !== undefined) return host;
  const types = Object.values(HOSTS).map(({ providerType }) => providerType);
  throw new UserError(`${urn} is not a provider of this package. Its type must be ${types.join(" or ")}.`);
}

/** A name as part of a path. */
function directoryName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+/, "") || "organization";
}

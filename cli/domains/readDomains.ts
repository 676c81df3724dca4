/** Reads custom domains: those of a stack, of projects, or of whole organizations. */
import type { CustomDomain } from "../../provider/client";
import { NotFoundError } from "../../provider/client/errors";
import { UserError } from "../../provider/errors";
import { projectNotFoundError } from "../../provider/lifecycle/evidence/absence";
import { customDomainActivationDescription } from "../../provider/resources/customDomainActivation";
import { requireScopes } from "../../provider/session/session";
import { isUuid } from "../../provider/values/uuid";
import { HOSTS } from "../objects/hosts";
import { requireUuids } from "../objects/identity";
import { KINDS, pluralOf } from "../objects/kinds";
import {
  objectsIn,
  type PulumiStack,
  providerUrnOf,
  type StackObject,
  type StackResource,
} from "../pulumi/stack";
import type { PulumiContext } from "../pulumi/stackSettings";
import { isDefaultProvider, nameInUrn } from "../pulumi/urn";
import {
  closeAll,
  type Organization,
  openOrganization,
  requireStackOrganization,
} from "../service/organization";
import {
  namesOrganizations,
  type OrganizationsOptions,
  openOrganizations,
  providerSources,
} from "../service/organizations";
import type { Console } from "../terminal/console";

/** What to read. */
export interface DomainSelection extends OrganizationsOptions {
  /** UUIDs of projects. */
  readonly project?: readonly string[];
  /** Whether to read whole organizations although a stack is selected. */
  readonly organization?: boolean;
}

/** What was read of a domain. */
export interface DomainReading {
  readonly organization: Organization;
  readonly uuid: string;
  /** Undefined if the service does not find it. */
  readonly domain: CustomDomain | undefined;
  /** The host name that was read last. */
  readonly hostname: string | undefined;
  /** The name of the resource in the stack, if the domains of a stack are read. */
  readonly resource: string | undefined;
}

/** Domains that can be read. */
export interface DomainSource {
  readonly organization: Organization;
  read(): Promise<readonly DomainReading[]>;
}

/** Domains to read, and where they are, for messages. */
export interface Domains {
  readonly place: string;
  readonly sources: readonly DomainSource[];
}

/**
 * Opens what is selected: a stack, unless options name projects, keys or the organization. Without a stack, the organization
 * of the key.
 */
export async function openDomains(
  selection: DomainSelection,
  { pulumi, console }: { readonly pulumi: PulumiContext; readonly console: Console },
): Promise<Domains> {
  const { project: projects, organization: isWhole = false } = selection;
  requireUuids("--project", projects);
  const { stack } = pulumi;
  if (stack !== undefined && !isWhole && projects === undefined && !namesOrganizations(selection)) {
    const sources = await sourcesOf(stack, { pulumi, console });
    return { place: `Stack ${stack.name}`, sources };
  }
  const opened = await openOrganizations(selection, { pulumi, host: HOSTS.dynamic, console });
  const organizations = opened.map(({ organization }) => organization);
  if (projects !== undefined && organizations.length > 1) {
    await closeAll(organizations);
    throw new UserError("--project takes projects of one organization. Specify one key or provider.");
  }
  return {
    place: organizations.map(({ organizationId }) => `Organization ${organizationId}`).join(", "),
    sources: organizations.map((organization) => ({
      organization,
      read: () => readOrganization(organization, projects),
    })),
  };
}

/** Reads a domain again. One that was deleted meanwhile is not found. */
export async function readAgain(reading: DomainReading): Promise<DomainReading> {
  const { organization, uuid } = reading;
  const { client, signal } = organization;
  try {
    const domain = await client.getCustomDomain({ customDomainId: uuid }, { signal });
    return { ...reading, domain, hostname: domain.hostname };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    return { ...reading, domain: undefined };
  }
}

/** A domain that a stack manages or waits for, and its provider. */
type StackDomain = Pick<StackObject, "uuid" | "name" | "provider">;

/** The domains of a stack, read with the settings of their providers. */
async function sourcesOf(
  stack: PulumiStack,
  { pulumi, console }: { readonly pulumi: PulumiContext; readonly console: Console },
): Promise<readonly DomainSource[]> {
  const resources = await stack.resources();
  const managed = objectsIn(resources).filter(
    ({ kind, uuid, isManaged }) => kind === "customDomain" && isManaged && isUuid(uuid),
  );
  const domains: readonly StackDomain[] = [...managed, ...resources.flatMap(awaitedDomain)];
  const byProvider = Map.groupBy(domains, ({ provider }) => (isDefaultProvider(provider) ? "" : provider));
  const explicit = [...byProvider.keys()].filter((provider) => provider !== "");
  const candidates = await providerSources(explicit, { pulumi, host: HOSTS.dynamic });
  const sources: DomainSource[] = [];
  try {
    for (const [provider, group] of byProvider) {
      const candidate = candidates.find((one) => one.provider === provider);
      const settings = await (candidate ?? stack).settings();
      const organization = await openOrganization(settings, console);
      sources.push({ organization, read: () => readAll(organization, group) });
      requireStackOrganization(organization, resources, candidate?.provider);
    }
    return sources;
  } catch (error) {
    await closeAll(sources.map(({ organization }) => organization));
    throw error;
  }
}

/** The domain of an activation, which another stack may manage. */
function awaitedDomain(resource: StackResource): readonly StackDomain[] {
  const { type, id, urn, external } = resource;
  const tokens = Object.values(HOSTS).map(({ typeToken }) => typeToken(customDomainActivationDescription));
  if (!tokens.includes(type) || external || !isUuid(id)) return [];
  return [{ uuid: id.toLowerCase(), name: nameInUrn(urn), provider: providerUrnOf(resource) }];
}

/** Reads each domain once, under the name of the first resource that has it. */
async function readAll(
  organization: Organization,
  domains: readonly StackDomain[],
): Promise<readonly DomainReading[]> {
  await requireRead(organization);
  const first = [...Map.groupBy(domains, ({ uuid }) => uuid).values()].flatMap((group) => group.slice(0, 1));
  return await Promise.all(
    first.map(({ uuid, name }) =>
      readAgain({ organization, uuid, domain: undefined, hostname: undefined, resource: name }),
    ),
  );
}

/** Lists the domains of projects, by default of all. */
async function readOrganization(
  organization: Organization,
  projects: readonly string[] | undefined,
): Promise<readonly DomainReading[]> {
  const { client, organizationId, signal } = organization;
  await requireRead(organization);
  const wanted = projects ?? (await projectsOf(organization));
  const lists = await Promise.all(
    [...new Set(wanted.map((uuid) => uuid.toLowerCase()))].map((projectId) =>
      client.listCustomDomains({ organizationId, projectId }, { signal }).catch(async (error: unknown) => {
        if (!(error instanceof NotFoundError)) throw error;
        if (projects !== undefined) throw await projectNotFoundError(organization, projectId, error);
        // A project of the list was deleted meanwhile.
        return [];
      }),
    ),
  );
  return lists.flat().map((domain) => {
    const { id: uuid, hostname } = domain;
    return { organization, uuid, domain, hostname, resource: undefined };
  });
}

async function projectsOf(organization: Organization): Promise<readonly string[]> {
  const { client, organizationId, signal, session } = organization;
  const purpose = `listing the ${pluralOf("customDomain")} of an organization`;
  await requireScopes(session, KINDS.project.description.scopes.read, purpose);
  return (await client.listProjects({ organizationId }, { signal })).map(({ id }) => id);
}

async function requireRead({ session }: Organization): Promise<void> {
  const { scopes } = KINDS.customDomain.description;
  await requireScopes(session, scopes.read, `reading ${pluralOf("customDomain")}`);
}

/**
 * The functions of the package: each looks up an object by UUID, or lists objects. The plugin has them as invokes; on the
 * dynamic host, they run in the program. The results have all fields of the objects, in camelCase. A function is declared here
 * alone: both forms on both hosts, the plugin's schema and the pages are derived from it.
 */
import { z } from "zod";
import { systemClock } from "../client/client";
import { NotFoundError } from "../client/errors";
import { application, customDomain, link } from "../client/model";
import { uuid } from "../client/model/formats";
import { UserError } from "../errors";
import type { OperationContext, ResourceDescription } from "../lifecycle/description";
import { explainNotFound } from "../lifecycle/evidence/absence";
import { type ListedKind, type LookupTarget, PROJECT_KIND } from "../lifecycle/evidence/lists";
import { recordNew, whileYoung } from "../lifecycle/evidence/youth";
import { explained } from "../lifecycle/explain";
import { objectKey } from "../lifecycle/ledger/facts";
import { newLedger } from "../lifecycle/ledger/ledger";
import type { RunContext } from "../lifecycle/run/runContext";
import { requireScopes } from "../session/session";
import { canonicalValues } from "../values/canonical";
import { checkValue } from "../values/check";
import { withArticle } from "../values/phrases";
import type { Fields } from "../values/schema";
import { GIVEN_UUID } from "../values/uuid";
import { applicationDescription } from "./application";
import { customDomainDescription } from "./customDomain";
import { projectDescription, projectProperties, projectPropertiesSchema } from "./project";

/** Arguments of a lookup. */
export interface LookUpArgs {
  /** UUID of the object. */
  readonly id: string;
}

/** Arguments of a list. */
export interface ListArgs {
  /** UUID of the project. */
  readonly projectId: string;
}

const givenUuid = uuid.meta({ meaning: GIVEN_UUID });
/** The fields of the types of arguments, by their names. */
export const ARGUMENTS = { LookUpArgs: { id: givenUuid }, ListArgs: { projectId: givenUuid } };

/** What a function needs of the description of a kind. */
interface ReadKind extends ListedKind {
  readonly scopes: Pick<ResourceDescription["scopes"], "read">;
}

export interface PackageFunction {
  /** Those of one of the {@link ARGUMENTS}, or none. */
  readonly args: Fields;
  /** The kind whose read scopes it needs. */
  readonly kind: ReadKind;
  /** What it does, as text that "needs" follows. */
  readonly activity: string;
  /** A type of the model, or an object with a list of them. */
  readonly result: z.ZodObject;
  /** The function that lists the objects that it looks up, if there is one. */
  readonly list?: string;
  read(context: OperationContext, args: LookUpArgs & ListArgs): Promise<object>;
  /** The object that a 404 is about, if the arguments have its UUID. */
  target?(args: LookUpArgs & ListArgs): Pick<LookupTarget, "description" | "uuid">;
}

/** The run in which a function is called. Default: it knows no object, and nothing stops the call. */
interface FunctionRun extends Pick<RunContext, "session">, Partial<Omit<RunContext, "session">> {
  /** Whether this run may have created the object of the arguments, although its memory does not have it. */
  readonly mayBeNew?: boolean;
}

export type FunctionName = keyof typeof FUNCTIONS;

/**
 * The functions. The first example of a doc comment is that of the function, the second that of its form with Outputs, which is
 * shown in every language.
 */
export const FUNCTIONS = {
  /**
   * Looks up a project by its UUID.
   *
   * @throws if the organization has no such project. The error contains the UUID and the organization.
   * @example
   * const brand = await getProject({ id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
   * export const subDomain = brand.subDomain;
   * @example
   * const brand = getProjectOutput({ id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
   * export const subDomain = brand.subDomain;
   */
  getProject: {
    ...lookUp(projectDescription),
    result: projectPropertiesSchema,
    list: "getProjects",
    read: async ({ client, organizationId }, { id: projectId }) =>
      projectProperties(await client.getProject({ organizationId, projectId })),
  },
  /**
   * Lists the projects of the organization, for example to find their UUIDs by name.
   *
   * @throws if the key lacks the scope. The error names it.
   * @example
   * const { projects } = await getProjects();
   * export const ids = Object.fromEntries(projects.map(({ name, id }) => [name, id]));
   * @example
   * export const projects = getProjectsOutput().projects;
   */
  getProjects: {
    kind: projectDescription,
    args: {},
    activity: "listing projects",
    result: z.object({ projects: z.array(projectPropertiesSchema) }),
    read: async ({ client, organizationId }) => ({
      projects: (await client.listProjects({ organizationId })).map(projectProperties),
    }),
  },
  /**
   * Looks up an application by its UUID.
   *
   * @throws if the organization has no such application. The error contains the UUID and the organization.
   * @example
   * const app = await getApplication({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
   * export const bundleId = app.appleInfo?.bundleId;
   * @example
   * const app = getApplicationOutput({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
   * export const appleInfo = app.appleInfo;
   */
  getApplication: {
    ...lookUp(applicationDescription),
    result: application,
    list: "getApplications",
    read: ({ client }, { id }) => client.getApplication({ applicationId: id }),
  },
  /**
   * Lists the applications of a project, for example to find the UUID of one by its bundle ID.
   *
   * @throws if the organization has no such project. The error contains the UUID and the organization.
   * @example
   * const { applications } = await getApplications({ projectId: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
   * const shop = applications.find(({ appleInfo }) => appleInfo?.bundleId === "example.shop.app");
   * export const id = shop?.id;
   * @example
   * const brand = getProjectOutput({ id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
   * export const applications = getApplicationsOutput({ projectId: brand.id }).applications;
   */
  getApplications: {
    ...listInProject(applicationDescription),
    result: z.object({ applications: z.array(application) }),
    read: async ({ client, organizationId }, { projectId }) => ({
      applications: await client.listApplications({ organizationId, projectId }),
    }),
  },
  /**
   * Looks up a custom domain by its UUID, with its lifecycle status and verification records.
   *
   * @throws if the organization has no such custom domain. The error contains the UUID and the organization.
   * @example
   * const domain = await getCustomDomain({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
   * export const records = domain.sslValidationRecords?.records;
   * @example
   * const domain = getCustomDomainOutput({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
   * export const lifecycleStatus = domain.lifecycleStatus;
   */
  getCustomDomain: {
    ...lookUp(customDomainDescription),
    result: customDomain,
    list: "getCustomDomains",
    read: ({ client }, { id }) => client.getCustomDomain({ customDomainId: id }),
  },
  /**
   * Lists the custom domains of a project, with their lifecycle status and verification records.
   *
   * @throws if the organization has no such project. The error contains the UUID and the organization.
   * @example
   * const { customDomains } = await getCustomDomains({ projectId: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
   * export const ids = Object.fromEntries(customDomains.map(({ hostname, id }) => [hostname, id]));
   * @example
   * const brand = getProjectOutput({ id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
   * export const customDomains = getCustomDomainsOutput({ projectId: brand.id }).customDomains;
   */
  getCustomDomains: {
    ...listInProject(customDomainDescription),
    result: z.object({ customDomains: z.array(customDomain) }),
    read: async ({ client, organizationId }, { projectId }) => ({
      customDomains: await client.listCustomDomains({ organizationId, projectId }),
    }),
  },
  /**
   * Looks up a link by its UUID.
   *
   * @throws if the organization has no such link. The error contains the UUID and the organization.
   * @example
   * const link = await getLink({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
   * export const shortUrl = link.shortUrl;
   * @example
   * const link = getLinkOutput({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
   * export const shortUrl = link.shortUrl;
   */
  // There may be very many links, so no list confirms that one does not exist.
  getLink: {
    ...lookUp({ title: "link", scopes: { read: ["links:read"] } }),
    result: link,
    read: ({ client }, { id }) => client.getLink({ linkId: id }),
  },
} satisfies Readonly<Record<string, PackageFunction>>;

/** Calls a function. @throws UserError with all that is wrong with the arguments. */
export async function callFunction(
  name: FunctionName,
  values: object,
  open: () => Promise<FunctionRun> | FunctionRun,
): Promise<object> {
  const called: PackageFunction = FUNCTIONS[name];
  const args = checkedArguments(name, called, values ?? {});
  const run = await open();
  const {
    signal = new AbortController().signal,
    waits = signal,
    report = () => {},
    clock = systemClock,
  } = run;
  const { session, memory, mayBeNew = false } = run;
  return await explained(async () => {
    const { client } = session;
    const identity = await requireScopes(session, called.kind.scopes.read, called.activity);
    const facts = memory?.ledger ?? newLedger();
    const context: OperationContext = { ...identity, client, signal, waits, report, clock, facts };
    const read = () => called.read(context, args);
    const target = called.target?.(args);
    const object = target && objectKey(target.description.title, target.uuid);
    if (mayBeNew && object !== undefined) recordNew(context, object);
    try {
      return await (object === undefined ? read() : whileYoung(context, object, read));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      if (target === undefined) throw new UserError(error.message, { cause: error });
      throw await explainNotFound({ ...target, context, state: {} }, error);
    }
  });
}

/** The arguments in canonical form, after the same checks as the inputs of resources. @throws UserError */
export function checkedArguments(name: string, { args, list }: PackageFunction, values: object) {
  const schema = z.strictObject(args);
  const problems = checkValue(schema, values, { isUnknown: () => false, noun: "an argument" });
  if (problems.length === 0) return canonicalValues(schema, values) as LookUpArgs & ListArgs;
  const lines = problems.map(({ path, reason }) => `${name}: ${path} ${reason}`);
  if (list !== undefined && !("id" in values)) lines.push(`To find a UUID by name, use ${list}.`);
  throw new UserError(lines.join("\n"));
}

/** What functions share that look up an object of a kind by its UUID. */
function lookUp(kind: ReadKind) {
  return {
    kind,
    args: ARGUMENTS.LookUpArgs,
    activity: `looking up ${withArticle(kind.title)}`,
    target: ({ id }: LookUpArgs) => ({ description: kind, uuid: id }),
  };
}

/** What functions share that list the objects of a kind in a project. The organization must have the project. */
function listInProject(kind: ReadKind) {
  return {
    kind,
    args: ARGUMENTS.ListArgs,
    activity: `listing ${kind.title}s`,
    target: ({ projectId }: ListArgs) => ({ description: PROJECT_KIND, uuid: projectId }),
  };
}

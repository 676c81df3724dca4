/**
 * The functions of the package: each looks up an object by UUID, or lists objects. The plugin has them as invokes; on the
 * dynamic host, they run in the program. The results have all fields of the objects, in camelCase.
 */
import { z } from "zod";
import type { Client } from "../client";
import { systemClock } from "../client/client";
import { NotFoundError } from "../client/errors";
import { application, customDomain, link } from "../client/model";
import { uuid } from "../client/model/formats";
import { UserError } from "../errors";
import type { OperationContext, ResourceDescription } from "../lifecycle/description";
import { notFoundError, projectNotFoundError } from "../lifecycle/evidence/absence";
import type { ListedKind } from "../lifecycle/evidence/lists";
import { explained } from "../lifecycle/explain";
import { requireScopes, type Session } from "../session/session";
import { suggestion } from "../values/nearestName";
import { withArticle } from "../values/phrases";
import type { Fields } from "../values/schema";
import { checkUuid } from "../values/uuid";
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

export interface PackageFunction {
  readonly args: Fields;
  readonly result: z.ZodObject;
  run(session: Session, args: Readonly<Record<string, string>>): Promise<object>;
}

/** The names of the functions. */
export type FunctionName = keyof typeof FUNCTIONS;

export const FUNCTIONS = {
  getProject: lookUp(projectDescription, projectPropertiesSchema, async (client, projectId, organizationId) =>
    projectProperties(await client.getProject({ organizationId, projectId })),
  ),
  getProjects: {
    args: {},
    result: z.object({ projects: z.array(projectPropertiesSchema) }),
    run: (session) =>
      reading(session, projectDescription, `listing ${projectDescription.title}s`, {
        read: async ({ organizationId }) => ({
          projects: (await session.client.listProjects({ organizationId })).map(projectProperties),
        }),
      }),
  },
  getApplication: lookUp(applicationDescription, application, (client, applicationId) =>
    client.getApplication({ applicationId }),
  ),
  getApplications: list("applications", applicationDescription, application, "listApplications"),
  getCustomDomain: lookUp(customDomainDescription, customDomain, (client, customDomainId) =>
    client.getCustomDomain({ customDomainId }),
  ),
  getCustomDomains: list("customDomains", customDomainDescription, customDomain, "listCustomDomains"),
  // There may be very many links, so no list confirms that one does not exist.
  getLink: lookUp({ title: "link", scopes: { read: ["links:read"] } }, link, (client, linkId) =>
    client.getLink({ linkId }),
  ),
} satisfies Readonly<Record<string, PackageFunction>>;

/**
 * Calls a function, which checks the values of its arguments.
 *
 * @throws UserError for an argument that does not exist: it would be ignored.
 */
export async function callFunction(
  name: FunctionName,
  values: object,
  open: () => Promise<Session> | Session,
): Promise<object> {
  const { run, args }: PackageFunction = FUNCTIONS[name];
  const names = Object.keys(args);
  const given = Object.keys(values ?? {});
  const unexpected = given.find((each) => !names.includes(each));
  if (unexpected === undefined) return await run(await open(), values as never);
  const allowed =
    names.length === 0 ? "it has none" : `allowed: ${names.join(", ")}${suggestion(unexpected, names)}`;
  const list = `${name}s`;
  const finder = list in FUNCTIONS && !given.includes("id") ? ` To find a UUID by name, use ${list}.` : "";
  throw new UserError(`${unexpected} is not an argument of ${name}; ${allowed}.${finder}`);
}

/** What a function needs of the description of a kind. */
interface LookedUpKind extends ListedKind {
  readonly scopes: Pick<ResourceDescription["scopes"], "read">;
}

function lookUp(
  kind: LookedUpKind,
  result: z.ZodObject,
  get: (client: Client, uuid: string, organizationId: string) => Promise<object>,
): PackageFunction {
  const { title } = kind;
  return {
    args: { id: uuid },
    result,
    async run(session, { id }) {
      const uuid = requireUuid(`id of the ${title}`, id);
      return await reading(session, kind, `looking up ${withArticle(title)}`, {
        read: ({ organizationId }) => get(session.client, uuid, organizationId),
        missing: (context, error) => notFoundError({ description: kind, context, uuid, state: {} }, error),
      });
    },
  };
}

/** Lists the objects of a kind in a project. It fails if the organization does not have the project. */
function list(
  name: string,
  kind: LookedUpKind,
  item: z.ZodObject,
  operation: "listApplications" | "listCustomDomains",
): PackageFunction {
  return {
    args: { projectId: uuid },
    result: z.object({ [name]: z.array(item) }),
    async run(session, args) {
      const projectId = requireUuid("projectId", args.projectId);
      return await reading(session, kind, `listing ${kind.title}s`, {
        read: async ({ organizationId }) => ({
          [name]: await session.client[operation]({ organizationId, projectId }),
        }),
        missing: (context, error) => projectNotFoundError(context, projectId, error),
      });
    },
  };
}

function requireUuid(what: string, value: unknown): string {
  const failures = checkUuid(value);
  if (failures.length > 0) throw new UserError(`${what}: ${failures.join("\n")}`);
  return String(value).toLowerCase();
}

/** Reads something outside a resource, with the error for users if it is missing. */
async function reading(
  session: Session,
  { scopes }: LookedUpKind,
  activity: string,
  {
    read,
    missing,
  }: {
    read(context: OperationContext): Promise<object>;
    missing?(context: OperationContext, error: NotFoundError): Promise<Error>;
  },
): Promise<object> {
  return await explained(async () => {
    const identity = await requireScopes(session, scopes.read, activity);
    const { signal } = new AbortController();
    const { client } = session;
    const context: OperationContext = { ...identity, client, signal, report() {}, clock: systemClock };
    try {
      return await read(context);
    } catch (error) {
      throw error instanceof NotFoundError && missing ? await missing(context, error) : error;
    }
  });
}

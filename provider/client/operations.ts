/** The 30 operations of the service as data, from which the functions of the client are derived. */
import { z } from "zod";
import type { Method } from "./connection/http";
import * as model from "./model";
import { uri, uuid } from "./model/formats";

/** One operation of the service. */
export interface Operation {
  /** The method and the path, with `{name}` for each parameter. */
  readonly request: `${Method} ${string}`;
  /** The scope that the key needs; absent if any valid key is accepted. */
  readonly scope?: model.Scope;
  /** What the operation does, as text that "failed" follows, with `{name}` for parameters of the path. */
  readonly activity: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The status of a success. Default: 201 for POST, 204 for DELETE, and 200 for the others. */
  readonly success?: number;
  /** The content of a success; absent if it has none. */
  readonly response?: z.ZodType;
  /** The parameter that is the id of the object in the response. Default: the one that the path ends with, if any. */
  readonly about?: string;
  /** The field of the response that the caller receives. Default: the whole response. */
  readonly unwrap?: string;
}

/** The name of an operation, such as `createProject`. */
export type OperationId = keyof typeof operations;

const V2 = "/api/v2";
const PROJECTS_PATH = `${V2}/organizations/{organizationId}/projects` as const;
const PROJECT = `${PROJECTS_PATH}/{projectId}` as const;
const APPLICATION = `${V2}/applications/{applicationId}` as const;
const CUSTOM_DOMAIN = `${V2}/custom-domains/{customDomainId}` as const;
const LINKS = `${V2}/links` as const;
const LINK = `${LINKS}/{linkId}` as const;

const pageQuery = z.strictObject({
  /** Maximum number of links on a page, 1 to 100. Default: 20. */
  limit: z.int().min(1).max(100).optional(),
  /** The `nextCursor` of the previous page, unchanged; omitted for the first page. */
  cursor: z.string().optional(),
});

/** Every operation by its name, which is its operationId in testing/emulator/contract/openapi.yaml. */
export const operations = {
  /** Reads the credential of the key. Needs no scope. */
  getCurrentApiCredential: {
    request: `GET ${V2}/api-credentials/current`,
    activity: "Reading the API credential",
    response: model.currentApiCredential as z.ZodType<model.CurrentApiCredential>,
  },

  /** Creates a link and can let the service choose the project's applications. */
  createCoreLinkV2: {
    request: `POST ${V2}/core/link`,
    scope: "links:write",
    activity: "Creating the link",
    body: model.createCoreLinkV2 as z.ZodType<model.CreateCoreLinkV2>,
    response: model.link as z.ZodType<model.Link>,
  },
  /** Checks whether a link's suffix is available, without reserving it. */
  checkCoreLinkAvailability: {
    request: `GET ${V2}/core/link/availability`,
    scope: "links:read",
    activity: "Checking whether the link's suffix is available",
    query: z.strictObject({
      /** UUID of the project. */
      projectId: uuid,
      /** The suffix, at least 1 character. */
      dynamicLinkSuffix: z.string().min(1),
      /** UUID of the custom domain; omitted for the project's default domain. */
      customDomainId: uuid.optional(),
    }),
    response: model.availability as z.ZodType<model.Availability>,
  },

  /** Creates a project. */
  createProject: {
    request: `POST ${PROJECTS_PATH}`,
    scope: "projects:write",
    activity: "Creating the project",
    body: model.createProject as z.ZodType<model.CreateProject>,
    response: model.project as z.ZodType<model.Project>,
  },
  /** Lists the projects of an organization. */
  listProjects: {
    request: `GET ${PROJECTS_PATH}`,
    scope: "projects:read",
    activity: "Listing the projects of organization {organizationId}",
    response: model.projectList,
    unwrap: "projects",
  },
  /** Checks whether a project's name is available, without reserving it. */
  checkProjectNameAvailability: {
    request: `GET ${PROJECTS_PATH}/name-availability`,
    scope: "projects:read",
    activity: "Checking whether the project's name is available",
    query: z.strictObject({
      /** The name, 1 to 100 characters. */
      projectName: model.createProject.shape.projectName,
    }),
    response: model.nameAvailability as z.ZodType<model.NameAvailability>,
  },
  /** Reads a project. */
  getProject: {
    request: `GET ${PROJECT}`,
    scope: "projects:read",
    activity: "Reading project {projectId}",
    response: model.project as z.ZodType<model.Project>,
  },
  /** Updates a project. Omitted fields are left unchanged. */
  updateProject: {
    request: `PATCH ${PROJECT}`,
    scope: "projects:write",
    activity: "Updating project {projectId}",
    body: model.updateProject as z.ZodType<model.UpdateProject>,
    response: model.project as z.ZodType<model.Project>,
  },
  /** Deletes a project. */
  deleteProject: {
    request: `DELETE ${PROJECT}`,
    scope: "projects:write",
    activity: "Deleting project {projectId}",
  },

  /** Reads the theme of a project's landing page. Fails with a `NotFoundError` if it has none. */
  getProjectSkin: {
    request: `GET ${PROJECT}/skin`,
    scope: "projects:read",
    activity: "Reading the skin of project {projectId}",
    response: model.skin as z.ZodType<model.Skin>,
  },
  /** Sets the theme of a project's landing page. */
  saveProjectSkin: {
    request: `PUT ${PROJECT}/skin`,
    scope: "projects:write",
    activity: "Saving the skin of project {projectId}",
    body: model.saveSkin as z.ZodType<model.SaveSkin>,
    response: model.skin as z.ZodType<model.Skin>,
  },

  /** Creates an application. */
  createApplication: {
    request: `POST ${PROJECT}/applications`,
    scope: "applications:write",
    activity: "Creating the application in project {projectId}",
    body: model.createApplication as z.ZodType<model.CreateApplication>,
    response: model.application as z.ZodType<model.Application>,
  },
  /** Lists the applications of a project. */
  listApplications: {
    request: `GET ${PROJECT}/applications`,
    scope: "applications:read",
    activity: "Listing the applications of project {projectId}",
    response: model.applicationList,
    unwrap: "applications",
  },
  /** Reads an application. */
  getApplication: {
    request: `GET ${APPLICATION}`,
    scope: "applications:read",
    activity: "Reading application {applicationId}",
    response: model.application as z.ZodType<model.Application>,
  },
  /** Updates an application. */
  updateApplication: {
    request: `PATCH ${APPLICATION}`,
    scope: "applications:write",
    activity: "Updating application {applicationId}",
    body: model.updateApplication as z.ZodType<model.UpdateApplication>,
    response: model.application as z.ZodType<model.Application>,
  },
  /** Deletes an application. */
  deleteApplication: {
    request: `DELETE ${APPLICATION}`,
    scope: "applications:write",
    activity: "Deleting application {applicationId}",
  },

  /** Creates a custom domain, which becomes active later. */
  createCustomDomain: {
    request: `POST ${PROJECT}/custom-domains`,
    scope: "domains:write",
    activity: "Creating the custom domain in project {projectId}",
    body: model.createCustomDomain as z.ZodType<model.CreateCustomDomain>,
    response: model.customDomain as z.ZodType<model.CustomDomain>,
  },
  /** Lists the custom domains of a project. */
  listCustomDomains: {
    request: `GET ${PROJECT}/custom-domains`,
    scope: "domains:read",
    activity: "Listing the custom domains of project {projectId}",
    response: model.customDomainList,
    unwrap: "customDomains",
  },
  /** Reads a custom domain. */
  getCustomDomain: {
    request: `GET ${CUSTOM_DOMAIN}`,
    scope: "domains:read",
    activity: "Reading custom domain {customDomainId}",
    response: model.customDomain as z.ZodType<model.CustomDomain>,
  },
  /** Deletes a custom domain. The deletion may take a while. */
  deleteCustomDomain: {
    request: `DELETE ${CUSTOM_DOMAIN}`,
    scope: "domains:write",
    activity: "Deleting custom domain {customDomainId}",
  },
  /** Asks the service to retry the provisioning of a custom domain. */
  retryCustomDomain: {
    request: `POST ${CUSTOM_DOMAIN}/retry`,
    scope: "domains:write",
    success: 200,
    activity: "Retrying custom domain {customDomainId}",
    about: "customDomainId",
    response: model.customDomain as z.ZodType<model.CustomDomain>,
  },

  /** Creates a link on a project's default domain. */
  createProjectLink: {
    request: `POST ${PROJECT}/links`,
    scope: "links:write",
    activity: "Creating the link in project {projectId}",
    body: model.createLink as z.ZodType<model.CreateLink>,
    response: model.link as z.ZodType<model.Link>,
  },
  /** Reads one page of a project's links. */
  listProjectLinks: {
    request: `GET ${PROJECT}/links`,
    scope: "links:read",
    activity: "Listing the links of project {projectId}",
    query: pageQuery,
    response: model.linkPage as z.ZodType<model.LinkPage>,
  },
  /** Creates a link on a custom domain. */
  createCustomDomainLink: {
    request: `POST ${CUSTOM_DOMAIN}/links`,
    scope: "links:write",
    activity: "Creating the link on custom domain {customDomainId}",
    body: model.createLink as z.ZodType<model.CreateLink>,
    response: model.link as z.ZodType<model.Link>,
  },
  /** Reads one page of a custom domain's links. */
  listCustomDomainLinks: {
    request: `GET ${CUSTOM_DOMAIN}/links`,
    scope: "links:read",
    activity: "Listing the links of custom domain {customDomainId}",
    query: pageQuery,
    response: model.linkPage as z.ZodType<model.LinkPage>,
  },
  /** Creates a link on the default domain, or on the custom domain with a given URL. */
  createUnifiedLink: {
    request: `POST ${LINKS}`,
    scope: "links:write",
    activity: "Creating the link",
    body: model.createUnifiedLink as z.ZodType<model.CreateUnifiedLink>,
    response: model.link as z.ZodType<model.Link>,
  },
  /** Finds a link by its short URL. */
  resolveLinkByUrl: {
    request: `GET ${LINKS}/resolve`,
    scope: "links:read",
    activity: "Resolving the link",
    query: z.strictObject({
      /** The full short URL, unchanged, 1 to 2048 characters. */
      url: uri.min(1).max(2048),
    }),
    response: model.link as z.ZodType<model.Link>,
  },
  /** Reads a link. */
  getLink: {
    request: `GET ${LINK}`,
    scope: "links:read",
    activity: "Reading link {linkId}",
    response: model.link as z.ZodType<model.Link>,
  },
  /** Updates a link. */
  updateLink: {
    request: `PATCH ${LINK}`,
    scope: "links:write",
    activity: "Updating link {linkId}",
    body: model.updateLink as z.ZodType<model.UpdateLink>,
    response: model.link as z.ZodType<model.Link>,
  },
  /** Deletes a link. */
  deleteLink: { request: `DELETE ${LINK}`, scope: "links:write", activity: "Deleting link {linkId}" },
} as const satisfies Record<string, Operation>;

export function partsOf({ request }: Pick<Operation, "request">): { method: Method; path: string } {
  const [method, path] = request.split(" ") as [Method, string];
  return { method, path };
}

/** Limits of a call. */
export interface CallBounds {
  /** Cancels the call: it fails with a `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * When the call must end, by the client's clock: by default, `performance.timeOrigin + performance.now()`. It cannot
   * extend the client's `budgetMs`.
   */
  readonly deadline?: number | undefined;
}

/**
 * Creates the body of an update before each attempt, if it depends on the service's current values. The bounds are
 * those of the call; pass them to requests that you send here. If it throws, the call fails with the same error.
 */
export type BodyMaker<Body> = (bounds: CallBounds) => Promise<Body>;

/** The request of an operation: path parameters, query parameters and the body, in one object. */
export type OperationRequest<Id extends OperationId> = Flat<
  Named<PathNames<(typeof operations)[Id]["request"]>> &
    QueryOf<(typeof operations)[Id]> &
    BodyOf<(typeof operations)[Id]>
>;

/** The result of an operation. A list is returned as an array. */
export type OperationAnswer<Id extends OperationId> = ResponseOf<(typeof operations)[Id]>;

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
type Named<Names extends string> = { readonly [Name in Names]: string };
type QueryOf<Described> = Described extends { query: infer Query } ? z.infer<Query> : unknown;
type BodyOf<Described> = Described extends { request: `${"PATCH" | "PUT"} ${string}`; body: infer Body }
  ? { readonly body: z.infer<Body> | BodyMaker<z.infer<Body>> }
  : Described extends { body: infer Body }
    ? { readonly body: z.infer<Body> }
    : unknown;
type ResponseOf<Described> = Described extends { response: infer Response; unwrap: infer Field }
  ? z.infer<Response>[Field & keyof z.infer<Response>]
  : Described extends { response: infer Response }
    ? z.infer<Response>
    : undefined;
/** The same fields as one object type. Without fields, it is an empty object. */
type Flat<Fields> = keyof Fields extends never
  ? Record<string, never>
  : { [Name in keyof Fields]: Fields[Name] };

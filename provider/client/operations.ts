/**
 * The 30 operations of the service as data: method, path, parameters, response and required scope. The client's
 * functions are derived from it.
 */

import {
  integer,
  type ObjectShape,
  object,
  optional,
  type Shape,
  text,
  uuid,
  type ValueOf,
} from "../shapes/shape";
import type { Method } from "./connection/http";
import * as model from "./model";

/** One operation of the service. */
export interface Operation {
  readonly method: Method;
  /** The path, with `{name}` for each parameter. */
  readonly path: string;
  /** The scope that the key needs; absent if any valid key is accepted. */
  readonly scope?: model.Scope;
  /** What the operation does, as text that "failed" follows, with `{name}` for parameters of the path. */
  readonly activity: string;
  readonly query?: ObjectShape;
  readonly body?: Shape;
  /** The status of a success. Default: 201 for POST, 204 for DELETE, and 200 for the others. */
  readonly success?: number;
  /** The content of a success; absent if it has none. */
  readonly response?: Shape;
  /**
   * The fields of each object in a success that repeat a parameter of the path, by the name of the field. With another
   * value, the object is not one of those that were requested.
   */
  readonly repeats?: Readonly<Record<string, string>>;
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

/** The objects are in the project of the path. */
const IN_PROJECT = { organizationId: "organizationId", projectId: "projectId" } as const;

const pageQuery = object({
  /** Maximum number of links on a page, 1 to 100. Default: 20. */
  limit: optional(integer({ minimum: 1, maximum: 100 })),
  /** The `nextCursor` of the previous page, unchanged; omitted for the first page. */
  cursor: optional(text()),
});

/** Every operation by its name, which is its operationId in testing/emulator/contract/openapi.yaml. */
export const operations = {
  /** Reads the credential of the key. Needs no scope. */
  getCurrentApiCredential: {
    method: "GET",
    path: `${V2}/api-credentials/current`,
    activity: "Reading the API credential",
    response: model.currentApiCredentialShape as Shape<model.CurrentApiCredential>,
  },

  /** Creates a link and can let the service choose the project's applications. */
  createCoreLinkV2: {
    method: "POST",
    path: `${V2}/core/link`,
    scope: "links:write",
    activity: "Creating the link",
    body: model.createCoreLinkV2Shape as Shape<model.CreateCoreLinkV2>,
    response: model.linkShape as Shape<model.Link>,
  },
  /** Checks whether a link's suffix is available, without reserving it. */
  checkCoreLinkAvailability: {
    method: "GET",
    path: `${V2}/core/link/availability`,
    scope: "links:read",
    activity: "Checking whether the link's suffix is available",
    query: object({
      /** UUID of the project. */
      projectId: uuid(),
      /** The suffix, at least 1 character. */
      dynamicLinkSuffix: text({ minLength: 1 }),
      /** UUID of the custom domain; omitted for the project's default domain. */
      customDomainId: optional(uuid()),
    }),
    response: model.availabilityShape as Shape<model.Availability>,
  },

  /** Creates a project. */
  createProject: {
    method: "POST",
    path: PROJECTS_PATH,
    scope: "projects:write",
    activity: "Creating the project",
    body: model.createProjectShape as Shape<model.CreateProject>,
    repeats: { organizationId: "organizationId" },
    response: model.projectShape as Shape<model.Project>,
  },
  /** Lists the projects of an organization. */
  listProjects: {
    method: "GET",
    path: PROJECTS_PATH,
    scope: "projects:read",
    activity: "Listing the projects of organization {organizationId}",
    repeats: { organizationId: "organizationId" },
    response: model.projectListShape,
    unwrap: "projects",
  },
  /** Checks whether a project's name is available, without reserving it. */
  checkProjectNameAvailability: {
    method: "GET",
    path: `${PROJECTS_PATH}/name-availability`,
    scope: "projects:read",
    activity: "Checking whether the project's name is available",
    query: object({
      /** The name, 1 to 100 characters. */
      projectName: model.createProjectShape.fields.projectName,
    }),
    response: model.nameAvailabilityShape as Shape<model.NameAvailability>,
  },
  /** Reads a project. */
  getProject: {
    method: "GET",
    path: PROJECT,
    scope: "projects:read",
    activity: "Reading project {projectId}",
    repeats: { id: "projectId", organizationId: "organizationId" },
    response: model.projectShape as Shape<model.Project>,
  },
  /** Updates a project. Omitted fields are left unchanged. */
  updateProject: {
    method: "PATCH",
    path: PROJECT,
    scope: "projects:write",
    activity: "Updating project {projectId}",
    body: model.updateProjectShape as Shape<model.UpdateProject>,
    repeats: { id: "projectId", organizationId: "organizationId" },
    response: model.projectShape as Shape<model.Project>,
  },
  /** Deletes a project. */
  deleteProject: {
    method: "DELETE",
    path: PROJECT,
    scope: "projects:write",
    activity: "Deleting project {projectId}",
  },

  /** Reads the theme of a project's landing page. Fails with a `NotFoundError` if it has none. */
  getProjectSkin: {
    method: "GET",
    path: `${PROJECT}/skin`,
    scope: "projects:read",
    activity: "Reading the skin of project {projectId}",
    repeats: IN_PROJECT,
    response: model.skinShape as Shape<model.Skin>,
  },
  /** Sets the theme of a project's landing page. */
  saveProjectSkin: {
    method: "PUT",
    path: `${PROJECT}/skin`,
    scope: "projects:write",
    activity: "Saving the skin of project {projectId}",
    body: model.saveSkinShape as Shape<model.SaveSkin>,
    repeats: IN_PROJECT,
    response: model.skinShape as Shape<model.Skin>,
  },

  /** Creates an application. */
  createApplication: {
    method: "POST",
    path: `${PROJECT}/applications`,
    scope: "applications:write",
    activity: "Creating the application in project {projectId}",
    body: model.createApplicationShape as Shape<model.CreateApplication>,
    repeats: { projectId: "projectId" },
    response: model.applicationShape as Shape<model.Application>,
  },
  /** Lists the applications of a project. */
  listApplications: {
    method: "GET",
    path: `${PROJECT}/applications`,
    scope: "applications:read",
    activity: "Listing the applications of project {projectId}",
    repeats: { projectId: "projectId" },
    response: model.applicationListShape,
    unwrap: "applications",
  },
  /** Reads an application. */
  getApplication: {
    method: "GET",
    path: APPLICATION,
    scope: "applications:read",
    activity: "Reading application {applicationId}",
    repeats: { id: "applicationId" },
    response: model.applicationShape as Shape<model.Application>,
  },
  /** Updates an application. */
  updateApplication: {
    method: "PATCH",
    path: APPLICATION,
    scope: "applications:write",
    activity: "Updating application {applicationId}",
    body: model.updateApplicationShape as Shape<model.UpdateApplication>,
    repeats: { id: "applicationId" },
    response: model.applicationShape as Shape<model.Application>,
  },
  /** Deletes an application. */
  deleteApplication: {
    method: "DELETE",
    path: APPLICATION,
    scope: "applications:write",
    activity: "Deleting application {applicationId}",
  },

  /** Creates a custom domain, which becomes active later. */
  createCustomDomain: {
    method: "POST",
    path: `${PROJECT}/custom-domains`,
    scope: "domains:write",
    activity: "Creating the custom domain in project {projectId}",
    body: model.createCustomDomainShape as Shape<model.CreateCustomDomain>,
    repeats: IN_PROJECT,
    response: model.customDomainShape as Shape<model.CustomDomain>,
  },
  /** Lists the custom domains of a project. */
  listCustomDomains: {
    method: "GET",
    path: `${PROJECT}/custom-domains`,
    scope: "domains:read",
    activity: "Listing the custom domains of project {projectId}",
    repeats: IN_PROJECT,
    response: model.customDomainListShape,
    unwrap: "customDomains",
  },
  /** Reads a custom domain. */
  getCustomDomain: {
    method: "GET",
    path: CUSTOM_DOMAIN,
    scope: "domains:read",
    activity: "Reading custom domain {customDomainId}",
    repeats: { id: "customDomainId" },
    response: model.customDomainShape as Shape<model.CustomDomain>,
  },
  /** Deletes a custom domain. The deletion may take a while. */
  deleteCustomDomain: {
    method: "DELETE",
    path: CUSTOM_DOMAIN,
    scope: "domains:write",
    activity: "Deleting custom domain {customDomainId}",
  },
  /** Asks the service to retry the provisioning of a custom domain. */
  retryCustomDomain: {
    method: "POST",
    success: 200,
    path: `${CUSTOM_DOMAIN}/retry`,
    scope: "domains:write",
    activity: "Retrying custom domain {customDomainId}",
    repeats: { id: "customDomainId" },
    response: model.customDomainShape as Shape<model.CustomDomain>,
  },

  /** Creates a link on a project's default domain. */
  createProjectLink: {
    method: "POST",
    path: `${PROJECT}/links`,
    scope: "links:write",
    activity: "Creating the link in project {projectId}",
    body: model.createLinkShape as Shape<model.CreateLink>,
    repeats: IN_PROJECT,
    response: model.linkShape as Shape<model.Link>,
  },
  /** Reads one page of a project's links. */
  listProjectLinks: {
    method: "GET",
    path: `${PROJECT}/links`,
    scope: "links:read",
    activity: "Listing the links of project {projectId}",
    query: pageQuery,
    repeats: IN_PROJECT,
    response: model.linkPageShape as Shape<model.LinkPage>,
  },
  /** Creates a link on a custom domain. */
  createCustomDomainLink: {
    method: "POST",
    path: `${CUSTOM_DOMAIN}/links`,
    scope: "links:write",
    activity: "Creating the link on custom domain {customDomainId}",
    body: model.createLinkShape as Shape<model.CreateLink>,
    repeats: { customDomainId: "customDomainId" },
    response: model.linkShape as Shape<model.Link>,
  },
  /** Reads one page of a custom domain's links. */
  listCustomDomainLinks: {
    method: "GET",
    path: `${CUSTOM_DOMAIN}/links`,
    scope: "links:read",
    activity: "Listing the links of custom domain {customDomainId}",
    query: pageQuery,
    repeats: { customDomainId: "customDomainId" },
    response: model.linkPageShape as Shape<model.LinkPage>,
  },
  /** Creates a link on the default domain, or on the custom domain with a given URL. */
  createUnifiedLink: {
    method: "POST",
    path: LINKS,
    scope: "links:write",
    activity: "Creating the link",
    body: model.createUnifiedLinkShape as Shape<model.CreateUnifiedLink>,
    response: model.linkShape as Shape<model.Link>,
  },
  /** Finds a link by its short URL. */
  resolveLinkByUrl: {
    method: "GET",
    path: `${LINKS}/resolve`,
    scope: "links:read",
    activity: "Resolving the link",
    query: object({
      /** The full short URL, unchanged, 1 to 2048 characters. */
      url: text({ format: "uri", minLength: 1, maxLength: 2048 }),
    }),
    response: model.linkShape as Shape<model.Link>,
  },
  /** Reads a link. */
  getLink: {
    method: "GET",
    path: LINK,
    scope: "links:read",
    activity: "Reading link {linkId}",
    repeats: { id: "linkId" },
    response: model.linkShape as Shape<model.Link>,
  },
  /** Updates a link. */
  updateLink: {
    method: "PATCH",
    path: LINK,
    scope: "links:write",
    activity: "Updating link {linkId}",
    body: model.updateLinkShape as Shape<model.UpdateLink>,
    repeats: { id: "linkId" },
    response: model.linkShape as Shape<model.Link>,
  },
  /** Deletes a link. */
  deleteLink: {
    method: "DELETE",
    path: LINK,
    scope: "links:write",
    activity: "Deleting link {linkId}",
  },
} as const satisfies Record<string, Operation>;

/** Limits of a call. */
export interface CallBounds {
  /** Cancels the call: it fails with a `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /** When the call must end, in milliseconds since the epoch. It cannot extend the client's `budgetMs`. */
  readonly deadline?: number | undefined;
}

/**
 * Creates the body of an update before each attempt, if it depends on the service's current values. The bounds are
 * those of the call; pass them to requests that you send here. If it throws, the call fails with the same error.
 */
export type BodyMaker<Body> = (bounds: CallBounds) => Promise<Body>;

/** The request of an operation: path parameters, query parameters and the body, in one object. */
export type OperationRequest<Id extends OperationId> = Flat<
  Named<PathNames<(typeof operations)[Id]["path"]>> &
    QueryOf<(typeof operations)[Id]> &
    BodyOf<(typeof operations)[Id]>
>;

/** The result of an operation. A list is returned as an array. */
export type OperationAnswer<Id extends OperationId> = ResponseOf<(typeof operations)[Id]>;

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
type Named<Names extends string> = { readonly [Name in Names]: string };
type QueryOf<Described> = Described extends { query: infer Query } ? ValueOf<Query> : unknown;
type BodyOf<Described> = Described extends { method: "PATCH" | "PUT"; body: infer Body }
  ? { readonly body: ValueOf<Body> | BodyMaker<ValueOf<Body>> }
  : Described extends { body: infer Body }
    ? { readonly body: ValueOf<Body> }
    : unknown;
type ResponseOf<Described> = Described extends { response: infer Response; unwrap: infer Field }
  ? ValueOf<Response>[Field & keyof ValueOf<Response>]
  : Described extends { response: infer Response }
    ? ValueOf<Response>
    : undefined;
/** The same fields as one object type. Without fields, it is an empty object. */
type Flat<Fields> = keyof Fields extends never
  ? Record<string, never>
  : { [Name in keyof Fields]: Fields[Name] };

/**
 * The 30 operations of the service, as data: how each is asked, what it takes, what it answers and what a key must
 * be allowed to do. The client's functions follow from it.
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
import {
  type Application,
  type Availability,
  applicationListShape,
  applicationShape,
  availabilityShape,
  type CreateCoreLinkV2,
  type CreateCustomDomain,
  type CreateLink,
  type CreateProject,
  type CreateUnifiedLink,
  type CurrentApiCredential,
  type CustomDomain,
  createApplicationShape,
  createCoreLinkV2Shape,
  createCustomDomainShape,
  createLinkShape,
  createProjectShape,
  createUnifiedLinkShape,
  currentApiCredentialShape,
  customDomainListShape,
  customDomainShape,
  type Link,
  type LinkPage,
  linkPageShape,
  linkShape,
  type NameAvailability,
  nameAvailabilityShape,
  type Project,
  projectListShape,
  projectShape,
  type SaveSkin,
  type Scope,
  type Skin,
  saveSkinShape,
  skinShape,
  type UpdateApplication,
  type UpdateLink,
  type UpdateProject,
  updateApplicationShape,
  updateLinkShape,
  updateProjectShape,
} from "./model";
import type { Method } from "./retry";

/** How one operation is asked and answered. */
export interface Operation {
  readonly method: Method;
  /** The path, with `{name}` for each parameter. */
  readonly path: string;
  /** What a key must be allowed to do; absent when any valid key will do. */
  readonly scope?: Scope;
  /** What is being done, in words that "failed" follows, with `{name}` for parameters of the path. */
  readonly doing: string;
  readonly query?: ObjectShape;
  readonly body?: Shape;
  /** The status of a success. Default: 200. */
  readonly success?: number;
  /** What a success holds; absent when it holds nothing. */
  readonly answer?: Shape;
  /** The parameter of the path that is the id of what a success holds. */
  readonly about?: string;
  /** The only field of the answer that the caller gets. */
  readonly unwrap?: string;
}

/** The name of an operation, as in `createProject`. */
export type OperationId = keyof typeof operations;

const V2 = "/api/v2";
const PROJECTS = `${V2}/organizations/{organizationId}/projects` as const;
const PROJECT = `${PROJECTS}/{projectId}` as const;
const APPLICATION = `${V2}/applications/{applicationId}` as const;
const CUSTOM_DOMAIN = `${V2}/custom-domains/{customDomainId}` as const;
const LINKS = `${V2}/links` as const;
const LINK = `${LINKS}/{linkId}` as const;

const pageQuery = object({
  /** How many links a page holds at most, 1 to 100. Default: 20. */
  limit: optional(integer({ minimum: 1, maximum: 100 })),
  /** The `nextCursor` of the page before, unchanged; left out for the first page. */
  cursor: optional(text()),
});

/** Every operation by its name, which is its operationId in testing/emulator/openapi.yaml. */
export const operations = {
  /** Reads the credential that belongs to the key. Any valid key may. */
  getCurrentApiCredential: {
    method: "GET",
    path: `${V2}/api-credentials/current`,
    doing: "Reading the API credential",
    answer: currentApiCredentialShape as Shape<CurrentApiCredential>,
  },

  /** Creates a link and may let the service choose the project's applications. Needs links:write. */
  createCoreLinkV2: {
    method: "POST",
    success: 201,
    path: `${V2}/core/link`,
    scope: "links:write",
    doing: "Creating the link",
    body: createCoreLinkV2Shape as Shape<CreateCoreLinkV2>,
    answer: linkShape as Shape<Link>,
  },
  /** Tells whether a link's suffix is free, without reserving it. Needs links:read. */
  checkCoreLinkAvailability: {
    method: "GET",
    path: `${V2}/core/link/availability`,
    scope: "links:read",
    doing: "Checking whether the link's suffix is free",
    query: object({
      /** UUID of the project. */
      projectId: uuid(),
      /** The suffix, at least 1 character. */
      dynamicLinkSuffix: text({ minLength: 1 }),
      /** UUID of the custom domain; left out for the project's default domain. */
      customDomainId: optional(uuid()),
    }),
    answer: availabilityShape as Shape<Availability>,
  },

  /** Creates a project. Needs projects:write. */
  createProject: {
    method: "POST",
    success: 201,
    path: PROJECTS,
    scope: "projects:write",
    doing: "Creating the project",
    body: createProjectShape as Shape<CreateProject>,
    answer: projectShape as Shape<Project>,
  },
  /** Lists the projects of an organization. Needs projects:read. */
  listProjects: {
    method: "GET",
    path: PROJECTS,
    scope: "projects:read",
    doing: "Listing the projects of organization {organizationId}",
    answer: projectListShape,
    unwrap: "projects",
  },
  /** Tells whether a project's name is free, without reserving it. Needs projects:read. */
  checkProjectNameAvailability: {
    method: "GET",
    path: `${PROJECTS}/name-availability`,
    scope: "projects:read",
    doing: "Checking whether the project's name is free",
    query: object({
      /** The name, 1 to 100 characters. */
      projectName: createProjectShape.fields.projectName,
    }),
    answer: nameAvailabilityShape as Shape<NameAvailability>,
  },
  /** Reads a project. Needs projects:read. */
  getProject: {
    method: "GET",
    path: PROJECT,
    scope: "projects:read",
    doing: "Reading project {projectId}",
    answer: projectShape as Shape<Project>,
    about: "projectId",
  },
  /** Changes a project; fields left out stay as they are. Needs projects:write. */
  updateProject: {
    method: "PATCH",
    path: PROJECT,
    scope: "projects:write",
    doing: "Updating project {projectId}",
    body: updateProjectShape as Shape<UpdateProject>,
    answer: projectShape as Shape<Project>,
    about: "projectId",
  },
  /** Deletes a project. Needs projects:write. */
  deleteProject: {
    method: "DELETE",
    success: 204,
    path: PROJECT,
    scope: "projects:write",
    doing: "Deleting project {projectId}",
  },

  /** Reads the theme of a project's landing page; not found when it has none. Needs projects:read. */
  getProjectSkin: {
    method: "GET",
    path: `${PROJECT}/skin`,
    scope: "projects:read",
    doing: "Reading the skin of project {projectId}",
    answer: skinShape as Shape<Skin>,
  },
  /** Sets the theme of a project's landing page. Needs projects:write. */
  saveProjectSkin: {
    method: "PUT",
    path: `${PROJECT}/skin`,
    scope: "projects:write",
    doing: "Saving the skin of project {projectId}",
    body: saveSkinShape as Shape<SaveSkin>,
    answer: skinShape as Shape<Skin>,
  },

  /** Creates an application. Needs applications:write. */
  createApplication: {
    method: "POST",
    success: 201,
    path: `${PROJECT}/applications`,
    scope: "applications:write",
    doing: "Creating the application in project {projectId}",
    body: createApplicationShape,
    answer: applicationShape as Shape<Application>,
  },
  /** Lists the applications of a project. Needs applications:read. */
  listApplications: {
    method: "GET",
    path: `${PROJECT}/applications`,
    scope: "applications:read",
    doing: "Listing the applications of project {projectId}",
    answer: applicationListShape,
    unwrap: "applications",
  },
  /** Reads an application. Needs applications:read. */
  getApplication: {
    method: "GET",
    path: APPLICATION,
    scope: "applications:read",
    doing: "Reading application {applicationId}",
    answer: applicationShape as Shape<Application>,
    about: "applicationId",
  },
  /** Changes an application. Needs applications:write. */
  updateApplication: {
    method: "PATCH",
    path: APPLICATION,
    scope: "applications:write",
    doing: "Updating application {applicationId}",
    body: updateApplicationShape as Shape<UpdateApplication>,
    answer: applicationShape as Shape<Application>,
    about: "applicationId",
  },
  /** Deletes an application. Needs applications:write. */
  deleteApplication: {
    method: "DELETE",
    success: 204,
    path: APPLICATION,
    scope: "applications:write",
    doing: "Deleting application {applicationId}",
  },

  /** Creates a custom domain; it becomes active later. Needs domains:write. */
  createCustomDomain: {
    method: "POST",
    success: 201,
    path: `${PROJECT}/custom-domains`,
    scope: "domains:write",
    doing: "Creating the custom domain in project {projectId}",
    body: createCustomDomainShape as Shape<CreateCustomDomain>,
    answer: customDomainShape as Shape<CustomDomain>,
  },
  /** Lists the custom domains of a project. Needs domains:read. */
  listCustomDomains: {
    method: "GET",
    path: `${PROJECT}/custom-domains`,
    scope: "domains:read",
    doing: "Listing the custom domains of project {projectId}",
    answer: customDomainListShape,
    unwrap: "customDomains",
  },
  /** Reads a custom domain. Needs domains:read. */
  getCustomDomain: {
    method: "GET",
    path: CUSTOM_DOMAIN,
    scope: "domains:read",
    doing: "Reading custom domain {customDomainId}",
    answer: customDomainShape as Shape<CustomDomain>,
    about: "customDomainId",
  },
  /** Deletes a custom domain; it may be there for a while. Needs domains:write. */
  deleteCustomDomain: {
    method: "DELETE",
    success: 204,
    path: CUSTOM_DOMAIN,
    scope: "domains:write",
    doing: "Deleting custom domain {customDomainId}",
  },
  /** Has the service try again to provision a custom domain. Needs domains:write. */
  retryCustomDomain: {
    method: "POST",
    path: `${CUSTOM_DOMAIN}/retry`,
    scope: "domains:write",
    doing: "Retrying custom domain {customDomainId}",
    answer: customDomainShape as Shape<CustomDomain>,
    about: "customDomainId",
  },

  /** Creates a link on a project's default domain. Needs links:write. */
  createProjectLink: {
    method: "POST",
    success: 201,
    path: `${PROJECT}/links`,
    scope: "links:write",
    doing: "Creating the link in project {projectId}",
    body: createLinkShape as Shape<CreateLink>,
    answer: linkShape as Shape<Link>,
  },
  /** Reads one page of a project's links. Needs links:read. */
  listProjectLinks: {
    method: "GET",
    path: `${PROJECT}/links`,
    scope: "links:read",
    doing: "Listing the links of project {projectId}",
    query: pageQuery,
    answer: linkPageShape as Shape<LinkPage>,
  },
  /** Creates a link on a custom domain. Needs links:write. */
  createCustomDomainLink: {
    method: "POST",
    success: 201,
    path: `${CUSTOM_DOMAIN}/links`,
    scope: "links:write",
    doing: "Creating the link on custom domain {customDomainId}",
    body: createLinkShape as Shape<CreateLink>,
    answer: linkShape as Shape<Link>,
  },
  /** Reads one page of a custom domain's links. Needs links:read. */
  listCustomDomainLinks: {
    method: "GET",
    path: `${CUSTOM_DOMAIN}/links`,
    scope: "links:read",
    doing: "Listing the links of custom domain {customDomainId}",
    query: pageQuery,
    answer: linkPageShape as Shape<LinkPage>,
  },
  /** Creates a link on the default domain, or on the custom domain of a URL. Needs links:write. */
  createUnifiedLink: {
    method: "POST",
    success: 201,
    path: LINKS,
    scope: "links:write",
    doing: "Creating the link",
    body: createUnifiedLinkShape as Shape<CreateUnifiedLink>,
    answer: linkShape as Shape<Link>,
  },
  /** Finds a link by its short URL. Needs links:read. */
  resolveLinkByUrl: {
    method: "GET",
    path: `${LINKS}/resolve`,
    scope: "links:read",
    doing: "Resolving the link",
    query: object({
      /** The full short URL, unchanged, 1 to 2048 characters. */
      url: text({ format: "uri", minLength: 1, maxLength: 2048 }),
    }),
    answer: linkShape as Shape<Link>,
  },
  /** Reads a link. Needs links:read. */
  getLink: {
    method: "GET",
    path: LINK,
    scope: "links:read",
    doing: "Reading link {linkId}",
    answer: linkShape as Shape<Link>,
    about: "linkId",
  },
  /** Changes a link. Needs links:write. */
  updateLink: {
    method: "PATCH",
    path: LINK,
    scope: "links:write",
    doing: "Updating link {linkId}",
    body: updateLinkShape as Shape<UpdateLink>,
    answer: linkShape as Shape<Link>,
    about: "linkId",
  },
  /** Deletes a link. Needs links:write. */
  deleteLink: {
    method: "DELETE",
    success: 204,
    path: LINK,
    scope: "links:write",
    doing: "Deleting link {linkId}",
  },
} as const satisfies Record<string, Operation>;

/** When a call ends, whatever it is doing. */
export interface CallBounds {
  /** Cancels the call: it fails with a `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /** When the call must be over, in milliseconds of the epoch. It never lengthens the client's budget. */
  readonly deadline?: number | undefined;
}

/**
 * Makes the body of an update before each attempt, for a body that depends on what the service has at that moment.
 * The bounds are those of the call, for requests of its own. When it fails, the call fails with the same error.
 */
export type BodyMaker<Body> = (bounds: CallBounds) => Promise<Body>;

/** What the caller of an operation passes: path and query parameters and the body, in one object. */
export type OperationRequest<Id extends OperationId> = Flat<
  Named<PathNames<(typeof operations)[Id]["path"]>> &
    QueryOf<(typeof operations)[Id]> &
    BodyOf<(typeof operations)[Id]>
>;

/** What an operation gives its caller; lists come without their wrapping. */
export type OperationAnswer<Id extends OperationId> = AnswerOf<(typeof operations)[Id]>;

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;
type Named<Names extends string> = { readonly [Name in Names]: string };
type QueryOf<Described> = Described extends { query: infer Query } ? ValueOf<Query> : unknown;
type BodyOf<Described> = Described extends { method: "PATCH"; body: infer Body }
  ? { readonly body: ValueOf<Body> | BodyMaker<ValueOf<Body>> }
  : Described extends { body: infer Body }
    ? { readonly body: ValueOf<Body> }
    : unknown;
type AnswerOf<Described> = Described extends { answer: infer Answer; unwrap: infer Field }
  ? ValueOf<Answer>[Field & keyof ValueOf<Answer>]
  : Described extends { answer: infer Answer }
    ? ValueOf<Answer>
    : undefined;
/** The same fields, shown as one object. An object without fields takes none. */
type Flat<Fields> = keyof Fields extends never
  ? Record<string, never>
  : { [Name in keyof Fields]: Fields[Name] };

/** Every operation of the service, by its operationId. */
import * as applications from "./applications";
import type { Handler } from "./call";
import * as credentials from "./credentials";
import * as customDomains from "./customDomains";
import * as links from "./links";
import * as projects from "./projects";
import * as skins from "./skins";

/** The name of an operation. */
export type OperationId =
  | "getCurrentApiCredential"
  | "createCoreLinkV2"
  | "checkCoreLinkAvailability"
  | "createProject"
  | "listProjects"
  | "checkProjectNameAvailability"
  | "getProject"
  | "updateProject"
  | "deleteProject"
  | "getProjectSkin"
  | "saveProjectSkin"
  | "createApplication"
  | "listApplications"
  | "getApplication"
  | "updateApplication"
  | "deleteApplication"
  | "createCustomDomain"
  | "listCustomDomains"
  | "getCustomDomain"
  | "deleteCustomDomain"
  | "retryCustomDomain"
  | "createProjectLink"
  | "listProjectLinks"
  | "createCustomDomainLink"
  | "listCustomDomainLinks"
  | "createUnifiedLink"
  | "resolveLinkByUrl"
  | "getLink"
  | "updateLink"
  | "deleteLink";

/** The operations by their ids. */
export const handlers: { readonly [Id in OperationId]: Handler } = {
  ...applications,
  ...credentials,
  ...customDomains,
  ...links,
  ...projects,
  ...skins,
};

/** Every operation of the service, by its operationId. */
import * as applications from "./applications";
import * as credentials from "./credentials";
import * as customDomains from "./customDomains";
import * as links from "./links";
import * as projects from "./projects";
import * as skins from "./skins";

/** The operations by their ids. */
export const handlers = {
  ...applications,
  ...credentials,
  ...customDomains,
  ...links,
  ...projects,
  ...skins,
};

/** The name of an operation. */
export type OperationId = keyof typeof handlers;

/** Every operation of the service, by its operationId. */
import { credentialOnWire } from "../wire/wire";
import * as applications from "./applications";
import type { Call } from "./call";
import * as customDomains from "./customDomains";
import * as links from "./links";
import * as projects from "./projects";
import * as skins from "./skins";

/** The operations by their ids. */
export const handlers = {
  getCurrentApiCredential: ({ credential }: Call) => credentialOnWire(credential),
  ...applications,
  ...customDomains,
  ...links,
  ...projects,
  ...skins,
};

/** The name of an operation. */
export type OperationId = keyof typeof handlers;

/** The kinds of objects that are imported, by the names that the command line has for them. */

import { type ResourceOperations, resourceOperations } from "../provider/lifecycle/operations";
import { applicationDescription } from "../provider/resources/application";
import { customDomainDescription } from "../provider/resources/customDomain";
import { projectDescription } from "../provider/resources/project";

/** The name of a kind. */
export type KindName = "project" | "application" | "customDomain";

/** What can be done with the objects of each kind. A project comes before what is in it. */
export const KINDS: Readonly<Record<KindName, ResourceOperations>> = {
  project: resourceOperations(projectDescription),
  application: resourceOperations(applicationDescription),
  customDomain: resourceOperations(customDomainDescription),
};

/** The names of the kinds. */
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

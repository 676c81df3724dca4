/** The kinds of objects that can be imported, by their names on the command line. */
import { type ResourceOperations, resourceOperations } from "../../provider/lifecycle/operations";
import { applicationDescription } from "../../provider/resources/application";
import { customDomainDescription } from "../../provider/resources/customDomain";
import { projectDescription } from "../../provider/resources/project";

/** The name of a kind. */
export type KindName = "project" | "application" | "customDomain";

/** The operations of each kind. A project comes before its content. */
export const KINDS: Readonly<Record<KindName, ResourceOperations>> = {
  project: resourceOperations(projectDescription),
  application: resourceOperations(applicationDescription),
  customDomain: resourceOperations(customDomainDescription),
};

/** The names of the kinds. */
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

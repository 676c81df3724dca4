/** The class by which a program declares a custom domain. */
import {
  type CustomDomainInputs,
  type CustomDomainOutputs,
  customDomainDescription,
} from "../provider/resources/customDomain";
import { resourceClass } from "./resource";
import type { Args } from "./types";

/** What a program declares of a {@link CustomDomain}. */
export interface CustomDomainArgs extends Args<CustomDomainInputs> {}

/**
 * A custom domain: a host name of one's own that serves the links of a project.
 *
 * Needs the scopes domains:read and domains:write, and the project's Pro entitlement. It is made as soon as it
 * has a CNAME target, or after a minute without; it does not wait until the domain is active: that is what
 * `CustomDomainActivation` is for. Deleting it waits until the service has let it go, for 10 minutes at most.
 *
 * Moving it to another project deletes it first, because a host name is in one project at a time. With the scope
 * projects:read, the preview fails when the new project does not exist. Whether that project has the Pro entitlement
 * is seen only when the domain is created there.
 *
 * @example
 * ```typescript
 * const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
 * export const cname = links.cnameTarget;
 * ```
 */
export class CustomDomain extends resourceClass<
  CustomDomain,
  CustomDomainArgs,
  CustomDomainInputs & CustomDomainOutputs
>(customDomainDescription) {}

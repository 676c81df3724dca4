/** The `CustomDomain` class and its arguments. */
import type { CustomDomainInputs, CustomDomainOutputs } from "../../provider/resources/customDomain";
import { resourceClass } from "../dynamicResource";
import type { Args } from "../types";

/** Arguments of a {@link CustomDomain}. */
export interface CustomDomainArgs extends Args<CustomDomainInputs> {}

/**
 * A custom domain: your own hostname, which serves the links of a project.
 *
 * Needs the scopes domains:read and domains:write, and a project with the Pro entitlement. A create waits for the
 * CNAME target, for at most one minute. It does not wait until the domain is active; use `CustomDomainActivation` for
 * that. A delete waits until the service has deleted the domain, for at most 10 minutes.
 *
 * A domain that has links is not deleted, because the service may delete its links together with it. The error has their
 * number and UUIDs. If the key lacks the scope links:read, a message says that they were not looked for.
 *
 * Changing an argument replaces the domain, so the preview fails if the domain has links; see
 * [replacing a domain](../custom-domains.md#replacing-a-domain).
 *
 * @example
 * ```typescript
 * const shop = new Project("shop", { name: "Shop" });
 * const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
 * export const cname = links.cnameTarget;
 * ```
 */
export class CustomDomain extends resourceClass<
  CustomDomain,
  CustomDomainArgs,
  CustomDomainInputs & CustomDomainOutputs
>("CustomDomain") {}

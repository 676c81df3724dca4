/** The `CustomDomainActivation` class and its arguments. */
import type {
  CustomDomainActivationInputs,
  CustomDomainActivationOutputs,
} from "../../provider/resources/customDomainActivation";
import { resourceClass } from "../dynamicResource";
import type { Args } from "../types";

/** Arguments of a {@link CustomDomainActivation}. */
export interface CustomDomainActivationArgs extends Args<CustomDomainActivationInputs> {}

/**
 * Waits until a custom domain is active. Resources that depend on it are created when the domain serves links.
 *
 * Needs the scope domains:read, and domains:write with `retryFailed`. If the domain has failed or expired, it fails
 * immediately with an error that lists the records to set. After `timeoutSeconds`, it is saved as not ready, and the
 * next `pulumi up` continues to wait. While it waits, `npx pulumi-dynamiclink domains` shows the records to set. Deleting
 * it has no effect on the domain.
 *
 * @example
 * ```typescript
 * const shop = new Project("shop", { name: "Shop" });
 * const links = new CustomDomain("links", { projectId: shop.id, hostname: "links.shop.example" });
 * const active = new CustomDomainActivation("links-active", { customDomainId: links.id });
 * export const hostname = active.hostname;
 * ```
 */
export class CustomDomainActivation extends resourceClass<
  CustomDomainActivation,
  CustomDomainActivationArgs,
  CustomDomainActivationInputs & CustomDomainActivationOutputs
>("CustomDomainActivation") {}

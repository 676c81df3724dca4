/** The class by which a program declares the wait for a custom domain. */
import {
  type CustomDomainActivationInputs,
  type CustomDomainActivationOutputs,
  customDomainActivationDescription,
} from "../provider/resources/customDomainActivation";
import { resourceClass } from "./resource";
import type { Args } from "./types";

/** What a program declares of a {@link CustomDomainActivation}. */
export interface CustomDomainActivationArgs extends Args<CustomDomainActivationInputs> {}

/**
 * Waits until a custom domain is active, so that what depends on it finds a domain that serves links.
 *
 * Needs the scope domains:read, and domains:write with `retryFailed`. It fails at once when the domain has failed
 * or expired, naming the records to set. When the time is over it is saved as not ready, and the next
 * `pulumi up` goes on waiting. Destroying it does nothing.
 *
 * @example
 * ```typescript
 * const active = new CustomDomainActivation("links-active", { customDomainId: links.id });
 * export const hostname = active.hostname;
 * ```
 */
export class CustomDomainActivation extends resourceClass<
  CustomDomainActivation,
  CustomDomainActivationArgs,
  CustomDomainActivationInputs & CustomDomainActivationOutputs
>(customDomainActivationDescription) {}

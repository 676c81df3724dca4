/** The class by which a program declares the wait for a custom domain. */
import type * as pulumi from "@pulumi/pulumi";
import {
  type CustomDomainActivationInputs,
  type CustomDomainActivationOutputs,
  customDomainActivationDescription,
} from "../provider/resources/customDomainActivation";
import { DescribedResource, isInstanceOf, type ResourceOptions } from "./resource";
import type { Args, Outputs } from "./types";

/** What a program declares of a {@link CustomDomainActivation}. */
export interface CustomDomainActivationArgs extends Args<CustomDomainActivationInputs> {}

export interface CustomDomainActivation
  extends Outputs<CustomDomainActivationInputs & CustomDomainActivationOutputs> {}

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
export class CustomDomainActivation extends DescribedResource {
  constructor(name: string, args: CustomDomainActivationArgs, options?: ResourceOptions) {
    super(customDomainActivationDescription, name, args, options);
  }

  /** The wait for a custom domain that exists and is not managed by this stack, by its UUID. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    options?: pulumi.CustomResourceOptions,
  ): CustomDomainActivation {
    // Only a program's own declaration has arguments; what is looked up has all that the service knows.
    return new CustomDomainActivation(name, undefined as never, { ...options, id } as ResourceOptions);
  }

  /** Whether a value is the wait for a custom domain, also one of another copy of this package. */
  static override isInstance(value: unknown): value is CustomDomainActivation {
    return isInstanceOf(customDomainActivationDescription, value);
  }
}

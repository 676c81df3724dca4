/** The class by which a program declares a custom domain. */
import type * as pulumi from "@pulumi/pulumi";
import {
  type CustomDomainInputs,
  type CustomDomainOutputs,
  customDomainDescription,
} from "../provider/resources/customDomain";
import { DescribedResource, isInstanceOf, type ResourceOptions } from "./resource";
import type { Args, Outputs } from "./types";

/** What a program declares of a {@link CustomDomain}. */
export interface CustomDomainArgs extends Args<CustomDomainInputs> {}

export interface CustomDomain extends Outputs<CustomDomainInputs & CustomDomainOutputs> {}

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
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the properties are those of the description.
export class CustomDomain extends DescribedResource {
  constructor(name: string, args: CustomDomainArgs, options?: ResourceOptions) {
    super(customDomainDescription, name, args, options);
  }

  /**
   * A custom domain that exists and is not managed by this stack, by its UUID: it is read in every preview and up, and
   * destroy leaves it alone. Needs the scope domains:read.
   *
   * @throws in preview when the organization has no such custom domain, naming the UUID and the organization.
   * @example
   * ```typescript
   * const links = CustomDomain.get("links", "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e");
   * ```
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    options?: pulumi.CustomResourceOptions,
  ): CustomDomain {
    // Only a program's own declaration has arguments; what is looked up has all that the service knows.
    return new CustomDomain(name, undefined as never, { ...options, id } as ResourceOptions);
  }

  /** Whether a value is a custom domain, also one of another copy of this package. */
  static override isInstance(value: unknown): value is CustomDomain {
    return isInstanceOf(customDomainDescription, value);
  }
}

/** The class by which a program declares a project. */
import type * as pulumi from "@pulumi/pulumi";
import { type ProjectInputs, type ProjectOutputs, projectDescription } from "../provider/resources/project";
import { DescribedResource, isInstanceOf, type ResourceOptions } from "./resource";
import type { Args, Outputs } from "./types";

/** What a program declares of a {@link Project}. */
export interface ProjectArgs extends Args<ProjectInputs> {}

export interface Project extends Outputs<ProjectInputs & ProjectOutputs> {}

/**
 * A project: the owner of applications, custom domains and links.
 *
 * Needs the scopes projects:read and projects:write. Logo and skin are not managed and never touched.
 *
 * A project is deleted only when nothing is found under it, because the service may delete applications, custom
 * domains and links with their project. The API key finds only what it may list, so give it applications:read,
 * domains:read and links:read as well. Do not use `deletedWith` with a project.
 *
 * @example
 * ```typescript
 * const shop = new Project("shop", { name: "Shop", defaultHookupMsg: "Open in the app" });
 * export const projectId = shop.id;
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the properties are those of the description.
export class Project extends DescribedResource {
  constructor(name: string, args: ProjectArgs, options?: ResourceOptions) {
    super(projectDescription, name, args, options);
  }

  /**
   * A project that exists and is not managed by this stack, by its UUID: it is read in every preview and up, and
   * destroy leaves it alone. Needs the scope projects:read.
   *
   * @throws in preview when the organization has no such project, naming the UUID and the organization.
   * @example
   * ```typescript
   * const brand = Project.get("brand", "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e");
   * ```
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Project {
    // Only a program's own declaration has arguments; what is looked up has all that the service knows.
    return new Project(name, undefined as never, { ...options, id } as ResourceOptions);
  }

  /** Whether a value is a project, also one of another copy of this package. */
  static override isInstance(value: unknown): value is Project {
    return isInstanceOf(projectDescription, value);
  }
}

/** The class by which a program declares a project. */
import { type ProjectInputs, type ProjectOutputs, projectDescription } from "../provider/resources/project";
import { resourceClass } from "./resource";
import type { Args } from "./types";

/** What a program declares of a {@link Project}. */
export interface ProjectArgs extends Args<ProjectInputs> {}

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
export class Project extends resourceClass<Project, ProjectArgs, ProjectInputs & ProjectOutputs>(
  projectDescription,
) {}

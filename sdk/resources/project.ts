/** The `Project` class and its arguments. */
import type { ProjectInputs, ProjectOutputs } from "../../provider/resources/project";
import { resourceClass } from "../dynamicResource";
import type { Args } from "../types";

/** Arguments of a {@link Project}. */
export interface ProjectArgs extends Args<ProjectInputs> {}

/**
 * A project, which owns applications, custom domains and links.
 *
 * Needs the scopes projects:read and projects:write. The logo and the skin are left unchanged.
 *
 * A project is deleted only if it contains no applications, custom domains and links, because the service may delete
 * them together with the project. The API key finds only what it can list, so give it the scopes applications:read,
 * domains:read and links:read as well. Pulumi deletes its applications and custom domains first, so look for links
 * before you retire a project: in the console, or with `listProjectLinks` of the [client](../client.md). Do not use
 * `deletedWith` with a project.
 *
 * @example
 * ```typescript
 * const shop = new Project("shop", { name: "Shop", defaultHookupMsg: "Open in the app" });
 * export const projectId = shop.id;
 * ```
 */
export class Project extends resourceClass<Project, ProjectArgs, ProjectInputs & ProjectOutputs>("Project") {}

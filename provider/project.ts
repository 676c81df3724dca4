/** The project resource: its fields, their names in the service, and how it is made, changed and deleted. */

import type { Project as ServiceProject } from "./client";
import { ConflictError } from "./client/errors";
import { createProjectShape, projectShape } from "./client/model";
import type { Found, OperationContext, ResourceDescription } from "./resource";
import type { FieldValues } from "./shape";
import { UserError } from "./userError";
import { counted } from "./words";

const inputs = {
  /** Name of the project, 1 to 100 characters. Where names are unique, they are so within the organization. */
  name: createProjectShape.fields.projectName,
  /** Message that landing pages of the project show by default, at most 500 characters. Default: none. */
  defaultHookupMsg: createProjectShape.fields.defaultHookupMsg,
};

const outputs = {
  /** UUID of the organization that owns the project. */
  organizationId: projectShape.fields.organizationId,
  /** Sub-domain on which the project's links are served by default. Absent until the service assigns it. */
  subDomain: projectShape.fields.subDomain,
  /** When the project was made, as ISO 8601 date and time. */
  createdAt: projectShape.fields.createdAt,
};

/** What a program declares of a project. */
export interface ProjectInputs extends FieldValues<typeof inputs> {}
/** What the service adds to a project. */
export interface ProjectOutputs extends FieldValues<typeof outputs> {}

// Reference 2.2, 4.3.
/** A project. Logo and skin are neither managed nor touched. */
export const projectDescription: ResourceDescription<ProjectInputs, ProjectOutputs> = {
  exportName: "project",
  type: "Project",
  title: "project",
  scopes: { read: ["projects:read"], write: ["projects:write"] },
  inputs,
  outputs,
  replaceOnChanges: [],
  uniqueBy: "name",

  async siblings({ client, organizationId, signal }) {
    return (await client.listProjects({ organizationId }, { signal })).map(found);
  },

  async read({ client, organizationId, signal }, uuid) {
    return found(await client.getProject({ organizationId, projectId: uuid }, { signal }));
  },

  async create({ client, organizationId, signal }, { name, defaultHookupMsg }) {
    return found(
      await client.createProject(
        { organizationId, body: { projectName: name, defaultHookupMsg } },
        { signal },
      ),
    );
  },

  async update(context, uuid, { inputs: { name, defaultHookupMsg }, changed }) {
    const { client, organizationId, signal } = context;
    if (changed.length === 0) return await projectDescription.read(context, uuid, {});
    const body = {
      ...(changed.includes("name") && { projectName: name }),
      // What was declared before and is not now is taken back.
      ...(changed.includes("defaultHookupMsg") && { defaultHookupMsg: defaultHookupMsg ?? null }),
    };
    return found(await client.updateProject({ organizationId, projectId: uuid, body }, { signal }));
  },

  async delete(context, uuid) {
    const { client, organizationId, signal } = context;
    try {
      await client.deleteProject({ organizationId, projectId: uuid }, { signal });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      throw new UserError(`${error.message}\n${await whatIsUnder(context, uuid)}`, { cause: error });
    }
  },
};

function found(project: ServiceProject): Found<ProjectInputs & ProjectOutputs> {
  return { uuid: project.id, properties: projectProperties(project), createdAt: project.createdAt };
}

/** Every field of a project, under the names that programs know. */
export interface ProjectProperties extends Omit<ServiceProject, "projectName"> {
  /** Name of the project. */
  name: string;
}

/** A project of the service under the names that programs know. */
export function projectProperties({ projectName, ...rest }: ServiceProject): ProjectProperties {
  return { ...rest, name: projectName };
}

/** What keeps a project from being deleted, as far as the key may see. */
async function whatIsUnder(
  { client, organizationId, signal }: OperationContext,
  projectId: string,
): Promise<string> {
  const at = { organizationId, projectId };
  const counts = await Promise.all([
    visible("application", async () => (await client.listApplications(at, { signal })).length),
    visible("custom domain", async () => (await client.listCustomDomains(at, { signal })).length),
    visible("link", async () => {
      const { links, nextCursor } = await client.listProjectLinks({ ...at, limit: 100 }, { signal });
      return nextCursor === null ? links.length : `${links.length} or more`;
    }),
  ]);
  return `Under the project: ${counts.join(", ")}. The project is only deleted when the service lets it go: delete or move what is under it first. Nothing is deleted by force.`;
}

async function visible(noun: string, count: () => Promise<number | string>): Promise<string> {
  try {
    const found = await count();
    return typeof found === "number" ? counted(found, noun) : `${found} ${noun}s`;
  } catch {
    return `${noun}s not visible to this key`;
  }
}

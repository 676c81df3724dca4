/** Describes the project resource: its fields, their names in the service, and its operations. */
import { z } from "zod";
import type { Project as ServiceProject } from "../client";
import * as model from "../client/model/project";
import { linkContents } from "../lifecycle/delete/contents";
import type { Found, ResourceDescription } from "../lifecycle/description";
import { applicationDescription } from "./application";
import { customDomainDescription } from "./customDomain";

// The logo is set in the console.
const { projectName, logoImageId: _logo, ...settings } = model.createProject.shape;

const inputs = z.strictObject({
  /**
   * Name of the project, 1 to 100 characters. If the service requires unique names, they are unique per organization.
   */
  name: projectName,
  ...settings,
});

const outputs = z.object({
  /** UUID of the organization that owns the project. */
  organizationId: model.project.shape.organizationId,
  /** Subdomain that serves the project's links by default. Absent until the service assigns it, and `pulumi up --refresh` reads it. */
  subDomain: model.project.shape.subDomain,
  /** When the project was created, as an ISO 8601 date and time. */
  createdAt: model.project.shape.createdAt,
});

/** Inputs of a project. */
export interface ProjectInputs extends z.infer<typeof inputs> {}
/** Outputs that the service adds to a project. */
export interface ProjectOutputs extends z.infer<typeof outputs> {}

/** A project, without its logo and skin. */
export const projectDescription: ResourceDescription<ProjectInputs, ProjectOutputs> = {
  type: "Project",
  title: "project",
  creates: { is: "object" },
  scopes: {
    read: ["projects:read"],
    write: ["projects:write"],
    contents: ["applications:read", "domains:read", "links:read"],
  },
  inputs,
  outputs,
  replaceOnChanges: [],
  // Whether the subdomain follows the name is not documented.
  changesOnUpdate: ["subDomain"],
  uniqueBy: "name",

  async list({ client, organizationId, signal }) {
    return (await client.listProjects({ organizationId }, { signal })).map(asFound);
  },

  async read({ client, organizationId, signal }, uuid) {
    return asFound(await client.getProject({ organizationId, projectId: uuid }, { signal }));
  },

  async create({ client, organizationId, signal }, { name, ...settings }) {
    const body = { projectName: name, ...settings };
    return asFound(await client.createProject({ organizationId, body }, { signal }));
  },

  async update({ client, organizationId, signal }, uuid, { inputs, changed }) {
    // A value that is no longer declared is cleared.
    const values = changed.map((path) => [path, inputs[path as keyof ProjectInputs] ?? null]);
    const { name, ...settings }: Partial<ProjectInputs> = Object.fromEntries(values);
    const body = { ...(name !== undefined && { projectName: name }), ...settings };
    return asFound(await client.updateProject({ organizationId, projectId: uuid, body }, { signal }));
  },

  deletion: {
    contents({ client, organizationId, signal }, uuid) {
      const at = { organizationId, projectId: uuid };
      return [
        {
          title: applicationDescription.title,
          scope: "applications:read",
          list: async () => ({ objects: await client.listApplications(at, { signal }) }),
        },
        {
          title: customDomainDescription.title,
          scope: "domains:read",
          list: async () => ({ objects: await client.listCustomDomains(at, { signal }) }),
        },
        linkContents((page) => client.listProjectLinks({ ...at, ...page }, { signal })),
      ];
    },
    async send({ client, organizationId, signal }, uuid) {
      await client.deleteProject({ organizationId, projectId: uuid }, { signal });
    },
  },
};

function asFound(project: ServiceProject): Found<ProjectInputs & ProjectOutputs> {
  const { id: uuid, createdAt, updatedAt } = project;
  return { uuid, properties: projectProperties(project), createdAt, updatedAt };
}

/** Describes {@link ProjectProperties}. */
export const projectPropertiesSchema = model.project
  .omit({ projectName: true })
  .extend({ name: model.project.shape.projectName });

/** Every field of a project, with the names that programs use. */
export interface ProjectProperties extends Omit<ServiceProject, "projectName"> {
  /** Name of the project. */
  name: string;
}

/** Converts a project of the service to the names that programs use. */
export function projectProperties({ projectName, ...rest }: ServiceProject): ProjectProperties {
  return { ...rest, name: projectName };
}

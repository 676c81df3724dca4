/** Describes the project resource: its fields, their names in the service, and its operations. */

import type { Scope, Project as ServiceProject } from "../client";
import { ConflictError } from "../client/errors";
import { createProjectShape, projectShape } from "../client/model";
import type { Found, OperationContext, ResourceDescription } from "../lifecycle/description";
import { UserError } from "../lifecycle/errors";
import { ifVisible } from "../lifecycle/visible";
import type { FieldValues } from "../shapes/shape";
import { counted, enumerated } from "../shapes/words";

/** How many objects of each kind a message lists. */
const MAX_LISTED = 3;

const inputs = {
  /**
   * Name of the project, 1 to 100 characters. If the service requires unique names, they are unique per organization.
   */
  name: createProjectShape.fields.projectName,
  /** Default message on the landing pages of the project, at most 500 characters. Default: none. */
  defaultHookupMsg: createProjectShape.fields.defaultHookupMsg,
};

const outputs = {
  /** UUID of the organization that owns the project. */
  organizationId: projectShape.fields.organizationId,
  /** Sub-domain that serves the project's links by default. Absent until the service assigns it. */
  subDomain: projectShape.fields.subDomain,
  /** When the project was created, as an ISO 8601 date and time. */
  createdAt: projectShape.fields.createdAt,
};

/** Inputs of a project. */
export interface ProjectInputs extends FieldValues<typeof inputs> {}
/** Outputs that the service adds to a project. */
export interface ProjectOutputs extends FieldValues<typeof outputs> {}

// Operations createProject, listProjects, getProject, updateProject and deleteProject of openapi.yaml.
/** A project. Its logo and skin are not managed. */
export const projectDescription: ResourceDescription<ProjectInputs, ProjectOutputs> = {
  type: "Project",
  title: "project",
  scopes: { read: ["projects:read"], write: ["projects:write"] },
  creates: "object",
  inputs,
  outputs,
  replaceOnChanges: [],
  // Whether the sub-domain follows the name is not documented.
  changesOnUpdate: ["subDomain"],
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
    const body = {
      ...(changed.includes("name") && { projectName: name }),
      // A message that is no longer declared is cleared.
      ...(changed.includes("defaultHookupMsg") && { defaultHookupMsg: defaultHookupMsg ?? null }),
    };
    return found(await client.updateProject({ organizationId, projectId: uuid, body }, { signal }));
  },

  async delete(context, uuid) {
    const { client, organizationId, signal } = context;
    // It is not documented whether the service refuses to delete a project with contents, or deletes the contents as
    // well.
    const contents = await contentsOf(context, uuid);
    if (contents.present.length > 0) {
      throw new UserError(
        `Project ${uuid} was not deleted because it still contains ${enumerated(contents.present)}.${adviceFor(contents)}`,
      );
    }
    try {
      await client.deleteProject({ organizationId, projectId: uuid }, { signal });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      throw new UserError(
        `${error.message}\nThe API key finds nothing in the project.${adviceFor(contents)}`,
        {
          cause: error,
        },
      );
    }
  },
};

function found(project: ServiceProject): Found<ProjectInputs & ProjectOutputs> {
  return { uuid: project.id, properties: projectProperties(project), createdAt: project.createdAt };
}

/** Every field of a project, with the names that programs use. */
export interface ProjectProperties extends Omit<ServiceProject, "projectName"> {
  /** Name of the project. */
  name: string;
}

/** Converts a project of the service to the names that programs use. */
export function projectProperties({ projectName, ...rest }: ServiceProject): ProjectProperties {
  return { ...rest, name: projectName };
}

/** The contents of a project that the key can read. */
interface Contents {
  /** The kinds of which there are objects, such as `1 link (UUID)`. */
  readonly present: readonly string[];
  /** The kinds that the key cannot list, such as `links`. */
  readonly hidden: readonly string[];
}

async function contentsOf(context: OperationContext, projectId: string): Promise<Contents> {
  const { client, organizationId, signal } = context;
  const at = { organizationId, projectId };
  const kinds: readonly { noun: string; scope: Scope; list: () => Promise<string> }[] = [
    {
      noun: "application",
      scope: "applications:read",
      list: async () => summaryOf("application", await client.listApplications(at, { signal })),
    },
    {
      noun: "custom domain",
      scope: "domains:read",
      list: async () => summaryOf("custom domain", await client.listCustomDomains(at, { signal })),
    },
    {
      noun: "link",
      scope: "links:read",
      // There may be very many links, so they are not counted.
      async list() {
        const { links, nextCursor } = await client.listProjectLinks({ ...at, limit: MAX_LISTED }, { signal });
        return nextCursor === null
          ? summaryOf("link", links)
          : `${MAX_LISTED} or more links (${uuidsOf(links)})`;
      },
    },
  ];
  const results = await Promise.allSettled(
    kinds.map(async ({ noun, scope, list }) => ({ noun, present: await ifVisible(context, scope, list) })),
  );
  const seen = results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
  return {
    present: seen.flatMap(({ present }) => present || []),
    hidden: seen.filter(({ present }) => present === undefined).map(({ noun }) => `${noun}s`),
  };
}

/** Count and UUIDs of objects; empty if there are none. */
function summaryOf(noun: string, objects: readonly { readonly id: string }[]): string {
  if (objects.length === 0) return "";
  const more = objects.length > MAX_LISTED ? ` and ${objects.length - MAX_LISTED} more` : "";
  return `${counted(objects.length, noun)} (${uuidsOf(objects)}${more})`;
}

function uuidsOf(objects: readonly { readonly id: string }[]): string {
  return objects
    .slice(0, MAX_LISTED)
    .map(({ id }) => id)
    .join(", ");
}

/** The kinds that could not be checked, and what to do next. */
function adviceFor({ hidden }: Contents): string {
  const unseen = hidden.length === 0 ? "" : ` The API key cannot list ${enumerated(hidden)}.`;
  return `${unseen}\nThe service may delete the contents of a project together with it, so delete them first. To keep the project, remove it from the stack with \`pulumi state delete\`.`;
}

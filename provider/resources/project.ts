/** The project resource: its fields, their names in the service, and how it is made, changed and deleted. */

import type { Scope, Project as ServiceProject } from "../client";
import { ConflictError } from "../client/errors";
import { createProjectShape, projectShape } from "../client/model";
import type { Found, OperationContext, ResourceDescription } from "../lifecycle/description";
import { UserError } from "../lifecycle/errors";
import { ifVisible } from "../lifecycle/visible";
import type { FieldValues } from "../shapes/shape";
import { counted, enumerated } from "../shapes/words";

/** How many objects a message names of each kind. */
const MAX_NAMED = 3;

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
  /** When the project was created, as ISO 8601 date and time. */
  createdAt: projectShape.fields.createdAt,
};

/** What a program declares of a project. */
export interface ProjectInputs extends FieldValues<typeof inputs> {}
/** What the service adds to a project. */
export interface ProjectOutputs extends FieldValues<typeof outputs> {}

// Operations createProject, listProjects, getProject, updateProject and deleteProject of openapi.yaml.
/** A project. Logo and skin are neither managed nor touched. */
export const projectDescription: ResourceDescription<ProjectInputs, ProjectOutputs> = {
  exportName: "project",
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
      // What was declared before and is not now is taken back.
      ...(changed.includes("defaultHookupMsg") && { defaultHookupMsg: defaultHookupMsg ?? null }),
    };
    return found(await client.updateProject({ organizationId, projectId: uuid, body }, { signal }));
  },

  async delete(context, uuid) {
    const { client, organizationId, signal } = context;
    // Whether the service refuses to delete what has something under it, or deletes all of it, is not documented.
    const contents = await contentsOf(context, uuid);
    if (contents.present.length > 0) {
      throw new UserError(
        `Project ${uuid} was not deleted: it still has ${enumerated(contents.present)}.${adviceFor(contents)}`,
      );
    }
    try {
      await client.deleteProject({ organizationId, projectId: uuid }, { signal });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      throw new UserError(`${error.message}\nThe key sees nothing under the project.${adviceFor(contents)}`, {
        cause: error,
      });
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

/** What is under a project, as far as the key may read. */
interface Contents {
  /** Each kind of which there is something, as in `1 link (UUID)`. */
  readonly present: readonly string[];
  /** Each kind that the key may not list. */
  readonly hidden: readonly string[];
}

async function contentsOf(context: OperationContext, projectId: string): Promise<Contents> {
  const { client, organizationId, signal } = context;
  const at = { organizationId, projectId };
  const kinds: readonly { noun: string; scope: Scope; look: () => Promise<string> }[] = [
    {
      noun: "application",
      scope: "applications:read",
      look: async () => named("application", await client.listApplications(at, { signal })),
    },
    {
      noun: "custom domain",
      scope: "domains:read",
      look: async () => named("custom domain", await client.listCustomDomains(at, { signal })),
    },
    {
      noun: "link",
      scope: "links:read",
      // There may be very many links, so they are not counted.
      async look() {
        const { links, nextCursor } = await client.listProjectLinks({ ...at, limit: MAX_NAMED }, { signal });
        return nextCursor === null ? named("link", links) : `${MAX_NAMED} or more links (${uuidsOf(links)})`;
      },
    },
  ];
  const looks = await Promise.allSettled(
    kinds.map(async ({ noun, scope, look }) => ({ noun, present: await ifVisible(context, scope, look) })),
  );
  const seen = looks.map((look) => {
    if (look.status === "rejected") throw look.reason;
    return look.value;
  });
  return {
    present: seen.flatMap(({ present }) => present || []),
    hidden: seen.filter(({ present }) => present === undefined).map(({ noun }) => `${noun}s`),
  };
}

/** Objects by number and UUID; empty when there are none. */
function named(noun: string, objects: readonly { readonly id: string }[]): string {
  if (objects.length === 0) return "";
  const more = objects.length > MAX_NAMED ? ` and ${objects.length - MAX_NAMED} more` : "";
  return `${counted(objects.length, noun)} (${uuidsOf(objects)}${more})`;
}

function uuidsOf(objects: readonly { readonly id: string }[]): string {
  return objects
    .slice(0, MAX_NAMED)
    .map(({ id }) => id)
    .join(", ");
}

/** What the key may not see, and what to do. */
function adviceFor({ hidden }: Contents): string {
  const unseen = hidden.length === 0 ? "" : ` The key may not list ${enumerated(hidden)}.`;
  return `${unseen}\nThe service may delete what is under a project with it, so delete that first. To keep the project, remove it from the stack with \`pulumi state delete\`.`;
}

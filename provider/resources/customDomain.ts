/** The custom-domain resource: a host name that serves a project's links. */
import type { CustomDomain as ServiceDomain } from "../client";
import { ConflictError, NotFoundError } from "../client/errors";
import { createCustomDomainShape, customDomainShape } from "../client/model";
import type { Found, OperationContext, ResourceDescription } from "../lifecycle/description";
import { UserError } from "../lifecycle/errors";
import { explain } from "../lifecycle/explain";
import { notFoundIn } from "../lifecycle/ownership";
import { pollUntil } from "../lifecycle/poll";
import { ifVisible } from "../lifecycle/visible";
import { canonicalValues } from "../shapes/canonical";
import { type FieldValues, text } from "../shapes/shape";

/** How long a create waits for the CNAME target, which the domain provider assigns within moments as a rule. */
const CNAME_TARGET_TIMEOUT_MS = 60_000;
/** How long a delete waits for the domain to be gone. */
const DELETION_TIMEOUT_MS = 600_000;

/** The resource compares host names as DNS does; the client and the look-ups leave them as the service spells them. */
const hostnameShape = text({ ...createCustomDomainShape.fields.hostname.rules, format: "hostname" });

const inputs = {
  /** UUID of the project that the domain belongs to. Another project replaces the domain. */
  projectId: customDomainShape.fields.projectId,
  /**
   * Host name, 1 to 253 characters, that serves links. Letter case, a trailing dot and Unicode spelling make no
   * difference. Another host name replaces the domain.
   */
  hostname: hostnameShape,
};

const outputs = {
  /** Where the host name's CNAME record must point. Absent until the domain provider assigned it. */
  cnameTarget: customDomainShape.fields.cnameTarget,
};

/** What a program declares of a custom domain. */
export interface CustomDomainInputs extends FieldValues<typeof inputs> {}
/** What the service adds to a custom domain. */
export interface CustomDomainOutputs extends FieldValues<typeof outputs> {}

// Operations createCustomDomain, listCustomDomains, getCustomDomain and deleteCustomDomain of openapi.yaml.
/** A custom domain. Of its life only the CNAME target is kept in the state. */
export const customDomainDescription: ResourceDescription<CustomDomainInputs, CustomDomainOutputs> = {
  type: "CustomDomain",
  title: "custom domain",
  scopes: { read: ["domains:read"], write: ["domains:write"] },
  creates: "object",
  inputs,
  outputs,
  replaceOnChanges: ["projectId", "hostname"],
  place: "projectId",
  uniqueBy: "hostname",

  deleteBeforeReplace: keepsHostname,

  async checkReplacement(context, replacement) {
    const { before, inputs, isUnknown } = replacement;
    if (inputs.projectId === before.projectId) return;
    const known = !isUnknown(inputs.projectId);
    const readable = known && (await projectIsReadable(context, inputs.projectId));
    if (!keepsHostname(inputs, before)) return;
    const to = known ? inputs.projectId : "another one that is not known yet";
    const unchecked =
      known && !readable
        ? ` The key may not read projects, so whether project ${to} exists was not checked.`
        : "";
    context.report(
      `A custom domain moves from project ${before.projectId} to ${to}: it is deleted before the new one is created, because a host name is in one project at a time. Whether the new project has the Pro entitlement that custom domains need cannot be seen beforehand.${unchecked}`,
      { persistent: true },
    );
  },

  async siblings({ client, organizationId, signal }, { projectId }) {
    return (await client.listCustomDomains({ organizationId, projectId }, { signal })).map(found);
  },

  async holders({ client, organizationId, signal }) {
    const projects = await client.listProjects({ organizationId }, { signal });
    const domains = await Promise.all(
      projects.map(({ id }) => client.listCustomDomains({ organizationId, projectId: id }, { signal })),
    );
    return domains.flat().map(found);
  },

  async read({ client, signal }, uuid) {
    return found(await client.getCustomDomain({ customDomainId: uuid }, { signal }));
  },

  async create({ client, organizationId, signal }, { projectId, hostname }) {
    return found(
      await client.createCustomDomain({ organizationId, projectId, body: { hostname } }, { signal }),
    );
  },

  async settle(context, { uuid, ...rest }) {
    if (rest.properties.cnameTarget != null) return { uuid, ...rest };
    const { client, signal } = context;
    const domain = await pollUntil(context, {
      timeoutMs: CNAME_TARGET_TIMEOUT_MS,
      look: () => client.getCustomDomain({ customDomainId: uuid }, { signal }),
      // A domain that has failed gets no target any more.
      done: ({ cnameTarget, lifecycleStatus }) =>
        cnameTarget != null || /FAILED|EXPIRED|DELETING/.test(lifecycleStatus),
      waiting: ({ lifecycleStatus }) =>
        `Custom domain ${uuid}: ${lifecycleStatus}, waiting for its CNAME target`,
    });
    if (domain.cnameTarget == null) {
      const { lifecycleStatus } = client.printable(domain);
      context.report(
        `Custom domain ${uuid} was created and saved, but has no CNAME target yet (${lifecycleStatus}). Run \`pulumi refresh\` once the service has it.`,
        { persistent: true },
      );
    }
    return found(domain);
  },

  async delete(context, uuid) {
    const { client, signal } = context;
    try {
      await client.deleteCustomDomain({ customDomainId: uuid }, { signal });
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      const { lifecycleStatus } = await client.getCustomDomain({ customDomainId: uuid }, { signal });
      if (lifecycleStatus !== "DELETING") throw error;
    }
    await untilGone(context, uuid);
  },
};

/** A host name can only be in one project at a time: the old domain must go before the new one can be created. */
function keepsHostname({ hostname }: CustomDomainInputs, before: CustomDomainInputs): boolean {
  return hostname === before.hostname;
}

/**
 * Whether the project that a domain moves to can be read; a key for domains may lack that scope.
 *
 * @throws UserError when it is not there, or that cannot be told: the domain would be lost in between.
 */
async function projectIsReadable(context: OperationContext, projectId: string): Promise<boolean> {
  const { client, organizationId, signal } = context;
  try {
    const project = await ifVisible(context, "projects:read", () =>
      client.getProject({ organizationId, projectId }, { signal }),
    );
    return project !== undefined;
  } catch (error) {
    if (error instanceof NotFoundError) throw notFoundIn(organizationId, "project", projectId, error);
    throw new UserError(
      `${explain(error).message}\nThe custom domain would be deleted before it is created in that project, so the project must be readable first.`,
      { cause: error },
    );
  }
}

/** The domain stays known while the service is deleting it: its host name is not free before it is gone. */
async function untilGone(context: OperationContext, uuid: string): Promise<void> {
  const { client, signal } = context;
  const last = await pollUntil(context, {
    timeoutMs: DELETION_TIMEOUT_MS,
    look: async () => {
      try {
        return await client.getCustomDomain({ customDomainId: uuid }, { signal });
      } catch (error) {
        if (error instanceof NotFoundError) return undefined;
        throw error;
      }
    },
    done: (domain) => domain === undefined,
    waiting: (domain) => `Custom domain ${uuid}: ${domain?.lifecycleStatus}, waiting until it is gone`,
  });
  if (last !== undefined) {
    const { lifecycleStatus } = client.printable(last);
    throw new UserError(
      `Custom domain ${uuid} is being deleted, but after ${DELETION_TIMEOUT_MS / 60_000} minutes the service still has it as ${lifecycleStatus}. It stays in the state; run this again later.`,
    );
  }
}

/** A domain of the service as the resource knows it. */
function found({
  id,
  projectId,
  hostname,
  cnameTarget,
  createdAt,
  lifecycleStatus,
}: ServiceDomain): Found<CustomDomainInputs & CustomDomainOutputs> {
  return {
    uuid: id,
    properties: canonicalValues(inputs, { projectId, hostname, cnameTarget }),
    createdAt,
    lifecycle: lifecycleStatus,
  };
}

/** Describes the custom-domain resource: a hostname that serves the links of a project. */
import { z } from "zod";
import type { CustomDomain as ServiceDomain } from "../client";
import { NotFoundError } from "../client/errors";
import { customDomain } from "../client/model/customDomain";
import { UserError } from "../errors";
import { ifTransformed } from "../lifecycle/create/conflict";
import { contentsOf, linkContents, WHERE_LINKS_ARE_DELETED } from "../lifecycle/delete/contents";
import type {
  ContentKind,
  Found,
  OperationContext,
  Replacement,
  ResourceDescription,
} from "../lifecycle/description";
import { explainProjectNotFound } from "../lifecycle/evidence/absence";
import { readKnown } from "../lifecycle/evidence/known";
import { ifFound, ifVisible } from "../lifecycle/evidence/lists";
import { whileYoung } from "../lifecycle/evidence/youth";
import { explain } from "../lifecycle/explain";
import { objectKey } from "../lifecycle/ledger/facts";
import { pollUntil } from "../lifecycle/poll";
import { canonicalValues } from "../values/canonical";
import { canonicalHostname } from "../values/hostname";
import { enumerated, objectName } from "../values/phrases";

/** How long a create waits for the CNAME target, which the domain provider usually assigns within moments. */
const CNAME_TARGET_TIMEOUT_MS = 60_000;
/** How long a delete waits until the service has deleted the domain. */
const DELETION_TIMEOUT_MS = 600_000;

/** The resource compares hostnames in canonical form. The client and the lookups return them unchanged. */
export const hostname = z
  .string()
  .overwrite(canonicalHostname)
  .min(1)
  .max(253)
  .meta({ meaning: "a hostname" });

const inputs = z.strictObject({
  /** UUID of the project that the domain belongs to. Changing it replaces the domain. */
  projectId: customDomain.shape.projectId,
  /**
   * Hostname that serves links, 1 to 253 characters. Letter case and a trailing dot are ignored, and the
   * Unicode and punycode forms are equal. The output is in punycode. Changing the hostname replaces the domain.
   */
  hostname,
});

const outputs = z.object({
  /** The target of the hostname's CNAME record. Absent until the domain provider has assigned it. */
  cnameTarget: customDomain.shape.cnameTarget,
});

/** Inputs of a custom domain. */
export interface CustomDomainInputs extends z.infer<typeof inputs> {}
/** Outputs that the service adds to a custom domain. */
export interface CustomDomainOutputs extends z.infer<typeof outputs> {}

/** A custom domain. Its lifecycle status is not stored in the state. */
export const customDomainDescription: ResourceDescription<CustomDomainInputs, CustomDomainOutputs> = {
  type: "CustomDomain",
  title: "custom domain",
  creates: { is: "object" },
  scopes: { read: ["domains:read"], write: ["domains:write"], contents: ["links:read"] },
  inputs,
  outputs,
  replaceOnChanges: ["projectId", "hostname"],
  parentId: "projectId",
  uniqueBy: "hostname",

  replacement: {
    deletesFirst: keepsHostname,

    async check(context, replacement) {
      const { before, inputs, isUnknown, isInNewProject } = replacement;
      const known = !isUnknown(inputs.projectId);
      if (known && !isInNewProject && inputs.projectId !== before.projectId)
        await requireTargetProject(context, inputs.projectId);
      const unchecked = await requireDeletable(context, replacement);
      if (!keepsHostname(inputs, before)) {
        if (unchecked !== undefined)
          context.report(`The hostname of a custom domain changes. ${unchecked}`, WARNING);
        return;
      }
      const to = known ? `project ${inputs.projectId}` : "another project, which is not known yet";
      context.report(
        `A custom domain moves from project ${before.projectId} to ${to}. It is deleted before the new one is created, because a hostname can be in only one project at a time. Whether the new project has the Pro entitlement that custom domains need cannot be checked in advance.${unchecked === undefined ? "" : ` ${unchecked}`}`,
        { persistent: true },
      );
    },
  },

  list: listInProject,
  uniqueAmong: (context) => listInOrganization(context, { skipsMissing: true }),

  async read({ client, signal }, uuid) {
    return asFound(await client.getCustomDomain({ customDomainId: uuid }, { signal }));
  },

  async create({ client, organizationId, signal }, { projectId, ...body }) {
    return asFound(await client.createCustomDomain({ organizationId, projectId, body }, { signal }));
  },

  async waitUntilReady(context, { uuid, ...rest }) {
    if (rest.properties.cnameTarget != null) return { uuid, ...rest };
    const { client, signal } = context;
    const target = { description: customDomainDescription, uuid, state: { ...rest.properties } };
    const domain = await pollUntil(context, {
      timeoutMs: CNAME_TARGET_TIMEOUT_MS,
      read: (patient) =>
        readKnown({ ...target, context: patient }, () =>
          patient.client.getCustomDomain({ customDomainId: uuid }, { signal }),
        ),
      done: ({ cnameTarget, lifecycleStatus }) => cnameTarget != null || hasEnded(lifecycleStatus),
      progress: ({ hostname, lifecycleStatus }) =>
        `${objectName("custom domain", uuid, hostname)} is ${lifecycleStatus}, waiting for its CNAME target`,
    });
    if (domain.cnameTarget == null) {
      const { hostname, lifecycleStatus } = client.sanitized(domain);
      context.report(
        `${objectName("custom domain", uuid, hostname)} was created, but has no CNAME target yet (${lifecycleStatus}). Run \`pulumi up --refresh\` when the service has assigned it.`,
        { persistent: true },
      );
    }
    return asFound(domain);
  },

  deletion: {
    contents: (context, uuid) => [linksOf(context, uuid)],
    async send({ client, signal }, uuid) {
      await client.deleteCustomDomain({ customDomainId: uuid }, { signal });
    },
    isUnderWay: ({ lifecycle }) => lifecycle === "DELETING",
    timeoutMs: DELETION_TIMEOUT_MS,
    shows: "hostname",
  },
};

async function listInProject(
  { client, organizationId, signal }: OperationContext,
  { projectId }: Pick<CustomDomainInputs, "projectId">,
): Promise<Found<CustomDomainInputs & CustomDomainOutputs>[]> {
  return (await client.listCustomDomains({ organizationId, projectId }, { signal })).map(asFound);
}

/** Lists the domains of all projects. @throws NotFoundError if one of them is not found, unless such projects are skipped. */
export async function listInOrganization(
  context: OperationContext,
  { skipsMissing = false } = {},
): Promise<Found<CustomDomainInputs & CustomDomainOutputs>[]> {
  const { client, organizationId, signal } = context;
  const projects = await client.listProjects({ organizationId }, { signal });
  const lists = projects.map(async ({ id: projectId }) => {
    const listing = listInProject(context, { projectId });
    return (skipsMissing ? await ifFound(listing) : await listing) ?? [];
  });
  return (await Promise.all(lists)).flat();
}

function linksOf({ client, signal }: OperationContext, customDomainId: string): ContentKind {
  return linkContents((page) => client.listCustomDomainLinks({ customDomainId, ...page }, { signal }));
}

const WARNING = { persistent: true, warning: true };

/**
 * Requires that a domain that is about to be replaced has no links, because one with links is not deleted. Returns what
 * could not be checked, if so, as sentences. @throws UserError if it has links, or if the option `retainOnDelete` would keep the hostname in use.
 */
async function requireDeletable(
  context: OperationContext,
  { before, inputs, isUnknown, retainOnDelete }: Replacement<CustomDomainInputs>,
): Promise<string | undefined> {
  const { projectId } = before;
  const moves = keepsHostname(inputs, before);
  if (moves && retainOnDelete)
    throw new UserError(
      `A custom domain with the option retainOnDelete cannot move to another project: it stays in project ${projectId}, and a hostname can be in only one project at a time.\nRemove the option, run \`pulumi up\`, and change projectId in a later one.`,
    );
  // A check does not know the UUID of the domain.
  const listed = await ifFound(listInProject(context, before));
  const old = listed?.find(({ properties }) => properties.hostname === before.hostname);
  // It was deleted, or the list is outdated. The deletion looks again.
  if (old === undefined) return `The service does not list the custom domain${UNCHECKED}`;
  const object = objectKey("custom domain", old.uuid);
  const links = await ifFound(contentsOf(context, object, [linksOf(context, old.uuid)]));
  if (links === undefined) return `The service does not find its links${UNCHECKED}`;
  const { present, missingScopes } = links;
  if (missingScopes.length > 0) return `The API key lacks links:read${UNCHECKED}`;
  if (present.length === 0) return undefined;
  const subject = objectName("custom domain", old.uuid, context.client.sanitized(before.hostname));
  const contents = `still contains ${enumerated(present)}`;
  if (retainOnDelete)
    return `${subject} ${contents}, and stays in the service because of the option retainOnDelete. If this run adds the option, undo the other change, and run \`pulumi up\` first: Pulumi follows the option in the state.`;
  if (isUnknown(inputs.hostname))
    return `${subject} ${contents}, so it cannot be replaced if the new hostname differs.`;
  throw new UserError(
    moves
      ? `${subject} cannot move to another project, because it ${contents}.\nThe move deletes the custom domain first, and the service may delete its links together with it. ${DELETE_FIRST}, or leave the custom domain in project ${projectId}.`
      : `${subject} cannot be replaced by one with another hostname, because it ${contents}.\nThe service may delete the links together with the custom domain. ${DELETE_FIRST}, or leave its hostname unchanged and declare a second custom domain beside it. ${ifTransformed("retainOnDelete")}`,
  );
}

const DELETE_FIRST = `Delete the links first, ${WHERE_LINKS_ARE_DELETED}`;
const UNCHECKED =
  ", so it was not checked whether the custom domain contains links. The service may delete them together with it, or refuse to delete it.";

/** Whether waiting may activate a domain. A status that this release does not know is waited for. */
export function isPending({ lifecycleStatus }: Pick<ServiceDomain, "lifecycleStatus">): boolean {
  return !isActive({ lifecycleStatus }) && !hasEnded(lifecycleStatus);
}

export function isActive({ lifecycleStatus }: Pick<ServiceDomain, "lifecycleStatus">): boolean {
  return lifecycleStatus === "ACTIVE";
}

/** Whether a domain is in a final stage: waiting cannot help. It is neither assigned a target nor activated. */
export function hasEnded(status: ServiceDomain["lifecycleStatus"]): boolean {
  return status === "FAILED" || status === "EXPIRED" || status === "DELETING";
}

/** A hostname can be in only one project at a time, so the old domain must be deleted before the new one is created. */
function keepsHostname({ hostname }: CustomDomainInputs, before: CustomDomainInputs): boolean {
  return hostname === before.hostname;
}

/**
 * Requires that the project that a domain moves to exists. A key that cannot read projects can list their domains.
 * @throws UserError if it does not, or if that is unknown: the old domain would be deleted, and the new one not created.
 */
async function requireTargetProject(context: OperationContext, projectId: string): Promise<void> {
  const { client, organizationId, signal } = context;
  const request = { organizationId, projectId };
  try {
    await whileYoung(context, objectKey("project", projectId), async () => {
      const project = await ifVisible(context, "projects:read", () => client.getProject(request, { signal }));
      if (project === undefined) await client.listCustomDomains(request, { signal });
    });
  } catch (error) {
    if (error instanceof NotFoundError) throw await explainProjectNotFound(context, projectId, error);
    throw new UserError(
      `${explain(error).message}\nThe move deletes the custom domain before it is created in that project, so the project must be readable first.`,
      { cause: error },
    );
  }
}

function asFound({
  id: uuid,
  createdAt,
  lifecycleStatus: lifecycle,
  ...properties
}: ServiceDomain): Found<CustomDomainInputs & CustomDomainOutputs> {
  return { uuid, properties: canonicalValues(inputs, properties), createdAt, lifecycle };
}

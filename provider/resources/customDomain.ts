/** Describes the custom-domain resource: a hostname that serves the links of a project. */
import { z } from "zod";
import type { CustomDomain as ServiceDomain } from "../client";
import { ConflictError, NotFoundError } from "../client/errors";
import { customDomain } from "../client/model/customDomain";
import { UserError } from "../errors";
import type { Found, OperationContext, Replacement, ResourceDescription } from "../lifecycle/description";
import { contradictionOf, evidenceFor, notFoundError } from "../lifecycle/evidence/absence";
import {
  type ContentKind,
  contentsOf,
  deleteEmpty,
  exists,
  linkContents,
  undoing,
} from "../lifecycle/evidence/contents";
import { readKnown } from "../lifecycle/evidence/known";
import { PROJECT_KIND } from "../lifecycle/evidence/lists";
import { ifVisible } from "../lifecycle/evidence/visible";
import { isYoung, youngUntilMs } from "../lifecycle/evidence/youth";
import { explain } from "../lifecycle/explain";
import { objectKey } from "../lifecycle/ledger/facts";
import { LONGEST_LAG_MS, pollUntil } from "../lifecycle/poll";
import type { Properties } from "../lifecycle/properties";
import { canonicalValues } from "../values/canonical";
import { canonicalHostname } from "../values/hostname";
import { enumerated, objectName } from "../values/phrases";
import { isUuid } from "../values/uuid";

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
      const to = known ? inputs.projectId : "another project, which is not known yet";
      context.report(
        `A custom domain moves from project ${before.projectId} to ${to}. It is deleted before the new one is created, because a hostname can be in only one project at a time. Whether the new project has the Pro entitlement that custom domains need cannot be checked in advance.${unchecked === undefined ? "" : ` ${unchecked}`}`,
        { persistent: true },
      );
    },
  },

  async list({ client, organizationId, signal }, { projectId }) {
    return (await client.listCustomDomains({ organizationId, projectId }, { signal })).map(found);
  },

  uniqueAmong: listInOrganization,

  async read({ client, signal }, uuid) {
    return found(await client.getCustomDomain({ customDomainId: uuid }, { signal }));
  },

  async create({ client, organizationId, signal }, { projectId, ...body }) {
    return found(await client.createCustomDomain({ organizationId, projectId, body }, { signal }));
  },

  async waitUntilReady(context, { uuid, ...rest }) {
    if (rest.properties.cnameTarget != null) return { uuid, ...rest };
    const { client, signal } = context;
    const target = { description: customDomainDescription, context, uuid, state: { ...rest.properties } };
    const domain = await pollUntil(context, {
      timeoutMs: CNAME_TARGET_TIMEOUT_MS,
      read: (patient) =>
        readKnown(target, () => patient.client.getCustomDomain({ customDomainId: uuid }, { signal })),
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
    return found(domain);
  },

  async delete(context, uuid, before) {
    const { client, signal } = context;
    // Only the list of the project shows that the domain was deleted. A state that was edited may lack the project.
    const { projectId } = isUuid(before.projectId)
      ? before
      : await client.getCustomDomain({ customDomainId: uuid }, { signal });
    const state = { ...before, projectId };
    const object = objectKey("custom domain", uuid);
    const read = async () => {
      const { lifecycleStatus } = await client.getCustomDomain({ customDomainId: uuid }, { signal });
      context.facts?.record({ is: "found", object });
      return lifecycleStatus;
    };
    // After the deletion, a domain that was never seen can be one that replicas do not have yet.
    if (isYoung(context.facts, object, context.clock.now())) await exists(read);
    const links = linksOf(context, uuid);
    const isDeleting = async () => (await statusOf(context, uuid, state)) === "DELETING";
    const list: ContentKind["list"] = async (limit) => {
      try {
        return await links.list(limit);
      } catch (error) {
        // The service may no longer list the links of a domain that it is deleting.
        if (error instanceof NotFoundError && (await isDeleting())) return { objects: [] };
        throw error;
      }
    };
    const kinds = [{ ...links, list }];
    try {
      const ifReplaced = `${undoing("custom domain", uuid)} With the option retainOnDelete, the new one stays as well.`;
      const name = client.sanitized(before.hostname);
      const emptied = { title: "custom domain", name, uuid, kinds, ifReplaced, read };
      await deleteEmpty(context, emptied, () =>
        client.deleteCustomDomain({ customDomainId: uuid }, { signal }),
      );
    } catch (error) {
      const causes = [error, (error as Error).cause];
      const isConflict = causes.some((one) => one instanceof ConflictError);
      if (!isConflict && !causes.some((one) => one instanceof NotFoundError)) throw error;
      // A replica that is behind still shows the status before a deletion of an earlier run.
      const isEarlierDeletion = await pollUntil(context, {
        timeoutMs: isConflict ? LONGEST_LAG_MS : 0,
        read: isDeleting,
        done: (yes) => yes,
        progress: () =>
          `${subjectOf(context, uuid, state)} may be being deleted. Waiting until the service shows it`,
      });
      if (!isEarlierDeletion) throw error;
    }
    await waitUntilDeleted(context, uuid, state);
  },
};

/** Lists the domains of all projects. */
export async function listInOrganization({
  client,
  organizationId,
  signal,
}: OperationContext): Promise<Found<CustomDomainInputs & CustomDomainOutputs>[]> {
  const projects = await client.listProjects({ organizationId }, { signal });
  const domains = await Promise.all(
    projects.map(({ id }) => client.listCustomDomains({ organizationId, projectId: id }, { signal })),
  );
  return domains.flat().map(found);
}

/** The status of a domain. While it is being deleted, its list may contain it longer than it is found. @throws NotFoundError */
async function statusOf(
  context: OperationContext,
  uuid: string,
  state: CustomDomainInputs,
): Promise<string | undefined> {
  try {
    return (await customDomainDescription.read(context, uuid, state)).lifecycle;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const listed = await customDomainDescription.list?.(context, state);
    const domain = listed?.find((each) => each.uuid === uuid);
    if (domain === undefined) throw error;
    return domain.lifecycle;
  }
}

function linksOf({ client, signal }: OperationContext, customDomainId: string): ContentKind {
  return linkContents((page) => client.listCustomDomainLinks({ customDomainId, ...page }, { signal }));
}

const WARNING = { persistent: true, warning: true };

/**
 * Requires that a domain that is about to be replaced has no links, because one with links is not deleted. Returns what
 * could not be checked, if so, as sentences.
 *
 * @throws UserError if it has links, or if the option `retainOnDelete` would keep the hostname in use.
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
  const old = await replacedDomain(context, before);
  // It was deleted, or the list is outdated. The deletion looks again.
  if (old === undefined) return `The service does not list the custom domain${UNCHECKED}`;
  const links = await contentsOf(context, [linksOf(context, old.uuid)]).catch((error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
  });
  if (links === undefined) return `The service does not find its links${UNCHECKED}`;
  const { present, hidden } = links;
  if (hidden.length > 0) return `The API key lacks links:read${UNCHECKED}`;
  if (present.length === 0) return undefined;
  const subject = subjectOf(context, old.uuid, { ...before });
  const contents = `still contains ${enumerated(present)}`;
  if (retainOnDelete)
    return `${subject} ${contents}, and stays in the service because of the option retainOnDelete. If this run adds the option, undo the other change, and run \`pulumi up\` first: Pulumi follows the option in the state.`;
  if (isUnknown(inputs.hostname))
    return `${subject} ${contents}, so it cannot be replaced if the new hostname differs.`;
  throw new UserError(
    moves
      ? `${subject} cannot move to another project, because it ${contents}.\nThe move deletes the custom domain first, and the service may delete its links together with it. Delete the links first, or leave the custom domain in project ${projectId}.`
      : `${subject} cannot be replaced by one with another hostname, because it ${contents}.\nThe service may delete the links together with the custom domain. Delete the links first, or leave its hostname unchanged and declare a second custom domain beside it.`,
  );
}

const UNCHECKED =
  ", so it was not checked whether the custom domain contains links. The service may delete them together with it, or refuse to delete it.";

/** The domain of a state, from the list of its project: a check does not know its UUID. */
async function replacedDomain(
  context: OperationContext,
  before: CustomDomainInputs,
): Promise<Found<CustomDomainInputs> | undefined> {
  try {
    const listed = await customDomainDescription.list?.(context, before);
    return listed?.find(({ properties }) => properties.hostname === before.hostname);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

/** Whether waiting may activate a domain. A status that this release does not know is waited for. */
export function isPending({ lifecycleStatus }: Pick<ServiceDomain, "lifecycleStatus">): boolean {
  return lifecycleStatus !== "ACTIVE" && !hasEnded(lifecycleStatus);
}

/** Whether a domain is in a final stage: waiting cannot help. It is neither assigned a target nor activated. */
export function hasEnded(status: ServiceDomain["lifecycleStatus"]): boolean {
  return status === "FAILED" || status === "EXPIRED" || status === "DELETING";
}

/**
 * A hostname can be in only one project at a time, so the old domain must be deleted before the new one is created.
 */
function keepsHostname({ hostname }: CustomDomainInputs, before: CustomDomainInputs): boolean {
  return hostname === before.hostname;
}

/**
 * Requires that the project that a domain moves to exists. A key that cannot read projects can list their domains.
 *
 * @throws UserError if the project does not exist, or if that is unknown: the old domain would be deleted and the new
 * one could not be created.
 */
async function requireTargetProject(context: OperationContext, projectId: string): Promise<void> {
  const { client, organizationId, signal, clock, facts } = context;
  const request = { organizationId, projectId };
  try {
    const project = await ifVisible(context, "projects:read", () => client.getProject(request, { signal }));
    if (project === undefined) await client.listCustomDomains(request, { signal });
  } catch (error) {
    if (error instanceof NotFoundError) {
      // A project of the stack that is new exists, even if replicas do not have it yet. Lists may be ahead of reads.
      const object = objectKey("project", projectId);
      if (isYoung(facts, object, clock.now())) return;
      const target = { description: PROJECT_KIND, context, uuid: projectId, state: {} };
      const evidence = await evidenceFor(target);
      if (evidence.contradiction !== undefined && clock.now() < youngUntilMs(facts, object)) return;
      throw await notFoundError(target, error, evidence);
    }
    throw new UserError(
      `${explain(error).message}\nThe move deletes the custom domain before it is created in that project, so the project must be readable first.`,
      { cause: error },
    );
  }
}

/** What messages call a domain. */
function subjectOf({ client }: OperationContext, uuid: string, { hostname }: Properties): string {
  return objectName("custom domain", uuid, client.sanitized(hostname) as string | undefined);
}

/**
 * The service deletes a domain asynchronously. Its hostname is not available before the domain is deleted. A 404 alone
 * does not end the wait, because the next create would fail if the domain still existed.
 */
async function waitUntilDeleted(context: OperationContext, uuid: string, state: Properties): Promise<void> {
  const { client, signal, clock, facts } = context;
  const object = objectKey("custom domain", uuid);
  const subject = subjectOf(context, uuid, state);
  const last = await pollUntil(context, {
    timeoutMs: DELETION_TIMEOUT_MS,
    read: async (patient) => {
      try {
        const domain = await patient.client.getCustomDomain({ customDomainId: uuid }, { signal });
        facts?.record({ is: "found", object });
        return domain.lifecycleStatus;
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        const target = { description: customDomainDescription, context: patient, uuid, state };
        const contradiction = await contradictionOf(target, error);
        if (contradiction !== undefined) return contradiction;
        return isYoung(facts, object, clock.now()) ? "new and not shown yet" : undefined;
      }
    },
    done: (status) => status === undefined,
    progress: (status) =>
      `${subject} is ${status instanceof UserError ? "not found, but listed" : status}, waiting until it is deleted`,
  });
  if (last instanceof UserError) throw last;
  if (last !== undefined)
    throw new UserError(
      `${subject} is still ${client.sanitized(last)} after ${DELETION_TIMEOUT_MS / 60_000} minutes of waiting for its deletion. It remains in the state. Run this again later.`,
    );
}

function found({
  id: uuid,
  createdAt,
  lifecycleStatus: lifecycle,
  ...properties
}: ServiceDomain): Found<CustomDomainInputs & CustomDomainOutputs> {
  return { uuid, properties: canonicalValues(inputs, properties), createdAt, lifecycle };
}

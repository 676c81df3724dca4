/** The resources in the state of a stack. A state contains secrets, so no message contains any of it. */
import { UserError } from "../../provider/errors";
import { parseUrn } from "../../provider/hosts/urn";
import { ORGANIZATION_PROPERTY } from "../../provider/lifecycle/hiddenProperties";
import type { Properties } from "../../provider/lifecycle/properties";
import { isUuid } from "../../provider/values/uuid";
import { isRecord, valueAt } from "../../provider/values/walk";
import { importableKind } from "../objects/hosts";
import type { KindName } from "../objects/kinds";

export interface StackResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: unknown;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  /** Whether the stack only reads it and does not manage it, as `Project.get` does. */
  readonly external?: boolean;
  /** Whether its deletion is pending. */
  readonly delete?: boolean;
  /** Whether it was deleted in order to be replaced. */
  readonly pendingReplacement?: boolean;
}

/** An object of the service in a stack, as a resource of either host. */
export interface StackObject {
  readonly kind: KindName;
  readonly uuid: string;
  readonly urn: string;
  /** The logical name. */
  readonly name: string;
  /** False if the stack only reads it, still has to delete it, or has deleted it. */
  readonly isManaged: boolean;
  /** The organization that owns it; absent if the state does not contain it. */
  readonly organizationId?: string;
}

/**
 * The resources in the output of `pulumi stack export`, or in a checkpoint as backends store it.
 *
 * @param place where the state is from, for messages.
 * @throws UserError when the document is not a state.
 */
export function resourcesIn(document: unknown, place: string): readonly StackResource[] {
  const holder = valueAt(document, ["checkpoint"]) ?? document;
  const { deployment, latest = deployment } = isRecord(holder) ? holder : {};
  // A stack that was never deployed has null here.
  const resources = latest === null ? [] : isRecord(latest) ? (latest.resources ?? []) : undefined;
  if (Array.isArray(resources) && resources.every(isResource)) return resources;
  throw new UserError(
    `${place} is not the state of a stack. Write it with \`pulumi stack export --file <file>\`.`,
  );
}

function isResource(value: unknown): value is StackResource {
  return isRecord(value) && typeof value.urn === "string" && typeof value.type === "string";
}

/** The objects in a stack. */
export function objectsIn(resources: readonly StackResource[]): readonly StackObject[] {
  return resources.flatMap((resource) => {
    const { type, id, urn } = resource;
    const kind = importableKind(type);
    if (kind === undefined) return [];
    const isManaged = !(resource.delete || resource.external || resource.pendingReplacement) && isUuid(id);
    const organizationId = valueAt(resource, ["outputs", ORGANIZATION_PROPERTY]);
    return [
      {
        ...{ kind, uuid: String(id).toLowerCase(), urn, name: parseUrn(urn).name, isManaged },
        ...(isUuid(organizationId) && { organizationId }),
      },
    ];
  });
}

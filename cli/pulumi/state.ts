/** The resources in the state of a stack. A state contains secrets, so no message contains any of it. */
import { z } from "zod";
import { UserError } from "../../provider/errors";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { parseUrn } from "../../provider/hosts/urn";
import { ORGANIZATION_PROPERTY } from "../../provider/lifecycle/hiddenProperties";
import { creationIn } from "../../provider/lifecycle/state";
import { isUuid } from "../../provider/values/uuid";
import { KIND_NAMES, KINDS, type KindName } from "../objects/kinds";

const properties = z.record(z.string(), z.unknown()).optional();
const flag = z.boolean().optional();
const resource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.unknown().optional(),
  inputs: properties,
  outputs: properties,
  /** Whether the stack only reads it and does not manage it, as `Project.get` does. */
  external: flag,
  /** Whether its deletion is pending. */
  delete: flag,
  /** Whether it was deleted in order to be replaced. */
  pendingReplacement: flag,
});
export interface StackResource extends z.infer<typeof resource> {}

// A stack that was never deployed has null here.
const deployment = z.object({ resources: z.array(resource).nullish() }).nullable();
const STATE = z.union([
  z.object({ deployment }),
  z
    .object({ checkpoint: z.object({ latest: deployment }) })
    .transform(({ checkpoint }) => ({ deployment: checkpoint.latest })),
]);

/** An object of the service in a stack, as a resource of either host. */
export interface StackObject {
  readonly kind: KindName;
  readonly uuid: string;
  readonly urn: string;
  readonly name: string;
  /** False if the stack only reads it, still has to delete it, or has deleted it. */
  readonly isManaged: boolean;
  /** The organization that owns it; absent if the state does not contain it. */
  readonly organizationId?: string;
  /** When it was created, as far as the state shows it. */
  readonly createdAt?: unknown;
}

/**
 * The resources in the output of `pulumi stack export`, or in a checkpoint as backends store it.
 *
 * @param place where the state is from, for messages.
 * @throws UserError when the document is not a state.
 */
export function resourcesIn(document: unknown, place: string): readonly StackResource[] {
  const { data } = STATE.safeParse(document);
  if (data !== undefined) return data.deployment?.resources ?? [];
  throw new UserError(
    `${place} is not the state of a stack. Write it with \`pulumi stack export --file <file>\`.`,
  );
}

export function objectsIn(resources: readonly StackResource[]): readonly StackObject[] {
  return resources.flatMap((resource) => {
    const { type, id, urn } = resource;
    const kind = KIND_NAMES.find((one) =>
      [DYNAMIC_HOST, NATIVE_HOST].some((host) => host.typeToken(KINDS[one]) === type),
    );
    if (kind === undefined) return [];
    const isManaged = !(resource.delete || resource.external || resource.pendingReplacement) && isUuid(id);
    const { outputs = {} } = resource;
    const { [ORGANIZATION_PROPERTY]: organizationId } = outputs;
    const createdAt = creationIn(outputs);
    return [
      {
        ...{ kind, uuid: String(id).toLowerCase(), urn, name: parseUrn(urn).name, isManaged },
        ...(isUuid(organizationId) && { organizationId }),
        ...(createdAt !== undefined && { createdAt }),
      },
    ];
  });
}

/**
 * What a stack manages, from its state. A state contains secrets: only what {@link StackState} has is kept, and everything
 * else is dropped as soon as the state is parsed.
 */

import { UserError } from "../../provider/errors";
import { SECRET, SIGNATURE } from "../../provider/hosts/values";
import { ORGANIZATION_PROPERTY } from "../../provider/lifecycle/hiddenProperties";
import { isUuid } from "../../provider/values/uuid";
import { isRecord, valueAt } from "../../provider/values/walk";
import { importableType } from "../objects/hosts";
import type { KindName } from "../objects/kinds";
import { parseUrn, STACK_TYPE, stackName } from "./urn";

/** An object of the service that a stack manages, as a resource of either host. */
export interface ManagedObject {
  readonly kind: KindName;
  readonly uuid: string;
  readonly urn: string;
  /** The organization that owns it; absent if the state does not contain it. */
  readonly organizationId?: string;
}

/** A UUID in an output of a stack. */
export interface OutputUuid {
  readonly uuid: string;
  /** Its key or index, if the output is an object or a list. */
  readonly key?: string | number;
}

export interface StackState {
  /** Project and stack, such as `shop/production`. For a state without resources, the place it was read from. */
  readonly name: string;
  readonly objects: readonly ManagedObject[];
  /** The requested outputs that the stack has, by name. */
  readonly outputs: ReadonlyMap<string, readonly OutputUuid[] | "secret">;
}

/** Where a state is from, and what is read of it besides the managed objects. */
export interface StateSource {
  /** For messages. */
  readonly place: string;
  /** The names of the outputs to read. */
  readonly outputs?: readonly string[];
}

/**
 * Reads a state: the output of `pulumi stack export`, or a checkpoint as backends store it. A stack does not manage
 * resources that it only reads (`.get`), that it still has to delete, or that it deleted in order to replace them.
 *
 * @throws UserError when it is not a state. The message contains nothing of it.
 */
export function stackState(document: unknown, { place, outputs = [] }: StateSource): StackState {
  const resources = resourcesIn(document);
  if (resources === undefined) {
    throw new UserError(
      `${place} is not the state of a stack. Write it with \`pulumi stack export --file <file>\`.`,
    );
  }
  const [name] = resources.map(({ urn }) => stackName(parseUrn(urn)));
  const stack = resources.find(({ type }) => type === STACK_TYPE);
  return {
    name: name ?? place,
    objects: resources.flatMap(managedObject),
    outputs: new Map(
      outputs.flatMap((output) => {
        const value = valueAt(stack, ["outputs", output]);
        return value === undefined ? [] : [[output, uuidsIn(value)] as const];
      }),
    ),
  };
}

/** A resource in a state. Nothing else is known about its fields. */
interface Resource extends Readonly<Record<string, unknown>> {
  readonly urn: string;
  readonly type: string;
}

/** The resources of an exported state, or of a checkpoint. Undefined when the document is neither. */
function resourcesIn(document: unknown): readonly Resource[] | undefined {
  const holder = valueAt(document, ["checkpoint"]) ?? document;
  if (!isRecord(holder)) return undefined;
  // A stack that was never deployed has null here.
  const { deployment, latest = deployment } = holder;
  if (latest === null) return [];
  if (!isRecord(latest)) return undefined;
  const { resources } = latest;
  if (resources == null) return [];
  return Array.isArray(resources) && resources.every(isResource) ? resources : undefined;
}

function isResource(value: unknown): value is Resource {
  return isRecord(value) && typeof value.urn === "string" && typeof value.type === "string";
}

function managedObject(resource: Resource): ManagedObject[] {
  const { urn, type, id } = resource;
  const known = importableType(type);
  const isManaged = !(resource.delete || resource.external || resource.pendingReplacement);
  if (known === undefined || !isUuid(id) || !isManaged) return [];
  const organizationId = valueAt(resource, ["outputs", ORGANIZATION_PROPERTY]);
  return [
    { kind: known.kind, uuid: id.toLowerCase(), urn, ...(isUuid(organizationId) && { organizationId }) },
  ];
}

/** The UUIDs in an output. A secret anywhere in it makes it secret as a whole. */
function uuidsIn(output: unknown): readonly OutputUuid[] | "secret" {
  if (hasSecret(output)) return "secret";
  if (isUuid(output)) return [{ uuid: output.toLowerCase() }];
  const items = Array.isArray(output) ? output.entries() : Object.entries(isRecord(output) ? output : {});
  return [...items].flatMap(([key, value]) => (isUuid(value) ? [{ key, uuid: value.toLowerCase() }] : []));
}

function hasSecret(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return valueAt(value, [SIGNATURE]) === SECRET || Object.values(value).some(hasSecret);
}

/** What `discover` finds: the objects to adopt, and what is left out. */
import { identityKey, type ObjectId } from "../objects/identity";
import type { KindName } from "../objects/kinds";
import { objectName } from "../objects/objectName";
import { namedObjects } from "../program/names";
import { objectsIn } from "../pulumi/state";
import { type Inventory, noteIfNew, readKnown, readOrganization, readSelected } from "../service/inventory";
import type { Organization } from "../service/organization";
import type { TerraformObject } from "./terraformState";

/** An object that is not adopted, and why. */
export interface LeftOut {
  readonly kind: KindName | null;
  readonly uuid: string;
  /** Its name, or its address in the Terraform state. */
  readonly name: string;
  readonly reason: string;
}

export type Discovery = Awaited<ReturnType<typeof discoveryOf>>;

/** Reads the objects with these UUIDs, of a state, or by default of the organization. Leaves out what the stack manages. */
export async function discoveryOf(
  organization: Organization,
  uuids: readonly string[],
  state: readonly TerraformObject[] | undefined,
) {
  const { organizationId, source } = organization;
  const inState = selectionIn(state ?? []);
  const inventory = await inventoryOf(organization, uuids, state && inState.objects);
  const inStack = objectsIn((await source.stack?.resources()) ?? []);
  const managed = new Set(inStack.filter(({ isManaged }) => isManaged).map(identityKey));
  const fresh = inventory.objects.filter((object) => !managed.has(identityKey(object)));
  const found = new Set(inventory.objects.map(identityKey));
  const declarable = fresh.filter(({ problem }) => problem === undefined);
  const declared = new Set(declarable.map(identityKey));
  const notes = fresh.flatMap((one) => (one.kind === "project" && noteIfNew(organization, one)) || []);
  const wanted = new Map(inState.objects.map((one) => [identityKey(one), one.name]));
  const aliases = new Set(inState.objects.flatMap((one) => (found.has(identityKey(one)) ? one.alias : [])));
  // A provider configuration of Terraform has one key.
  const { missing = [], elsewhere = [] } = Object.groupBy(
    inState.objects.filter((one) => !found.has(identityKey(one)) && !managed.has(identityKey(one))),
    ({ alias }) => (aliases.size > 0 && !aliases.has(alias) ? "elsewhere" : "missing"),
  );
  const notFound = `organization ${organizationId} has no such object; if it was not deleted, use the key of its organization`;
  return {
    organizationId,
    /** Null without a stack. */
    stack: source.stack?.name ?? null,
    objects: namedObjects(declarable, inStack, wanted),
    managed: inventory.objects.length - fresh.length,
    leftOut: [
      ...fresh.flatMap(({ kind, uuid, reading, problem: reason }) =>
        reason === undefined ? [] : [{ kind, uuid, name: objectName({ kind, reading }), reason }],
      ),
      ...inState.leftOut,
      ...missing.map((object) => withReason(object, notFound)),
    ],
    /** The objects in the Terraform state that belong to another key, because the organization has none of their alias. */
    elsewhere: elsewhere.map((object) => withReason(object, "it belongs to another key")),
    /** What could not be read, as messages. */
    notRead: [...new Set([...inventory.problems, ...notes])],
    /** The addresses of the objects in the Terraform state that the stack has, or will have. */
    addresses: inState.objects
      .filter((one) => managed.has(identityKey(one)) || declared.has(identityKey(one)))
      .map(({ address }) => address),
  };
}

async function inventoryOf(
  organization: Organization,
  uuids: readonly string[],
  known: readonly ObjectId[] | undefined,
): Promise<Omit<Inventory, "incomplete">> {
  if (known !== undefined) return { objects: await readKnown(organization, known), problems: [] };
  return uuids.length > 0 ? await readSelected(organization, uuids) : await readOrganization(organization);
}

/** The objects of a Terraform state that may be adopted, each once, and what is left out. */
export function selectionIn(state: readonly TerraformObject[]) {
  const objects = new Map<string, TerraformObject & ObjectId>();
  const leftOut: LeftOut[] = [];
  for (const object of state) {
    const { kind, problem } = object;
    const id = kind && { ...object, kind };
    const first = id && objects.get(identityKey(id));
    if (id === undefined || problem !== undefined) leftOut.push(withReason(object, problem ?? ""));
    else if (first !== undefined)
      leftOut.push(withReason(object, `it is the same object as ${first.address}`));
    else objects.set(identityKey(id), id);
  }
  return { objects: [...objects.values()], leftOut };
}

export function withReason({ kind, uuid, address, alias }: TerraformObject, reason: string): LeftOut {
  const name = alias === "" ? address : `${address} (provider alias ${alias})`;
  return { kind: kind ?? null, uuid, name, reason };
}

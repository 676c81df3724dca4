/** What the create of a kind does in the service. Only these functions say what follows from it. */
import type { OperationContext } from "./description";
import { objectKey } from "./ledger/facts";

/** The kind of the object whose UUID is the id of a resource that has no UUID of its own. */
export interface Owner {
  readonly title: string;
  /** Lists the objects of the organization. Used before one counts as deleted. Needs projects:read. */
  list(context: OperationContext): Promise<readonly { readonly uuid: string }[]>;
}

export type Creates =
  /** It adds an object, so it must take effect once. */
  | { readonly is: "object" }
  /** It sets what the service keeps for its owner, as a PUT does. */
  | { readonly is: "setting"; readonly of: Owner }
  /** It only reads or waits. */
  | { readonly is: "nothing"; readonly of: Owner };

const OBJECT: Creates = { is: "object" };

/** A kind, as far as these questions need it. One that is only looked up says nothing about creates. */
interface Kind {
  readonly title: string;
  readonly creates?: Creates;
}

/** Whether a create adds an object: it is sent once, looked for if its response is lost, and discovered. */
export function addsObject({ creates = OBJECT }: Kind): boolean {
  return creates.is === "object";
}

/** Whether the service keeps something for a resource: it is adopted, and no other entry of the state deletes it. */
export function existsInService({ creates = OBJECT }: Kind): boolean {
  return creates.is !== "nothing";
}

/** The owner of a setting, or of what a resource waits for. */
export function ownerOf({ creates = OBJECT }: Kind): Owner | undefined {
  return creates.is === "object" ? undefined : creates.of;
}

/** What messages call the object whose UUID is the id. */
export function titleOfId(kind: Kind): string {
  return ownerOf(kind)?.title ?? kind.title;
}

/** Identifies what a 404 for a resource is about. A resource that creates nothing has no age of its own. */
export function subjectKey(kind: Kind, uuid: string): string {
  return objectKey(existsInService(kind) ? kind.title : titleOfId(kind), uuid);
}

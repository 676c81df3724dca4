/**
 * Decides from facts, in pure functions, how a run may treat an object. Their tests are tables, which specify them. An
 * answer of "no" has the fact that decides, for the message. Why facts decide is in docs/internals/engine.md#forced-replacement,
 * and the rules about adopted objects in docs/internals/adoption.md.
 */
import type { Fact, FactKind } from "./facts";
import type { Facts } from "./ledger";

export type Answer = { readonly is: "yes" } | { readonly is: "no"; readonly because: Fact };

function unless(because: Fact | undefined): Answer {
  return because === undefined ? { is: "yes" } : { is: "no", because };
}

/** An entry of the state that is deleted. */
export interface Entry {
  readonly object: string;
  /** The resource that has the entry. Absent if the host does not know it. */
  readonly by?: string | undefined;
  /** Whether the resource created the object, and did not adopt it. */
  readonly isCreated: boolean;
  /** The digest of the inputs that cannot change in place. */
  readonly fixed: string;
}

/** The facts for which an object is not deleted in a run, whichever entry of the state is deleted. */
const KEEPS: readonly FactKind[] = ["adopting", "adoptedBefore", "recovered", "created", "declared"];

/** Whether the deletion of an entry may delete its object. */
export function mayDelete(facts: Facts, { object, by, isCreated, fixed }: Entry): Answer {
  const about = facts.about(object);
  const keeps = about.find(({ is }) => KEEPS.includes(is));
  if (keeps !== undefined || by === undefined) return unless(keeps);
  // Pulumi itself imports another object into an entry. An adopted object is never replaced this way. Nor is a created
  // one if all its immutable inputs are equal: the imported object is not the result of a replacement.
  const imported = facts.by(by).findLast(({ is }) => is === "adoptedEntry");
  const isKept = imported?.object !== object && (!isCreated || imported?.fixed === fixed);
  return unless(isKept ? imported : undefined);
}

/** The objects that the run has created, adopted or declared in an object, and that are not known to be gone. */
export function contentsIn(facts: Facts, parent: string): readonly string[] {
  // The old object of a replacement can be retained.
  const inside = facts.in(parent).filter(({ is }) => KEEPS.includes(is) || is === "replacing");
  const isGone = (object: string) => facts.has(object, "deleted") || facts.has(object, "absent");
  return [...new Set(inside.map(({ object }) => object))].filter((object) => !isGone(object));
}

/** Whether a resource may adopt an object. Asked after its own fact was recorded, so that of two at least one is refused. */
export function mayAdopt(
  facts: Facts,
  { object, by, isNew }: { readonly object: string; readonly by: string; readonly isNew: boolean },
): Answer {
  const others = facts.about(object).filter((fact) => fact.by !== by);
  const adopting = others.find(({ is }) => is === "adopting");
  // A resource that has the object already loses nothing by its replacement.
  const replacing = isNew ? others.find(({ is }) => is === "replacing") : undefined;
  return unless(adopting ?? replacing);
}

/** An object that the response to a create is about. */
export interface Result {
  readonly object: string;
  readonly by: string;
  /** The creates of this run that send the values which the object has. */
  readonly fits: readonly string[];
}

/** Whether an object can be the result of a create: nothing was known about it, and no other open create sends its values. */
export function isResultOf(facts: Facts, { object, by, fits }: Result): Answer {
  const isOpen = (fact: Fact) => fact.is === "creating" && fact.by !== by;
  return unless(facts.about(object)[0] ?? fits.flatMap((create) => facts.about(create)).find(isOpen));
}

/** Whether a fact of the run is about an object, so that it exists. */
export function isTaken(facts: Facts, object: string): boolean {
  return facts.about(object).some(({ is }) => is !== "listedBefore");
}

/** The facts that show no claim if the program no longer declares the resource, or if a refresh has removed the object. */
const OF_STATE: readonly FactKind[] = ["seen", "adoptedEntry", "replacing"];
/** The facts that are about the existence of an object alone. */
const OF_EXISTENCE: readonly FactKind[] = ["listedBefore", "absent", "young"];

/** The facts by which a resource of the program has an object, or by which this run has changed it. */
export function claimsOn(
  facts: Facts,
  object: string,
  isDeclared: (resource: string) => boolean,
): readonly Fact[] {
  const isAbsent = facts.has(object, "absent");
  return facts.about(object).filter(({ is, by }) => {
    if (OF_STATE.includes(is)) return !isAbsent && by !== undefined && isDeclared(by);
    return !OF_EXISTENCE.includes(is);
  });
}

/** Whether an object in the state belongs to its resource alone: no other create of this run has it as its result. */
export function isOwn(
  facts: Facts,
  { object, by }: { readonly object: string; readonly by?: string | undefined },
): Answer {
  const others = facts.about(object).filter((fact) => by === undefined || fact.by !== by);
  return unless(others.find(({ is }) => is === "recovered" || is === "created"));
}

/** Whether no other create of the run can have created an object that the service has listed. */
export function isOnlyCreate(facts: Facts, create: string, by: string | undefined): Answer {
  return unless(facts.about(create).find((fact) => fact.is === "creating" && fact.by !== by));
}

/** A create of this run. One with neither is under way. */
interface EarlierCreate {
  readonly found?: unknown;
  readonly failure?: unknown;
}

export type CreateAnswer<Create extends EarlierCreate> =
  | { readonly is: "yes" }
  /** The engine has called an earlier create again. That create has created its object. */
  | { readonly is: "resume"; readonly create: Create & { readonly found: NonNullable<Create["found"]> } }
  /** An earlier create has not ended well. The engine may have called that one again. */
  | { readonly is: "fail"; readonly create: Create };

/**
 * Whether a create may be sent: once for each resource and run. A hook of the program can have the engine call it again.
 *
 * @param creates the creates of this run that the call may repeat, without those that created nothing.
 * @param isIdentified whether all are of one resource. Equal resources may all be created, as long as each ends well.
 */
export function mayCreate<Create extends EarlierCreate>(
  creates: readonly Create[],
  isIdentified: boolean,
): CreateAnswer<Create> {
  const hasObject = (create: Create): create is Create & { readonly found: NonNullable<Create["found"]> } =>
    create.found !== undefined;
  const own = isIdentified ? creates.find(hasObject) : undefined;
  if (own !== undefined) return { is: "resume", create: own };
  const failed = creates.find(({ failure }) => failure !== undefined);
  return failed === undefined ? { is: "yes" } : { is: "fail", create: failed };
}

/** An object that the service lists after a create whose response was lost, and about which no fact is known. */
export interface Candidate {
  readonly uuid: string;
  /** Whether it has all declared values. */
  readonly isEqual: boolean;
  /** Whether the dates show that it was created since then. */
  readonly isCreatedSince: boolean;
}

export type LostResult =
  | { readonly is: "found"; readonly uuid: string }
  /** These have the declared values, and one may be the result. */
  | { readonly is: "equal"; readonly areCreatedSince: boolean }
  /** None has the declared values. */
  | { readonly is: "missing" };

/** The result of a create whose response was lost: the only equal object, if it is new and unique, and no other create can be meant. */
export function lostResult(
  candidates: readonly Candidate[],
  { isUnique, isOnly }: { readonly isUnique: boolean; readonly isOnly: boolean },
): LostResult {
  const equal = candidates.filter(({ isEqual }) => isEqual);
  const [only, ...others] = equal;
  if (only === undefined) return { is: "missing" };
  if (others.length === 0 && isUnique && isOnly && only.isCreatedSince)
    return { is: "found", uuid: only.uuid };
  return { is: "equal", areCreatedSince: equal.every(({ isCreatedSince }) => isCreatedSince) };
}

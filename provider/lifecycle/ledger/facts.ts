/** The facts of a run as data, which are only added. {@link OVERRULES} says which still count, and `decisions.ts` what follows. */
import { createHash, randomUUID } from "node:crypto";
import { isUuid } from "../../values/uuid";

export type FactKind =
  /** An entry of the state has the object. */
  | "seen"
  /** The absence of the object proves nothing until `untilMs`, because it is new: see `evidence/youth.ts`. */
  | "young"
  /** The service listed the object before this run created the first one in the same project or organization. */
  | "listedBefore"
  /** The resource has the object in the state because it was adopted, in this run or before. Protects nothing by itself. */
  | "adoptedEntry"
  /** The resource declares the object with the option `import`, or Pulumi itself imports it. */
  | "adopting"
  /** The resource declared the object with the option `import` at the last `up`. */
  | "adoptedBefore"
  /** The resource has the object in the state, and the program keeps it. */
  | "declared"
  /** The resource gets another object in this run, so it may delete this one. */
  | "replacing"
  /** The resource had the unique input before this run: see {@link createKey}. */
  | "had"
  /** The resource declares the unique input. */
  | "declares"
  /** A create was sent, or is about to be. Its object is not known yet: see {@link createKey}. */
  | "creating"
  /** This run has created the object. Also recorded for the create. */
  | "created"
  /** The service has deleted the object for this run. Also recorded for its unique input: see {@link createKey}. */
  | "deleted"
  /** A refresh of this run has found that the object is gone. */
  | "absent"
  /** The create has created nothing. */
  | "notCreated"
  /** The resource has the object because the response to its create was lost. */
  | "recovered";

export interface Fact {
  readonly is: FactKind;
  /** The object, as {@link objectKey} identifies it, or a create, as {@link createKey} does. */
  readonly object: string;
  /** The resource: its URN, or on the dynamic host its name. Absent if nothing identifies it. */
  readonly by?: string | undefined;
  /** Of an object that is kept or replaced: the object that contains it. */
  readonly parent?: string | undefined;
  /** Of an adopted object: the {@link digest} of the inputs that cannot change in place. */
  readonly fixed?: string;
  /** Of a new object: until when its absence proves nothing, by the clock of the run. */
  readonly untilMs?: number;
}

/** Prefix of a placeholder for a resource without a URN. It keeps the facts apart from those of other resources. */
export const UNIDENTIFIED = "unidentified ";

/** A resource, or a unique placeholder for it. */
export function identified(resource: string | undefined): string {
  return resource ?? `${UNIDENTIFIED}${randomUUID()}`;
}

/** The resource of a fact, for messages: its name, with that of its parent if the host identifies it by both. */
export function resourceOf({ by }: Partial<Fact>, sanitized: (name: string) => string): string {
  if (by === undefined || by.startsWith(UNIDENTIFIED)) return "another resource";
  const urn = "urn:pulumi:[^:]*::[^:]*::\\S*?::";
  const name = by.replace(new RegExp(`(?<= )${urn}(\\S*) (.*)`), "$2 in $1");
  return `the resource ${sanitized(name.replace(new RegExp(urn), ""))}`;
}

/** The facts that a later fact of the same resource about the same object overrules. */
const OVERRULES: Readonly<Partial<Record<FactKind, readonly FactKind[]>>> = {
  declared: ["replacing"],
  replacing: ["declared"],
  creating: ["notCreated"],
  created: ["creating"],
  notCreated: ["creating"],
};

/** Whether a fact overrules an earlier one. A resource that nothing identifies overrules nothing. */
export function overrules(later: Fact, earlier: Fact): boolean {
  return (
    later.by !== undefined &&
    later.by === earlier.by &&
    later.object === earlier.object &&
    OVERRULES[later.is]?.includes(earlier.is) === true
  );
}

/** The facts that no later one overrules. */
export function current(facts: readonly Fact[]): readonly Fact[] {
  return facts.filter((fact, index) => !facts.some((other, at) => at > index && overrules(other, fact)));
}

/** Identifies an object, in any letter case of its UUID. An activation has the same UUID as its domain. */
export function objectKey(title: string, uuid: string): string {
  return `${title} ${uuid.toLowerCase()}`;
}

/** Identifies the project that is the parent of an object with these values. */
export function projectKey(
  { parentId = "" }: { readonly parentId?: string },
  values: Readonly<Record<string, unknown>>,
): string {
  return objectKey("project", String(values[parentId]));
}

/** The same project as the parent of facts. Undefined for kinds without parents, and for values without a UUID. */
export function parentIn(
  kind: { readonly parentId?: string },
  values: Readonly<Record<string, unknown>>,
): string | undefined {
  return isUuid(values[kind.parentId ?? ""]) ? projectKey(kind, values) : undefined;
}

/** Identifies creates whose objects could be confused, without showing their values, which may be secret. */
export function createKey(title: string, values: readonly unknown[]): string {
  return `new ${title} ${digest(values)}`;
}

/** A short text that is equal for equal values, and does not show them. */
export function digest(values: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url");
}

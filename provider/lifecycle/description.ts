/** What a resource description is: types, and nothing that runs. */
import type { Client, Clock, Scope } from "../client";
import type { ObjectShape, ShapeFields } from "../shapes/shape";
import type { IsUnknown, Properties } from "./properties";

/** An object of the service, as a resource sees it. */
export interface Found<Values extends object = Properties> {
  /** The service's UUID, in lower case. */
  readonly uuid: string;
  /** Every property that the resource knows, whether a program declares it or not. */
  readonly properties: Values;
  /** When the service created it, as ISO 8601 date and time. */
  readonly createdAt: string;
  /** Where it is in its life, for an object that has one. */
  readonly lifecycle?: string;
}

/** A change to make: what is declared now, and the paths in which it differs from what was declared before. */
export interface Change<Inputs extends object = Properties> {
  readonly inputs: Inputs;
  /** What to send, and nothing else: what is at other paths may have been changed outside Pulumi. */
  readonly changed: readonly Path<Inputs>[];
}

/** A replacement that is about to be planned. */
export interface Replacement<Inputs extends object = Properties> {
  readonly before: Inputs;
  readonly inputs: Inputs;
  readonly isUnknown: IsUnknown;
}

/** Where a value stands in the inputs, such as `appleInfo.appName`. */
type Path<Inputs> = (keyof Inputs & string) | `${keyof Inputs & string}.${string}`;

/** The inputs that are always there. */
type RequiredNames<Inputs> = {
  [Name in keyof Inputs & string]: Record<never, never> extends Pick<Inputs, Name> ? never : Name;
}[keyof Inputs & string];

/** What a description's functions may use besides their arguments. */
export interface OperationContext {
  readonly client: Client;
  /** The organization that the key belongs to. */
  readonly organizationId: string;
  /** What the key may do. */
  readonly scopes: readonly Scope[];
  readonly signal: AbortSignal;
  readonly report: Report;
  readonly clock: Clock;
}

/** Reports progress to the user. The message is ephemeral unless it is `persistent`. */
export type Report = (message: string, options?: { readonly persistent?: boolean }) => void;

/** A resource, described once. The provider, the class, the import file and the documentation follow from it. */
export interface ResourceDescription<
  Inputs extends object = Properties,
  Outputs extends object = Properties,
> {
  /** The name under which `provider/index.ts` exports it. It is in users' state: never renamed. */
  readonly exportName: string;
  /** The last part of the type token. It is in users' state: never renamed. */
  readonly type: string;
  /** What a sentence calls it. */
  readonly title: string;
  /** What the key must be allowed to do. */
  readonly scopes: {
    readonly read: readonly Scope[];
    readonly write: readonly Scope[] | ((inputs: Partial<Inputs>) => readonly Scope[]);
  };
  /**
   * What a create leaves in the service: an object of its own, values of an object that is there already, or nothing.
   * Only a create of an object must not be repeated after a lost answer, and what leaves nothing cannot be imported.
   */
  readonly creates: "object" | "values" | "nothing";
  /** What a sentence calls the object whose UUID is the id, where it is another one than the resource's own. */
  readonly idOf?: string;
  /** What a program declares. */
  readonly inputs: ShapeFields;
  /** What the service adds. */
  readonly outputs: ShapeFields;
  /** The inputs that cannot change in place. */
  readonly replaceOnChanges: readonly (keyof Inputs & string)[];
  /** The outputs that an update may change. Default: none; a preview of an update shows the others as they are. */
  readonly changesOnUpdate?: readonly (keyof Outputs & string)[];
  /** The shape of these inputs, where it depends on one of them. */
  shapeFor?(inputs: Properties): ObjectShape;
  /** The properties that the service may fill in by itself when they are not declared. */
  readonly filledIn?: readonly Path<Inputs>[];
  /** Whether the old object must be deleted before its replacement can be created. */
  deleteBeforeReplace?(inputs: Inputs, state: Inputs & Outputs): boolean;
  /**
   * Finds what would keep the replacement from being created, while the old object is still there, and reports what
   * the replacement means. Called when an input that replaces has changed. Sends reads only. @throws UserError
   */
  checkReplacement?(context: OperationContext, replacement: Replacement<Inputs>): Promise<void>;
  /** The input that the service keeps unique, where it keeps one. */
  readonly uniqueBy?: RequiredNames<Inputs>;
  /** The input that names where the siblings are listed. Default: they are the organization's. */
  readonly place?: keyof Inputs & string;
  /**
   * The objects of the same kind in the place where one with these inputs is created: for refreshes of many, and for the
   * search after a lost answer, which what creates objects needs. Absent where the service has no list.
   */
  siblings?(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>[]>;
  /** The objects among which the unique input must be unique, where they are more than the siblings. */
  holders?(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>[]>;
  /** Reads the object. @throws NotFoundError */
  read(
    context: OperationContext,
    uuid: string,
    state: Partial<Inputs & Outputs>,
  ): Promise<Found<Inputs & Outputs>>;
  /** Makes the object. */
  create(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>>;
  /** Changes the object. Absent where every input replaces. */
  update?(context: OperationContext, uuid: string, change: Change<Inputs>): Promise<Found<Inputs & Outputs>>;
  /** Waits until the object can be used, where that takes a while. @throws NotReadyError when it takes too long. */
  settle?(
    context: OperationContext,
    found: Found<Inputs & Outputs>,
    state?: Inputs & Outputs,
  ): Promise<Found<Inputs & Outputs>>;
  /** Whether the object of a state can be used. Default: always. */
  isReady?(state: Partial<Inputs & Outputs>): boolean;
  /** Deletes the object. @throws NotFoundError when it is gone already. */
  delete(context: OperationContext, uuid: string, state: Inputs & Outputs): Promise<void>;
}

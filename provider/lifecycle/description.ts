import type { z } from "zod";
import type { Client, Clock, Scope } from "../client";
import type { Report } from "../report";
import type { Creates } from "./creates";
import type { Ledger } from "./ledger/ledger";
import type { IsUnknown, Properties } from "./properties";

/** An object of the service, with the properties of the resource. */
export interface Found<Values extends object = Properties> {
  /** The service's UUID, in lower case. */
  readonly uuid: string;
  /** All properties of the resource, including those that the program does not declare. */
  readonly properties: Values;
  /** When the service created it, as an ISO 8601 date and time. */
  readonly createdAt: string;
  /** When the service last changed it, as an ISO 8601 date and time, if it dates that. By the state's, a read that lags is recognized. */
  readonly updatedAt?: string | undefined;
  /** After an update: the paths of unchanged declared values that it sent as well. */
  readonly alsoSent?: readonly string[];
  /** The stage of its lifecycle, if the object has one. */
  readonly lifecycle?: string;
  /** Why a resource that waits must wait again, as sentences. Only after a read. */
  readonly notReady?: string | undefined;
}

/** A change: the declared inputs, and the paths at which they differ from the previously declared ones. */
export interface Change<Inputs extends object = Properties> {
  readonly inputs: Inputs;
  /** The only paths to send. Values at other paths may have been changed outside Pulumi. */
  readonly changed: readonly Path<Inputs>[];
  /** The state before, with its hidden properties. */
  readonly state: Properties;
}

/** A replacement that a preview is about to plan. */
export interface Replacement<Inputs extends object = Properties> {
  readonly before: Inputs;
  readonly inputs: Inputs;
  readonly isUnknown: IsUnknown;
  /** Whether this run has created the project of the inputs. Reads of it may lag behind. */
  readonly isInNewProject: boolean;
  /** Whether the program declares the option `retainOnDelete`. Pulumi follows the one in the state. */
  readonly retainOnDelete: boolean;
}

/** The path of an input, such as `appleInfo.appName`. */
type Path<Inputs> = (keyof Inputs & string) | `${keyof Inputs & string}.${string}`;

export interface OperationContext {
  readonly client: Client;
  /** The organization of the key. */
  readonly organizationId: string;
  /** The scopes of the key. The service may have others than {@link Scope}. */
  readonly scopes: readonly string[];
  readonly signal: AbortSignal;
  /** Aborts waits for a change in the service, before `signal`. Default: `signal`. */
  readonly waits?: AbortSignal;
  readonly report: Report;
  readonly clock: Clock;
  /** What the run knows about objects. Default: nothing. */
  readonly facts?: Ledger;
  /** Until when the service may still count what this run has deleted in the object of the operation. */
  readonly emptiedUntilMs?: number | undefined;
}

/** Describes a resource. The provider, the class, import files and the documentation are derived from it. */
export interface ResourceDescription<
  Inputs extends object = Properties,
  Outputs extends object = Properties,
> {
  /** The last part of the type token, from which the provider's export is derived. States have both: never change it. */
  readonly type: string;
  /** The name of the resource in messages, such as `custom domain`. */
  readonly title: string;
  readonly scopes: {
    readonly read: readonly Scope[];
    readonly write: readonly Scope[] | ((inputs: Partial<Inputs>) => readonly Scope[]);
    /** With these, a deletion looks for contents. Default: there are none. */
    readonly contents?: readonly Scope[];
  };
  readonly creates: Creates;
  /** The properties that a program declares. */
  readonly inputs: z.ZodObject;
  /** The properties that the service adds. */
  readonly outputs: z.ZodObject;
  /** The inputs that cannot change in place. */
  readonly replaceOnChanges: readonly (keyof Inputs & string)[];
  /** The outputs that an update may change. Default: none. A preview of an update shows the others unchanged. */
  readonly changesOnUpdate?: readonly (keyof Outputs & string)[];
  /** The schema of the inputs, if it depends on their values, or if a create requires more. Default: `inputs`. */
  schemaFor?(inputs: Properties, isCreated: boolean): z.ZodObject;
  /** Inputs that the service may set itself if they are not declared. */
  readonly computed?: readonly Path<Inputs>[];
  /** How a change of `replaceOnChanges` is done. Default: the replacement is created before the old object is deleted. */
  readonly replacement?: {
    /** Whether the old object must be deleted before its replacement can be created. */
    deletesFirst(inputs: Inputs, state: Inputs & Outputs): boolean;
    /** Checks with reads, before the old object is deleted, whether the new one can be created. @throws UserError if it cannot. */
    check(context: OperationContext, replacement: Replacement<Inputs>): Promise<void>;
  };
  /** The input that the service requires to be unique, if any. */
  readonly uniqueBy?: keyof Inputs & string;
  /** The inputs, where declared, that recognize an object to declare again; else all values. Default: `uniqueBy`. */
  readonly identifiedBy?: readonly Path<Inputs>[];
  /** The input with the UUID of the project that lists the objects. Default: the organization lists them. */
  readonly parentId?: keyof Inputs & string;
  /** Lists the objects in the same project or organization: for refreshes, and if a response is lost. Absent if a create adds none. */
  list?(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>[]>;
  /** Lists the objects among which the input `uniqueBy` must be unique. Default: `list`. */
  uniqueAmong?(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>[]>;
  /** The kind whose lists have the object as well, if it creates none of its own. */
  readonly listedAs?: object;
  /** Reads the object. @param listed the object in a list of `listedAs`, which needs no read. @throws NotFoundError */
  read(
    context: OperationContext,
    uuid: string,
    state: Partial<Inputs & Outputs>,
    listed?: Found,
  ): Promise<Found<Inputs & Outputs>>;
  create(context: OperationContext, inputs: Inputs): Promise<Found<Inputs & Outputs>>;
  /** Updates the object. Absent if every input is in `replaceOnChanges`. */
  update?(context: OperationContext, uuid: string, change: Change<Inputs>): Promise<Found<Inputs & Outputs>>;
  /** Waits until the object can be used. Default: it can be used immediately. @throws NotReadyError after a timeout. */
  waitUntilReady?(
    context: OperationContext,
    found: Found<Inputs & Outputs>,
  ): Promise<Found<Inputs & Outputs>>;
  /** Shown once in a process, while the first slow create of this kind runs. */
  readonly notice?: string;
  /** How the object is deleted. Absent if there is nothing to delete. */
  readonly deletion?: Deletion<Inputs>;
}

export interface Deletion<Inputs extends object = Properties> {
  /** The kinds of objects in it, which the service may delete together with it. Default: it contains none. */
  contents?(context: OperationContext, uuid: string): readonly ContentKind[];
  /** @throws NotFoundError if the object no longer exists. */
  send(context: OperationContext, uuid: string): Promise<void>;
  /** What to do if the service refuses it, as sentences. Default: to delete the contents. */
  readonly ifRefused?: string;
  /** Whether an object is being deleted. Default: it is gone with the response. */
  isUnderWay?(found: Pick<Found, "lifecycle">): boolean;
  /** How long to wait until the object is gone, if it is deleted asynchronously. */
  readonly timeoutMs?: number;
  /** The input that messages show beside the UUID. */
  readonly shows?: keyof Inputs & string;
}

/** A kind of objects in an object. */
export interface ContentKind {
  /** The title of its description, if it has one: facts about its objects begin with it. */
  readonly title: string;
  readonly scope: Scope;
  /** How to delete them, if no resource is one, as a clause: then no run has deleted what a list shows. */
  readonly howToDelete?: string;
  /** Lists the objects. If there are very many, it may list only `limit` of them. */
  list(
    limit: number,
  ): Promise<{ readonly objects: readonly { readonly id: string }[]; readonly more?: boolean }>;
}

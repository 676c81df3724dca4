/** The memory of a create, to continue it if the engine calls it again: see docs/internals/engine.md#repeated-calls. */
import type { Found } from "../description";
import type { Properties } from "../properties";

/** Distinguishes the result of a create from other objects, besides the facts of the run. */
export interface Baseline {
  /** The service's time before the create. Undefined if its responses have no `Date` header. */
  readonly time: Date | undefined;
  /** The objects that the service listed before the first create. Undefined if its list could not be read. */
  readonly listed: readonly Found[] | undefined;
  /** Whether this run has created the project of the object, so that nothing in it is older than the run. */
  readonly isInNew: boolean;
}

/** Why the effect of a create is unknown. */
export interface Loss {
  readonly cause: Error;
  /** The same, as a sentence for messages. */
  readonly what: string;
  /** The UUIDs of the objects that it names. */
  readonly named: readonly string[];
}

export interface Creation {
  /** The resource. A unique placeholder if the host cannot tell it from equal ones. */
  readonly by: string;
  /** Equal resources share it on a host that passes no URN. */
  readonly resourceKey: string;
  /** Creates with the same key can be confused. */
  readonly key: string;
  readonly inputs: Properties;
  readonly baseline: Baseline;
  readonly found?: Found | undefined;
  /** Why the engine does not have the object, or why it is not known whether there is one. */
  readonly failure?: unknown;
}

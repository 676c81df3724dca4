/** The arguments and results of the operations. */
import type { Properties } from "../properties";
import type { ManagedObject } from "../state";

export interface Declared {
  readonly inputs: Properties;
  /** The UUID of the option `import`. */
  readonly adopt?: unknown;
}

/** The result of reading an object. */
export interface Reading extends ManagedObject {
  /** The declared inputs, with their current values. */
  readonly inputs: Properties;
  /** The UUID of the option `import`, from the state. */
  readonly adopt?: unknown;
  /** Why the resource must wait again, as sentences. The next update resumes it. */
  readonly notReady?: string | undefined;
  /** The stage of its lifecycle, if the object has one. */
  readonly lifecycle?: string;
}

/** An object that Pulumi itself has imported, with the declared inputs to compare it with. */
export interface Compared extends ManagedObject {
  readonly inputs: Properties;
  mayShow(name: string): boolean;
}

/** What `pulumi import --file` reads: the form of import files with dynamic resources in them. */
import type { Properties } from "../../lifecycle/properties";

/** One resource of an import file. */
export interface ImportEntry {
  readonly type: string;
  /** The name by which other entries refer to it, and its logical name unless that is given. */
  readonly name: string;
  readonly logicalName?: string;
  /** Its id; components have none. */
  readonly id?: string;
  /** The name of its parent, in the name table or among the entries. */
  readonly parent?: string;
  /** The name of its provider, in the name table or among the entries. */
  readonly provider?: string;
  readonly component?: boolean;
  readonly remote?: boolean;
  /** The version of its provider; dynamic resources have none. */
  readonly version?: string;
  /** Inputs and outputs in the form of the state; both with `__provider`. */
  readonly inputs?: Properties;
  readonly outputs?: Properties;
}

/** The content of an import file. */
export interface ImportFile {
  /** URNs of parents and providers by the names that entries use for them. */
  readonly nameTable?: Readonly<Record<string, string>>;
  readonly resources: readonly ImportEntry[];
}

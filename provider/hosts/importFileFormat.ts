/** The format of import files for `pulumi import --file`, for both hosts, with the fields that dynamic resources need. */
import type { Properties } from "../lifecycle/properties";

export interface ImportEntry {
  readonly type: string;
  /** The name that other entries use for it. It is also the logical name if `logicalName` is absent. */
  readonly name: string;
  readonly logicalName?: string;
  /** The id of the resource. Components have none. */
  readonly id?: string;
  /** The name of the parent, in the name table or of another entry. */
  readonly parent?: string;
  /** The name of the provider, in the name table or of another entry. */
  readonly provider?: string;
  readonly component?: boolean;
  readonly remote?: boolean;
  /** The version of the provider. Dynamic resources have none. */
  readonly version?: string;
  /** Inputs and outputs as in the state, both with `__provider`. */
  readonly inputs?: Properties;
  readonly outputs?: Properties;
}

export interface ImportFile {
  /** URNs of parents and providers, by the names that entries use for them. */
  readonly nameTable?: Readonly<Record<string, string>>;
  readonly resources: readonly ImportEntry[];
}

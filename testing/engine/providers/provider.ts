/** The interface between the engine and any provider. */
import type { Properties } from "../protocol/values";
import type { ResourceState } from "../state/snapshot";

export interface ProviderDiff {
  /** If undefined, the engine compares the inputs. */
  readonly changes?: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
  /** The paths that differ, if the provider reports them. */
  readonly paths?: readonly string[];
}

/** The inputs of a resource or provider, and those in the state, which are empty for a new one. */
export interface InputChange {
  readonly urn: string;
  readonly olds: Properties;
  readonly news: Properties;
}

export interface CheckedInputs {
  readonly inputs: Properties;
  readonly failures: readonly { readonly property: string; readonly reason: string }[];
}

/** A resource in the state, and its new inputs. */
export interface ResourceChange {
  readonly urn: string;
  readonly id: string;
  readonly oldInputs: Properties;
  readonly oldOutputs: Properties;
  readonly news: Properties;
  readonly ignoreChanges: readonly string[];
}

/** The change of a resource to new inputs. Its new state may have another URN and other options. */
export function changeOf(
  old: ResourceState,
  news: Properties,
  { urn, ignoreChanges = [] }: ResourceState = old,
): ResourceChange {
  const { id = "", inputs: oldInputs = {}, outputs: oldOutputs = {} } = old;
  return { urn, id, oldInputs, oldOutputs, news, ignoreChanges };
}

interface Bounded {
  /** Its limit from the option `customTimeouts`. Default: 0, no limit. */
  readonly timeoutSeconds?: number;
}

/** The operations of one provider. Secrets are marked in the property values of requests and results. */
export interface Provider {
  /** False if its configuration is not known yet, so that nothing about its resources is known. */
  readonly known: boolean;
  check(change: InputChange): Promise<CheckedInputs>;
  diff(change: ResourceChange): Promise<ProviderDiff>;
  create(
    request: Bounded & {
      readonly urn: string;
      readonly inputs: Properties;
      /** Whether only to report what is known of the result. The id is empty then. */
      readonly preview?: boolean;
    },
  ): Promise<{ readonly id: string; readonly outputs: Properties }>;
  update(
    change: Bounded & ResourceChange & { readonly preview?: boolean },
  ): Promise<{ readonly outputs: Properties }>;
  /** Returns an empty id if the resource does not exist. Without a state, the resource is imported. */
  read(
    request: Bounded & {
      readonly urn: string;
      readonly id: string;
      readonly inputs?: Properties;
      readonly state?: Properties;
    },
  ): Promise<{ readonly id: string; readonly inputs?: Properties; readonly outputs: Properties }>;
  delete(
    request: Bounded & {
      readonly urn: string;
      readonly id: string;
      readonly inputs: Properties;
      readonly outputs: Properties;
    },
  ): Promise<void>;
  /** Calls a function of the package. Absent for a provider without functions. */
  invoke?(token: string, args: Properties): Promise<Properties>;
}

/** The failure of a create or update whose resource exists but is not ready. */
export class InitFailure extends Error {
  constructor(
    readonly id: string,
    readonly outputs: Properties,
    readonly reasons: readonly string[],
    /** The inputs that a refresh has read. */
    readonly inputs?: Properties,
  ) {
    const count = `${reasons.length} error${reasons.length === 1 ? "" : "s"} occurred:`;
    super(
      reasons.length === 0
        ? "resource init failed"
        : [count, ...reasons.map((reason) => `\t* ${reason}`)].join("\n"),
    );
  }
}

/** A provider whose configuration is not known yet, such as one that a preview configures with an output. */
export const unknownProvider: Provider = {
  known: false,
  check: async ({ news }) => ({ inputs: news, failures: [] }),
  diff: async () => ({ changes: true, replaces: [], deleteBeforeReplace: false }),
  create: async () => ({ id: "", outputs: {} }),
  update: async () => ({ outputs: {} }),
  read: async ({ id }) => ({ id, inputs: {}, outputs: {} }),
  delete: async () => {
    throw new Error("The provider has inputs that are not known.");
  },
  // The result is unknown as a whole, which the program's SDK reads from an empty one in a preview.
  invoke: async () => ({}),
};

/**
 * What the engine asks of a provider, whoever it is.
 */
import type { Properties } from "./values";

/** A provider's answer to the question whether something changed. */
export interface ProviderDiff {
  /** Undefined leaves it to the engine to compare the inputs. */
  readonly changes?: boolean;
  readonly replaces: readonly string[];
  readonly deleteBeforeReplace: boolean;
}

/** The lifecycle of the resources of one provider. Property values carry secret marks, in both directions. */
export interface Provider {
  /** False when its configuration is not known yet: it can say nothing about its resources then. */
  readonly known: boolean;
  check(request: { readonly urn: string; readonly olds: Properties; readonly news: Properties }): Promise<{
    readonly inputs: Properties;
    readonly failures: readonly { readonly property: string; readonly reason: string }[];
  }>;
  diff(request: {
    readonly urn: string;
    readonly id: string;
    readonly oldInputs: Properties;
    readonly oldOutputs: Properties;
    readonly news: Properties;
    readonly ignoreChanges: readonly string[];
  }): Promise<ProviderDiff>;
  create(request: {
    readonly urn: string;
    readonly inputs: Properties;
  }): Promise<{ readonly id: string; readonly outputs: Properties }>;
  update(request: {
    readonly urn: string;
    readonly id: string;
    readonly oldInputs: Properties;
    readonly oldOutputs: Properties;
    readonly news: Properties;
  }): Promise<{ readonly outputs: Properties }>;
  /** An empty id says that there is no such resource. */
  read(request: {
    readonly urn: string;
    readonly id: string;
    readonly inputs: Properties;
    readonly state: Properties;
  }): Promise<{
    readonly id: string;
    readonly inputs?: Properties;
    readonly outputs: Properties;
  }>;
  delete(request: {
    readonly urn: string;
    readonly id: string;
    readonly inputs: Properties;
    readonly outputs: Properties;
  }): Promise<void>;
}

/** A create or update whose resource exists but is not ready. */
export class InitFailure extends Error {
  constructor(
    readonly id: string,
    readonly outputs: Properties,
    readonly reasons: readonly string[],
  ) {
    const count = `${reasons.length} error${reasons.length === 1 ? "" : "s"} occurred:`;
    super(
      reasons.length === 0
        ? "resource init failed"
        : [count, ...reasons.map((reason) => `\t* ${reason}`)].join("\n"),
    );
  }
}

/** A provider whose configuration is not known yet, as in the preview of a program that creates what it needs. */
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
};

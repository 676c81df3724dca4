/**
 * What the engine asks of a provider, whoever it is.
 */
import type { Properties } from "./values";

/** A provider's answer to the question whether something changed. */
export interface ProviderDiff {
  /** Undefined leaves it to the engine to compare the inputs. */
  changes?: boolean;
  replaces: string[];
  deleteBeforeReplace: boolean;
}

/** The lifecycle of the resources of one provider. Property values carry secret marks, in both directions. */
export interface Provider {
  /** False when its configuration is not known yet: it can say nothing about its resources then. */
  known: boolean;
  check(request: { urn: string; olds: Properties; news: Properties }): Promise<{
    inputs: Properties;
    failures: { property: string; reason: string }[];
  }>;
  diff(request: {
    urn: string;
    id: string;
    oldInputs: Properties;
    oldOutputs: Properties;
    news: Properties;
    ignoreChanges: string[];
  }): Promise<ProviderDiff>;
  create(request: { urn: string; inputs: Properties }): Promise<{ id: string; outputs: Properties }>;
  update(request: {
    urn: string;
    id: string;
    oldInputs: Properties;
    oldOutputs: Properties;
    news: Properties;
  }): Promise<{ outputs: Properties }>;
  /** An empty id says that there is no such resource. */
  read(request: { urn: string; id: string; inputs: Properties; state: Properties }): Promise<{
    id: string;
    inputs?: Properties;
    outputs: Properties;
  }>;
  delete(request: { urn: string; id: string; inputs: Properties; outputs: Properties }): Promise<void>;
}

/** A create or update whose resource exists but is not ready. */
export class InitFailure extends Error {
  constructor(
    readonly id: string,
    readonly outputs: Properties,
    readonly reasons: string[],
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

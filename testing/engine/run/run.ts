/**
 * What the parts of one run (a preview, update, refresh or destroy) share: the initial state, the journal, the
 * providers, and the record of steps and messages.
 */
import { parseReference, type StackIdentity } from "../protocol/urn";
import type { Provider } from "../providers/provider";
import type { Providers } from "../providers/providers";
import { openJournal } from "../state/journal";
import type { ResourceState, Snapshot } from "../state/snapshot";
import { runOutcome } from "./outcome";
import { stepRecord } from "./record";
import { trackedWork } from "./work";

export interface RunOptions {
  readonly identity: StackIdentity;
  /** The initial state. The run changes this copy. */
  readonly base: Snapshot;
  readonly dryRun: boolean;
  readonly parallel: number;
  readonly providers: Providers;
  /** The stack configuration, secrets marked: the inputs of default providers. */
  readonly config: ResourceState["inputs"] & object;
  /** Whether the command applies to a resource. Providers and the stack are always processed. */
  readonly includes: (urn: string) => boolean;
  /** Called once, when the run can no longer succeed and must not start anything. */
  readonly onStop: () => void;
}

export function beginRun({ parallel, onStop, ...shared }: RunOptions) {
  const { base, providers } = shared;
  const outcome = runOutcome(onStop);
  return {
    ...shared,
    outcome,
    journal: openJournal(base),
    record: stepRecord(),
    work: trackedWork(parallel, outcome),

    /** The URNs of resources that this run deletes or is going to delete. */
    deleted: new Set<string>(),

    /** The provider of a resource. A provider that this run has not registered is configured from the state. */
    async providerOf({ urn, provider: reference = "" }: ResourceState): Promise<Provider> {
      if (providers.has(reference)) return providers.get(reference);
      const wanted = parseReference(reference);
      const provider = base.resources.find((each) => each.urn === wanted.urn && each.id === wanted.id);
      if (!provider) throw new Error(`The provider ${reference || "(none)"} of ${urn} is not in the state.`);
      return providers.configure([reference], provider.type, provider.inputs ?? {});
    },
  };
}

export type Run = ReturnType<typeof beginRun>;

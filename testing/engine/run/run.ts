/**
 * What the parts of one run (a preview, update, refresh, destroy or import) share: the initial state, the journal, the
 * providers, and the record of steps and messages.
 */
import { shuttingDown } from "../protocol/grpc";
import type { Diagnostic } from "../protocol/monitor";
import { isProviderType, nameInUrn, parseReference, type StackIdentity } from "../protocol/urn";
import type { Provider } from "../providers/provider";
import type { Providers } from "../providers/providers";
import { openJournal } from "../state/journal";
import type { ResourceState, Snapshot } from "../state/snapshot";
import { limit } from "./limit";
import { registeredHooks } from "./registeredHooks";

/** An operation on a resource. The names are those of Pulumi's steps. */
export type Operation =
  | "same"
  | "create"
  | "update"
  | "delete"
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  | "read"
  | "read-replacement"
  | "refresh"
  | "discard"
  | "discard-replaced"
  | "remove-pending-replace"
  | "import"
  | "import-replacement";

/** One operation on one resource, with its states before and after. */
export interface RunStep {
  readonly operation: Operation;
  readonly old?: ResourceState;
  readonly new?: ResourceState;
  /** The properties that require a replacement. */
  readonly replaceKeys?: readonly string[];
  /** The properties that differ. */
  readonly changedKeys?: readonly string[];
  /** What a refresh found. */
  readonly result?: "same" | "update" | "delete";
}

/** Steps with these operations, in this order, between the same states. */
export function inOrder(operations: readonly Operation[], states: Omit<RunStep, "operation">): RunStep[] {
  return operations.map((operation) => ({ operation, ...states }));
}

/** What a run starts with. */
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

/** Operations that the summary does not count: they are part of another one, or change nothing. */
const UNCOUNTED: readonly Operation[] = [
  "create-replacement",
  "delete-replaced",
  "read-replacement",
  "discard-replaced",
  "remove-pending-replace",
  "refresh",
];

/** Begins a run. */
export function beginRun(options: RunOptions) {
  const journal = openJournal(options.base);
  const steps: RunStep[] = [];
  const changes: Partial<Record<Operation, number>> = {};
  const diagnostics: Diagnostic[] = [];
  const inFlight = new Set<Promise<unknown>>();
  const limited = limit(options.parallel);
  let failed = false;
  let stopped = false;
  let over = false;
  const report = (diagnostic: Diagnostic): void => {
    if (!over) diagnostics.push(diagnostic);
  };
  const run = {
    ...options,
    journal,
    steps,
    changes,
    diagnostics,
    hooks: registeredHooks(),
    get failed(): boolean {
      return failed;
    },
    get stopped(): boolean {
      return stopped;
    },
    report,

    /** Descriptions of the operations in progress, to report what a run waits for. */
    inProgress: new Set<string>(),

    /** The URNs of resources that this run deletes or is going to delete. */
    deleted: new Set<string>(),

    /** Reports an error. Operations in progress continue. */
    fail(message: string, urn?: string): void {
      failed = true;
      report({ severity: "error", message, ...(urn && { urn }) });
    },

    /** Prevents new operations. */
    stop(): void {
      failed = true;
      if (!stopped) options.onStop();
      stopped = true;
    },

    /** Reports an error and prevents new operations. */
    abort(message: string, urn?: string): never {
      run.fail(message, urn);
      run.stop();
      throw shuttingDown();
    },

    /** Ends the run immediately. Later messages are ignored. */
    crash(reason: string): void {
      run.fail(reason);
      over = true;
      run.stop();
    },

    /** Reports a thrown error on a resource, unless it is already reported, and prevents new operations. */
    abortWith(error: unknown, urn?: string): never {
      if (!(error instanceof Error)) throw error;
      return run.abort(error.message, urn);
    },

    /** Runs work, unless the run is stopped. The run waits for it. */
    track<Result>(work: () => Promise<Result>): Promise<Result> {
      const done = Promise.resolve().then(() => {
        if (stopped) throw shuttingDown();
        return work();
      });
      inFlight.add(done);
      const forget = (): void => void inFlight.delete(done);
      done.then(forget, forget);
      return done;
    },

    /** Runs work within the limit of parallel operations. */
    work: <Result>(work: () => Promise<Result>): Promise<Result> => limited(() => run.track(work)),

    /** Resolves when no work is in progress. */
    async settled(): Promise<void> {
      while (inFlight.size > 0) await Promise.allSettled([...inFlight]);
    },

    /** Records a completed step, and counts it as the summary does. */
    record(step: RunStep, count = !UNCOUNTED.includes(step.operation)): void {
      steps.push(step);
      const { urn, type } = (step.new ?? step.old) as ResourceState;
      const isDefaultProvider = isProviderType(type) && nameInUrn(urn).startsWith("default");
      if (!count || isDefaultProvider) return;
      const operation = step.result ?? step.operation;
      changes[operation] = (changes[operation] ?? 0) + 1;
    },

    /** The provider of a resource. A provider that this run has not registered is configured from the state. */
    async providerOf(state: ResourceState): Promise<Provider> {
      const reference = state.provider ?? "";
      if (!options.providers.has(reference)) {
        const { urn, id } = parseReference(reference);
        const provider = options.base.resources.find(
          (resource) => resource.urn === urn && resource.id === id,
        );
        if (!provider)
          throw new Error(`The provider ${reference || "(none)"} of ${state.urn} is not in the state.`);
        return options.providers.configure([reference], provider.type, provider.inputs ?? {});
      }
      return options.providers.get(reference);
    },
  };
  return run;
}

/** A run in progress. */
export type Run = ReturnType<typeof beginRun>;

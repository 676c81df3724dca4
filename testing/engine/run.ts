/**
 * What the parts of one run (a preview, an update, a refresh, a destroy, an import) share: the state it starts from,
 * the journal, the providers, and the record of steps and messages.
 */
import { bulkhead } from "cockatiel";
import { type Journal, openJournal, type ResourceState, type Snapshot } from "./deployment";
import type { Diagnostic } from "./monitor";
import { isProviderType, nameOf, parseReference, type StackIdentity } from "./names";
import { shuttingDown } from "./protocol";
import type { Provider } from "./provider";
import type { Providers } from "./providers";

/** What the engine does to a resource. The names are those of Pulumi's own steps. */
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
  | "import";

/** One operation on one resource, with its states in memory. */
export interface RunStep {
  readonly operation: Operation;
  readonly old?: ResourceState;
  readonly new?: ResourceState;
  /** The properties that make it a replacement. */
  readonly replaceKeys?: readonly string[];
  /** The properties that differ. */
  readonly changedKeys?: readonly string[];
  /** What a refresh found. */
  readonly result?: "same" | "update" | "delete";
}

/** What a run is given. */
export interface RunOptions {
  readonly identity: StackIdentity;
  /** The state it starts from; the run changes this copy. */
  readonly base: Snapshot;
  readonly dryRun: boolean;
  readonly parallel: number;
  readonly providers: Providers;
  /** The stack configuration, secrets marked: the inputs of default providers. */
  readonly config: ResourceState["inputs"] & object;
  /** Whether refreshing is all that it does: then the summary counts what was found. */
  readonly countsRefresh: boolean;
  /** Called once, when the run can no longer succeed and nothing new is to begin. */
  readonly onStop: () => void;
}

/** Steps that are part of a larger one, or that change nothing; the summary does not count them. */
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
  const journal: Journal = openJournal(options.base);
  const steps: RunStep[] = [];
  const changes: Partial<Record<Operation, number>> = {};
  const diagnostics: Diagnostic[] = [];
  const inFlight = new Set<Promise<unknown>>();
  const workers = bulkhead(options.parallel, Number.POSITIVE_INFINITY);
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
    get failed(): boolean {
      return failed;
    },
    get stopped(): boolean {
      return stopped;
    },
    report,

    /** What is being done at this moment, in words: what a run that does not end is waiting for. */
    underWay: new Set<string>(),

    /** The URNs of resources that this run deletes, or means to. */
    deleted: new Set<string>(),

    /** Reports an error; what goes on already goes on to its end. */
    fail(message: string, urn?: string): void {
      failed = true;
      report({ severity: "error", message, ...(urn && { urn }) });
    },

    /** Lets nothing new begin. */
    stop(): void {
      failed = true;
      if (!stopped) options.onStop();
      stopped = true;
    },

    /** Reports an error and lets nothing new begin. */
    abort(message: string, urn?: string): never {
      run.fail(message, urn);
      run.stop();
      throw shuttingDown();
    },

    /** Ends the run at once; what its parts still have to say about that is of no interest. */
    crash(reason: string): void {
      run.fail(reason);
      over = true;
      run.stop();
    },

    /** Reports what was thrown as the error of a resource, unless it is reported already. */
    abortWith(error: unknown, urn?: string): never {
      if (!(error instanceof Error)) throw error;
      return run.abort(error.message, urn);
    },

    /** Runs work unless the run was stopped; the run does not end before it. */
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

    /** Runs work on one of the parallel workers. */
    work: <Result>(work: () => Promise<Result>): Promise<Result> => workers.execute(() => run.track(work)),

    /** Resolves when nothing is going on any more. */
    async settled(): Promise<void> {
      while (inFlight.size > 0) await Promise.allSettled([...inFlight]);
    },

    /** Notes a step that was done, and counts it as the summary does. */
    record(step: RunStep, count = !UNCOUNTED.includes(step.operation)): void {
      steps.push(step);
      const { urn, type } = (step.new ?? step.old) as ResourceState;
      const isDefaultProvider = isProviderType(type) && nameOf(urn).startsWith("default");
      if (!count || isDefaultProvider) return;
      const operation = step.result ?? step.operation;
      changes[operation] = (changes[operation] ?? 0) + 1;
    },

    /** The provider of a resource; one that this run did not register is configured from the state. */
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

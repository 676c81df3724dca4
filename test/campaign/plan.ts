/** Generates the sequences of the fault campaign: programs, steps, and disruptions. */
import fc from "fast-check";
import type { Behaviour } from "../../testing/emulator";
import { type Disruption, disruption, LAGGING_LIST, LAGGING_READ, WRONG_RESULT } from "./disruptions";
import { mostly, plan, type ValueOf } from "./program";

const pick = fc.nat({ max: 30 });

/** One of these steps, with its choices. */
function weighted<const Name extends string, Choices extends object>(
  weight: number,
  names: Name | readonly Name[],
  choices: { [Choice in keyof Choices]: fc.Arbitrary<Choices[Choice]> },
) {
  const name: fc.Arbitrary<Name> = fc.constantFrom(...([names].flat() as Name[]));
  return { weight, arbitrary: fc.record<{ do: Name } & Choices>({ do: name, ...choices } as never) };
}

const step = fc.oneof(
  weighted(8, "up", { disruption }),
  weighted(3, "refresh", { disruption }),
  weighted(1, "destroy", { disruption }),
  // May also adopt the object in the same run.
  weighted(3, "replace", { pick, adopting: fc.boolean(), disruption }),
  weighted(4, "move", { pick, alias: fc.boolean() }),
  // Moves a resource with the option `import` in place of an alias, in one run.
  weighted(3, "moveByImport", { pick, disruption }),
  weighted(4, "program", { plan }),
  // Changes one value after another in the program, which runs after each.
  weighted(4, "edit", {
    pick,
    fields: fc.array(fc.constantFrom("appName", "appScheme"), { minLength: 1, maxLength: 2 }),
    disruption,
  }),
  // The object may have another value, or one that the program does not declare.
  weighted(3, "adopt", { pick, change: fc.constantFrom(null, 0, 1) }),
  weighted(4, ["deleteManually", "changeManually"], { pick }),
  // Creates an object that no program declares, in a project of the stack.
  weighted(2, "createManually", { of: fc.constantFrom("Project", "Application", "CustomDomain"), pick }),
  // Creates a link in the console: on a custom domain, else on the default domain of a project.
  weighted(2, "link", { pick, domain: mostly() }),
  // Most often, the key works again.
  weighted(1, ["revokeKey", "otherOrganization"], {}),
  weighted(2, ["replaceKey", "ownOrganization"], {}),
);
export type Step = ValueOf<typeof step>;
export type StepOf<Name extends Step["do"]> = Extract<Step, { do: Name }>;

export interface Sequence {
  /** The service's undocumented behaviour. */
  readonly behaviour: Partial<Behaviour>;
  /** The random number for retries. */
  readonly chance: number;
  readonly steps: readonly Step[];
}

/**
 * What lags behind writes in a sequence, and the faults that it excludes. If reads and lists both deny an object, nothing can
 * tell it from a deleted one. Only a list shows that the response to a create is about another object.
 */
const EXCLUDED_FAULTS = {
  nothing: [LAGGING_LIST, LAGGING_READ],
  reads: [LAGGING_LIST],
  lists: [LAGGING_READ, WRONG_RESULT],
  both: [LAGGING_LIST, LAGGING_READ, WRONG_RESULT],
} as const;

export const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    behaviour: fc.record({
      deletingPolls: fc.nat({ max: 2 }),
      deleteWithContents: fc.constantFrom("conflict", "cascade"),
      cnameTargetAppears: fc.constantFrom("atOnce" as const, "never" as const, { afterPolls: 2 }),
      patchInfo: fc.constantFrom("merge", "replace"),
      absentInfoField: fc.constantFrom("null", "omit"),
      uniqueNames: mostly(),
      storedForm: fc.constantFrom("asGiven", "normalized"),
      dateHeader: fc.constantFrom("current" as const, "current" as const, "absent" as const, {
        secondsBehind: 60,
      }),
      nullableUpdatedAt: fc.constantFrom("afterUpdate", "fromCreation", "never"),
      timestampPrecision: fc.constantFrom("milliseconds", "seconds", "coarseReads"),
      requestIds: fc.constantFrom("echoed", "generated", "errorsOnly"),
    }),
    lags: fc.constantFrom("nothing", "reads", "lists", "both"),
    lag: fc.oneof(
      fc.record({ afterSeconds: fc.constantFrom(1, 3, 5, 8, 15) }),
      // A lag that only reads end is not of the service that the package assumes.
      fc.record({ upToSeconds: fc.constantFrom(5, 25) }),
    ),
    late: fc.record({
      deletionsLag: fc.constantFrom("listsAndReads", "lists"),
      contentsOfLate: fc.constantFrom("notFound", "listed"),
    }),
    chance: fc.double({ min: 0, max: 0.99, noNaN: true }),
    first: plan,
    disruption,
    steps: fc.array(step, { minLength: 3, maxLength: 12 }),
  })
  .map(({ lags, lag, late, behaviour, first, disruption, steps, ...planned }) => {
    const all: Step[] = [{ do: "program", plan: first }, { do: "up", disruption }, ...steps];
    const isPossible = ({ kind }: Disruption) =>
      !EXCLUDED_FAULTS[lags].some((excluded) => kind.startsWith(excluded));
    return {
      ...planned,
      behaviour: {
        ...behaviour,
        ...late,
        ...((lags === "reads" || lags === "both") && { readLag: lag }),
        // A service that deletes contents deletes those that its lists lack.
        ...((lags === "lists" || lags === "both") && { listLag: lag, deleteWithContents: "conflict" }),
      },
      steps: all.map((one) =>
        "disruption" in one ? { ...one, disruption: one.disruption.filter(isPossible) } : one,
      ),
    };
  });

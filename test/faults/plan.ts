/** Generates the sequences of the fault campaign: programs, steps, and troubles. */
import fc from "fast-check";
import { DESCRIPTIONS } from "../../provider/resources";
import type { Behaviour, Scope } from "../../testing/emulator";
import { mostly, type Plan, plan, rarely } from "./program";
import { LAGGING_LIST, LAGGING_READ, type Trouble, troubles } from "./troubles";

/** How a program declares a resource elsewhere: under another name, in a component, or with another provider. */
export interface Location {
  readonly renamed: boolean;
  readonly component: boolean;
  /** The logical name of an explicit provider. Default: the default provider. */
  readonly provider: Provider | undefined;
}

/** The explicit providers of a program. Each is a process of its own. */
type Provider = "second" | "third";

/** Resource options that change what the engine does with a resource. */
export interface Options {
  readonly retainOnDelete: boolean;
  readonly deleteBeforeReplace: boolean;
  readonly replaceOnChanges: boolean;
  readonly ignoreChanges: boolean;
}

/** One step of a sequence. */
export type Step =
  | { readonly do: "up" | "refresh" | "destroy"; readonly trouble: readonly Trouble[] }
  | { readonly do: "program"; readonly plan: Plan }
  | {
      readonly do: "replace";
      readonly pick: number;
      /** Whether the program adopts the object in the same run. */
      readonly adopting: boolean;
      readonly trouble: readonly Trouble[];
    }
  | { readonly do: "move"; readonly pick: number; readonly to: Location; readonly alias: boolean }
  | {
      /** Moves a resource with the option `import` in place of an alias, in one run. */
      readonly do: "moveByImport";
      readonly pick: number;
      readonly provider: Provider | undefined;
      readonly trouble: readonly Trouble[];
    }
  /** Declares the same object once more, with another provider. */
  | { readonly do: "twin"; readonly pick: number; readonly provider: Provider }
  | { readonly do: "options"; readonly pick: number; readonly options: Options }
  | { readonly do: "moveToMissing"; readonly pick: number; readonly trouble: readonly Trouble[] }
  | { readonly do: "replaceElsewhere"; readonly pick: number }
  | {
      /** Runs a part of the program with another organization's key: one that exists, or one that is added for it. */
      readonly do: "partElsewhere";
      readonly pick: number;
      readonly part: "existing" | "new";
      readonly by: "target" | "exclude";
      readonly refresh: boolean;
    }
  | {
      readonly do: "importAgain";
      readonly pick: number;
      /** Whether the program declares the new entry from then on, instead of the old one. */
      readonly declared: boolean;
    }
  | {
      readonly do: "adopt";
      readonly pick: number;
      /** What the object has that the program does not declare: nothing, more values, or another value. */
      readonly extra: "nothing" | "more" | "difference";
    }
  | { readonly do: "import" | "deleteManually" | "changeManually"; readonly pick: number }
  /** Creates a link in the console: on a custom domain, else on the default domain of a project. */
  | { readonly do: "link"; readonly pick: number; readonly domain: boolean }
  /** The service begins to return a value that did not exist when the provider was written. */
  | { readonly do: "newValue"; readonly of: "scopes" | "appType" | "lifecycleStatus"; readonly pick: number }
  | { readonly do: "revokeKey" | "replaceKey" | "otherOrganization" | "ownOrganization" | "restoreScopes" }
  | { readonly do: "removeScopes"; readonly scopes: readonly Scope[] };

/** A sequence of steps. */
export interface Sequence {
  /** The service's undocumented behaviour. */
  readonly behaviour: Partial<Behaviour>;
  /** The random number for retries. */
  readonly chance: number;
  /** Whether the user updates with `--skip-preview`. */
  readonly skipsPreview: boolean;
  readonly steps: readonly Step[];
}

const USED_SCOPES: readonly Scope[] = [
  ...new Set(
    Object.values(DESCRIPTIONS).flatMap(({ scopes: { read, write } }) => [
      ...read,
      ...(typeof write === "function" ? [] : write),
    ]),
  ),
];
const pick = fc.nat({ max: 30 });
const provider = fc.constantFrom<Provider[]>("second", "third");
const anyProvider = fc.option(provider, { nil: undefined });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("up" as const), trouble: troubles }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("refresh" as const), trouble: troubles }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("destroy" as const), trouble: troubles }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("replace" as const),
      pick,
      adopting: fc.boolean(),
      trouble: troubles,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      pick,
      to: fc.record({ renamed: fc.boolean(), component: fc.boolean(), provider: anyProvider }),
      alias: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("moveByImport" as const),
      pick,
      provider: anyProvider,
      trouble: troubles,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("twin" as const), pick, provider }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("options" as const),
      pick,
      options: fc.record({
        retainOnDelete: rarely(),
        deleteBeforeReplace: rarely(),
        replaceOnChanges: rarely(),
        ignoreChanges: rarely(),
      }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("moveToMissing" as const), pick, trouble: troubles }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("replaceElsewhere" as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("partElsewhere" as const),
      pick,
      part: fc.constantFrom("existing" as const, "new" as const),
      by: fc.constantFrom("target" as const, "exclude" as const),
      refresh: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("program" as const), plan }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("importAgain" as const), pick, declared: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("adopt" as const),
      pick,
      extra: fc.constantFrom("nothing" as const, "more" as const, "difference" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("import" as const, "deleteManually" as const, "changeManually" as const),
      pick,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("link" as const), pick, domain: mostly() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("newValue" as const),
      of: fc.constantFrom("scopes" as const, "appType" as const, "lifecycleStatus" as const),
      pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "revokeKey" as const,
        "replaceKey" as const,
        "replaceKey" as const,
        "otherOrganization" as const,
        "ownOrganization" as const,
        "ownOrganization" as const,
        "restoreScopes" as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("removeScopes" as const),
      scopes: fc.subarray([...USED_SCOPES], { minLength: 1, maxLength: 2 }),
    }),
  },
);

/** What lags behind writes in a sequence: nothing, reads of single objects, or lists. */
const LAGS = ["nothing", "nothing", "reads", "lists"] as const;
const conflictOrCascade = fc.constantFrom("conflict" as const, "cascade" as const);

/** A sequence of the campaign. */
export const sequence: fc.Arbitrary<Sequence> = fc
  .record({
    behaviour: fc.record({
      deletingPolls: fc.nat({ max: 2 }),
      deleteWhileDeleting: fc.constantFrom("conflict" as const, "accepted" as const),
      deleteProjectWithChildren: conflictOrCascade,
      deleteProjectWithLinks: conflictOrCascade,
      deleteCustomDomainWithLinks: conflictOrCascade,
      cnameTargetAppears: fc.constantFrom("atOnce" as const, "never" as const, { afterPolls: 2 }),
      hostnameSpelling: fc.constantFrom("asGiven" as const, "normalized" as const),
      patchInfo: fc.constantFrom("merge" as const, "replace" as const),
      absentInfoField: fc.constantFrom("null" as const, "omit" as const),
      uniqueProjectNames: mostly(),
      projectNameSpelling: fc.constantFrom("asGiven" as const, "asGiven" as const, "normalized" as const),
      dateHeader: fc.constantFrom(
        "current" as const,
        "current" as const,
        "absent" as const,
        { secondsBehind: 60 } as const,
      ),
      deletedObjectUnlisted: fc.constantFrom("atOnce" as const, "atOnce" as const, { afterPolls: 2 }),
    }),
    lags: fc.constantFrom(...LAGS),
    chance: fc.double({ min: 0, max: 0.99, noNaN: true }),
    skipsPreview: rarely(),
    first: plan,
    trouble: troubles,
    steps: fc.array(step, { minLength: 3, maxLength: 12 }),
  })
  .map(({ behaviour, lags, chance, skipsPreview, first, trouble, steps }) =>
    withLag(lags, {
      behaviour,
      chance,
      skipsPreview,
      steps: [{ do: "program", plan: first }, { do: "up", trouble }, ...steps],
    }),
  );

/**
 * The sequence with one kind of lag. If reads and lists both deny an object, nothing can tell it from a deleted one, and
 * a service that deletes contents deletes those that its lists lack.
 */
function withLag(lags: (typeof LAGS)[number], planned: Sequence): Sequence {
  const afterPolls = planned.steps.length % 2 === 0 ? 1 : 3;
  if (lags === "reads") {
    const behaviour = { ...planned.behaviour, newObjectReadable: { afterPolls } };
    return withTroubles({ ...planned, behaviour }, ({ kind }) => kind !== LAGGING_LIST);
  }
  if (lags === "lists") {
    const behaviour: Sequence["behaviour"] = {
      ...planned.behaviour,
      deleteProjectWithChildren: "conflict",
      newObjectListed: { afterPolls },
    };
    return withTroubles({ ...planned, behaviour }, ({ kind }) => kind !== LAGGING_READ);
  }
  return withTroubles(planned, ({ kind }) => kind !== LAGGING_LIST && kind !== LAGGING_READ);
}

function withTroubles(planned: Sequence, wanted: (trouble: Trouble) => boolean): Sequence {
  return {
    ...planned,
    steps: planned.steps.map((one) =>
      "trouble" in one ? { ...one, trouble: one.trouble.filter(wanted) } : one,
    ),
  };
}

/**
 * The sequence as separate processes can run it on a real clock: without missing responses and waits for CNAME targets,
 * which take a minute, and with crashes of the machine only.
 */
export function forSeparateProcesses(planned: Sequence): Sequence {
  const behaviour = { ...planned.behaviour, cnameTargetAppears: "atOnce" as const };
  return withTroubles(
    { ...planned, behaviour },
    (one) => !one.kind.startsWith("hang") && !("incident" in one && one.incident !== "machine"),
  );
}

/** Chooses few sequences of the campaign that together plan everything that a sequence can plan. */
import fc from "fast-check";
import { coverOf } from "../support/values/cover";
import type { Disruption } from "./disruptions";
import { type Step, sequence } from "./plan";

/** The seed of all sequences of `npm test`. */
export const SEED = 2;
/** From so many sequences it chooses. To plan them takes milliseconds, to run one takes half a second. */
const CANDIDATES = 400;
/** The commands that follow every sequence, at least. */
const CONVERGENCE_COMMANDS = 7;

/** A sequence, by its place among those of the seed, which is the path that repeats it. */
interface Candidate {
  readonly path: string;
  readonly cost: number;
  readonly moves: ReadonlySet<string>;
  /** The kinds of faults, and the service's behaviour. */
  readonly service: ReadonlySet<string>;
}

/** Chooses sequences with all moves and incidents, and with all faults and behaviours of the service if wanted. */
export function sequencesWithAll(wanted: "moves" | "everything"): string[] {
  const chosen = coverOf(
    candidatesOf(),
    ({ moves, service }) => (wanted === "moves" ? moves : new Set([...moves, ...service])),
    ({ cost }) => cost,
  );
  return chosen.map(({ path }) => path);
}

function candidatesOf(): Candidate[] {
  return fc.sample(sequence, { seed: SEED, numRuns: CANDIDATES }).map((one, place) => ({
    path: String(place),
    cost: CONVERGENCE_COMMANDS + one.steps.filter((step) => "disruption" in step).length,
    moves: new Set([`hooks ${one.hooks}`, ...one.steps.flatMap(movesOf)]),
    service: new Set([
      ...Object.entries(one.behaviour).map((option) => JSON.stringify(option)),
      ...one.steps
        .flatMap(disruptionsOf)
        .flatMap((disruption) => ("operation" in disruption ? [disruption.kind] : [])),
    ]),
  }));
}

function movesOf(step: Step): string[] {
  const move =
    "extra" in step ? `${step.do} ${step.extra}` : "of" in step ? `${step.do} ${step.of}` : step.do;
  const incidents = disruptionsOf(step).filter((disruption) => !("operation" in disruption));
  return [
    move,
    ...incidents.map((disruption) => ("incident" in disruption ? disruption.incident : disruption.kind)),
  ];
}

function disruptionsOf(step: Step): readonly Disruption[] {
  return "disruption" in step ? step.disruption : [];
}

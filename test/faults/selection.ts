/** Chooses few sequences of the campaign that together plan everything that a sequence can plan. */
import fc from "fast-check";
import { type Step, sequence } from "./plan";
import type { Trouble } from "./troubles";

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
  const candidates = candidatesOf();
  const partsOf = ({ moves, service }: Candidate) =>
    wanted === "moves" ? moves : new Set([...moves, ...service]);
  const missing = new Set(candidates.flatMap((each) => [...partsOf(each)]));
  const chosen: string[] = [];
  while (missing.size > 0) {
    const gain = (one: Candidate) => [...partsOf(one)].filter((part) => missing.has(part)).length / one.cost;
    const best = candidates.reduce((found, one) => (gain(one) > gain(found) ? one : found));
    for (const part of partsOf(best)) missing.delete(part);
    chosen.push(best.path);
  }
  return chosen;
}

function candidatesOf(): Candidate[] {
  return fc.sample(sequence, { seed: SEED, numRuns: CANDIDATES }).map((one, place) => ({
    path: String(place),
    cost: CONVERGENCE_COMMANDS + one.steps.filter((step) => "trouble" in step).length,
    moves: new Set(one.steps.flatMap(movesOf)),
    service: new Set([
      ...Object.entries(one.behaviour).map((option) => JSON.stringify(option)),
      ...one.steps.flatMap(troublesOf).flatMap((trouble) => ("operation" in trouble ? [trouble.kind] : [])),
    ]),
  }));
}

function movesOf(step: Step): string[] {
  const move =
    "extra" in step ? `${step.do} ${step.extra}` : "of" in step ? `${step.do} ${step.of}` : step.do;
  const incidents = troublesOf(step).filter((trouble) => !("operation" in trouble));
  return [move, ...incidents.map((trouble) => ("incident" in trouble ? trouble.incident : trouble.kind))];
}

function troublesOf(step: Step): readonly Trouble[] {
  return "trouble" in step ? step.trouble : [];
}

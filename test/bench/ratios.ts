/** The ratios that the package must meet. Ratios are comparable between machines; seconds are not. */
import { table } from "../../scripts/markdown";
import type { StackCommand } from "../support/stacks/cliStack";
import type { Usage } from "./benchStack";
import type { ContenderName } from "./contenders";

export interface Cell {
  readonly contender: ContenderName;
  readonly command: StackCommand;
  readonly resources: number;
}

/** A measurement. Those of the same round were measured close together. */
export interface Sample extends Cell, Usage {
  readonly round: number;
  readonly requests: number;
}

/** All samples, and the size of the state of 1,000 projects by contender. */
export interface Results {
  readonly rounds: number;
  readonly samples: readonly Sample[];
  readonly stateBytes: ReadonlyMap<ContenderName, number>;
}

/** The rounds in which a ratio must have been measured: a single one says nothing on a machine that does other things. */
export const MIN_ROUNDS = 3;

type Measured = keyof Usage | "requests";

/** Each ratio: what is measured of a cell, its maximum, and the cell that it is divided by, if any. */
const RATIOS: readonly (readonly [title: string, Measured, limit: number, of: Cell, to?: Cell])[] = [
  ["no-op preview of 1,000 to plain components", "wallMs", 1.3, preview("ours"), preview("components")],
  ["… by the native plugin to dynamic resources", "wallMs", 1, preview("native"), preview("ours")],
  ["… of 1 by the native plugin to dynamic resources", "wallMs", 1, preview("native", 1), preview("ours", 1)],
  ["… host memory of 10,000 to 1,000", "hostPeakBytes", 1.5, preview("ours", 10_000), preview("ours")],
  [
    "preview of a program that only imports the package",
    "wallMs",
    1.12,
    preview("imports", 0),
    preview("empty", 0),
  ],
  [
    "refresh of 1,000 by the native plugin to dynamic resources",
    "wallMs",
    1,
    refresh("native"),
    refresh("ours"),
  ],
  ["… host memory of 10,000 to 1,000", "hostPeakBytes", 1.5, refresh("ours", 10_000), refresh("ours")],
  ["requests of a no-op preview of 1,000", "requests", 1, preview("ours")],
  ["requests of a refresh of 1,000 in 10 projects", "requests", 30, refresh("ours")],
];

/** All cells of the ratios, in the order in which a round measures them: those with few resources first. */
export const CELLS: readonly Cell[] = RATIOS.flatMap(([, , , of, to]) => (to === undefined ? [of] : [of, to]))
  .filter((cell, index, all) => all.findIndex((each) => isSame(each, cell)) === index)
  .sort((one, other) => one.resources - other.resources);

function isSame(one: Cell, other: Cell): boolean {
  return (["contender", "command", "resources"] as const).every((name) => one[name] === other[name]);
}

/** The table of all ratios: the median of the ratios of each round, because the load differs between rounds. */
export function ratioTable({ rounds, samples, stateBytes }: Results): string {
  const ofRounds = (measured: Measured, cell: Cell) =>
    Array.from(
      { length: rounds },
      (_, round) =>
        samples.find((each) => each.round === round && isSame(each, cell))?.[measured] ?? Number.NaN,
    );
  const rows = RATIOS.map(([title, measured, limit, of, to]) => {
    const bases = to && ofRounds(measured, to);
    const values = ofRounds(measured, of).map((value, round) => value / (bases?.[round] ?? 1));
    return row(title, limit, values);
  });
  const ofStates = (stateBytes.get("native") ?? Number.NaN) / (stateBytes.get("ours") ?? Number.NaN);
  const title = "state of 1,000 projects by the native plugin to dynamic resources";
  rows.push(row(title, 1, Array(rounds).fill(ofStates)));
  return table(["ratio", "median", "at most", "least and most"], rows);
}

/** A row for the values of the rounds. They are not numbers in a round that lacks a measurement. */
function row(title: string, limit: number, measured: readonly number[]): string[] {
  const values = measured.filter((value) => !Number.isNaN(value)).sort((one, other) => one - other);
  if (values.length < MIN_ROUNDS) return [title, "not measured", String(limit), `${values.length}`];
  const median = values[Math.floor(values.length / 2)] ?? Number.NaN;
  const range = `${rounded(values[0] ?? 0)} to ${rounded(values.at(-1) ?? 0)}`;
  return [title, rounded(median), String(limit), median <= limit ? range : `${range}: **too much**`];
}

function preview(contender: ContenderName, resources = 1_000): Cell {
  return { contender, command: "preview", resources };
}

function refresh(contender: ContenderName, resources = 1_000): Cell {
  return { contender, command: "refresh", resources };
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

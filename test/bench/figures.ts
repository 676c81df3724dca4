/** The figures that the package must meet. Ratios of times are comparable between machines; seconds are not. */
import { table } from "../../scripts/markdown";
import type { StackCommand } from "../support/stacks/cliStack";
import type { Usage } from "./benchStack";
import type { ContenderName } from "./contenders";

export interface Cell {
  readonly contender: ContenderName;
  readonly command: StackCommand;
  readonly resources: number;
}

/** A measurement. */
export interface Sample extends Usage {
  readonly requests: number;
}

/** The samples of each cell, of which those of the same round were measured close together. */
export type Results = ReadonlyMap<string, readonly Sample[]>;

/** Each figure: what is measured of a cell, its maximum, and the cell that it is divided by, if any. */
const FIGURES: readonly (readonly [title: string, keyof Sample, limit: number, of: Cell, to?: Cell])[] = [
  ["no-op preview of 1,000 to plain components", "wallMs", 1.3, preview("ours"), preview("components")],
  ["… by the native plugin to dynamic resources", "wallMs", 1, preview("native"), preview("ours")],
  ["… of 1 by the native plugin to dynamic resources", "wallMs", 1, preview("native", 1), preview("ours", 1)],
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
  ["requests of a no-op preview of 1,000", "requests", 1, preview("ours")],
  ["requests of a refresh of 1,000 in 10 projects", "requests", 30, refresh("ours")],
  ["`up` of 1,000 projects to a documented provider", "wallMs", 1.08, up("ours"), up("documented")],
  ["… state", "stateBytes", 1, up("ours"), up("documented")],
  ["… requests", "requests", 1_003, up("ours")],
  [
    "`up` of 1,000 projects by the native plugin to plain components",
    "wallMs",
    1.08,
    up("native"),
    up("components"),
  ],
  ["… state to dynamic resources", "stateBytes", 1, up("native"), up("ours")],
  ["MiB of the host in a preview of 1,000", "hostPeakMiB", 320, preview("ours")],
  ["… of 10,000", "hostPeakMiB", 520, preview("ours", 10_000)],
  ["MiB of the host in a refresh of 1,000", "hostPeakMiB", 370, refresh("ours")],
  ["… of 10,000", "hostPeakMiB", 525, refresh("ours", 10_000)],
  ["MiB of the native plugin in a refresh of 1,000", "hostPeakMiB", 250, refresh("native")],
  ["… of 10,000", "hostPeakMiB", 435, refresh("native", 10_000)],
];

/** All cells of the figures by their names, in the order in which a round measures them: those with few resources first. */
export const CELLS: ReadonlyMap<string, Cell> = new Map(
  FIGURES.flatMap(([, , , of, to = of]) => [of, to])
    .sort((one, other) => one.resources - other.resources)
    .map((cell) => [nameOf(cell), cell]),
);

function nameOf({ contender, command, resources }: Cell): string {
  return `${contender}, ${command} of ${resources}`;
}

/** The table of all figures: the median of those of each round, because the load differs between rounds. */
export function figureTable(results: Results): string {
  const ofRounds = (measured: keyof Sample, cell: Cell) =>
    results.get(nameOf(cell))?.map((sample) => sample[measured]) ?? [];
  const rows = FIGURES.map(([title, measured, limit, of, to]) => {
    const bases = to && ofRounds(measured, to);
    return row(
      title,
      limit,
      ofRounds(measured, of).map((value, round) => value / (bases?.[round] ?? 1)),
    );
  });
  return table(["figure", "median", "at most", "least and most"], rows);
}

function row(title: string, limit: number, measured: readonly number[]): string[] {
  const values = measured.toSorted((one, other) => one - other);
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

/** Creates the objects, which are all projects. */
function up(contender: ContenderName): Cell {
  return { contender, command: "up", resources: 1_000 };
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 0);
}

/** The ratios that the package must meet. Ratios are comparable between machines; seconds are not. */
import { table } from "../../scripts/markdown";
import type { ContenderName } from "./contenders";
import type { Cell, Results, Sample } from "./runBenchmarks";

/** A value of one round. Undefined if the round lacks a measurement. */
type OfRound = (round: number) => number | undefined;

/** The rounds in which a ratio must have been measured: a single one says nothing on a machine that does other things. */
export const MIN_ROUNDS = 3;

/** The table of all ratios: the median of the ratios of each round, because the load differs between rounds. */
export function ratioTable(results: Results): string {
  const measured = ratiosOf(results).map(([title, value, limit]) => {
    const rounds = Array.from({ length: results.rounds }, (_, round) => value(round));
    const values = rounds.filter((each) => each !== undefined).sort((one, other) => one - other);
    if (values.length < MIN_ROUNDS) return [title, "not measured", String(limit), `${values.length}`];
    const median = values[Math.floor(values.length / 2)] ?? Number.NaN;
    const range = `${rounded(values[0] ?? 0)} to ${rounded(values.at(-1) ?? 0)}`;
    return [title, rounded(median), String(limit), median <= limit ? range : `${range}: **too much**`];
  });
  return table(["ratio", "median", "at most", "least and most"], measured);
}

function ratiosOf({ samples, stateBytes }: Results): [title: string, value: OfRound, limit: number][] {
  return [
    ["no-op preview of 1,000 to plain components", ratio(preview("ours"), preview("components")), 1.3],
    ["… to the naive provider", ratio(preview("ours"), preview("naive")), 0.5],
    ["… processor time of program and host", ratio(preview("ours"), preview("naive"), "cpuMs"), 0.5],
    ["… by the native plugin to dynamic resources", ratio(preview("native"), preview("ours")), 1],
    ["… of 1 by the native plugin to dynamic resources", ratio(preview("native", 1), preview("ours", 1)), 1],
    [
      "… host memory of 10,000 to 1,000",
      ratio(preview("ours", 10_000), preview("ours"), "hostPeakBytes"),
      1.5,
    ],
    [
      "preview of a program that only imports the package",
      ratio(preview("imports", 0), preview("empty", 0)),
      1.12,
    ],
    [
      "refresh of 1,000 by the native plugin to dynamic resources",
      ratio(refresh("native"), refresh("ours")),
      1,
    ],
    [
      "… host memory of 10,000 to 1,000",
      ratio(refresh("ours", 10_000), refresh("ours"), "hostPeakBytes"),
      1.5,
    ],
    ["… 80 ms of latency, to the naive provider", latency, 0.15],
    ["requests of a no-op preview of 1,000", requests(preview("ours")), 1],
    ["requests of a refresh of 1,000 in 10 projects", requests(refresh("ours")), 30],
    ["state of 1,000 projects to the naive provider", () => bytes("ours") / bytes("naive"), 0.3],
    ["… by the native plugin to dynamic resources", () => bytes("native") / bytes("ours"), 1],
  ];

  function sampleOf(cell: Cell, round: number): Sample | undefined {
    return samples.find((sample) =>
      Object.entries({ ...cell, round }).every(([name, value]) => sample[name as keyof Cell] === value),
    );
  }

  function ratio(one: Cell, other: Cell, of: "wallMs" | "cpuMs" | "hostPeakBytes" = "wallMs"): OfRound {
    return (round) => {
      const [value, base] = [one, other].map((cell) => sampleOf(cell, round)?.[of]);
      return value === undefined || base === undefined ? undefined : value / base;
    };
  }

  function requests(cell: Cell): OfRound {
    return (round) => sampleOf(cell, round)?.requests;
  }

  /** What latency adds to a refresh by this package, to what it adds to one by the naive provider. */
  function latency(round: number): number | undefined {
    const times = (["ours", "naive"] as const).flatMap((contender) =>
      [80, 0].map((latencyMs) => sampleOf(refresh(contender, 1_000, latencyMs), round)?.wallMs),
    );
    const [late = Number.NaN, prompt = 0, lateNaive = 0, promptNaive = 0] = times;
    return times.includes(undefined) ? undefined : (late - prompt) / (lateNaive - promptNaive);
  }

  function bytes(contender: ContenderName): number {
    return stateBytes.get(contender) ?? Number.NaN;
  }
}

/** A preview without changes. */
export function preview(contender: ContenderName, resources = 1_000): Cell {
  return { contender, command: "preview", resources, latencyMs: 0 };
}

/** A refresh without changes. */
export function refresh(contender: ContenderName, resources = 1_000, latencyMs = 0): Cell {
  return { contender, command: "refresh", resources, latencyMs };
}

function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

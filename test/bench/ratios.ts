/** The ratios that the package is held to. A ratio travels to another machine; a second does not. */
import type { Cell, Results, Sample } from "./runBenchmarks";
import { summaryOf } from "./statistics";

/** A ratio, and what it should be at most. */
export interface Ratio {
  readonly title: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: "×" | "requests";
}

type Which = Pick<Cell, "contender" | "command" | "resources"> & Partial<Pick<Cell, "latencyMs">>;

/** The samples of a cell, in the order of their rounds. */
export function samplesOf({ samples }: Results, { latencyMs = 0, ...which }: Which): Sample[] {
  return samples.filter(
    (sample) =>
      sample.contender === which.contender &&
      sample.command === which.command &&
      sample.resources === which.resources &&
      sample.latencyMs === latencyMs,
  );
}

/** All ratios for which there are samples. */
export function ratiosOf(results: Results): Ratio[] {
  const resources = results.samples.some((sample) => sample.resources === 1_000) ? 1_000 : 100;
  const many = resources.toLocaleString("en");
  const median = (which: Which, of: (sample: Sample) => number) =>
    summaryOf(samplesOf(results, which).map(of)).median;
  /** The median of the ratios of each round, as what else the machine does changes from round to round. */
  const ratio = (which: Which, to: Which, of: (sample: Sample) => number) => {
    const others = samplesOf(results, to);
    return summaryOf(
      samplesOf(results, which).flatMap((sample) => {
        const other = others.find(({ round }) => round === sample.round);
        return other === undefined ? [] : [of(sample) / of(other)];
      }),
    ).median;
  };
  const wall = ({ wallMs }: Sample) => wallMs;
  const cpu = ({ cpuMs }: Sample) => cpuMs;
  const preview = (contender: Cell["contender"]): Which => ({ contender, command: "preview", resources });
  const refresh = (contender: Cell["contender"], latencyMs = 0): Which => ({
    contender,
    command: "refresh",
    resources,
    latencyMs,
  });
  const ofLatency = (contender: Cell["contender"]) =>
    median(refresh(contender, 80), wall) - median(refresh(contender), wall);
  const stateOf = (contender: Cell["contender"]) =>
    results.stateBytes.find((one) => one.contender === contender)?.projects ?? Number.NaN;
  const import_ = [preview("imports"), preview("empty")].map((which) => ({ ...which, resources: 0 }));
  const huge = (command: Cell["command"]) =>
    median({ contender: "ours", command, resources: 10_000 }, ({ hostPeakBytes }) => hostPeakBytes) /
    median({ contender: "ours", command, resources: 1_000 }, ({ hostPeakBytes }) => hostPeakBytes);
  const [imports, empty] = import_ as [Which, Which];
  const all: Ratio[] = [
    times(
      `no-op preview of ${many} to plain components`,
      ratio(preview("ours"), preview("components"), wall),
      1.3,
    ),
    times(
      `no-op preview of ${many} to the naive provider`,
      ratio(preview("ours"), preview("naive"), wall),
      0.5,
    ),
    times(
      `no-op preview of ${many} to the naive provider, processor time of program and host`,
      ratio(preview("ours"), preview("naive"), cpu),
      0.5,
    ),
    times(
      `no-op preview of ${many} to the naive provider with one object a kind`,
      ratio(preview("ours"), preview("shared"), wall),
      1,
    ),
    {
      title: `requests of a no-op preview of ${many}`,
      value: median(preview("ours"), ({ requests }) => requests),
      limit: 1,
      unit: "requests",
    },
    {
      title: `requests of a refresh of ${many} in 10 projects`,
      value: median(refresh("ours"), ({ requests }) => requests),
      limit: 30,
      unit: "requests",
    },
    times(
      `what 80 ms of latency add to a refresh of ${many}, to the naive provider`,
      ofLatency("ours") / ofLatency("naive"),
      0.15,
    ),
    times("state of 1,000 projects to the naive provider", stateOf("ours") / stateOf("naive"), 0.3),
    times(
      "preview of a program that only imports the package to an empty one",
      ratio(imports, empty, wall),
      1.15,
    ),
    times("host memory of a refresh of 10,000 to one of 1,000", huge("refresh"), 1.5),
    times("host memory of a preview of 10,000 to one of 1,000", huge("preview"), 1.5),
  ];
  return all.filter(({ value }) => !Number.isNaN(value));
}

function times(title: string, value: number, limit: number): Ratio {
  return { title, value, limit, unit: "×" };
}

/** The ratios as one line. */
export function ratioLine(results: Results): string {
  return ratiosOf(results)
    .map(({ title, value, limit }) => `${title}: ${rounded(value)} (at most ${limit})`)
    .join("; ");
}

/** A ratio as it is shown. */
export function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

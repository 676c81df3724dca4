/** The ratios that the package must meet. Ratios are comparable between machines; seconds are not. */
import type { Cell, Results, Sample } from "./runBenchmarks";
import { summaryOf } from "./statistics";

/** A ratio and its upper limit. */
export interface Ratio {
  readonly title: string;
  readonly value: number;
  /** Set for the sizes of the full run. A quick run measures smaller sizes. */
  readonly limit: number | undefined;
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
  const sizeOf = (command: Cell["command"]) =>
    Math.max(
      ...results.samples
        .filter((sample) => sample.command === command && sample.resources <= 1_000)
        .map(({ resources }) => resources),
    );
  const previewed = sizeOf("preview");
  const refreshed = sizeOf("refresh");
  const many = previewed.toLocaleString("en");
  const manyRead = refreshed.toLocaleString("en");
  const atFullSize = (resources: number, limit: number) => (resources === 1_000 ? limit : undefined);
  const median = (which: Which, of: (sample: Sample) => number) =>
    summaryOf(samplesOf(results, which).map(of)).median;
  /** The median of the ratios of each round, because the load of the machine differs between rounds. */
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
  const preview = (contender: Cell["contender"]): Which => ({
    contender,
    command: "preview",
    resources: previewed,
  });
  const refresh = (contender: Cell["contender"], latencyMs = 0): Which => ({
    contender,
    command: "refresh",
    resources: refreshed,
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
      atFullSize(previewed, 1.3),
    ),
    times(
      `no-op preview of ${many} to the naive provider`,
      ratio(preview("ours"), preview("naive"), wall),
      atFullSize(previewed, 0.5),
    ),
    times(
      `no-op preview of ${many} to the naive provider, processor time of program and host`,
      ratio(preview("ours"), preview("naive"), cpu),
      atFullSize(previewed, 0.5),
    ),
    times(
      `no-op preview of ${many} to the naive provider with one object a kind`,
      ratio(preview("ours"), preview("shared"), wall),
      atFullSize(previewed, 1),
    ),
    {
      title: `requests of a no-op preview of ${many}`,
      value: median(preview("ours"), ({ requests }) => requests),
      limit: 1,
      unit: "requests",
    },
    {
      title: `requests of a refresh of ${manyRead} in 10 projects`,
      value: median(refresh("ours"), ({ requests }) => requests),
      limit: 30,
      unit: "requests",
    },
    times(
      `what 80 ms of latency add to a refresh of ${manyRead}, to the naive provider`,
      ofLatency("ours") / ofLatency("naive"),
      atFullSize(refreshed, 0.15),
    ),
    times(
      `no-op preview of ${many} by the native plugin to dynamic resources`,
      ratio(preview("native"), preview("ours"), wall),
      atFullSize(previewed, 1),
    ),
    times(
      `refresh of ${manyRead} by the native plugin to dynamic resources`,
      ratio(refresh("native"), refresh("ours"), wall),
      atFullSize(refreshed, 1),
    ),
    times(
      "no-op preview of 1 resource by the native plugin to dynamic resources",
      ratio({ ...preview("native"), resources: 1 }, { ...preview("ours"), resources: 1 }, wall),
      1,
    ),
    times(
      "state of 1,000 projects by the native plugin to dynamic resources",
      stateOf("native") / stateOf("ours"),
      1,
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

function times(title: string, value: number, limit: number | undefined): Ratio {
  return { title, value, limit, unit: "×" };
}

/** The ratios as one line. */
export function ratioLine(results: Results): string {
  return ratiosOf(results)
    .map(
      ({ title, value, limit }) =>
        `${title}: ${rounded(value)}${limit === undefined ? "" : ` (at most ${limit})`}`,
    )
    .join("; ");
}

/** A ratio as text. */
export function rounded(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}

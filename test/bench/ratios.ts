/** The ratios that the package must meet. Ratios are comparable between machines; seconds are not. */
import type { ContenderName } from "./contenders";
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

/** The size with which the ratios have limits, and the largest one that they are of. */
const FULL_SIZE = 1_000;

/** All ratios for which there are samples. */
export function ratiosOf(results: Results): Ratio[] {
  const all: Ratio[] = [
    compared("preview", ["ours", "components"], "to plain components", 1.3),
    compared("preview", ["ours", "naive"], "to the naive provider", 0.5),
    compared(
      "preview",
      ["ours", "naive"],
      "to the naive provider, processor time of program and host",
      0.5,
      ({ cpuMs }) => cpuMs,
    ),
    compared("preview", ["ours", "shared"], "to the naive provider with one object a kind", 1),
    requests("preview", "", 1),
    requests("refresh", " in 10 projects", 30),
    latency(0.15),
    compared("preview", ["native", "ours"], "by the native plugin to dynamic resources", 1),
    compared("refresh", ["native", "ours"], "by the native plugin to dynamic resources", 1),
    times(
      "no-op preview of 1 resource by the native plugin to dynamic resources",
      ratio(preview("native", 1), preview("ours", 1)),
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
      ratio(preview("imports", 0), preview("empty", 0)),
      1.15,
    ),
    times("host memory of a refresh of 10,000 to one of 1,000", growth("refresh"), 1.5),
    times("host memory of a preview of 10,000 to one of 1,000", growth("preview"), 1.5),
  ];
  return all.filter(({ value }) => !Number.isNaN(value));

  /** The samples of a cell, in the order of their rounds. */
  function samplesOf({ latencyMs = 0, ...which }: Which): Sample[] {
    return results.samples.filter(
      (sample) =>
        sample.contender === which.contender &&
        sample.command === which.command &&
        sample.resources === which.resources &&
        sample.latencyMs === latencyMs,
    );
  }

  function median(which: Which, of: (sample: Sample) => number): number {
    return summaryOf(samplesOf(which).map(of)).median;
  }

  /** The median of the ratios of each round, because the load of the machine differs between rounds. */
  function ratio(which: Which, to: Which, of = wall): number {
    const others = new Map(samplesOf(to).map((sample) => [sample.round, sample]));
    return summaryOf(
      samplesOf(which).flatMap((sample) => {
        const other = others.get(sample.round);
        return other === undefined ? [] : [of(sample) / of(other)];
      }),
    ).median;
  }

  /** The largest size, up to the full one, with which a command of all of these was measured. */
  function sizeOf(command: Cell["command"], ...contenders: readonly ContenderName[]): number {
    const sizes = results.samples.map(({ resources }) => resources);
    return Math.max(
      ...sizes.filter(
        (resources) =>
          resources <= FULL_SIZE &&
          contenders.every((contender) => samplesOf({ contender, command, resources }).length > 0),
      ),
    );
  }

  /** Compares the first contender with the second one. */
  function compared(
    command: "preview" | "refresh",
    [one, other]: readonly [ContenderName, ContenderName],
    how: string,
    limit: number,
    of = wall,
  ): Ratio {
    const resources = sizeOf(command, one, other);
    const value = ratio({ contender: one, command, resources }, { contender: other, command, resources }, of);
    return times(`${titleOf(command, resources)} ${how}`, value, limitFor(resources, limit));
  }

  function requests(command: "preview" | "refresh", where: string, limit: number): Ratio {
    const resources = sizeOf(command, "ours");
    const value = median({ contender: "ours", command, resources }, (sample) => sample.requests);
    return { title: `requests of a ${titleOf(command, resources)}${where}`, value, limit, unit: "requests" };
  }

  function latency(limit: number): Ratio {
    const resources = sizeOf("refresh", "ours", "naive");
    const added = (contender: ContenderName) =>
      median({ contender, command: "refresh", resources, latencyMs: 80 }, wall) -
      median({ contender, command: "refresh", resources }, wall);
    return times(
      `what 80 ms of latency add to a ${titleOf("refresh", resources)}, to the naive provider`,
      added("ours") / added("naive"),
      limitFor(resources, limit),
    );
  }

  function stateOf(contender: ContenderName): number {
    return results.stateBytes.find((one) => one.contender === contender)?.projects ?? Number.NaN;
  }

  function growth(command: Cell["command"]): number {
    const peak = (resources: number) =>
      median({ contender: "ours", command, resources }, ({ hostPeakBytes }) => hostPeakBytes);
    return peak(10_000) / peak(FULL_SIZE);
  }
}

function preview(contender: ContenderName, resources: number): Which {
  return { contender, command: "preview", resources };
}

function wall({ wallMs }: Sample): number {
  return wallMs;
}

function titleOf(command: "preview" | "refresh", resources: number): string {
  return `${command === "preview" ? "no-op preview" : "refresh"} of ${resources.toLocaleString("en")}`;
}

function limitFor(resources: number, limit: number): number | undefined {
  return resources === FULL_SIZE ? limit : undefined;
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

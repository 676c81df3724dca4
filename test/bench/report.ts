/** Writes the results to docs/performance.md and the plot in it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TopLevelSpec } from "vega-lite" with { "resolution-mode": "import" };
import { table } from "../../scripts/markdown";
import { CONTENDERS } from "./contenders";
import { ratiosOf, rounded } from "./ratios";
import type { Results, Sample } from "./runBenchmarks";
import { summaryOf } from "./statistics";

const DOCS = resolve(__dirname, "..", "..", "docs");
const PLOT = "performance.svg";
const MIB = 2 ** 20;
/** The text after this line in docs/performance.md is written manually and kept. */
const KEPT_FROM = "<!-- Written manually from here on. -->";

/** Writes the report. */
export async function writeReport(results: Results): Promise<void> {
  const file = join(DOCS, "performance.md");
  writeFileSync(join(DOCS, PLOT), await plot(results));
  writeFileSync(file, `${text(results)}\n${KEPT_FROM}\n${keptPart(file)}`);
}

function keptPart(file: string): string {
  try {
    return readFileSync(file, "utf8").split(`${KEPT_FROM}\n`)[1] ?? "";
  } catch {
    return "";
  }
}

const HEADINGS = [
  "Ratios",
  "Programs without resources",
  "1 resource",
  "100 resources",
  "1,000 resources",
  "10,000 resources",
  "State",
  "What determines the cost",
];

function text(results: Results): string {
  const { engine, machine, minutes, stateBytes } = results;
  return [
    "# Performance",
    "",
    ...HEADINGS.map(
      (heading) => `- [${heading}](#${heading.toLowerCase().replaceAll(",", "").replaceAll(" ", "-")})`,
    ),
    "",
    "`npm run bench` generates this page; `npm run bench -- --quick` measures the most important ratios within a minute.",
    `It ran for ${Math.round(minutes)} minutes on ${engine}: ${machine.join(", ")}. Times depend on the machine and its other load. A ratio compares measurements of the same round, and is the median of all rounds. The service is the package's emulator on the same machine, with latency added to each response.`,
    "",
    "The programs declare the same projects, applications and custom domains in 10 projects, with this package and with naive dynamic providers (code serialized from the program, one request for each read, as in `test/bench/programs/objects/naive.ts`). Plain components, without a provider, show the cost of the engine itself.",
    "",
    "## Ratios",
    "",
    table(
      ["ratio", "measured", "limit", "result"],
      ratiosOf(results).map(({ title, value, limit, unit }) => [
        title,
        unit === "×" ? `${rounded(value)} ×` : `${rounded(value)} ${unit}`,
        String(limit ?? ""),
        value <= (limit ?? value) ? "met" : "**not met**",
      ]),
    ),
    "",
    `![Time of a refresh of 1,000 resources by latency](${PLOT})`,
    "",
    "## Programs without resources",
    "",
    samplesTable(results, ({ resources }) => resources === 0),
    "",
    ...[1, 100, 1_000, 10_000].flatMap((resources) => [
      `## ${resources.toLocaleString("en")} ${resources === 1 ? "resource" : "resources"}`,
      "",
      samplesTable(results, (sample) => sample.resources === resources),
      "",
    ]),
    "## State",
    "",
    table(
      ["", "1,000 resources in 10 projects", "1,000 projects"],
      stateBytes.map(({ contender, mixed, projects }) => [
        CONTENDERS[contender].title,
        `${(mixed / 1e6).toFixed(2)} MB`,
        `${(projects / 1e6).toFixed(2)} MB`,
      ]),
    ),
    "",
    "States of more than 100 resources are extended from a state of 100 that `up` created, and imported.",
    "",
  ].join("\n");
}

function samplesTable({ samples }: Results, belongs: (sample: Sample) => boolean): string {
  const groups = Map.groupBy(
    samples.filter(belongs),
    ({ command, contender, latencyMs }) => `${command} ${latencyMs} ${contender}`,
  );
  const order = ["up", "preview", "refresh", "preview --refresh", "discover"];
  const rows = [...groups.values()].flatMap((group) =>
    group[0] === undefined ? [] : [{ first: group[0], group }],
  );
  rows.sort(
    ({ first: left }, { first: right }) =>
      order.indexOf(left.command) - order.indexOf(right.command) || left.latencyMs - right.latencyMs,
  );
  return table(
    ["command", "latency", "", "requests", "time (least to most)", "runs", "program", "host"],
    rows.map(({ first, group }) => {
      const wall = summaryOf(group.map(({ wallMs }) => wallMs / 1_000));
      const memory = (of: (sample: Sample) => number) => {
        const peak = summaryOf(group.map(of)).median;
        return peak === 0 ? "" : `${Math.round(peak / MIB)} MiB`;
      };
      return [
        first.command,
        `${first.latencyMs} ms`,
        first.command === "discover" ? "pulumi-dynamiclink" : CONTENDERS[first.contender].title,
        String(summaryOf(group.map(({ requests }) => requests)).median),
        `${wall.median.toFixed(2)} s (${wall.least.toFixed(2)} to ${wall.most.toFixed(2)})`,
        String(wall.count),
        memory(({ programPeakBytes }) => programPeakBytes),
        memory(({ hostPeakBytes }) => hostPeakBytes),
      ];
    }),
  );
}

/** The time of a refresh by latency. */
async function plot({ samples }: Results): Promise<string> {
  const [vega, vegaLite] = await Promise.all([import("vega"), import("vega-lite")]);
  const values = samples
    .filter(({ command, resources }) => command === "refresh" && resources === 1_000)
    .map(({ contender, latencyMs, wallMs }) => ({
      contender: CONTENDERS[contender].title,
      latencyMs,
      seconds: wallMs / 1_000,
    }));
  const x = { field: "latencyMs", type: "quantitative", title: "latency of the service (ms)" } as const;
  const color = { field: "contender", type: "nominal", title: null } as const;
  const spec: TopLevelSpec = {
    title: "Refresh of 1,000 resources",
    width: 480,
    height: 240,
    background: "white",
    data: { values },
    encoding: { x, color },
    layer: [
      {
        mark: { type: "line", point: true },
        encoding: {
          y: { aggregate: "median", field: "seconds", title: "time (s)", scale: { domainMin: 0 } },
        },
      },
      {
        mark: "rule",
        encoding: {
          y: { aggregate: "min", field: "seconds" },
          y2: { aggregate: "max", field: "seconds" },
        },
      },
    ],
  };
  const view = new vega.View(vega.parse(vegaLite.compile(spec).spec), { renderer: "none" });
  return `${await view.toSVG()}\n`;
}

/** The report of a run, and its exit code. */
import { defaultBehaviour } from "../../testing/emulator";
import type { Gateway } from "./gateway/gateway";
import type { Promises } from "./promises";
import type { observeLag } from "./questions/lag";
import { type Answers, ASKS, NOT_ASKED } from "./questions/questions";

/** What a run has found. What it did not reach is missing. */
export interface Found {
  readonly lag?: Awaited<ReturnType<typeof observeLag>> | undefined;
  readonly promises?: Promises;
  /** Why the run ended before it was complete. */
  readonly failure?: string;
}

/** All about a run, and what it could not delete. */
interface Outcome extends Pick<Gateway, "exchanges" | "differences" | "remarks" | "refused">, Answers, Found {
  readonly isInterrupted: boolean;
  readonly left: readonly string[];
}

/** The exit code. A difference from the service's description may be why a promise fails, so it comes first. */
export function exitCodeOf({ isInterrupted, differences, promises, ...outcome }: Omit<Outcome, "remarks">) {
  if (isInterrupted) return 130;
  if (differences.size > 0) return 2;
  const failures = [...outcome.refused, ...outcome.left, ...(promises?.failed ?? []), outcome.failure ?? ""];
  return failures.join("") === "" ? 0 : 1;
}

/** The report: the paragraphs that say something. */
export function reportOf({ exchanges, behaviour, differences, remarks, left, ...outcome }: Outcome): string {
  const rows = Object.entries(ASKS).map(([option, asked]) => {
    const value = (defaultBehaviour as Readonly<Record<string, unknown>>)[option];
    const cells = [option, shown(value), option in behaviour ? shown(behaviour[option]) : "no answer"];
    return `${cells.map((cell) => cell.padEnd(21)).join(" ")} ${outcome.unanswered[option] ?? asked}`;
  });
  const lags = Object.entries(outcome.lag ?? {}).map(
    ([reads, { medianMs, longestMs }]) => `${reads}: median ${medianMs} ms, longest ${longestMs} ms`,
  );
  const { engine, passed = [], failed = [] } = outcome.promises ?? {};
  const created = exchanges.filter(({ method, status }) => method === "POST" && status === 201).length;
  const counts = `${exchanges.length} responses, ${differences.size} differences from openapi.yaml`;
  const paragraphs: readonly (readonly string[])[] = [
    ["The option, the emulator's default, this service, and what was done", ...rows],
    ["The behaviour, for an emulator", JSON.stringify(behaviour, withoutInfinity)],
    ["Not asked", ...Object.entries(NOT_ASKED).map(([option, what]) => `${option}: ${what}`)],
    ["Lag behind writes", ...lags],
    ["Contract", counts, ...counted(differences)],
    ["Remarks", ...counted(remarks)],
    [`Promises: ${passed.length} passed, ${failed.length} failed on ${engine}`, ...passed, ...failed],
    ["Not sent", ...outcome.refused],
    ["The run is not complete", ...(outcome.failure === undefined ? [] : [outcome.failure])],
    ["Not deleted. Try again later: npm run test:service -- --sweep", ...left],
    [`Created ${created} objects`, ...(left.length === 0 ? ["Deleted all of them."] : [])],
  ];
  const said = paragraphs.filter(({ length }) => length > 1);
  return said.map((lines) => lines.join("\n  ")).join("\n\n");
}

function counted(found: ReadonlyMap<string, number>): string[] {
  return [...found].map(([each, count]) => `${each} (${count} responses)`);
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, withoutInfinity);
}

/** JSON has no infinity. */
function withoutInfinity(_name: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : value;
}

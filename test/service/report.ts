/** The report of a run, and its exit code. */
import { defaultBehaviour } from "../../testing/emulator";
import type { Gateway } from "./gateway";
import { lateness, type Measured } from "./lag";
import type { Promises } from "./promises";
import { type Answers, ASKS, NOT_ASKED } from "./questions";

/** What a run has found. What it did not reach is missing. */
export interface Outcome extends Pick<Gateway, "exchanges" | "differences" | "refused">, Answers {
  readonly lag?: Readonly<Record<string, Measured>>;
  readonly rate?: string;
  readonly promises?: Promises;
  /** Why the run ended before it was complete. */
  readonly failure?: string;
  readonly isInterrupted: boolean;
  /** What could not be deleted. */
  readonly left: readonly string[];
}

/** The exit code. A difference from the service's description may be why a promise fails, so it comes first. */
export function exitCodeOf({
  differences,
  refused,
  promises,
  failure = "",
  isInterrupted,
  left,
}: Outcome): number {
  if (isInterrupted) return 130;
  if (differences.size > 0) return 2;
  return [...refused, ...left, ...(promises?.failed ?? [])].length > 0 || failure !== "" ? 1 : 0;
}

/** The report: paragraphs that are not empty. */
export function reportOf({ exchanges, differences, refused, promises, left, ...run }: Outcome): string {
  const { behaviour, unanswered, lag = {}, failure = "", rate = "not measured" } = run;
  const created = exchanges.filter(({ method, status }) => method === "POST" && status === 201).length;
  const rows = Object.entries(defaultBehaviour).map(([option, value]) => {
    const cells = [option, shown(value), option in behaviour ? shown(behaviour[option]) : "no answer"];
    return `${cells.map((cell) => cell.padEnd(21)).join(" ")} ${unanswered[option] ?? ASKS[option]}`;
  });
  const lags = Object.entries(lag).map(([read, measured]) => {
    const { median, longest } = lateness(measured);
    return `${read}: median ${median} ms, longest ${longest} ms of ${measured.samples.length} writes`;
  });
  const { engine, passed = [], failed = [], skipped = [] } = promises ?? {};
  const paragraphs: Record<string, readonly string[]> = {
    "The option, the emulator's default, this service, and what was done": rows,
    "The behaviour, for an emulator": [JSON.stringify(behaviour, withoutInfinity)],
    "Not asked": Object.entries(NOT_ASKED).map(([option, what]) => `${option}: ${what}`),
    "Lag behind writes": lags,
    "Rate of refusals": [rate],
    [`Contract: ${exchanges.length} responses, ${differences.size} differences from the API description`]: [
      ...[...differences].map(([difference, count]) => `${difference} (${count} responses)`),
    ],
    [`Promises: ${passed.length} scenarios passed and ${failed.length} failed on ${engine}`]: [
      ...passed,
      ...failed,
    ],
    "Skipped, because the service has no such custom domains": skipped,
    "Not sent, because no run has created the object": refused,
    "The run is not complete": [failure],
    "Not deleted. Try again later: npm run test:service -- --sweep": left,
    [`Created ${created} objects`]: left.length === 0 ? ["Deleted all of them."] : [],
  };
  const shownOnes = Object.entries(paragraphs).filter(
    ([title, lines]) => title.startsWith("Contract") || `${lines}` !== "",
  );
  return shownOnes.map(([title, lines]) => [title, ...lines].join("\n  ")).join("\n\n");
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, withoutInfinity);
}

/** JSON has no infinity. */
function withoutInfinity(_name: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : value;
}

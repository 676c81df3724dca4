/** The report of a run, and its exit code. */
import { type Behaviour, defaultBehaviour } from "../../testing/emulator";
import type { Gateway } from "./gateway";
import { lateness, type Measured } from "./lag";
import type { Promises } from "./promises";
import { ASKS, NOT_ASKED, type Option } from "./questions";

/** What a run has found. What it did not reach is missing. */
export interface Outcome extends Pick<Gateway, "exchanges" | "differences" | "refused"> {
  readonly behaviour?: Partial<Behaviour>;
  readonly unanswered?: Readonly<Record<string, string>>;
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
  failure,
  isInterrupted,
  left,
}: Outcome): number {
  if (isInterrupted) return 130;
  if (differences.size > 0) return 2;
  const failures = [
    ...refused,
    ...left,
    ...(promises?.failed ?? []),
    ...(failure === undefined ? [] : [failure]),
  ];
  return failures.length > 0 ? 1 : 0;
}

/** The lines of the report. */
export function reportOf({ exchanges, differences, refused, promises, left, ...run }: Outcome): string[] {
  const { behaviour = {}, unanswered = {}, lag = {}, failure, rate } = run;
  const created = exchanges.filter(({ method, status }) => method === "POST" && status === 201).length;
  const rows = Object.entries(defaultBehaviour).map(([option, value]) => {
    const cells = [
      option,
      shown(value),
      option in behaviour ? shown(behaviour[option as Option]) : "no answer",
    ];
    return `${cells.map((cell) => cell.padEnd(21)).join(" ")} ${unanswered[option] ?? ASKS[option]}`;
  });
  return [
    ...titled(
      `Contract: ${exchanges.length} responses, ${differences.size} differences from the API description`,
      [...differences].map(([difference, count]) => `${difference} (${count} responses)`),
    ),
    ...titled("Behaviour: the option, the emulator's default, this service, and what was done", rows),
    ...titled("For the emulator", [JSON.stringify(behaviour, withoutInfinity)]),
    ...titled("Not asked", NOT_ASKED),
    ...Object.entries(lag).map(([read, measured]) => {
      const { median, longest } = lateness(measured);
      return `Lag of ${read}: median ${median} ms, longest ${longest} ms of ${measured.samples.length} writes`;
    }),
    ...(rate === undefined ? [] : [`Rate: ${rate}`]),
    ...(promises === undefined
      ? []
      : [
          ...titled(`Promises: ${promises.passed.length} held on ${promises.engine}`, promises.passed),
          ...titled(`Failed: ${promises.failed.length}`, promises.failed),
          ...titled(
            `Skipped, because the service has no such domains: ${promises.skipped.length}`,
            promises.skipped,
          ),
        ]),
    ...(refused.length === 0 ? [] : titled("Not sent, because no run has created the object", refused)),
    ...(failure === undefined ? [] : [failure]),
    ...(left.length === 0
      ? [`Created ${created} objects, and deleted all of them.`]
      : titled("Not deleted. Try again later: npm run test:service -- --sweep", left)),
  ];
}

function titled(title: string, lines: readonly string[]): string[] {
  return [title, ...lines.map((line) => `  ${line}`)];
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, withoutInfinity);
}

/** JSON has no infinity. */
function withoutInfinity(_name: string, value: unknown): unknown {
  return value === Number.POSITIVE_INFINITY ? Number.MAX_SAFE_INTEGER : value;
}

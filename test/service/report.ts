/** The report of a run, and its exit code. */
import { type Behaviour, defaultBehaviour } from "../../testing/emulator";
import type { Gateway } from "./gateway";
import { lagPhrase, type measureLag } from "./lag";
import type { Promises } from "./promises";
import { NOT_ASKED, type Option, QUESTIONS } from "./questions";

/** What a run has found. */
export interface Outcome {
  readonly gateway: Gateway;
  readonly behaviour: Partial<Behaviour>;
  readonly unanswered: Readonly<Record<string, string>>;
  readonly lag?: Awaited<ReturnType<typeof measureLag>>;
  readonly promises?: Promises;
  readonly rate?: string;
  /** Why the run ended before it was complete. */
  readonly failure?: string;
  readonly isInterrupted: boolean;
  /** What it could not delete. */
  readonly left: readonly string[];
}

/** The exit code: a difference from the service's description is 2, any other failure 1, an interruption 130. */
export function codeOf({ gateway, promises, failure, isInterrupted, left }: Outcome): number {
  if (isInterrupted) return 130;
  if (gateway.differences.size > 0) return 2;
  const isComplete = failure === undefined && promises !== undefined && promises.failed.length === 0;
  return isComplete && gateway.refused.length === 0 && left.length === 0 ? 0 : 1;
}

/** The lines of the report. */
export function reportOf({ gateway, behaviour, unanswered, lag, promises, ...run }: Outcome): string[] {
  const { exchanges, differences, refused } = gateway;
  const { failed = [], skipped = [], passed = [] } = promises ?? {};
  const seen = [...differences].map(([difference, count]) => `${difference} (${count} responses)`);
  const created = exchanges.filter(({ method, status }) => method === "POST" && status === 201).length;
  return [
    ...titled(`Contract: ${exchanges.length} responses, ${seen.length} differences from openapi.yaml`, seen),
    ...titled("Behaviour: option, the emulator's default, this service (and what was done)", [
      ...Object.entries(defaultBehaviour).map(([option, value]) => {
        const answer = option in behaviour ? shown(behaviour[option as Option]) : "no answer";
        const how = unanswered[option] ?? QUESTIONS[option as Option]?.asks;
        return `${option.padEnd(20)} ${shown(value).padEnd(22)} ${answer.padEnd(22)} (${how})`;
      }),
    ]),
    ...titled("As JSON, for the emulator:", [JSON.stringify(behaviour, finite)]),
    ...titled("Not asked", NOT_ASKED),
    ...(lag === undefined
      ? []
      : titled(
          "Lag",
          Object.entries(lag).map(([read, each]) => `${read}: ${lagPhrase(each)}`),
        )),
    ...(run.rate === undefined ? [] : [`Rate: ${run.rate}`]),
    ...titled(
      `Promises, on ${promises?.host ?? "nothing"}: ${passed.length} passed, ${failed.length} failed`,
      [...failed.map(({ name, message }) => `${name}\n${message}`)],
    ),
    ...titled(`Skipped: ${skipped.length}`, skipped),
    ...(refused.length === 0
      ? []
      : titled("Writes to something that no run has created were not sent", refused)),
    ...(run.failure === undefined ? [] : [run.failure]),
    ...(run.left.length === 0
      ? [`Created ${created} objects, and deleted all of them.`]
      : titled("Not deleted. Try again later: npm run test:service -- --sweep", run.left)),
  ];
}

function titled(title: string, lines: readonly string[]): string[] {
  return [title, ...lines.map((line) => `  ${line}`)];
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, finite) ?? "");
}

/** JSON has no infinity. */
function finite(_name: string, value: unknown): unknown {
  return value === Infinity ? Number.MAX_SAFE_INTEGER : value;
}

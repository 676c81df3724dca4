/** What questions use: requests whose responses they look at, objects of the run, and polling. */
import type { Clock } from "../../provider/client";
import type { Call } from "./access";
import type { Exchange } from "./gateway";

/** Why a question has no answer here, as a sentence. */
export class Unanswered extends Error {}

/** The service that is asked. */
export interface Asked {
  readonly call: Call;
  readonly exchanges: readonly Exchange[];
  readonly clock: Clock;
  /** Begins every name. */
  readonly prefix: string;
  /** The domain of hostnames. */
  readonly domain: string;
  /** Whether somebody sets the DNS records of custom domains. */
  readonly hasDns: boolean;
  /** How many writes are measured. */
  readonly samples: number;
  print(line: string): void;
  /** The result of a function, which is called once for all questions. */
  once<Result>(observe: (asked: Asked) => Promise<Result>): Promise<Result>;
}

/** The fields of a response. */
export type Fields = { readonly [name: string]: unknown };

/** The body of a response with one of these statuses. @throws Unanswered */
export function bodyOf({ operationId, status, answer }: Exchange, ...expected: readonly number[]): Fields {
  if (!expected.includes(status)) throw new Unanswered(`${operationId} returned ${status}.`);
  return (answer ?? {}) as Fields;
}

/** Creates a project. Returns its fields. */
export async function newProject({ call, prefix }: Asked, name: string): Promise<Fields & { id: string }> {
  const created = await call("createProject", {}, { project_name: `${prefix}${name}` });
  return bodyOf(created, 201) as Fields & { id: string };
}

/** How many reads follow each other at once before they are a second apart. */
const AT_ONCE = 6;

/** Reads until a condition holds, at first without waits. Returns what was read last. Ends after a time. */
export async function poll<Result>(
  { clock }: Asked,
  read: () => Promise<Result>,
  isEnough: (result: Result) => boolean,
  { limitMs = 30_000, stepMs = 1_000 } = {},
): Promise<Result> {
  const startMs = clock.now();
  for (let count = 1; ; count++) {
    const result = await read();
    if (isEnough(result) || clock.now() - startMs > limitMs) return result;
    if (count > AT_ONCE) await clock.sleep(stepMs);
  }
}

/** The roundest number in an interval without its lower end. */
export function roundest(low: number, high: number): number {
  const middle = (low + high) / 2;
  for (let digits = 0; ; digits++) {
    const rounded = Number(middle.toFixed(digits));
    if ((rounded > low && rounded <= high) || digits > 6) return rounded;
  }
}

/** What questions use: the service, and objects of the run in it. */
import type { Clock } from "../../provider/client";
import type { Exchange, Gateway } from "./gateway";

/** Why a question has no answer here, as a sentence. */
export class Unanswered extends Error {}

/** The service that is asked. */
export interface Asked extends Pick<Gateway, "call" | "exchanges"> {
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

/** The fields of an object. */
export type Fields = { readonly [name: string]: unknown };

/** The body of a response with this status. @throws Unanswered */
export function bodyOf({ operationId, status, answer }: Exchange, expected: number): Fields & { id: string } {
  if (status !== expected) throw new Unanswered(`${operationId} returned ${status}.`);
  return (answer ?? {}) as Fields & { id: string };
}

/** Creates a project. Returns its fields. */
export async function newProject({ call, prefix }: Asked, name: string): Promise<Fields & { id: string }> {
  return bodyOf(await call("createProject", {}, { project_name: `${prefix}${name}` }), 201);
}

/** Reads until a response has a status, at first without waits. Resolves with the number of other responses before. */
export async function readsUntil(
  { clock }: Asked,
  status: number,
  read: () => Promise<Exchange>,
  { atOnce = 6, waitMs = 1_000, max = 60 } = {},
): Promise<number> {
  for (let reads = 0; reads < max; reads++) {
    if ((await read()).status === status) return reads;
    if (reads > atOnce) await clock.sleep(waitMs);
  }
  return Number.POSITIVE_INFINITY;
}

/** The roundest number in an interval without its lower end. */
export function roundest(low: number, high: number): number {
  const digits = [0, 1, 2, 3].map((count) => Number(((low + high) / 2).toFixed(count)));
  return digits.find((rounded) => rounded > low && rounded <= high) ?? high;
}

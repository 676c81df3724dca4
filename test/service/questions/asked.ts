/** What questions use: the service, and objects of the run in it. */
import type { Clock } from "../../../provider/client";
import { type Gateway, Unanswered } from "../gateway/gateway";

/** The fields of an object. */
export type Fields = { readonly [name: string]: unknown; readonly id: string };

type Request = Parameters<Gateway["call"]>;
type Reader = Pick<Asked, "call" | "clock">;

/** The service, and how it is asked. */
export interface Asked extends Pick<Gateway, "call" | "exchanges"> {
  readonly clock: Clock;
  /** Begins every name. */
  readonly prefix: string;
  /** The domain of hostnames, and whether somebody sets its DNS records. */
  readonly domain: string;
  readonly hasDns: boolean;
  /** How many writes are measured. */
  readonly samples: number;
  print(line: string): void;
  /** Sends a request about objects that exist. The lookup that a write begins with may be behind their creation. */
  readonly callOnExisting: Gateway["call"];
  /** Sends a request that must succeed. Resolves with the fields of the response. @throws Unanswered */
  send(...request: Request): Promise<Fields>;
  newProject(name: string): Promise<Fields>;
  readsUntil(status: number, ...request: Request): Promise<number>;
  /** The result of an observation, which is made once for all questions. */
  once<Result>(observe: (asked: Asked) => Promise<Result>): Promise<Result>;
}

/** How many reads follow each other at once, to see whether reads or the time have an effect. */
export const AT_ONCE = 6;
export const STEP_MS = 1_000;
/** How far reads and lookups may be behind, and the reads in that time. */
export const LAG_SECONDS = 30;
export const LAG_READS = AT_ONCE + LAG_SECONDS + 1;

/** Adds what all questions need. */
export function askedOf(
  service: Omit<Asked, "send" | "callOnExisting" | "newProject" | "readsUntil" | "once">,
): Asked {
  const results = new Map<unknown, Promise<unknown>>();
  const asked: Asked = {
    ...service,
    async send(...request) {
      const { operationId, status, answer } = await asked.callOnExisting(...request);
      if (status >= 300) throw new Unanswered(`${operationId} returned ${status}.`);
      return (answer ?? {}) as Fields;
    },
    async callOnExisting(...request) {
      for (let tries = 1; ; tries++) {
        const exchange = await service.call(...request);
        if (exchange.status !== 404 || tries > LAG_SECONDS) return exchange;
        await service.clock.sleep(STEP_MS);
      }
    },
    newProject: (name) => asked.send("createProject", {}, { project_name: `${service.prefix}${name}` }),
    readsUntil: (status, ...request) => readsUntil(service, status, request),
    once<Result>(observe: (all: Asked) => Promise<Result>) {
      const result = results.get(observe) ?? observe(asked);
      results.set(observe, result);
      return result as Promise<Result>;
    },
  };
  return asked;
}

/** Reads until a response has a status, at first without waits. Resolves with the number of other responses before. */
export async function readsUntil({ call, clock }: Reader, status: number, request: Request, max = 120) {
  for (let reads = 0; reads < max; reads++) {
    if ((await call(...request)).status === status) return reads;
    if (reads > AT_ONCE) await clock.sleep(STEP_MS);
  }
  return Number.POSITIVE_INFINITY;
}

/** The result of an observation; undefined if the service has no answer. */
export async function ifAvailable<Result>(observed: Promise<Result>): Promise<Result | undefined> {
  return await observed.catch((error) => {
    if (!(error instanceof Unanswered)) throw error;
    return undefined;
  });
}

/** The roundest number in an interval without its lower end. */
export function roundest(low: number, high: number): number {
  const digits = [0, 1, 2, 3].map((count) => Number(((low + high) / 2).toFixed(count)));
  return digits.find((rounded) => rounded > low && rounded <= high) ?? high;
}

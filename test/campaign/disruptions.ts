/** What goes wrong during a command of the fault campaign. */
import fc from "fast-check";
import type { FaultEffect, OperationId } from "../../testing/emulator";
import { handlers } from "../../testing/emulator/operations";
import { wireApplication, wireCredential, wireDomain, wireProject } from "../support/values/wireObjects";
import type { ValueOf } from "./program";

/** A fault between the provider and the service. */
export interface ServiceFault {
  readonly kind: string;
  readonly operation: readonly OperationId[] | "*";
  readonly skip: number;
  readonly count: number;
}

/** The time limit of a request while faults are injected, in milliseconds. */
export const TIMEOUT_MS = 300;
/** How late the response to a write is during which a command is cancelled: longer than a cancelled read may continue. */
export const LATE_MS = 600;

const READS = operations(/^(get|list)/);
/** Reads of a single object. */
const SINGLE_READS = operations(/^get(?!Current)/);
/** Lists in which the provider looks for objects. No service shows which links a list lacks. */
const LISTS = operations(/^list(?!.*Links)/);
const CREATES = operations(/^create(?!.*Link)/);
const CHANGES = operations(/^(update|save)/);
const DELETES = operations(/^delete/);

function operations(name: RegExp): OperationId[] {
  return (Object.keys(handlers) as OperationId[]).filter((each) => name.test(each));
}
type Operations = ServiceFault["operation"];
const operation = fc.constantFrom<Operations>("*", READS, CREATES, CREATES, CREATES, CHANGES, DELETES);

/** The target of redirects. Nothing listens there. */
export const REDIRECT_TARGET = "http://127.0.0.1:9/elsewhere";
const WRONG_ID = "0f0f0f0f-0000-4000-8000-00000000000f";
/** A valid object of any kind with another id. */
const wrongObject = {
  ...{ ...wireCredential, ...wireProject, ...wireApplication, ...wireDomain },
  ...{ id: WRONG_ID, organization_id: WRONG_ID, project_id: WRONG_ID, created_by_user_id: WRONG_ID },
  ...{ project_name: "Another", hostname: "another.shop.example", lifecycle_status: "ACTIVE" },
};

/** A response from a replica that does not have the object yet. */
export const LAGGING_READ = "lagging read";
/** A list from a replica that has none of the objects yet. */
export const LAGGING_LIST = "lagging list";
/** The response to a create is about an object that existed before. */
export const WRONG_RESULT = "wrong result";

/** Every kind of fault that is consistent with the documented meaning of a status. Some quote a key. */
function effects(echo: string): Readonly<Record<string, FaultEffect>> {
  return {
    "400": { status: 400, message: ["name is odd", echo] },
    "401": { status: 401, message: `Who is ${echo}?` },
    "403": { status: 403 },
    "409": { status: 409 },
    "429": { status: 429, retryAfter: 3 },
    ...beforeAndAfter("500", { status: 500, message: echo }),
    ...beforeAndAfter("502", { status: 502 }),
    "503 with Retry-After": { status: 503, retryAfter: 2 },
    ...beforeAndAfter("503", { status: 503 }),
    ...beforeAndAfter("504", { status: 504 }),
    "reset before": { reset: "before" },
    "reset after": { reset: "after" },
    ...beforeAndAfter("hang", { hang: true }),
    "late effect": { delayMs: TIMEOUT_MS * 2 },
    malformed: { malformed: true },
    truncated: { truncated: true },
    redirect: { redirect: REDIRECT_TARGET },
    "foreign 404 before": { foreign: 404 },
    "foreign 404 after": { foreign: 404, text: echo, echoRequestId: true, afterEffect: true },
    ...beforeAndAfter("foreign 409", { foreign: 409 }),
    // A gateway that limits requests by itself, or that gave up waiting.
    "foreign 429 before": { foreign: 429, retryAfter: 1 },
    ...beforeAndAfter("foreign 503", { foreign: 503, retryAfter: 1 }),
    ...beforeAndAfter("foreign 200", { foreign: 200, text: echo }),
    "empty object": { body: {} },
    "not an object": { body: ["<html>", echo] },
    "another object": { body: wrongObject },
    "broken list": { body: { projects: [{}], applications: [null], custom_domains: ["?"] } },
    "list of others": {
      body: { projects: [wrongObject], applications: [wrongObject], custom_domains: [wrongObject] },
    },
    [LAGGING_READ]: { status: 404, message: "Not found." },
    [LAGGING_LIST]: { body: withoutItems },
    // Which one, is chosen when the request arrives.
    ...beforeAndAfter(WRONG_RESULT, { object: WRONG_ID }),
  };
}

/** The effect in place of that of the request, and after it. */
function beforeAndAfter(name: string, effect: FaultEffect): Readonly<Record<string, FaultEffect>> {
  return { [`${name} before`]: effect, [`${name} after`]: { ...effect, afterEffect: true } };
}

function withoutItems(body: unknown): unknown {
  if (typeof body !== "object" || body === null) return body;
  const emptied = (value: unknown) => (Array.isArray(value) ? [] : value);
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, emptied(value)]));
}

/** The operations of kinds that do not apply to all. */
const ONLY_IN: Readonly<Record<string, OperationId[]>> = {
  "another object": [...SINGLE_READS, ...operations(/^list/), ...CHANGES, ...CREATES],
  "list of others": [...SINGLE_READS, ...operations(/^list/), ...CHANGES],
  [LAGGING_READ]: SINGLE_READS,
  [LAGGING_LIST]: LISTS,
  [`${WRONG_RESULT} before`]: CREATES,
  [`${WRONG_RESULT} after`]: CREATES,
};

/** The key that the campaign's own organization uses first; replaced keys end in another number. */
export const CANARY = "canary-key-of+the/fault=campaign-";
/** The key of an organization that owns none of the objects. */
export const OTHER_KEY = "bother-key-of+the/fault=campaign-0";

export function effectOf(kind: string, key: string): FaultEffect {
  return effects(key)[kind] as FaultEffect;
}

const KINDS = Object.keys(effects(""));
const fault: fc.Arbitrary<ServiceFault> = fc
  .record({
    // These responses are as frequent as all others of their operations together.
    kind: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...KINDS) },
      { weight: 2, arbitrary: fc.constantFrom(LAGGING_READ, LAGGING_LIST) },
      { weight: 1, arbitrary: fc.constantFrom(`${WRONG_RESULT} before`, `${WRONG_RESULT} after`) },
    ),
    operation,
    skip: fc.nat({ max: 3 }),
    count: fc.integer({ min: 1, max: 3 }),
  })
  .map((chosen) => ({ ...chosen, operation: ONLY_IN[chosen.kind] ?? chosen.operation }));
/**
 * What happens to the processes of a command: all die, as with the machine; the providers die, while the engine lives; or the
 * user presses Ctrl-C.
 */
const incident = fc.record({
  kind: fc.constant("incident"),
  incident: fc.constantFrom("machine", "providers", "cancel"),
  atRequest: fc.integer({ min: 1, max: 12 }),
});
/** A change of an object in the console, between the provider's read and its write. */
const consoleChange = fc.record({
  kind: fc.constant("console"),
  atWrite: fc.integer({ min: 1, max: 2 }),
  pick: fc.nat({ max: 1 }),
});

export type Disruption = ValueOf<typeof incident> | ValueOf<typeof consoleChange> | ServiceFault;
export type Incident = ValueOf<typeof incident>["incident"];

export const disruption: fc.Arbitrary<Disruption[]> = fc.array(
  fc.oneof({ arbitrary: fault, weight: 3 }, incident, consoleChange),
  { minLength: 0, maxLength: 3 },
);

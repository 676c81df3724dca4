/** The operations of a kind of objects on a service that is a record in memory. */
import { z } from "zod";
import type { Scope } from "../../../provider/client";
import { BadRequestError, ConflictError, NotFoundError } from "../../../provider/client/errors";
import { uuid } from "../../../provider/client/model/formats";
import type { Found, OperationContext, ResourceDescription } from "../../../provider/lifecycle/description";
import { type Fact, type FactKind, objectKey } from "../../../provider/lifecycle/ledger/facts";
import { newLedger } from "../../../provider/lifecycle/ledger/ledger";
import * as operations from "../../../provider/lifecycle/operations";
import type { Properties } from "../../../provider/lifecycle/properties";
import type { ResourceRun } from "../../../provider/lifecycle/run/runContext";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";

export const A = "0c0c0c0c-0000-4000-8000-00000000000a";
export const B = "0c0c0c0c-0000-4000-8000-00000000000b";
export const NEW = "0c0c0c0c-0000-4000-8000-00000000000c";
export const PLACE = "0d0d0d0d-0000-4000-8000-000000000001";
export const OTHER_PLACE = "0d0d0d0d-0000-4000-8000-000000000002";
export const UNKNOWN = "not known yet";
export const SHOP = { name: "Shop", place: PLACE };
export const STATE = { ...SHOP, createdAt: "then", __organization: "organization" };

const AT = "2026-01-01T10:00:00Z";
const FAILURE = { operation: "getProject", activity: "Reading it", attempts: 1, effect: "none" } as const;
export const NOT_FOUND = new NotFoundError(FAILURE, { status: 404, messages: [] });
export const CONFLICT = new ConflictError(FAILURE, { status: 409, messages: [] });
export const REFUSED = new BadRequestError(FAILURE, { status: 400, messages: [] });
const REPEATED = { ...FAILURE, attempts: 2, effect: "unknown" } as const;
/** After an attempt whose response was lost. */
export const CONFLICT_AGAIN = new ConflictError(REPEATED, { status: 409, messages: [] });
export const REFUSED_AGAIN = new BadRequestError(REPEATED, { status: 400, messages: [] });
export const BROKEN = new Error("broken");

/** Of a kind whose resources wait for or read something else. */
export const CREATES_NOTHING = { creates: { is: "nothing", of: { title: "item" } } };

/** The pauses of a wait for what replicas may show late. */
export const FOR_30_S = [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 4_250];

/** Replies in this order. The last one is repeated. */
export function replyWith<Reply>(all: readonly (Error | Reply)[]) {
  let count = 0;
  return jest.fn(async () => {
    const reply = all[Math.min(count++, all.length - 1)];
    if (reply instanceof Error) throw reply;
    return reply;
  });
}

export function ledgerWith(facts: readonly Fact[]) {
  const ledger = newLedger();
  for (const fact of facts) ledger.record(fact);
  return ledger;
}

interface Situation {
  readonly things?: Readonly<Record<string, Properties>>;
  readonly kind?: object;
  readonly run?: Partial<ResourceRun>;
  readonly scopes?: readonly Scope[];
  readonly readOnly?: boolean;
  readonly client?: object;
  /** Facts about the thing A, of another resource unless the row says otherwise. */
  readonly facts?: readonly FactKind[];
  readonly by?: string;
}

export function setUp({
  things = { [A]: SHOP },
  kind = {},
  run: more = {},
  scopes = ["projects:read", "projects:write"],
  readOnly = false,
  client: ofClient = {},
  facts = [],
  by = "other",
}: Situation = {}) {
  const service = new Map(Object.entries(things));
  const requests: string[] = [];
  const reports: (readonly [message: string, options?: object])[] = [];
  const memory = newRunMemory();
  for (const is of facts) memory.ledger.record({ is, object: objectKey("thing", A), by });
  const found = (id: string): Found => ({
    uuid: id,
    properties: { createdAt: "then", ...service.get(id) },
    createdAt: AT,
  });
  const request = (operation: string, id: string): Found => {
    requests.push(operation);
    if (!service.has(id)) throw NOT_FOUND;
    return found(id);
  };
  const description = {
    type: "Thing",
    title: "thing",
    scopes: { read: ["projects:read"], write: ["projects:write"] },
    inputs: z.strictObject({ name: z.string(), place: uuid, color: z.string().nullish() }),
    outputs: z.object({ createdAt: z.string() }),
    replaceOnChanges: ["place"],
    uniqueBy: "name",
    list: ({ client: { listProjects } }: { readonly client: typeof client }, { place }: Properties) =>
      listProjects({ place }),
    read: async (_context: OperationContext, id: string) => request("read", id),
    async create(_context: OperationContext, inputs: Properties) {
      service.set(NEW, inputs);
      return request("create", NEW);
    },
    async update(_context: OperationContext, id: string, change: Record<"inputs" | "changed", object>) {
      const updated = request(`update ${change.changed}`, id);
      service.set(id, { ...change.inputs });
      return { ...updated, ...found(id) };
    },
    creates: { is: "object" },
    deletion: {
      async send(_context: OperationContext, id: string) {
        request("delete", id);
        service.delete(id);
      },
    },
    ...kind,
  } as unknown as ResourceDescription;
  const identity = async () => ({ organizationId: "organization", scopes, keyPrefix: "key" });
  const client = {
    withOptions: () => client,
    sanitized: (value: unknown) => value,
    serviceTime: () => new Date(AT),
    async listProjects(_request: object) {
      requests.push("list");
      return [...service.keys()].map(found);
    },
    async getProject({ projectId }: { readonly projectId: string }, { signal }: { signal: unknown }) {
      expect(signal).toBeInstanceOf(AbortSignal);
      requests.push(`place ${projectId}`);
    },
    ...ofClient,
  };
  const run = {
    description,
    session: { client, readOnly, identity, lookUpIdentity: identity, sources: { check: "" } },
    signal: new AbortController().signal,
    report: (...report: readonly [string, object?]) => void reports.push(report),
    clock: { now: () => 0, sleep: async () => {} },
    isUnknown: (value: unknown) => value === UNKNOWN,
    memory,
    ...more,
  } as unknown as ResourceRun;
  return {
    ...operations,
    run,
    service,
    requests,
    reports,
    /** The current facts about a thing, each with its resource. */
    factsAbout: (id: string) => memory.ledger.about(objectKey("thing", id)).map((fact) => [fact.is, fact.by]),
  };
}

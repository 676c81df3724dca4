/**
 * The only way from a run to the service, for its own requests and for the processes of Pulumi. It journals what a request
 * creates before it sends it, refuses writes to anything that no run has created, and records and validates every response.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../../provider/client";
import { isUuid } from "../../../provider/values/uuid";
import type { OperationId } from "../../../testing/emulator";
import { loadContract } from "../../../testing/emulator/contract/contract";
import type { Settings } from "../settings";
import type { Journal } from "./journal";
import { type Headers, startRecordingProxy } from "./recordingProxy";
import { differencesOf, remarksOf } from "./responseDifferences";
import { namesIn, objectsIn } from "./serviceObjects";

/** A request, and the response: its body as it arrived, and its JSON, with UUIDs in lower case. */
export interface Exchange {
  readonly operationId: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly requestId: string | undefined;
  readonly status: number;
  readonly headers: Headers;
  readonly received: string;
  readonly answer: unknown;
}

export type Gateway = ReturnType<typeof createGateway>;
type ServiceSettings = Pick<Settings, "apiUrl" | "apiKey" | "organization" | "directory">;

const CONTRACT = loadContract("openapi.yaml");
const TIMEOUT_MS = 60_000;
const RATE_LIMITED = 429;
const UNAVAILABLE = 503;
const MAX_REPETITIONS = 5;
const DEFAULT_WAIT_SECONDS = 5;

/** Why a question has no answer here. */
export class Unanswered extends Error {}

/** Creates the gateway to the service of the settings. Its log has a line for each request, without keys and bodies. */
export function createGateway(settings: ServiceSettings, journal: Journal, clock: Clock) {
  const exchanges: Exchange[] = [];
  const refused: string[] = [];
  const differences = new Map<string, number>();
  const remarks = new Map<string, number>();
  const log = join(settings.directory, `${journal.prefix}requests.log`);

  /** Sends a request. @throws Error if there is no response. */
  async function exchange(method: string, target: string, sent: Headers, content = ""): Promise<Exchange> {
    const path = target.replace(/\?.*/s, "");
    const match = CONTRACT.match(method, path);
    const { "x-request-id": requestId } = sent;
    const body = parsed(content);
    const request = { operationId: match?.operation.operationId, method, path, requestId };
    const other = method === "GET" ? undefined : notOwn(match?.path, body);
    if (other !== undefined) {
      refused.push(`${method} ${path}: no run has created ${other}`);
      return { ...request, ...refusal(`no run has created ${other}`, requestId) };
    }
    if (method === "POST") for (const creates of namesIn(body)) journal.write({ creates });
    let status: number | undefined;
    try {
      const response = await fetch(settings.apiUrl.replace(/\/+$/, "") + target, {
        ...{ method, headers: sent as Record<string, string>, redirect: "manual" },
        ...{ signal: AbortSignal.timeout(TIMEOUT_MS), ...(content !== "" && { body: content }) },
      });
      const received = await response.text();
      status = response.status;
      const headers = Object.fromEntries(response.headers);
      const exchanged = { ...request, status, headers, received, answer: parsed(received) };
      learnFrom(exchanged);
      exchanges.push(exchanged);
      for (const it of differencesOf(CONTRACT, exchanged))
        differences.set(it, (differences.get(it) ?? 0) + 1);
      for (const it of remarksOf(CONTRACT, exchanged)) remarks.set(it, (remarks.get(it) ?? 0) + 1);
      return exchanged;
    } finally {
      appendFileSync(log, `${new Date().toISOString()} ${method} ${path} ${status ?? "no response"}\n`);
    }
  }

  /** What a write refers to, or names, that is not a run's own. */
  function notOwn(path: Headers = { operation: "an unknown operation" }, body: unknown): string | undefined {
    const { project_id, custom_domain_id } = (body ?? {}) as Headers;
    const targets = [...Object.values({ ...path, organization_id: null }), project_id, custom_domain_id];
    const other = targets.find((id) => typeof id === "string" && !journal.isOwn(id));
    return other ?? namesIn(body).find((name) => !journal.isOwnName(name));
  }

  /** Recognizes what a run has created, also if the response to the create was lost. */
  function learnFrom({ method, path, status, answer }: Exchange): void {
    // A domain is still being deleted after 204.
    if (method === "DELETE" && (status === 404 || (status === 204 && !path.includes("/custom-domains/"))))
      journal.write({ deleted: path.split("/").at(-1) ?? "" });
    for (const created of objectsIn(answer)) {
      const { id, name, projectId } = created;
      const isInOwn = projectId === undefined || journal.isOwn(projectId);
      const isNamed = name === undefined ? projectId !== undefined : journal.isOwnName(name);
      if (isInOwn && isNamed && !journal.isOwn(id)) journal.write({ created });
    }
  }

  /** Sends the request of an operation, again after a refusal; if it is not a POST, also without a response. @throws Unanswered */
  async function call(id: OperationId, values: Headers = {}, body?: object, before = 0): Promise<Exchange> {
    const { method = "", path = "" } =
      CONTRACT.operations.find(({ operationId }) => operationId === id) ?? {};
    const all: Headers = { organization_id: settings.organization, ...values };
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => all[name] ?? "");
    const query = values.cursor === undefined ? "" : `?cursor=${encodeURIComponent(values.cursor)}`;
    const ids = { "x-api-key": settings.apiKey, "x-request-id": randomUUID() };
    const headers = body === undefined ? ids : { ...ids, "content-type": "application/json" };
    const isLast = before === MAX_REPETITIONS;
    const isRepeatable = method !== "post";
    const sent = exchange(method.toUpperCase(), target + query, headers, JSON.stringify(body));
    const exchanged = await sent.catch((error: Error) => {
      if (isLast || !isRepeatable) throw new Unanswered(`${id} got no response: ${error.cause ?? error}`);
    });
    const status = exchanged?.status ?? UNAVAILABLE;
    const retryAfter = exchanged?.headers["retry-after"];
    const canRepeat = isRepeatable || retryAfter !== undefined;
    const isTemporary = status === RATE_LIMITED || (status === UNAVAILABLE && canRepeat);
    if (exchanged !== undefined && (isLast || !isTemporary)) return exchanged;
    await clock.sleep(1_000 * (Number(retryAfter) || DEFAULT_WAIT_SECONDS));
    return await call(id, values, body, before + 1);
  }

  /** Starts the proxy, which sends nothing once the signal has aborted. */
  function startProxy(signal: AbortSignal) {
    return startRecordingProxy(async (method, target, sent, content) => {
      if (signal.aborted) return refusal("it was stopped", sent["x-request-id"]);
      return await exchange(method, target, sent, content);
    });
  }

  return { exchanges, refused, differences, remarks, log, call, startProxy };
}

/** A response in the form of the service, so that no client repeats the request. */
function refusal(reason: string, requestId: string | undefined) {
  const answer = { statusCode: 403, message: `The acceptance run does not send this request: ${reason}.` };
  const headers: Headers = { "content-type": "application/json", "x-request-id": requestId };
  return { status: 403, headers, received: JSON.stringify(answer), answer };
}

function parsed(text: string): unknown {
  const inLowerCase = (_: string, value: unknown) => (isUuid(value) ? value.toLowerCase() : value);
  try {
    return text === "" ? undefined : JSON.parse(text, inLowerCase);
  } catch {
    return text;
  }
}

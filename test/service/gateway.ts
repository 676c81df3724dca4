/**
 * The only way from a run to the service: for its own requests, and as a proxy on loopback for the processes of Pulumi. It
 * journals what a request creates before it sends it, refuses writes to anything that no run has created, and records and
 * validates every response.
 */
import { appendFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { loadContract } from "../../testing/emulator/contract/contract";
import { differencesOf } from "./differences";
import type { Journal } from "./journal";
import { namesIn, objectsIn } from "./objects";

/** A request to the service. */
interface ServiceRequest {
  readonly method: string;
  /** With the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly content: string | undefined;
}

/** A request and its response. */
export interface Exchange {
  readonly operationId: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly requestId: string | undefined;
  /** Its User-Agent. */
  readonly sender: string | undefined;
  readonly body: unknown;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body of the response, as it arrived. */
  readonly received: string;
  /** Its JSON, else its text; undefined if it is empty. */
  readonly answer: unknown;
}

/** The gateway of a run. */
export interface Gateway {
  readonly exchanges: readonly Exchange[];
  /** The writes that it refused. There should be none. */
  readonly refused: readonly string[];
  /** The differences from the service's description, with how often each was seen. */
  readonly differences: ReadonlyMap<string, number>;
  /** Sends a request. @throws Error if there is no response. */
  exchange(request: ServiceRequest): Promise<Exchange>;
  /** Serves a proxy until the signal aborts, after which it refuses every request. Resolves with its URL. */
  listen(signal: AbortSignal): Promise<string>;
  /** Resolves when no request is in progress. */
  idle(): Promise<void>;
  close(): void;
}

const TIMEOUT_MS = 60_000;
const CONTRACT = loadContract("openapi.yaml");
/** The headers that pass the proxy. */
const REQUEST_HEADERS = ["x-api-key", "x-request-id", "content-type", "accept", "user-agent"];
const RESPONSE_HEADERS = ["content-type", "date", "x-request-id", "retry-after", "location"];

/** Creates the gateway to a service. The log gets a line for each request, without keys and bodies. */
export function createGateway(serviceUrl: string, journal: Journal, log: string): Gateway {
  const exchanges: Exchange[] = [];
  const refused: string[] = [];
  const differences = new Map<string, number>();
  const pending = new Set<Promise<Exchange>>();
  const base = serviceUrl.replace(/\/+$/, "");

  async function exchange(request: ServiceRequest): Promise<Exchange> {
    const sending = send(request);
    pending.add(sending);
    try {
      return await sending;
    } finally {
      pending.delete(sending);
    }
  }

  async function send({ method, target, headers, content }: ServiceRequest): Promise<Exchange> {
    const path = target.replace(/\?.*/s, "");
    const body = content === undefined ? undefined : parsed(content);
    const match = CONTRACT.match(method, path);
    const requestId = headers["x-request-id"];
    const sender = headers["user-agent"];
    const sent = { operationId: match?.operation.operationId, method, path, body, requestId, sender };
    const refusal = method === "GET" ? undefined : refusalOf(match?.path, body, journal);
    if (refusal !== undefined) {
      refused.push(`${method} ${path}: ${refusal}`);
      return { ...sent, ...refusedBecause(refusal, requestId) };
    }
    if (method === "POST") for (const name of namesIn(body)) journal.creates(name);
    let exchanged: Exchange | undefined;
    try {
      const response = await fetch(`${base}${target}`, {
        method,
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(content !== undefined && { body: content }),
      });
      const received = await response.text();
      exchanged = {
        ...sent,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        received,
        answer: received === "" ? undefined : parsed(received),
      };
    } finally {
      const line = [new Date().toISOString(), method, path, exchanged?.status ?? "no response"];
      appendFileSync(log, `${line.join(" ")}\n`);
    }
    learnFrom(exchanged);
    exchanges.push(exchanged);
    for (const each of differencesOf(CONTRACT, exchanged))
      differences.set(each, (differences.get(each) ?? 0) + 1);
    return exchanged;
  }

  /** Recognizes what the run has created, also if the response to the create was lost. */
  function learnFrom({ method, path, status, answer }: Exchange): void {
    const id = path.split("/").at(-1) ?? "";
    // A domain is still being deleted, and a read may lag behind a create.
    if (method === "DELETE" && (status === 404 || (status === 204 && !path.includes("/custom-domains/"))))
      journal.deleted(id);
    for (const { projectId, ...object } of objectsIn(answer)) {
      const isNamed = object.name === undefined ? projectId !== undefined : journal.isOwnName(object.name);
      const isInOwn = projectId === undefined || journal.isOwn(projectId);
      if (isNamed && isInOwn && !journal.isOwn(object.id)) journal.created(object);
    }
  }

  const server = createServer({ keepAliveTimeout: 0 });
  return {
    exchanges,
    refused,
    differences,
    exchange,
    async listen(signal) {
      server.on("request", async (request, response) => {
        try {
          if (request.url === "/exchanges") return void response.end(JSON.stringify(exchanges));
          const passed = await requestOf(request);
          const { status, headers, received } = signal.aborted
            ? refusedBecause("it was stopped", passed.headers["x-request-id"])
            : await exchange(passed);
          response.sendDate = false;
          for (const [name, value] of chosen(headers, RESPONSE_HEADERS)) response.setHeader(name, value);
          response.writeHead(status).end(received);
        } catch {
          response.destroy();
        }
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    async idle() {
      await Promise.allSettled(pending);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Why a write is refused. Everything that it refers to must be the run's own, and so must the names that it gives. */
function refusalOf(
  { organization_id: _, ...ids }: Readonly<Record<string, string>> = { operation: "unknown" },
  body: unknown,
  journal: Journal,
): string | undefined {
  const { project_id, custom_domain_id } = (body ?? {}) as Record<string, string | null | undefined>;
  const targets = [...Object.values(ids), project_id, custom_domain_id].filter(
    (id) => typeof id === "string",
  );
  const other = targets.find((id) => !journal.isOwn(id));
  if (other !== undefined) return `no run has created ${other}`;
  const name = namesIn(body).find((each) => !journal.isOwnName(each));
  return name === undefined ? undefined : `the name ${JSON.stringify(name)} is not one of a run`;
}

async function requestOf(request: IncomingMessage): Promise<ServiceRequest> {
  const { method = "", url: target = "" } = request;
  const content = await text(request);
  const headers = Object.fromEntries(chosen(request.headers, REQUEST_HEADERS));
  return { method, target, headers, content: content === "" ? undefined : content };
}

function chosen(headers: Readonly<Record<string, unknown>>, names: readonly string[]): [string, string][] {
  return names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
}

/** A response in the form of the service, so that no client repeats the request. */
function refusedBecause(reason: string, requestId: string | undefined) {
  const answer = { statusCode: 403, message: `The acceptance run does not send this request: ${reason}.` };
  const headers = { "content-type": "application/json", "x-request-id": requestId };
  return { status: 403, headers, received: JSON.stringify(answer), answer };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The HTTP server of the emulator: reads requests, applies injected faults, and writes responses. */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import type { Contract } from "../contract/contract";
import type { ControlRequest } from "../controls/controls";
import { type FaultEffect, loggedEffect } from "../controls/faultEffects";
import type { Faults } from "../controls/faults";
import type { Records, RequestRecord } from "../controls/requestLog";
import type { OperationId } from "../operations";
import { receiveBody } from "../wire/body";
import { errorReply, type Reply } from "../wire/reply";
import { objectOnWire } from "../wire/wire";
import type { Mutable } from "../world/entities";
import type { Service } from "../world/world";
import { respond } from "./respond";

export interface ServerParts {
  readonly contract: Contract;
  readonly service: Service;
  readonly faults: Faults;
  /** The certificate and the key of https. Undefined for http. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Gets each request on arrival, whose body and status are filled in later, and each violation. */
  readonly recorded: Records;
  /** Called with each request when its response was sent, or its connection has closed. */
  readonly onRequest: ((request: RequestRecord) => void) | undefined;
  /** Responds to requests for the controls, and returns nothing for others. */
  control(request: ControlRequest): Reply | undefined;
  /** Ends all delays when the emulator is closed. */
  readonly signal: AbortSignal;
}

/** Creates the server, which does not listen yet. */
export function createEmulatorServer(parts: ServerParts): Server {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    serve(parts, request, response).catch((error: unknown) => {
      // The caller disconnected, or the emulator is closing. Anything else is a defect that must be visible.
      if (response.destroyed || parts.signal.aborted) return;
      write(response, errorReply(500, `The emulator failed: ${String(error)}`));
    });
  };
  // Clients end idle connections. If the server did so at the moment of a request, which happens on a busy machine, the
  // request would fail without a fault that a test asked for.
  const options = { keepAliveTimeout: 0 };
  if (parts.tls === undefined) return createServer(options, listener);
  return createTlsServer({ ...options, ...parts.tls }, listener);
}

async function serve(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { contract, service, faults } = parts;
  const { method = "", url = "/", headers } = request;
  const [path = "", queryText = ""] = url.split(/\?(.*)/s);
  if (path === "/" || path.startsWith("/_emulator/")) {
    const reply = parts.control({ method, path, headers, body: await receiveBody(request) });
    if (reply !== undefined) return write(response, reply);
  }

  const match = contract.match(method, path);
  const search = new URLSearchParams(queryText);
  const key = String(headers["x-api-key"] ?? "");
  const record: Mutable<RequestRecord> = {
    time: service.now().toISOString(),
    method,
    path,
    query: Object.fromEntries(search),
    operationId: (match?.operation.operationId as OperationId | undefined) ?? null,
    keyPrefix: service.world.credentials.get(key)?.key.slice(0, 6) ?? null,
    requestId: String(headers["x-request-id"] || randomUUID()),
    body: undefined,
    status: null,
    fault: null,
  };
  parts.recorded.requests.push(record);
  response.once("close", () => parts.onRequest?.(record));
  const body = await receiveBody(request);
  record.body = parsed(body.text);

  const effect = faults.take(record);
  record.fault = effect === undefined ? null : loggedEffect(effect);
  await send({
    effect,
    shown: (id) => ({
      status: withContent(match?.operation.success ?? 200),
      body: objectOnWire(service, id),
    }),
    run: () => respond(contract, service, { match, query: valuesOf(search), key, body }, parts.recorded),
    answer(reply, moreHeaders = {}) {
      record.status = reply.status;
      // Otherwise Node.js adds the header. It does so for a proxy, which has a clock of its own.
      response.sendDate = service.behaviour.dateHeader !== "absent" || "date" in moreHeaders;
      const requestId = requestIdOf(service, reply.status, record.requestId);
      const ofService = { "x-request-id": requestId, date: dateOf(service) };
      for (const [name, value] of Object.entries({ ...ofService, ...moreHeaders })) {
        if (value !== undefined) response.setHeader(name, value);
      }
      write(response, reply);
    },
    requestId: record.requestId,
    response,
    signal: parts.signal,
  });
}

/** A response to send, and the fault to apply to it. */
interface Sending {
  readonly effect: FaultEffect | undefined;
  run(): Reply;
  /** The response of a success that shows an object. @throws Error if it does not exist. */
  shown(id: string): Reply;
  answer(reply: Reply, moreHeaders?: { readonly [name: string]: string | undefined }): void;
  readonly requestId: string;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

async function send({ effect, run, shown, answer, requestId, response, signal }: Sending): Promise<void> {
  if (effect === undefined) return answer(run());
  if ("delayMs" in effect) {
    await wait(effect.delayMs, undefined, { signal });
    return answer(run());
  }
  if ("hang" in effect) {
    if (effect.afterEffect) run();
    return;
  }
  if ("reset" in effect) {
    if (effect.reset === "after") run();
    response.socket?.resetAndDestroy();
    return;
  }
  if ("redirect" in effect) return answer({ status: 302 }, { location: effect.redirect });
  if ("malformed" in effect) return answer({ status: withContent(run().status), text: '{"not": JSON' });
  if ("truncated" in effect) {
    const { status, body = {} } = run();
    const text = JSON.stringify(body);
    const length = { "content-length": Buffer.byteLength(text) };
    response.writeHead(withContent(status), { "content-type": "application/json", ...length });
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
    return;
  }
  if ("body" in effect) {
    const { status, body } = run();
    const sent = typeof effect.body === "function" ? effect.body(body) : effect.body;
    return answer({ status: effect.status ?? withContent(status), text: JSON.stringify(sent) });
  }
  if (effect.afterEffect) run();
  if ("object" in effect) return answer(shown(effect.object));
  const retryAfter = effect.retryAfter === undefined ? {} : { "retry-after": String(effect.retryAfter) };
  if ("foreign" in effect) {
    const { foreign: status, echoRequestId = false } = effect;
    const text = effect.text ?? `<!doctype html><title>${status}</title>`;
    const unlikeService = { date: undefined, "x-request-id": echoRequestId ? requestId : undefined };
    return answer({ status, text }, { "content-type": "text/html", ...unlikeService, ...retryAfter });
  }
  const { status, message = "Injected fault." } = effect;
  answer(errorReply(status, message), retryAfter);
}

/** The header `x-request-id` of a response. */
function requestIdOf({ behaviour }: Service, status: number, sent: string): string | undefined {
  const { requestIds } = behaviour;
  if (requestIds === "errorsOnly" && status < 400) return undefined;
  return requestIds === "echoed" ? sent : randomUUID();
}

function dateOf({ now, behaviour: { dateHeader } }: Service): string | undefined {
  if (dateHeader === "absent") return undefined;
  const secondsBehind = dateHeader === "current" ? 0 : dateHeader.secondsBehind;
  return new Date(now().getTime() - secondsBehind * 1_000).toUTCString();
}

/** The status of a response with content, even if the operation has none. */
function withContent(status: number): number {
  return status === 204 ? 200 : status;
}

function write(response: ServerResponse, { status, body, text, headers = {} }: Reply): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  if (content !== undefined && !response.hasHeader("content-type"))
    response.setHeader("content-type", "application/json");
  response.end(content);
}

/** The values of a query. A repeated name has a list of values, which no parameter allows. */
function valuesOf(search: URLSearchParams): { [name: string]: unknown } {
  const all = [...search.keys()].map((name) => [name, search.getAll(name)] as const);
  return Object.fromEntries(all.map(([name, values]) => [name, values.length > 1 ? values : values[0]]));
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

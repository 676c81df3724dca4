// The emulator as an HTTP server: from bytes to a request, from an answer to bytes, and in between every fault that
// was asked for.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { receiveBody } from "./body";
import type { Contract } from "./contract";
import type { ControlRequest } from "./controls";
import type { FaultEffect, Faults } from "./faults";
import type { OperationId } from "./operations";
import type { RequestRecord, Violation } from "./requestLog";
import { errorReply, type Reply, respond } from "./respond";
import type { Service } from "./world";

/** What the server works on. */
export interface ServerParts {
  contract: Contract;
  service: Service;
  faults: Faults;
  /** Called with each request as it arrives; its body and its status are filled in later. */
  record(request: RequestRecord): void;
  /** Called with each answer that breaks the interface. */
  report(violation: Violation): void;
  /** Answers what is not for the service, and nothing else. */
  control(request: ControlRequest): Reply | undefined;
  /** Ends whatever waits when the emulator is closed. */
  signal: AbortSignal;
}

/** Makes the server; it does not listen yet. */
export function createEmulatorServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      // The caller has gone or the emulator is closing. Anything else is a defect, and has to be seen.
      if (response.destroyed || parts.signal.aborted) return;
      write(response, errorReply(500, `The emulator failed: ${String(error)}`));
    });
  });
}

async function serve(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { contract, service, faults } = parts;
  const { method = "", url = "/", headers } = request;
  const [path = "", queryText = ""] = url.split(/\?(.*)/s);
  if (path.startsWith("/_emulator/")) {
    const reply = parts.control({ method, path, headers, body: await receiveBody(request) });
    if (reply !== undefined) return write(response, reply);
  }

  const match = contract.match(method, path);
  const search = new URLSearchParams(queryText);
  const key = String(headers["x-api-key"] ?? "");
  const record: RequestRecord = {
    time: service.now().toISOString(),
    method,
    path,
    query: Object.fromEntries(search),
    operationId: (match?.operation.operationId as OperationId | undefined) ?? null,
    keyPrefix: service.world.credentials.get(key)?.key.slice(0, 6) ?? null,
    requestId: String(headers["x-request-id"] || randomUUID()),
    body: undefined,
    status: null,
  };
  parts.record(record);
  const body = await receiveBody(request);
  record.body = parsed(body.text);

  await send({
    effect: faults.take(record),
    run: () => respond(contract, service, { match, query: valuesOf(search), key, body }, parts.report),
    answer(reply, moreHeaders = {}) {
      record.status = reply.status;
      const ofService = { "x-request-id": record.requestId, date: service.now().toUTCString() };
      for (const [name, value] of Object.entries({ ...ofService, ...moreHeaders })) {
        if (value !== undefined) response.setHeader(name, value);
      }
      write(response, reply);
    },
    response,
    signal: parts.signal,
  });
}

interface Sending {
  effect: FaultEffect | undefined;
  /** Carries the operation out. */
  run(): Reply;
  /** Sends an answer that arrives. */
  answer(reply: Reply, moreHeaders?: { [name: string]: string | undefined }): void;
  response: ServerResponse;
  signal: AbortSignal;
}

async function send({ effect, run, answer, response, signal }: Sending): Promise<void> {
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
    response.writeHead(withContent(status), {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
    });
    response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
    return;
  }
  if ("body" in effect) {
    const { status } = run();
    return answer({ status: effect.status ?? withContent(status), text: JSON.stringify(effect.body) });
  }
  if (effect.afterEffect) run();
  const retryAfter = effect.retryAfter === undefined ? {} : { "retry-after": String(effect.retryAfter) };
  if ("foreign" in effect) {
    const { foreign: status, contentType = "text/html", echoRequestId = false } = effect;
    const text = effect.text ?? (status === 204 ? "" : `<!doctype html><title>${status}</title>`);
    // Whatever answers in place of the service has a clock of its own, which the server's library shows.
    const unlikeService = { date: undefined, ...(!echoRequestId && { "x-request-id": undefined }) };
    return answer({ status, text }, { "content-type": contentType, ...unlikeService, ...retryAfter });
  }
  const { status, message = "Injected fault." } = effect;
  answer(errorReply(status, message), retryAfter);
}

function withContent(status: number): number {
  return status === 204 ? 200 : status;
}

function write(response: ServerResponse, { status, body, text }: Reply): void {
  response.statusCode = status;
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body));
  if (content !== undefined && !response.hasHeader("content-type")) {
    response.setHeader("content-type", "application/json");
  }
  response.end(content);
}

// A name that occurs twice has two values, which no parameter of the interface allows.
function valuesOf(search: URLSearchParams): { [name: string]: string | string[] } {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const [first = "", ...others] = search.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

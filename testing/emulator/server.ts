// The emulator as an HTTP server: from a request to the operation it is for, and from its answer to bytes, with every
// fault in between that was asked for.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Contract, Match } from "./contract";
import type { Credential } from "./entities";
import type { FaultEffect, Faults } from "./faults";
import { catchUpWithClock } from "./lifecycle";
import { handlers, type OperationId } from "./operations";
import type { Answer } from "./operations/call";
import { Refusal } from "./refusal";
import type { RequestRecord, Violation } from "./requestLog";
import { fromWire } from "./wire";
import type { Service } from "./world";

/** What the server works on. The service is asked for each time, because a reset replaces it. */
export interface ServerParts {
  contract: Contract;
  service(): Service;
  faults: Faults;
  /** Called with each request as it arrives. */
  record(request: RequestRecord): void;
  /** Called with each answer that breaks the interface. */
  violate(violation: Violation): void;
  /** Answers requests that are not for the service, or says that they are. */
  control?(request: IncomingMessage, response: ServerResponse, body: string): boolean;
}

/** What goes out: a status and a JSON body. */
interface Outcome {
  status: number;
  body?: unknown;
}

/** The largest body that is read, in characters. */
const MAXIMUM_BODY_LENGTH = 1_000_000;

/** Makes the server; it does not listen yet. */
export function createEmulatorServer(parts: ServerParts): Server {
  return createServer((request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      // A defect of the emulator must be loud.
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ statusCode: 500, message: `The emulator failed: ${String(error)}` }));
    });
  });
}

async function serve(parts: ServerParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await bodyOf(request);
  if (parts.control?.(request, response, text)) return;
  const service = parts.service();
  const url = new URL(request.url ?? "/", "http://emulator.dynamiclink.example");
  const match = parts.contract.match(request.method ?? "", url.pathname);
  const credential = service.world.credentials.get(String(request.headers["x-api-key"] ?? ""));
  const record: RequestRecord = {
    time: service.now().toISOString(),
    method: request.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    operationId: (match?.operation.operationId as OperationId | undefined) ?? null,
    keyPrefix: credential?.key.slice(0, 6) ?? null,
    requestId: String(request.headers["x-request-id"] ?? randomUUID()),
    body: parsed(text),
    status: null,
  };
  parts.record(record);
  const fault = parts.faults.take(record);
  const run = (): Outcome => carryOut(parts, { service, match, credential, record });
  const send = ({ status, body }: Outcome, headers: Record<string, string> = {}): void => {
    record.status = status;
    write(
      response,
      { status, ...(body !== undefined && { text: JSON.stringify(body) }) },
      headersOf(service, record, headers),
    );
  };
  if (fault === undefined) return send(run());
  await spoil(fault, { run, send, response, request, headers: () => headersOf(service, record) });
}

/** The answer to a request, in the order in which a service looks at it: who, whether allowed, whether valid, what. */
function carryOut(
  { contract, violate }: ServerParts,
  {
    service,
    match,
    credential,
    record,
  }: {
    service: Service;
    match: Match | undefined;
    credential: Credential | undefined;
    record: RequestRecord;
  },
): Outcome {
  if (match === undefined) return refusal(404, "There is no such operation.");
  const { operation } = match;
  if (credential === undefined || credential.revoked)
    return refusal(401, "The API key is missing, unknown or revoked.");
  if (service.world.organizations.get(credential.organizationId)?.blocked)
    return refusal(403, "The organization is blocked.");
  if (operation.scope !== null && !(credential.scopes as string[]).includes(operation.scope)) {
    return refusal(403, `The scope ${operation.scope} is missing.`);
  }
  const parameters = { path: { ...match.path }, query: { ...record.query } as { [name: string]: unknown } };
  const errors = [
    ...contract.parameterErrors(operation, parameters),
    ...contract.bodyErrors(operation, record.body),
  ];
  if (errors.length > 0) return refusal(400, errors);
  catchUpWithClock(service);
  const outcome = attempt(() =>
    handlers[operation.operationId as OperationId]({
      service,
      credential,
      ...parameters,
      body: fromWire(record.body),
    }),
  );
  const violations = contract.answerErrors(operation, outcome.status, outcome.body);
  if (violations.length === 0) return outcome;
  const operationId = operation.operationId as OperationId;
  violate({ operationId, status: outcome.status, errors: violations });
  return refusal(500, [`The emulator's own answer to ${operationId} breaks the interface.`, ...violations]);
}

function attempt(operation: () => Answer): Outcome {
  try {
    return operation();
  } catch (error) {
    if (error instanceof Refusal) return refusal(error.status, error.messages);
    throw error;
  }
}

function refusal(statusCode: number, message: string | string[]): Outcome {
  return { status: statusCode, body: { statusCode, message } };
}

interface Spoiling {
  run(): Outcome;
  send(outcome: Outcome, headers?: Record<string, string>): void;
  response: ServerResponse;
  request: IncomingMessage;
  headers(): Record<string, string>;
}

async function spoil(fault: FaultEffect, { run, send, response, request, headers }: Spoiling): Promise<void> {
  if ("delayMs" in fault) {
    await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    return send(run());
  }
  if ("hang" in fault) {
    if (fault.afterEffect) run();
    return;
  }
  if ("reset" in fault) {
    if (fault.reset === "after") run();
    request.socket.resetAndDestroy();
    return;
  }
  if ("redirect" in fault) return send(refusal(302, "Moved."), { location: fault.redirect });
  if ("malformed" in fault) {
    run();
    return write(response, { status: 200, text: '{"this is": not JSON' }, headers());
  }
  if ("truncated" in fault) {
    const text = JSON.stringify(run().body ?? {});
    response.writeHead(200, { ...headers(), "content-length": String(Buffer.byteLength(text)) });
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
    return;
  }
  if ("body" in fault) {
    const { status } = run();
    return send({ status: fault.status ?? status, body: fault.body });
  }
  if (fault.afterEffect) run();
  const { status, retryAfter, message = "Injected fault." } = fault;
  send(refusal(status, message), retryAfter === undefined ? {} : { "retry-after": String(retryAfter) });
}

function headersOf(
  service: Service,
  { requestId }: RequestRecord,
  more: Record<string, string> = {},
): Record<string, string> {
  return { "x-request-id": requestId, date: service.now().toUTCString(), ...more };
}

function write(
  response: ServerResponse,
  { status, text }: { status: number; text?: string },
  headers: Record<string, string>,
): void {
  response.writeHead(
    status,
    text === undefined ? headers : { ...headers, "content-type": "application/json" },
  );
  response.end(text);
}

function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) {
    text += chunk;
    if (text.length > MAXIMUM_BODY_LENGTH) throw new Error("the body is too large");
  }
  return text;
}

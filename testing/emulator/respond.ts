// From a request to its answer, in the order in which the service looks at it: who asks, whether they may, whether the
// request is valid, and only then what exists.
import { STATUS_CODES } from "node:http";
import { type Body, jsonOf } from "./body";
import type { Contract, Match, Operation } from "./contract";
import type { Credential } from "./entities";
import { catchUpWithClock } from "./lifecycle";
import { handlers, type OperationId } from "./operations";
import type { Answer } from "./operations/call";
import { Refusal } from "./refusal";
import type { Violation } from "./requestLog";
import { fromWire } from "./wire";
import { existing, type Service } from "./world";

/** A request as far as the service looks at it. */
export interface IncomingRequest {
  /** Undefined when there is no such operation. */
  match: Match | undefined;
  query: { readonly [name: string]: string | string[] };
  key: string | undefined;
  body: Body;
}

/** What is to be sent. */
export interface Reply {
  status: number;
  /** Undefined for an answer without content. */
  body?: object | undefined;
  /** What is sent in place of the body, where it is not to be JSON. */
  text?: string | undefined;
}

/** An ErrorResponse. */
export function errorReply(status: number, message: string | string[]): Reply {
  const error = STATUS_CODES[status];
  return { status, body: { statusCode: status, message, ...(error === undefined ? {} : { error }) } };
}

/**
 * Answers one request. An answer that breaks the interface is replaced by a 500 and reported: the emulator is to be
 * right or loud.
 */
export function respond(
  contract: Contract,
  service: Service,
  request: IncomingRequest,
  report: (violation: Violation) => void,
): Reply {
  const { match } = request;
  if (match === undefined) return errorReply(404, "No such operation.");
  const { reply, errors } = attempt(contract, service, request, match);
  if (errors.length === 0) return reply;
  const operationId = match.operation.operationId as OperationId;
  report({ operationId, status: reply.status, errors });
  return errorReply(500, [`The emulator broke the interface in ${operationId}.`, ...errors]);
}

function attempt(
  contract: Contract,
  service: Service,
  request: IncomingRequest,
  match: Match,
): { reply: Reply; errors: string[] } {
  let reply: Reply;
  try {
    reply = handle(contract, service, request, match);
  } catch (error) {
    if (!(error instanceof Refusal)) return { reply: { status: 500 }, errors: [String(error)] };
    reply = errorReply(error.status, error.messages);
  }
  return { reply, errors: contract.answerErrors(match.operation, reply.status, reply.body) };
}

function handle(
  contract: Contract,
  service: Service,
  request: IncomingRequest,
  { operation, path }: Match,
): Answer {
  const credential = authenticate(service, request.key);
  if (operation.scope !== null && !credential.scopes.some((scope) => scope === operation.scope)) {
    throw new Refusal(403, `Missing scope ${operation.scope}.`);
  }
  const parameters = { path: { ...path }, query: { ...request.query } };
  const body = operation.hasBody ? jsonOf(request.body) : undefined;
  const errors = [
    ...contract.parameterErrors(operation, parameters),
    ...contract.bodyErrors(operation, body),
  ];
  if (errors.length > 0) throw new Refusal(400, errors);
  catchUpWithClock(service);
  return handlerOf(operation)({ service, credential, ...parameters, body: fromWire(body) });
}

function authenticate(service: Service, key: string | undefined): Credential {
  const credential = service.world.credentials.get(key ?? "");
  if (credential === undefined || credential.revoked) throw new Refusal(401, "Invalid API key.");
  if (existing(service.world.organizations, credential.organizationId).blocked) {
    throw new Refusal(403, "Organization is blocked.");
  }
  return credential;
}

function handlerOf(operation: Operation) {
  return handlers[operation.operationId as OperationId];
}

/**
 * Responds to requests, in the order of the service's checks: authentication, authorization, validation, and only then
 * the operation.
 */
import { STATUS_CODES } from "node:http";
import type { Contract, Match } from "../contract/contract";
import type { Records } from "../controls/requestLog";
import { handlers, type OperationId } from "../operations";
import type { Handler } from "../operations/call";
import { type Body, jsonOf } from "../wire/body";
import { errorReply, type Reply } from "../wire/reply";
import { ServiceError, SKIN_NOT_FOUND } from "../wire/serviceError";
import { fromWire } from "../wire/wire";
import type { Credential } from "../world/entities";
import { catchUpWithClock } from "../world/lifecycle";
import { existing, type Service } from "../world/world";

export interface IncomingRequest {
  /** Undefined for an unknown operation. */
  readonly match: Match | undefined;
  readonly query: { readonly [name: string]: unknown };
  readonly key: string | undefined;
  readonly body: Body;
}

/**
 * Responds to a request. A response that violates the API description is reported and replaced by a 500, so that a
 * defect of the emulator is never silent.
 */
export function respond(
  contract: Contract,
  service: Service,
  request: IncomingRequest,
  { violations }: Records,
): Reply {
  const { match } = request;
  if (match === undefined) return errorReply(404, "Unknown operation.");
  const { reply, errors } = attempt(contract, service, request, match);
  if (errors.length === 0) return reply;
  const operationId = match.operation.operationId as OperationId;
  violations.push({ operationId, status: reply.status, errors });
  const message = `The emulator's response to ${operationId} violates the API description.`;
  return errorReply(500, [message, ...errors]);
}

function attempt(contract: Contract, service: Service, request: IncomingRequest, match: Match) {
  let reply: Reply;
  try {
    reply = handle(contract, service, request, match);
  } catch (error) {
    if (!(error instanceof ServiceError)) return { reply: { status: 500 } as Reply, errors: [String(error)] };
    reply = refusal(error, service);
  }
  return { reply, errors: contract.answerErrors(match.operation, reply.status, reply.body) };
}

function refusal({ status, messages }: ServiceError, { behaviour }: Service): Reply {
  if (behaviour.errorDetails) return errorReply(status, messages);
  const message = messages === SKIN_NOT_FOUND ? messages : STATUS_CODES[status];
  return { status, body: { statusCode: status, message } };
}

function handle(
  contract: Contract,
  service: Service,
  request: IncomingRequest,
  { operation, path }: Match,
): Reply {
  const credential = authenticate(service, request.key);
  if (operation.scope !== null && !credential.scopes.some((scope) => scope === operation.scope))
    throw new ServiceError(403, `Missing scope ${operation.scope}.`);
  const received = {
    path: { ...path },
    query: { ...request.query },
    body: operation.body ? jsonOf(request.body) : undefined,
  };
  const errors = contract.requestErrors(operation, received);
  if (errors.length > 0) throw new ServiceError(400, errors);
  catchUpWithClock(service);
  const handler: Handler = handlers[operation.operationId as OperationId];
  const seen = operation.method === "get" ? asRead(service) : service;
  const body = handler({ service: seen, credential, ...received, body: fromWire(received.body) });
  return { status: operation.success, body: body as object | undefined };
}

/** The service as a GET sees it, whose times may be coarser than those of other responses. */
function asRead({ world, behaviour, now }: Service): Service {
  const isCoarse = behaviour.timestampPrecision === "coarseReads";
  return { world, behaviour: { ...behaviour, ...(isCoarse && { timestampPrecision: "seconds" }) }, now };
}

function authenticate(service: Service, key: string | undefined): Credential {
  const credential = service.world.credentials.get(key ?? "");
  if (credential === undefined || credential.revoked) throw new ServiceError(401, "Invalid API key.");
  if (existing(service.world.organizations, credential.organizationId).blocked)
    throw new ServiceError(403, "Organization is blocked.");
  return credential;
}

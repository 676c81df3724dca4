/** The emulator's controls over HTTP, for programs that cannot call its methods: the routes of `controls.yaml`. */
import type { IncomingHttpHeaders } from "node:http";
import { loadContract } from "../contract/contract";
import { type Body, jsonOf } from "../wire/body";
import { errorReply, type Reply } from "../wire/reply";
import { ServiceError } from "../wire/serviceError";
import type { NewApplication, NewCustomDomain, NewKey, NewLink, NewProject } from "../world/additions";
import type { Behaviour } from "../world/behaviour";
import type { LifecycleStatus, Scope } from "../world/entities";
import { DuplicateError, MissingError } from "../world/world";
import type { Emulator } from "./emulator";
import type { Fault } from "./faults";
import { refusalOfWebPage } from "./refusalOfWebPage";
import type { Seed } from "./seed";
import { UsageError } from "./usageError";

/** Returns the body of the response, if it has one. The body of the request is validated, so that it has its type. */
type Control = (emulator: Emulator, body: never, id: string) => unknown;

const controls: { readonly [operationId: string]: Control } = {
  requests: ({ requests }) => requests,
  clearRequests: (emulator) => emulator.clearRequests(),
  violations: ({ violations }) => violations,
  state: ({ state }) => state,
  seed: (emulator, body: Seed) => emulator.seed(body),
  reset: (emulator) => emulator.reset(),
  faults: ({ faults }) => faults,
  inject: (emulator, body: Fault) => emulator.inject(body),
  clearFaults: (emulator) => emulator.clearFaults(),
  faultsUsed: ({ faultsUsed }) => faultsUsed,
  behaviour: ({ behaviour }) => behaviour,
  setBehaviour: (emulator, body: Partial<Behaviour>) => emulator.setBehaviour(body),
  clock: ({ clock }) => ({ now: clock.now() }),
  "clock.advance": ({ clock }, body: { milliseconds: number }) => clock.advance(body.milliseconds),
  createOrganization: (emulator, body: { id?: string }) => emulator.createOrganization(body),
  blockOrganization: (emulator, body: { blocked: boolean }, id) =>
    emulator.blockOrganization(id, body.blocked),
  addKey: (emulator, body: NewKey, id) => emulator.addKey(id, body),
  setScopes: (emulator, body: { key: string; scopes: Scope[] }) => emulator.setScopes(body.key, body.scopes),
  revokeKey: (emulator, body: { key: string }) => emulator.revokeKey(body.key),
  createProject: (emulator, body: NewProject, id) => emulator.createProject(id, body),
  updateProject: (emulator, body: object, id) => emulator.updateProject(id, body),
  deleteProject: (emulator, _body, id) => emulator.deleteProject(id),
  setPro: (emulator, body: { pro: boolean }, id) => emulator.setPro(id, body.pro),
  createApplication: (emulator, body: NewApplication, id) => emulator.createApplication(id, body),
  updateApplication: (emulator, body: object, id) => emulator.updateApplication(id, body),
  deleteApplication: (emulator, _body, id) => emulator.deleteApplication(id),
  createCustomDomain: (emulator, body: NewCustomDomain, id) => emulator.createCustomDomain(id, body),
  deleteCustomDomain: (emulator, _body, id) => emulator.deleteCustomDomain(id),
  advanceDomain: (emulator, _body, id) => emulator.advanceDomain(id),
  setDomainStatus: (emulator, { status, ...extra }: { status: LifecycleStatus }, id) =>
    emulator.setDomainStatus(id, status, extra),
  createLink: (emulator, body: NewLink, id) => emulator.createLink(id, body),
  deleteLink: (emulator, _body, id) => emulator.deleteLink(id),
};

export interface ControlRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

/** Creates the controls of one emulator. They return nothing for a request that is not for them. */
export function createControls(emulator: Emulator): (request: ControlRequest) => Reply | undefined {
  const contract = loadContract("controls.yaml");
  return ({ method, path, headers, body: received }) => {
    const match = contract.match(method, path);
    const control = controls[match?.operation.operationId ?? ""];
    if (match === undefined || control === undefined) return undefined;
    const refusal = refusalOfWebPage(headers);
    if (refusal !== undefined) return refusal;
    try {
      const body = jsonOf(received);
      const errors = contract.requestErrors(match.operation, { path: { ...match.path }, query: {}, body });
      if (errors.length > 0) throw new ServiceError(400, errors);
      const answer = control(emulator, body as never, match.path.id ?? "") as object | undefined;
      return { status: answer === undefined ? 204 : 200, body: answer };
    } catch (error) {
      if (error instanceof ServiceError) return errorReply(error.status, error.messages);
      if (error instanceof UsageError) return errorReply(400, error.message);
      if (error instanceof MissingError) return errorReply(404, error.message);
      if (error instanceof DuplicateError) return errorReply(409, error.message);
      throw error;
    }
  };
}

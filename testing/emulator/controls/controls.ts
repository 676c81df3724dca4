/** The emulator's controls over HTTP, for programs that cannot call its methods: the routes of `controls.yaml`. */
import type { IncomingHttpHeaders } from "node:http";
import { loadContract } from "../contract/contract";
import { type Body, jsonOf } from "../wire/body";
import { errorReply, type Reply } from "../wire/reply";
import { ServiceError } from "../wire/serviceError";
import type { LifecycleStatus, Scope } from "../world/entities";
import { UsageError } from "../world/world";
import type { Emulator } from "./emulator";
import { refusalOfWebPage } from "./refusalOfWebPage";

/** Returns the body of the response, if it has one. The body of the request is validated, so that it has its type. */
type Control = (emulator: Emulator, body: never, id: string) => unknown;

/** The controls that take fields of the body as arguments of their own, or of which JSON has another form. */
const controls: { readonly [operationId: string]: Control } = {
  clock: ({ clock }) => ({ now: clock.now() }),
  "clock.advance": ({ clock }, body: { milliseconds: number }) => clock.advance(body.milliseconds),
  blockOrganization: (emulator, { blocked }: { blocked: boolean }, id) =>
    emulator.blockOrganization(id, blocked),
  setScopes: (emulator, body: { key: string; scopes: Scope[] }) => emulator.setScopes(body.key, body.scopes),
  revokeKey: (emulator, body: { key: string }) => emulator.revokeKey(body.key),
  setPro: (emulator, body: { pro: boolean }, id) => emulator.setPro(id, body.pro),
  setDomainStatus: (emulator, { status, ...extra }: { status: LifecycleStatus }, id) =>
    emulator.setDomainStatus(id, status, extra),
};

/** The control of any other operation: the member of the emulator with its name, with the id and the body if it has them. */
function memberControl(operationId: string): Control {
  return (emulator, body, id) => {
    const member: unknown = Reflect.get(emulator, operationId);
    if (typeof member !== "function") return member;
    return id === "" ? member(body) : member(id, body);
  };
}

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
    if (match === undefined) return undefined;
    const refusal = refusalOfWebPage(headers);
    if (refusal !== undefined) return refusal;
    try {
      const body = jsonOf(received);
      const errors = contract.requestErrors(match.operation, { path: { ...match.path }, query: {}, body });
      if (errors.length > 0) throw new ServiceError(400, errors);
      const { operationId, success } = match.operation;
      const control = controls[operationId] ?? memberControl(operationId);
      const answer = control(emulator, body as never, match.path.id ?? "") as object | undefined;
      return { status: success, body: answer };
    } catch (error) {
      if (error instanceof ServiceError) return errorReply(error.status, error.messages);
      if (error instanceof UsageError) return errorReply(error.status, error.message);
      throw error;
    }
  };
}

/** The emulator's controls over HTTP, for programs that cannot call its methods: the routes of `controls.yaml`. */
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { loadContract, type Match } from "../contract/contract";
import { type Body, jsonOf } from "../wire/body";
import { errorReply, type Reply } from "../wire/reply";
import { ServiceError } from "../wire/serviceError";
import type { Behaviour } from "../world/behaviour";
import type { LifecycleStatus } from "../world/entities";
import type { Emulator } from "./emulator";
import type { Fault } from "./faults";
import type { Seed } from "./seed";
import { UsageError } from "./usageError";

/** Returns the body of the response, if it has one. @throws ServiceError or UsageError to respond with an error. */
type Control = (emulator: Emulator, body: unknown, path: Match["path"]) => unknown;

const controls: { readonly [operationId: string]: Control } = {
  listRequests: ({ requests }) => requests,
  getState: ({ state }) => state,
  seed: (emulator, body) => emulator.seed(body as Seed),
  reset: (emulator) => emulator.reset(),
  injectFault: (emulator, body) => emulator.inject(body as Fault),
  clearFaults: (emulator) => emulator.clearFaults(),
  setBehaviour: (emulator, body) => emulator.setBehaviour(body as Partial<Behaviour>),
  advanceClock: (emulator, body) => emulator.clock.advance((body as { milliseconds: number }).milliseconds),
  advanceDomain: (emulator, _body, path) => emulator.advanceDomain(domainId(emulator, path)),
  setDomainStatus: (emulator, body, path) =>
    emulator.setDomainStatus(domainId(emulator, path), (body as { status: LifecycleStatus }).status),
};

/** A request to the controls. */
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
    try {
      refuseWebPages(headers);
      const body = jsonOf(received);
      const errors = contract.requestErrors(match.operation, { path: { ...match.path }, query: {}, body });
      if (errors.length > 0) throw new ServiceError(400, errors);
      const answer = control(emulator, body, match.path) as object | undefined;
      return { status: answer === undefined ? 204 : 200, body: answer };
    } catch (error) {
      if (error instanceof ServiceError) return errorReply(error.status, error.messages);
      if (error instanceof UsageError) return errorReply(400, error.message);
      throw error;
    }
  };
}

/**
 * Refuses requests from web pages. Any page can send requests to this machine. The browser then sends the page's origin
 * in Origin, except for a read whose response the page cannot see. The owner of a site can also resolve its name to
 * this machine. Such requests have no Origin, but have that name in Host.
 */
function refuseWebPages({ host = "", origin }: IncomingHttpHeaders): void {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  if (!isAddress && !/^(.+\.)?localhost$/.test(name)) {
    throw new ServiceError(
      403,
      "The controls accept requests for localhost or an IP address only, because a web page could use any other name. Use one of them, or send the header Host: localhost.",
    );
  }
  if (origin !== undefined)
    throw new ServiceError(403, "The controls do not accept requests from web pages.");
}

function domainId({ state }: Emulator, { custom_domain_id: id = "" }: Match["path"]): string {
  if (!state.customDomains.some((domain) => domain.id === id.toLowerCase())) {
    throw new ServiceError(404, "Custom domain not found.");
  }
  return id;
}

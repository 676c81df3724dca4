// The emulator's controls over HTTP, for those who cannot call it: the routes of controls.yaml.
import type { Behaviour } from "./behaviour";
import type { Match } from "./contract";
import type { Emulator } from "./emulator";
import type { LifecycleStatus } from "./entities";
import type { Fault } from "./faults";
import { handlers } from "./operations";
import { errorReply, type Reply } from "./respond";
import { controlsContract, type Seed, SeedError } from "./seed";

type Control = (emulator: Emulator, body: unknown, path: Match["path"]) => Reply;

const done: Reply = { status: 204 };

const controls: { readonly [operationId: string]: Control } = {
  listRequests: ({ requests }) => ({ status: 200, body: requests }),
  getState: ({ state }) => ({ status: 200, body: state }),
  seed(emulator, body) {
    emulator.seed(body as Seed);
    return done;
  },
  reset(emulator) {
    emulator.reset();
    return done;
  },
  injectFault(emulator, body) {
    const fault = body as Fault;
    const unknown = [fault.operation ?? "*"].flat().find((name) => name !== "*" && !(name in handlers));
    if (unknown !== undefined) return errorReply(400, `operation ${unknown} does not exist`);
    emulator.inject(fault);
    return done;
  },
  clearFaults(emulator) {
    emulator.clearFaults();
    return done;
  },
  setBehaviour(emulator, body) {
    emulator.setBehaviour(body as Partial<Behaviour>);
    return done;
  },
  advanceClock(emulator, body) {
    emulator.clock.advance((body as { milliseconds: number }).milliseconds);
    return done;
  },
  advanceDomain: (emulator, _body, path) =>
    onDomain(emulator, path.custom_domain_id, (id) => emulator.advanceDomain(id)),
  setDomainStatus: (emulator, body, path) =>
    onDomain(emulator, path.custom_domain_id, (id) =>
      emulator.setDomainStatus(id, (body as { status: LifecycleStatus }).status),
    ),
};

/** The controls of one emulator: what they answer to a request, or nothing when it is not for them. */
export function createControls(
  emulator: Emulator,
): (method: string, path: string, text: string) => Reply | undefined {
  const contract = controlsContract();
  return (method, path, text) => {
    const match = contract.match(method, path);
    const control = controls[match?.operation.operationId ?? ""];
    if (match === undefined || control === undefined) return undefined;
    const body = parsed(text);
    const errors = [
      ...contract.parameterErrors(match.operation, { path: { ...match.path }, query: {} }),
      ...contract.bodyErrors(match.operation, body),
    ];
    if (errors.length > 0) return errorReply(400, errors);
    try {
      return control(emulator, body, match.path);
    } catch (error) {
      if (error instanceof SeedError) return errorReply(400, error.message);
      throw error;
    }
  };
}

function onDomain({ state }: Emulator, id = "", act: (id: string) => void): Reply {
  if (!state.customDomains.some((domain) => domain.id === id.toLowerCase())) {
    return errorReply(404, "Custom domain not found.");
  }
  act(id);
  return done;
}

// Text that is not JSON is passed on as it is; no schema allows a bare text.
function parsed(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

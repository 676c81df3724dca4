/** Runs a command of a sequence, with what goes wrong meanwhile, and checks the invariants after it. */
import type { FaultEffect, RequestRecord } from "../../testing/emulator";
import { until } from "../support/processes/until";
import type { DeclaredStack } from "../support/stacks/declaredStack";
import { changeManually } from "./console";
import {
  type Disruption,
  effectOf,
  type Incident,
  LAGGING_LIST,
  LAGGING_READ,
  LATE_MS,
  type ServiceFault,
  WRONG_RESULT,
} from "./disruptions";
import { checkInvariants, type Request, snapshotOf } from "./oracle";
import { pickOf, type Scene, type Thing } from "./scene";

/** Longer than the resolution of a `Date` header. */
const BETWEEN_COMMANDS_MS = 2_000;

/** What happens during a command. */
function newEvents() {
  return {
    /** The kinds of the injected faults, by their effect. */
    kinds: new Map<FaultEffect, string>(),
    /** The objects after their last change in the console, by their ids. */
    changedInConsole: new Map<string, Thing>(),
    incidents: new Set<Incident>(),
  };
}
type Events = ReturnType<typeof newEvents>;

/** Runs a command. @throws BrokenRule */
export async function runCommand(scene: Scene, request: Request, disruptions: readonly Disruption[] = []) {
  const { service } = scene;
  service.clock.advance(BETWEEN_COMMANDS_MS);
  service.clearRequests();
  service.clearFaults();
  const before = snapshotOf(scene);
  const { timeoutMs } = scene;
  if (disruptions.some((one) => "incident" in one && one.incident === "cancel"))
    scene.timeoutMs = Math.max(timeoutMs, 2 * LATE_MS);
  const events = newEvents();
  for (const disruption of disruptions)
    if ("incident" in disruption) injectIncident(scene, disruption, events);
    else if ("atWrite" in disruption) injectConsoleChange(scene, disruption, events);
    else injectFault(scene, disruption, events);
  const { stack } = scene;
  const outcome =
    "program" in request
      ? await stack[request.do](request.program, request.options)
      : await stack[request.do]();
  scene.timeoutMs = timeoutMs;
  const used = service.faultsUsed;
  await waitForEffects(scene);
  const requestsWith = (wanted: (effect: FaultEffect, kind: string | undefined) => boolean) => {
    const uses = used.filter(({ fault: { effect } }) => wanted(effect, events.kinds.get(effect)));
    return new Set(uses.map(({ request }) => request));
  };
  const kinds = used.map(({ fault }) => events.kinds.get(fault.effect));
  checkInvariants(scene, {
    request,
    program: request.do === "up" ? request.program : [],
    outcome,
    before,
    after: snapshotOf(scene),
    changedInConsole: events.changedInConsole,
    turnedAway: requestsWith((effect) => "status" in effect && "retryAfter" in effect),
    lagging: requestsWith((_, kind) => kind === LAGGING_READ || kind === LAGGING_LIST),
    incidents: events.incidents,
    isServed: kinds.every((kind) => kind === undefined),
  });
  return outcome;
}

function injectFault(scene: Scene, { kind, ...where }: ServiceFault, events: Events): void {
  const effect = effectOf(kind, scene.environmentKey);
  events.kinds.set(effect, kind);
  const match = (request: RequestRecord): boolean => {
    const wrong = isKnowable(scene) && pickOf(wrongResults(scene, request), where.skip + where.count);
    if (wrong) Object.assign(effect, { object: wrong.id });
    return Boolean(wrong);
  };
  scene.service.inject({ ...where, ...(kind.startsWith(WRONG_RESULT) && { match }), effect });
}

/** Whether the provider can know which objects existed before: only from complete lists. */
function isKnowable({ service }: Scene): boolean {
  const lists = service.requests.filter(({ operationId }) => operationId?.startsWith("list"));
  const failed = new Set(service.faultsUsed.map(({ request }) => request));
  return lists.every((list) => list.status === 200 && !failed.has(list));
}

/** The objects that the response to a create may be about: those of the same kind and project, else all of the kind. */
function wrongResults(scene: Scene, { operationId, path }: RequestRecord): Thing[] {
  const things = [...scene.things(), ...scene.things(false)].filter(
    ({ kind }) => operationId === `create${kind}`,
  );
  const inProject = things.filter(({ properties: { projectId } }) => path.includes(String(projectId)));
  return inProject.length > 0 ? inProject : things;
}

/**
 * Lets the processes suffer an incident when a request arrives, which still has its effect. A command is cancelled when a
 * write arrives.
 */
function injectIncident(
  { service, stack }: Scene,
  { incident, atRequest }: Extract<Disruption, { incident: Incident }>,
  { incidents }: Events,
): void {
  const isAtWrite = incident === "cancel";
  const dueAt = isAtWrite ? Math.ceil(atRequest / 4) : atRequest;
  let arrived = 0;
  const isDue = ({ method }: RequestRecord): boolean => {
    if (!isAtWrite || method !== "GET") arrived += 1;
    if (arrived !== dueAt || incidents.has(incident)) return false;
    incidents.add(incident);
    INCIDENTS[incident](stack);
    return isAtWrite;
  };
  service.inject({ match: isDue, effect: { delayMs: LATE_MS } });
}

const INCIDENTS: Readonly<Record<Incident, (stack: DeclaredStack) => void>> = {
  machine: (stack) => stack.crash(),
  providers: (stack) => stack.killHosts(),
  cancel: (stack) => stack.cancel(),
};

/** Changes an object in the console just before the provider changes it. */
function injectConsoleChange(
  scene: Scene,
  { atWrite, pick }: Extract<Disruption, { kind: "console" }>,
  { changedInConsole }: Events,
): void {
  const { service } = scene;
  let arrived = 0;
  const change = ({ path }: { readonly path: string }): boolean => {
    arrived += 1;
    const thing = arrived === atWrite ? scene.things().find(({ id }) => path.endsWith(id)) : undefined;
    if (thing === undefined) return false;
    changeManually(scene, thing, pick);
    changedInConsole.set(thing.id, scene.thing(thing.id) as Thing);
    return false;
  };
  const operation = ["updateProject", "updateApplication"] as const;
  service.inject({ operation, match: change, effect: { delayMs: 0 } });
}

/** Waits until all requests have had their effect, including delayed ones and those of a dead host. */
async function waitForEffects({ service }: Scene): Promise<void> {
  const late = service.faultsUsed.filter(({ fault }) => "delayMs" in fault.effect);
  const pending = () => late.filter(({ request }) => request.status === null);
  await until(() => pending().length === 0);
  service.clearFaults();
  // Connections are accepted and read in the order in which they were opened, so the requests of a dead host are
  // processed before the second of two new connections has its response.
  for (let probe = 0; probe < 2; probe++) {
    const response = await fetch(service.url, { headers: { connection: "close" } });
    await response.arrayBuffer();
  }
}

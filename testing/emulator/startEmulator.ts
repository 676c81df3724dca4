/** Starts an emulator: creates its parts, and implements the methods that change the service outside its API. */
import type { AddressInfo, Server } from "node:net";
import { loadContract } from "./contract/contract";
import { type ControlRequest, createControls } from "./controls/controls";
import type { Emulator, EmulatorOptions, EmulatorState, ServiceControls } from "./controls/emulator";
import { createFaults, type Faults } from "./controls/faults";
import type { RequestRecord, Violation } from "./controls/requestLog";
import { addSeed } from "./controls/seed";
import { UsageError } from "./controls/usageError";
import { startChangeLag } from "./operations/lag";
import { createEmulatorServer } from "./server/server";
import { openStateFile } from "./storage/stateFile";
import type { Reply } from "./wire/reply";
import {
  addApplication,
  addCredential,
  addCustomDomain,
  addLink,
  addOrganization,
  addProject,
} from "./world/additions";
import { defaultBehaviour } from "./world/behaviour";
import { enterStatus } from "./world/domainStatus";
import type { Application, Credential, Mutable, Project } from "./world/entities";
import { advanceDomain, catchUpWithClock } from "./world/lifecycle";
import {
  createWorld,
  existing,
  MissingError,
  removeApplication,
  removeCustomDomain,
  removeLink,
  removeProject,
  type Service,
  timestamp,
} from "./world/world";

/** The addresses that stand for all of the machine. No client connects to them. */
const UNSPECIFIED: readonly string[] = ["0.0.0.0", "::"];

/**
 * Starts an emulator of the service: all operations over HTTP, in memory. It validates every request and response
 * against the service's API description.
 *
 * @example
 * ```ts
 * const service = await startEmulator({ seed: { organizations: [{ keys: [{ key: "test-key-1" }] }] } });
 * // … run a client against service.url …
 * expect(service.requests.map(({ operationId }) => operationId)).toEqual(["getCurrentApiCredential"]);
 * await service.close();
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = "127.0.0.1", port = 0, tls } = options;
  if (host === "")
    throw new UsageError(
      "The host is empty, which would be all addresses of this machine. For these, specify 0.0.0.0 or ::.",
    );
  const opened = openService(options);
  const recorded = newRecords();
  const faults = createFaults();
  const closing = new AbortController();
  let controls: ((request: ControlRequest) => Reply | undefined) | undefined;
  const server = createEmulatorServer({
    contract: loadContract("openapi.yaml"),
    service: opened.service,
    faults,
    tls,
    record: (request) => recorded.requests.push(request),
    report: (violation) => recorded.violations.push(violation),
    ended: (request) => options.onRequest?.(request),
    changed: opened.save,
    control: (request) => controls?.(request),
    signal: closing.signal,
  });
  const address = await listening(server, { host, port });
  try {
    // An unusable file is an error at the start, and not of the first request. One that exists may be that of another emulator.
    if (!opened.isKept) opened.save();
  } catch (error) {
    server.close();
    throw error;
  }
  async function close(): Promise<void> {
    closing.abort();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    opened.save();
  }
  const url = `${tls === undefined ? "http" : "https"}://${address}`;
  const emulator = emulatorOf(opened, { url, recorded, faults, close });
  if (options.controls) controls = createControls(emulator);
  return emulator;
}

/** What the emulator has recorded since its start or its last reset. */
function newRecords() {
  return { requests: [] as RequestRecord[], violations: [] as Violation[] };
}

/** The service with the content of its file, else with its seed. */
function openService(options: EmulatorOptions) {
  const clock = newClock(options.startTime);
  const initial = (): Pick<Service, "world" | "behaviour"> => ({
    world: createWorld(),
    behaviour: { ...defaultBehaviour, ...options.behaviour },
  });
  const service: Service = { ...initial(), now: clock.now };
  const file = options.stateFile === undefined ? undefined : openStateFile(options.stateFile);
  const addInitialSeed = () => options.seed !== undefined && addSeed(service, options.seed);
  if (file?.kept === undefined) addInitialSeed();
  else {
    service.world = file.kept.world;
    clock.reset(file.kept.clockAheadMs);
  }
  return {
    service,
    clock,
    isKept: file?.kept !== undefined,
    save: () => file?.save({ world: service.world, clockAheadMs: clock.aheadMs() }),
    reset() {
      clock.reset();
      Object.assign(service, initial());
      addInitialSeed();
    },
  };
}

/** A clock that runs at normal speed, and is ahead of the system's. */
function newClock(startTime: Date | undefined) {
  const startMs = startTime === undefined ? 0 : startTime.getTime() - Date.now();
  let aheadMs = startMs;
  return {
    now: () => new Date(Date.now() + aheadMs),
    aheadMs: () => aheadMs,
    advance(ms: number) {
      if (!(ms >= 0)) throw new UsageError(`The clock cannot advance by ${ms} milliseconds.`);
      aheadMs += ms;
    },
    reset(ms = startMs) {
      aheadMs = ms;
    },
  };
}

/** Starts to listen. Resolves with the host and the port for clients. */
async function listening(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<string> {
  // A test that does not close the emulator must not keep the test runner alive.
  server.unref().on("connection", (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  if (UNSPECIFIED.includes(address)) return `127.0.0.1:${bound}`;
  return family === "IPv6" ? `[${address}]:${bound}` : `${address}:${bound}`;
}

interface EmulatorParts {
  readonly recorded: ReturnType<typeof newRecords>;
  readonly faults: Faults;
}

function emulatorOf(
  { service, clock, reset }: ReturnType<typeof openService>,
  { recorded, faults, ...others }: Pick<Emulator, "url" | "close"> & EmulatorParts,
): Emulator {
  return {
    ...others,
    ...serviceControls(service),
    get requests() {
      return recorded.requests;
    },
    get violations() {
      return recorded.violations;
    },
    get faults() {
      return faults.pending;
    },
    get faultsUsed() {
      return faults.used;
    },
    get keys() {
      return structuredClone([...service.world.credentials.values()]);
    },
    get state() {
      catchUpWithClock(service);
      return stateOf(service);
    },
    get behaviour() {
      return service.behaviour;
    },
    clearRequests() {
      recorded.requests = [];
    },
    seed: (seed) => addSeed(service, seed),
    reset() {
      reset();
      faults.clear();
      Object.assign(recorded, newRecords());
    },
    [Symbol.asyncDispose]: others.close,
    inject: (fault) => faults.inject(fault),
    clearFaults: () => faults.clear(),
    setBehaviour(behaviour) {
      service.behaviour = { ...service.behaviour, ...behaviour };
    },
    clock: { now: clock.now, advance: clock.advance },
  };
}

function stateOf({ world }: Service): EmulatorState {
  const copies = <Entity>(entities: ReadonlyMap<string, Entity>): Entity[] =>
    structuredClone([...entities.values()]);
  return {
    organizations: copies(world.organizations),
    credentials: copies(world.credentials).map(({ key, ...rest }) => ({
      ...rest,
      keyPrefix: key.slice(0, 6),
    })),
    projects: copies(world.projects),
    applications: copies(world.applications),
    customDomains: copies(world.customDomains),
    links: copies(world.links),
  };
}

function serviceControls(service: Service): ServiceControls {
  function credentialOf(key: string): Mutable<Credential> {
    const credential = service.world.credentials.get(key);
    if (credential === undefined) throw new MissingError("The key does not exist.");
    return credential;
  }

  function change(entity: Project | Application, patch: object): void {
    startChangeLag(service, entity);
    Object.assign(entity, patch, { updatedAt: timestamp(service) });
  }

  return {
    createOrganization: (organization = {}) => structuredClone(addOrganization(service, organization)),
    createProject: (organizationId, project) => structuredClone(addProject(service, organizationId, project)),
    createApplication: (projectId, application) =>
      structuredClone(addApplication(service, projectId, application)),
    createCustomDomain: (projectId, domain) => structuredClone(addCustomDomain(service, projectId, domain)),
    createLink: (projectId, link) => structuredClone(addLink(service, projectId, link)),
    updateProject: (id, patch) => change(existing(service.world.projects, id), patch),
    updateApplication: (id, patch) => change(existing(service.world.applications, id), patch),
    deleteProject: (id) => removeProject(service, id),
    deleteApplication: (id) => removeApplication(service, id),
    deleteCustomDomain: (id) => removeCustomDomain(service, id),
    deleteLink: (id) => removeLink(service.world, id),
    setDomainStatus(id, status, extra = {}) {
      const domain = existing(service.world.customDomains, id);
      startChangeLag(service, domain);
      enterStatus(domain, status, service.now());
      Object.assign(domain, extra);
    },
    advanceDomain(id) {
      const domain = existing(service.world.customDomains, id);
      startChangeLag(service, domain);
      advanceDomain(service, domain);
    },
    setPro(projectId, pro) {
      existing(service.world.projects, projectId).pro = pro;
    },
    addKey: (organizationId, key) => void addCredential(service, organizationId, key),
    setScopes(key, scopes) {
      credentialOf(key).scopes = [...scopes];
    },
    revokeKey(key) {
      credentialOf(key).revoked = true;
    },
    blockOrganization(id, blocked) {
      existing(service.world.organizations, id).blocked = blocked;
    },
  };
}

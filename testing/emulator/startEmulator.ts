/** Starts an emulator: creates its parts, and implements the methods that change the service outside its API. */
import type { AddressInfo } from "node:net";
import { loadContract } from "./contract/contract";
import { type ControlRequest, createControls } from "./controls/controls";
import type { Emulator, EmulatorOptions } from "./controls/emulator";
import { createFaults } from "./controls/faults";
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

function urlHostOf({ family, address }: AddressInfo): string {
  return family === "IPv6" ? `[${address}]` : address;
}

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
  const contract = loadContract("openapi.yaml");
  const closing = new AbortController();
  let offsetMs = 0;
  let requests: RequestRecord[] = [];
  let violations: Violation[] = [];
  const faults = createFaults();
  const { host = "127.0.0.1", port = 0, startTime = new Date() } = options;
  if (host === "")
    throw new UsageError(
      "The host is empty, which would be all addresses of this machine. For these, specify 0.0.0.0 or ::.",
    );
  const startOffsetMs = options.startTime === undefined ? 0 : startTime.getTime() - Date.now();
  const now = () => new Date(Date.now() + startOffsetMs + offsetMs);
  const service: Service = {
    world: createWorld(),
    behaviour: { ...defaultBehaviour, ...options.behaviour },
    now,
  };
  const file = options.stateFile === undefined ? undefined : openStateFile(options.stateFile);
  if (file?.kept !== undefined) {
    service.world = file.kept.world;
    offsetMs = file.kept.clockAheadMs - startOffsetMs;
  } else if (options.seed !== undefined) addSeed(service, options.seed);
  const save = () => file?.save({ world: service.world, clockAheadMs: startOffsetMs + offsetMs });

  function credentialOf(key: string): Mutable<Credential> {
    const credential = service.world.credentials.get(key);
    if (credential === undefined) throw new MissingError("The key does not exist.");
    return credential;
  }

  function change(entity: Project | Application, patch: object): void {
    startChangeLag(service, entity);
    Object.assign(entity, patch, { updatedAt: timestamp(service) });
  }

  let controls: ((request: ControlRequest) => Reply | undefined) | undefined;
  const server = createEmulatorServer({
    contract,
    service,
    faults,
    tls: options.tls,
    record: (request) => requests.push(request),
    report: (violation) => violations.push(violation),
    ended: (request) => options.onRequest?.(request),
    changed: save,
    control: (request) => controls?.(request),
    signal: closing.signal,
  });
  // A test that does not close the emulator must not keep the test runner alive.
  server.unref().on("connection", (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  try {
    // An unusable file is an error at the start, and not of the first request. One that exists may be that of another emulator.
    if (file?.kept === undefined) save();
  } catch (error) {
    server.close();
    throw error;
  }
  const address = server.address() as AddressInfo;
  const shownHost = UNSPECIFIED.includes(address.address) ? "127.0.0.1" : urlHostOf(address);

  async function close(): Promise<void> {
    closing.abort();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
    save();
  }

  const emulator: Emulator = {
    url: `${options.tls === undefined ? "http" : "https"}://${shownHost}:${address.port}`,
    get requests() {
      return requests;
    },
    get violations() {
      return violations;
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
      const { organizations, credentials, projects, applications, customDomains, links } = service.world;
      const copies = <Entity>(entities: ReadonlyMap<string, Entity>): Entity[] =>
        structuredClone([...entities.values()]);
      return {
        organizations: copies(organizations),
        credentials: copies(credentials).map(({ key, ...rest }) => ({ ...rest, keyPrefix: key.slice(0, 6) })),
        projects: copies(projects),
        applications: copies(applications),
        customDomains: copies(customDomains),
        links: copies(links),
      };
    },
    get behaviour() {
      return service.behaviour;
    },
    clearRequests() {
      requests = [];
    },
    seed(seed) {
      addSeed(service, seed);
    },
    reset() {
      offsetMs = 0;
      requests = [];
      violations = [];
      faults.clear();
      service.world = createWorld();
      service.behaviour = { ...defaultBehaviour, ...options.behaviour };
      if (options.seed !== undefined) addSeed(service, options.seed);
    },
    close,
    [Symbol.asyncDispose]: close,
    inject: (fault) => faults.inject(fault),
    clearFaults: () => faults.clear(),
    setBehaviour(behaviour) {
      service.behaviour = { ...service.behaviour, ...behaviour };
    },
    clock: {
      now,
      advance(ms) {
        if (!(ms >= 0)) throw new UsageError(`The clock cannot advance by ${ms} milliseconds.`);
        offsetMs += ms;
      },
    },

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
      enterStatus(domain, status, now());
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
  if (options.controls) controls = createControls(emulator);
  return emulator;
}

// The emulator as its users hold it: an address, a log, and everything that can be done behind the service's back.
import type { AddressInfo } from "node:net";
import { type Behaviour, defaultBehaviour } from "./behaviour";
import { type Contract, loadContract } from "./contract";
import { createControls } from "./controls";
import { enterStatus } from "./domainStatus";
import type {
  Application,
  Credential,
  CustomDomain,
  LifecycleStatus,
  Link,
  Organization,
  Project,
  Scope,
} from "./entities";
import { createFaults, type Fault, type FaultUse } from "./faults";
import { advanceDomain, catchUpWithClock } from "./lifecycle";
import type { RequestRecord, Violation } from "./requestLog";
import { plant, type Seed } from "./seed";
import { createEmulatorServer } from "./server";
import {
  addApplication,
  addCredential,
  addCustomDomain,
  addLink,
  addOrganization,
  addProject,
  createWorld,
  existing,
  type NewApplication,
  type NewCustomDomain,
  type NewKey,
  type NewLink,
  type NewProject,
  removeApplication,
  removeCustomDomain,
  removeLink,
  removeProject,
  type Service,
  timestamp,
} from "./world";

/** How an emulator starts. */
export interface EmulatorOptions {
  /** Where it listens. Default: `"127.0.0.1"`, so that nobody else reaches it. */
  host?: string;
  /** Default: `0`, any free port. */
  port?: number;
  /** What it has in it. Default: nothing, so that every key is unknown. */
  seed?: Seed;
  /** Answers to what is undecided. Default: `defaultBehaviour`. */
  behaviour?: Partial<Behaviour>;
  /** What its clock shows at first. Default: the time of the system. */
  startTime?: Date;
  /** Whether it can be controlled over HTTP, under `/_emulator/`. Default: `false`. */
  controls?: boolean;
}

/** A credential without its secret. */
export interface CredentialSummary {
  id: string;
  organizationId: string;
  keyPrefix: string;
  scopes: Scope[];
  revoked: boolean;
}

/** Plain copies of everything that exists. */
export interface EmulatorState {
  organizations: Organization[];
  credentials: CredentialSummary[];
  projects: Project[];
  applications: Application[];
  customDomains: CustomDomain[];
  links: Link[];
}

/** A running emulator. */
export interface Emulator {
  /** Its origin, as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The requests in the order in which they arrived. */
  readonly requests: readonly RequestRecord[];
  /** Answers of the emulator itself that broke the interface: there should be none. */
  readonly violations: readonly Violation[];
  /** The faults that hit a request. */
  readonly faultsUsed: readonly FaultUse[];
  /** Plain copies of everything that exists, in the order of creation. */
  readonly state: EmulatorState;
  /** What it does at present where the interface leaves that open. */
  readonly behaviour: Readonly<Behaviour>;
  /** Forgets the requests. */
  clearRequests(): void;
  /** Adds to what is there. @throws SeedError that names the first wrong field; nothing is added then. */
  seed(seed: Seed): void;
  /** Back to the seed and behaviour of the options; log, faults and clock are cleared. */
  reset(): void;
  /** Lets go of everything at once, also of connections that hang. */
  close(): Promise<void>;
  /** Makes something go wrong. */
  inject(fault: Fault): void;
  /** Forgets the faults that are left and those that were used. */
  clearFaults(): void;
  /** Changes answers to what is undecided; the others stay. */
  setBehaviour(behaviour: Partial<Behaviour>): void;
  /** The clock of the service: it runs with the real one, and `advance` puts it forward. */
  readonly clock: { now(): Date; advance(ms: number): void };

  // What follows happens behind the callers' backs, as if in the service's console: no rule is applied, nothing is logged.

  /** Adds an organization without keys. */
  createOrganization(organization?: { id?: string; blocked?: boolean }): Organization;
  /** Adds a project, even one whose name is taken. */
  createProject(organizationId: string, project: NewProject): Project;
  /** Adds an application. */
  createApplication(projectId: string, application: NewApplication): Application;
  /** Adds a domain: ACTIVE unless told otherwise. */
  createCustomDomain(projectId: string, domain: NewCustomDomain): CustomDomain;
  /** Adds a link: ready unless told otherwise. */
  createLink(projectId: string, link: NewLink): Link;
  /** Changes the fields that are given, and the time of the update. */
  updateProject(
    id: string,
    patch: Partial<Pick<Project, "name" | "defaultHookupMsg" | "logoImageId" | "subDomain">>,
  ): void;
  /** Changes the fields that are given, an info object as a whole, and the time of the update. */
  updateApplication(
    id: string,
    patch: Partial<Pick<Application, "appType" | "appleInfo" | "androidInfo">>,
  ): void;
  /** Removes a project and all that is under it. */
  deleteProject(id: string): void;
  /** Removes an application; links that opened it forget it. */
  deleteApplication(id: string): void;
  /** Removes a domain at once, and its links. */
  deleteCustomDomain(id: string): void;
  /** Removes a link. */
  deleteLink(id: string): void;
  /** Puts a domain into a status, with all that goes along with it and whatever else is given. */
  setDomainStatus(id: string, status: LifecycleStatus, extra?: Partial<CustomDomain>): void;
  /** Moves a domain one step on: a pending one to its next status, one that is DELETING out of existence. */
  advanceDomain(id: string): void;
  /** Gives a project the Pro entitlement, or takes it away. */
  setPro(projectId: string, pro: boolean): void;
  /** Adds a key to an organization. */
  addKey(organizationId: string, key: NewKey): void;
  /** Gives a key these scopes and no others. */
  setScopes(key: string, scopes: readonly Scope[]): void;
  /** Makes a key unknown for ever. */
  revokeKey(key: string): void;
  /** Blocks an organization, or lets it in again. */
  blockOrganization(id: string, blocked: boolean): void;
}

/**
 * Starts an emulator of the service: all operations over HTTP, in memory, each request and each answer checked against
 * the interface's own description.
 *
 * @example
 * ```ts
 * const service = await startEmulator({ seed: { organizations: [{ keys: [{ key: "test-key-1" }] }] } });
 * // … let a client work on service.url …
 * expect(service.requests.map(({ operationId }) => operationId)).toEqual(["getCurrentApiCredential"]);
 * await service.close();
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const contract = serviceContract();
  const closing = new AbortController();
  let offsetMs = 0;
  let requests: RequestRecord[] = [];
  let violations: Violation[] = [];
  const faults = createFaults();
  const startOffsetMs = options.startTime === undefined ? 0 : options.startTime.getTime() - Date.now();
  const now = () => new Date(Date.now() + startOffsetMs + offsetMs);
  const service: Service = {
    world: createWorld(),
    behaviour: { ...defaultBehaviour, ...options.behaviour },
    now,
  };
  if (options.seed !== undefined) plant(service, options.seed);

  const credentialOf = (key: string): Credential => {
    const credential = service.world.credentials.get(key);
    if (credential === undefined) throw new Error("There is no such key.");
    return credential;
  };
  const changed = (entity: Project | Application, patch: object): void => {
    Object.assign(entity, patch, { updatedAt: timestamp(service) });
  };
  let control: ReturnType<typeof createControls> | undefined;
  const server = createEmulatorServer({
    contract,
    service,
    faults,
    record: (request) => requests.push(request),
    report: (violation) => violations.push(violation),
    control: (request) => control?.(request),
    signal: closing.signal,
  });
  const { host = "127.0.0.1", port = 0 } = options;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shownHost = address.family === "IPv6" ? `[${address.address}]` : address.address;

  const emulator: Emulator = {
    url: `http://${shownHost}:${address.port}`,
    get requests() {
      return requests;
    },
    get violations() {
      return violations;
    },
    get faultsUsed() {
      return faults.used;
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
      plant(service, seed);
    },
    reset() {
      offsetMs = 0;
      requests = [];
      violations = [];
      faults.clear();
      service.world = createWorld();
      service.behaviour = { ...defaultBehaviour, ...options.behaviour };
      if (options.seed !== undefined) plant(service, options.seed);
    },
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    inject: (fault) => faults.inject(fault),
    clearFaults: () => faults.clear(),
    setBehaviour(behaviour) {
      service.behaviour = { ...service.behaviour, ...behaviour };
    },
    clock: {
      now,
      advance(ms) {
        offsetMs += ms;
      },
    },

    createOrganization: (organization = {}) => structuredClone(addOrganization(service, organization)),
    createProject: (organizationId, project) => structuredClone(addProject(service, organizationId, project)),
    createApplication: (projectId, application) =>
      structuredClone(addApplication(service, projectId, application)),
    createCustomDomain: (projectId, domain) => structuredClone(addCustomDomain(service, projectId, domain)),
    createLink: (projectId, link) => structuredClone(addLink(service, projectId, link)),
    updateProject: (id, patch) => changed(existing(service.world.projects, id), patch),
    updateApplication: (id, patch) => changed(existing(service.world.applications, id), patch),
    deleteProject: (id) => removeProject(service.world, existing(service.world.projects, id).id),
    deleteApplication: (id) => removeApplication(service.world, existing(service.world.applications, id).id),
    deleteCustomDomain: (id) =>
      removeCustomDomain(service.world, existing(service.world.customDomains, id).id),
    deleteLink: (id) => removeLink(service.world, existing(service.world.links, id).id),
    setDomainStatus(id, status, extra = {}) {
      const domain = existing(service.world.customDomains, id);
      enterStatus(domain, status, now());
      Object.assign(domain, extra);
    },
    advanceDomain: (id) => advanceDomain(service, existing(service.world.customDomains, id)),
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
  if (options.controls) control = createControls(emulator);
  return emulator;
}

let loaded: Contract | undefined;

/** The interface's description, read once for all emulators of a process. */
function serviceContract(): Contract {
  loaded ??= loadContract("openapi.yaml");
  return loaded;
}

/** The emulator as tests use it: its URL, its log, and methods that change the service outside its API. */
import { recordChange } from "../operations/lag";
import {
  addApplication,
  addCredential,
  addCustomDomain,
  addLink,
  addOrganization,
  addProject,
  type NewApplication,
  type NewCustomDomain,
  type NewKey,
  type NewLink,
  type NewProject,
} from "../world/additions";
import type { Behaviour } from "../world/behaviour";
import { enterStatus } from "../world/domainStatus";
import type {
  Application,
  Credential,
  CustomDomain,
  LifecycleStatus,
  Link,
  Mutable,
  Organization,
  Project,
  ProjectSettings,
  Scope,
} from "../world/entities";
import { advanceDomain, catchUpWithClock } from "../world/lifecycle";
import {
  existing,
  removeApplication,
  removeCustomDomain,
  removeLink,
  removeProject,
  type Service,
  timestamp,
  UsageError,
} from "../world/world";
import type { Fault, Faults, FaultUse } from "./faults";
import type { OpenedService } from "./openService";
import { newRecords, type Records, type RequestRecord, type Violation } from "./requestLog";
import type { Seed } from "./seed";

/** Options of `startEmulator`. */
export interface EmulatorOptions {
  /** The address to listen on. Default: `"127.0.0.1"`, which is reachable from this machine only. */
  readonly host?: string;
  /** The port to listen on. Default: `0`, any free port. */
  readonly port?: number;
  /** The certificate and the key, in PEM, with which it serves https. Default: none, so that it serves http. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** The initial content. Default: none, so that every key is unknown. */
  readonly seed?: Seed;
  /** Behaviour that the service's documentation leaves open. Default: `defaultBehaviour`. */
  readonly behaviour?: Partial<Behaviour>;
  /** Whether it serves its controls over HTTP, under `/_emulator/`. Default: `false`. */
  readonly controls?: boolean;
  /** Called after each request, when the response was sent or the connection has closed. Default: nothing. */
  readonly onRequest?: (request: RequestRecord) => void;
}

/** Copies of everything that exists, without the keys. */
export interface EmulatorState {
  readonly organizations: readonly Organization[];
  readonly credentials: readonly (Omit<Credential, "key"> & { readonly keyPrefix: string })[];
  readonly projects: readonly Project[];
  readonly applications: readonly Application[];
  readonly customDomains: readonly CustomDomain[];
  readonly links: readonly Link[];
}

/** What has happened to requests, and what is to happen to them. */
interface Traffic {
  readonly recorded: Records;
  readonly faults: Faults;
}

/** A running emulator. */
export interface Emulator extends ReturnType<typeof emulatorControls>, ReturnType<typeof serviceControls> {
  /** Its origin, with the address at which it listens, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The requests, in order of arrival. */
  readonly requests: readonly RequestRecord[];
  /** Responses of the emulator that violated the API description. There should be none. */
  readonly violations: readonly Violation[];
  /** The faults that were applied to a request. */
  readonly faultsUsed: readonly FaultUse[];
  /** The keys. No other member contains them. */
  readonly keys: readonly Credential[];
  /** Copies of everything that exists, in the order of creation. */
  readonly state: EmulatorState;
  /** Its current behaviour where the service's documentation leaves it open. */
  readonly behaviour: Readonly<Behaviour>;
  /** Stops at once, and closes all connections, including those that hang. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

export function emulatorOf(
  opened: OpenedService,
  { url, close, ...traffic }: Pick<Emulator, "url" | "close"> & Traffic,
): Emulator {
  const { service } = opened;
  const { recorded, faults } = traffic;
  return {
    url,
    close,
    [Symbol.asyncDispose]: close,
    ...emulatorControls(opened, traffic),
    ...serviceControls(service),
    get requests() {
      return recorded.requests;
    },
    get violations() {
      return recorded.violations;
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
  };
}

function emulatorControls({ service, clock, reset }: OpenedService, { recorded, faults }: Traffic) {
  return {
    /** Clears `requests`. */
    clearRequests(): void {
      recorded.requests = [];
    },
    /** Restores the seed and behaviour of the options, and resets the log, the faults and the clock. */
    reset(): void {
      reset();
      faults.clear();
      Object.assign(recorded, newRecords());
    },
    /** Injects a fault. @throws Error for an unknown operation. */
    inject: (fault: Fault): void => faults.inject(fault),
    /** Removes all faults, and clears `faultsUsed`. */
    clearFaults: (): void => faults.clear(),
    /** Changes the given behaviour options, and leaves the others unchanged. */
    setBehaviour(behaviour: Partial<Behaviour>): void {
      service.behaviour = { ...service.behaviour, ...behaviour };
    },
    /** The clock of the service. It runs at normal speed, and `advance` moves it forward. */
    clock: { now: clock.now, advance: clock.advance },
  };
}

function stateOf({ world }: Service): EmulatorState {
  const copies = <Entity>(all: ReadonlyMap<string, Entity>) => structuredClone([...all.values()]);
  return {
    organizations: copies(world.organizations),
    credentials: copies(world.credentials).map(({ key, ...own }) => ({ ...own, keyPrefix: key.slice(0, 6) })),
    projects: copies(world.projects),
    applications: copies(world.applications),
    customDomains: copies(world.customDomains),
    links: copies(world.links),
  };
}

type ProjectPatch = Partial<ProjectSettings & Pick<Project, "name" | "subDomain">>;
type ApplicationPatch = Partial<Pick<Application, "appType" | "appleInfo" | "androidInfo">>;

/** Changes the service outside its API, as its console does: no rule applies, and nothing is logged. */
function serviceControls(service: Service) {
  function credentialOf(key: string): Mutable<Credential> {
    const credential = service.world.credentials.get(key);
    if (credential === undefined) throw new UsageError("The key does not exist.", 404);
    return credential;
  }

  function change(entity: Project | Application, patch: object): void {
    recordChange(service, entity);
    Object.assign(entity, patch, { updatedAt: timestamp(service) });
  }

  return {
    /** Adds an organization without keys. */
    createOrganization: (
      organization: { readonly id?: string; readonly blocked?: boolean } = {},
    ): Organization => structuredClone(addOrganization(service, organization)),
    /** Adds a project, even if its name is already in use. */
    createProject: (organizationId: string, project: NewProject): Project =>
      structuredClone(addProject(service, organizationId, project)),
    /** Adds an application. */
    createApplication: (projectId: string, application: NewApplication): Application =>
      structuredClone(addApplication(service, projectId, application)),
    /** Adds a custom domain. Default status: ACTIVE. */
    createCustomDomain: (projectId: string, domain: NewCustomDomain): CustomDomain =>
      structuredClone(addCustomDomain(service, projectId, domain)),
    /** Adds a link. Default: ready. */
    createLink: (projectId: string, link: NewLink): Link =>
      structuredClone(addLink(service, projectId, link)),
    /** Changes the given fields and the update time. */
    updateProject: (id: string, patch: ProjectPatch): void =>
      change(existing(service.world.projects, id), patch),
    /** Changes the given fields and the update time. Replaces an info object as a whole. */
    updateApplication: (id: string, patch: ApplicationPatch): void =>
      change(existing(service.world.applications, id), patch),
    /** Removes a project and everything in it. */
    deleteProject: (id: string): void => removeProject(service, id),
    /** Removes an application, also from the links that opened it. */
    deleteApplication: (id: string): void => removeApplication(service, id),
    /** Removes a custom domain and its links at once. */
    deleteCustomDomain: (id: string): void => removeCustomDomain(service, id),
    /** Removes a link. */
    deleteLink: (id: string): void => removeLink(service.world, id),
    /** Sets the status of a domain and the fields that depend on it, then the fields in `extra`. */
    setDomainStatus(id: string, status: LifecycleStatus, extra: Partial<CustomDomain> = {}): void {
      const domain = existing(service.world.customDomains, id);
      recordChange(service, domain);
      enterStatus(service, domain, status, service.now());
      Object.assign(domain, extra);
    },
    /** Advances a domain by one step: a pending one to its next status; one that is DELETING is removed. */
    advanceDomain(id: string): void {
      const domain = existing(service.world.customDomains, id);
      recordChange(service, domain);
      advanceDomain(service, domain);
    },
    /** Grants or removes the Pro entitlement of a project. */
    setPro(projectId: string, pro: boolean): void {
      existing(service.world.projects, projectId).pro = pro;
    },
    /** Adds a key to an organization. */
    addKey(organizationId: string, key: NewKey): void {
      addCredential(service, organizationId, key);
    },
    /** Replaces the scopes of a key. */
    setScopes(key: string, scopes: readonly Scope[]): void {
      credentialOf(key).scopes = [...scopes];
    },
    /** Revokes a key permanently. */
    revokeKey(key: string): void {
      credentialOf(key).revoked = true;
    },
    /** Blocks or unblocks an organization. */
    blockOrganization(id: string, blocked: boolean): void {
      existing(service.world.organizations, id).blocked = blocked;
    },
  };
}

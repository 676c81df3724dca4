/** The emulator as tests use it: its URL, its log, and methods that change the service outside its API. */

import type { NewApplication, NewCustomDomain, NewKey, NewLink, NewProject } from "../world/additions";
import type { Behaviour } from "../world/behaviour";
import type {
  Application,
  Credential,
  CustomDomain,
  LifecycleStatus,
  Link,
  Organization,
  Project,
  ProjectSettings,
  Scope,
} from "../world/entities";
import type { Fault, FaultUse } from "./faults";
import type { RequestRecord, Violation } from "./requestLog";
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
  /** The initial time of its clock. Default: the system time. */
  readonly startTime?: Date;
  /** Whether it serves its controls over HTTP, under `/_emulator/`. Default: `false`. */
  readonly controls?: boolean;
  /** Called after each request, when the response was sent or the connection has closed. Default: nothing. */
  readonly onRequest?: (request: RequestRecord) => void;
  /**
   * The path of a file that keeps what exists, and the clock. If it does not exist, it is created with the seed. If it
   * does, it has priority over the seed and over `startTime`. It is replaced before a response is sent, and at the end.
   * Default: none.
   */
  readonly stateFile?: string;
}

/** A credential without its secret. */
export interface CredentialSummary {
  readonly id: string;
  readonly organizationId: string;
  readonly keyPrefix: string;
  readonly scopes: readonly Scope[];
  readonly revoked: boolean;
}

/** Copies of everything that exists, without the keys. */
export interface EmulatorState {
  readonly organizations: readonly Organization[];
  readonly credentials: readonly CredentialSummary[];
  readonly projects: readonly Project[];
  readonly applications: readonly Application[];
  readonly customDomains: readonly CustomDomain[];
  readonly links: readonly Link[];
}

/** Changes the service outside its API, as its console does: no rule applies, and nothing is logged. */
export interface ServiceControls {
  /** Adds an organization without keys. */
  createOrganization(organization?: { readonly id?: string; readonly blocked?: boolean }): Organization;
  /** Adds a project, even if its name is already in use. */
  createProject(organizationId: string, project: NewProject): Project;
  /** Adds an application. */
  createApplication(projectId: string, application: NewApplication): Application;
  /** Adds a custom domain. Default status: ACTIVE. */
  createCustomDomain(projectId: string, domain: NewCustomDomain): CustomDomain;
  /** Adds a link. Default: ready. */
  createLink(projectId: string, link: NewLink): Link;
  /** Changes the given fields and the update time. */
  updateProject(id: string, patch: Partial<ProjectSettings & Pick<Project, "name" | "subDomain">>): void;
  /** Changes the given fields and the update time. Replaces an info object as a whole. */
  updateApplication(
    id: string,
    patch: Partial<Pick<Application, "appType" | "appleInfo" | "androidInfo">>,
  ): void;
  /** Removes a project and everything in it. */
  deleteProject(id: string): void;
  /** Removes an application, also from the links that opened it. */
  deleteApplication(id: string): void;
  /** Removes a custom domain and its links at once. */
  deleteCustomDomain(id: string): void;
  /** Removes a link. */
  deleteLink(id: string): void;
  /** Sets the status of a domain and the fields that depend on it, then the fields in `extra`. */
  setDomainStatus(id: string, status: LifecycleStatus, extra?: Partial<CustomDomain>): void;
  /** Advances a domain by one step: a pending one to its next status; one that is DELETING is removed. */
  advanceDomain(id: string): void;
  /** Grants or removes the Pro entitlement of a project. */
  setPro(projectId: string, pro: boolean): void;
  /** Adds a key to an organization. */
  addKey(organizationId: string, key: NewKey): void;
  /** Replaces the scopes of a key. */
  setScopes(key: string, scopes: readonly Scope[]): void;
  /** Revokes a key permanently. */
  revokeKey(key: string): void;
  /** Blocks or unblocks an organization. */
  blockOrganization(id: string, blocked: boolean): void;
}

/** A running emulator. */
export interface Emulator extends ServiceControls {
  /** Its origin, with the address at which it listens, such as `http://127.0.0.1:40123`. */
  readonly url: string;
  /** The requests, in order of arrival. */
  readonly requests: readonly RequestRecord[];
  /** Responses of the emulator that violated the API description. There should be none. */
  readonly violations: readonly Violation[];
  /** The faults that are still to be applied, with the number of requests that each still skips and applies to. */
  readonly faults: readonly Fault[];
  /** The faults that were applied to a request. */
  readonly faultsUsed: readonly FaultUse[];
  /** The keys. No other member contains them. */
  readonly keys: readonly Credential[];
  /** Copies of everything that exists, in the order of creation. */
  readonly state: EmulatorState;
  /** Its current behaviour where the service's documentation leaves it open. */
  readonly behaviour: Readonly<Behaviour>;
  /** Clears `requests`. */
  clearRequests(): void;
  /** Adds a seed to the content. @throws SeedError that reports the first wrong field; then nothing is added. */
  seed(seed: Seed): void;
  /** Restores the seed and behaviour of the options, and resets the log, the faults and the clock. */
  reset(): void;
  /** Stops at once, and closes all connections, including those that hang. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Injects a fault. @throws Error for an unknown operation, an invalid regular expression, or an invalid effect. */
  inject(fault: Fault): void;
  /** Removes all faults, and clears `faultsUsed`. */
  clearFaults(): void;
  /** Changes the given behaviour options, and leaves the others unchanged. */
  setBehaviour(behaviour: Partial<Behaviour>): void;
  /** The clock of the service. It runs at normal speed, and `advance` moves it forward. */
  readonly clock: { now(): Date; advance(ms: number): void };
}

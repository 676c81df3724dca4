// The emulator as its users hold it: an address, a log, and everything that can be done behind the service's back.
import type { Behaviour } from "./behaviour";
import type {
  Application,
  CustomDomain,
  LifecycleStatus,
  Link,
  Organization,
  Project,
  Scope,
} from "./entities";
import type { Fault, FaultUse } from "./faults";
import type { RequestRecord, Violation } from "./requestLog";
import type { Seed } from "./seed";
import type { NewApplication, NewCustomDomain, NewKey, NewLink, NewProject } from "./world";

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

/** An emulator of the service, in memory, for tests and development. */

export type { NewApplication, NewCustomDomain, NewKey, NewLink, NewProject } from "./additions";
export { type Behaviour, defaultBehaviour } from "./behaviour";
export type { CredentialSummary, Emulator, EmulatorOptions, EmulatorState } from "./emulator";
export type {
  AndroidInfo,
  AppleInfo,
  Application,
  AppType,
  CustomDomain,
  JsonObject,
  LifecycleStatus,
  Link,
  Organization,
  Project,
  Scope,
  Skin,
} from "./entities";
export type { Fault, FaultEffect, FaultUse } from "./faults";
export type { OperationId } from "./operations";
export type { RequestRecord, Violation } from "./requestLog";
export { type Seed, SeedError, type SeedOrganization, type SeedProject } from "./seed";
export { startEmulator } from "./startEmulator";

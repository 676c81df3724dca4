/** An emulator of the service, in memory, for tests and development. */
export type { Emulator, EmulatorOptions, EmulatorState } from "./controls/emulator";
export type { FaultEffect } from "./controls/faultEffects";
export type { Fault, FaultUse } from "./controls/faults";
export type { RequestRecord, Violation } from "./controls/requestLog";
export { type Seed, SeedError, type SeedOrganization, type SeedProject } from "./controls/seed";
export type { OperationId } from "./operations";
export { startEmulator } from "./startEmulator";
export type { NewApplication, NewCustomDomain, NewKey, NewLink, NewProject } from "./world/additions";
export { type Behaviour, defaultBehaviour } from "./world/behaviour";
export type {
  AndroidInfo,
  AppleInfo,
  Application,
  AppType,
  Credential,
  CustomDomain,
  JsonObject,
  LifecycleStatus,
  Link,
  Organization,
  Project,
  Scope,
  Skin,
} from "./world/entities";

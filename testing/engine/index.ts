/**
 * A test engine for Pulumi programs with dynamic resources. It runs the real program and the real dynamic-provider host
 * in place of Pulumi's engine, without the Pulumi CLI.
 */
export type { UpdateOptions } from "./commands/command";
export type { EngineMessage } from "./protocol/grpc";
export type { Diagnostic, Severity } from "./protocol/monitor";
export { type Properties, UNKNOWN_VALUE, type Value } from "./protocol/values";
export type { MockCallArguments, MockResourceArguments, Mocks } from "./providers/mocks";
export { StackFailure, type TestResource, type TestResult, type TestStep } from "./run/result";
export type { Operation } from "./run/step";
export type { PendingOperation, ResourceState } from "./state/snapshot";
export type { Deployment } from "./state/stateFile";
export {
  type TestConfig,
  type TestConfigValue,
  type TestStack,
  type TestStackOptions,
  testStack,
} from "./testStack";

/**
 * A test engine for Pulumi programs with dynamic resources. It runs the real program and the real dynamic-provider host
 * in place of Pulumi's engine, without the Pulumi CLI.
 */
export type { ImportEntry, ImportFile } from "../../provider/hosts/dynamic/importFile";
export { UNKNOWN_VALUE } from "../../provider/hosts/values";
export type { Deployment, PendingOperation, ResourceState } from "./deployment";
export type { MockCallArguments, MockResourceArguments, Mocks } from "./mocks";
export type { Diagnostic, Severity } from "./monitor";
export type { EngineMessage } from "./protocol";
export { StackFailure, type TestResource, type TestResult, type TestStep } from "./result";
export type { Operation } from "./run";
export {
  type TestConfig,
  type TestStack,
  type TestStackOptions,
  testStack,
  type UpdateOptions,
} from "./testStack";
export type { Properties, Value } from "./values";

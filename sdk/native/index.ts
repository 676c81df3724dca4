/** The exports of the package `pulumi-dynamiclink/native`: those of `pulumi-dynamiclink`, for the native plugin. */
import "../../provider/requireNode";

export type { LookUpArgs } from "../../provider/resources/lookups";
export * from "../choices";
export type {
  FunctionOptions,
  FunctionOutputOptions,
  GetApplicationResult,
  GetCustomDomainResult,
  GetLinkResult,
  GetProjectResult,
  LookUpOutputArgs,
} from "../functions";
export type { ProviderArgs } from "../provider";
export {
  getApplication,
  getApplicationOutput,
  getCustomDomain,
  getCustomDomainOutput,
  getLink,
  getLinkOutput,
  getProject,
  getProjectOutput,
} from "./functions";
export { Provider } from "./provider";
export type { ResourceOptions } from "./resource";
export * from "./resources";

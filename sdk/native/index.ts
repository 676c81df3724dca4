/** The exports of the package `pulumi-dynamiclink/native`: those of `pulumi-dynamiclink`, for the native plugin. */
import "../../provider/requireNode";

export type { ListArgs, LookUpArgs } from "../../provider/resources/functions";
export * from "../choices";
export type {
  FunctionOptions,
  FunctionOutputOptions,
  GetApplicationResult,
  GetApplicationsResult,
  GetCustomDomainResult,
  GetCustomDomainsResult,
  GetLinkResult,
  GetProjectResult,
  GetProjectsResult,
  ListOutputArgs,
  LookUpOutputArgs,
} from "../functions";
export type { ProviderArgs } from "../provider";
export * from "./functions";
export type { ResourceOptions } from "./nativeResource";
export { Provider } from "./provider";
export * from "./resources";

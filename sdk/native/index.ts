/** The exports of the package `pulumi-dynamiclink/native`: those of `pulumi-dynamiclink`, for the native plugin. */
import "../../provider/requireNode";

export type { LookUpArgs } from "../../provider/resources/lookUps";
export type {
  AndroidApplicationArgs,
  ApplicationArgs,
  IosApplicationArgs,
  WebApplicationArgs,
} from "../application";
export { AppType } from "../appType";
export type { CustomDomainArgs } from "../customDomain";
export type { CustomDomainActivationArgs } from "../customDomainActivation";
export type {
  FunctionOptions,
  FunctionOutputOptions,
  GetApplicationResult,
  GetCustomDomainResult,
  GetLinkResult,
  GetProjectResult,
  LookUpOutputArgs,
} from "../functions";
export type { ProjectArgs } from "../project";
export type { ProviderArgs } from "../provider";
export { Application } from "./application";
export { CustomDomain } from "./customDomain";
export { CustomDomainActivation } from "./customDomainActivation";
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
export { Project } from "./project";
export { Provider } from "./provider";
export type { ResourceOptions } from "./resource";

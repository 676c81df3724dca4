/** The exports of the package `pulumi-dynamiclink`, for Pulumi programs. */
import "../provider/requireNode";

export type { LookUpArgs } from "../provider/resources/lookUps";
export {
  type AndroidApplicationArgs,
  Application,
  type ApplicationArgs,
  type IosApplicationArgs,
  type WebApplicationArgs,
} from "./application";
export { AppType } from "./appType";
export { CustomDomain, type CustomDomainArgs } from "./customDomain";
export { CustomDomainActivation, type CustomDomainActivationArgs } from "./customDomainActivation";
export {
  type FunctionOptions,
  type FunctionOutputOptions,
  type GetApplicationResult,
  type GetCustomDomainResult,
  type GetLinkResult,
  type GetProjectResult,
  getApplication,
  getApplicationOutput,
  getCustomDomain,
  getCustomDomainOutput,
  getLink,
  getLinkOutput,
  getProject,
  getProjectOutput,
  type LookUpOutputArgs,
} from "./functions";
export { Project, type ProjectArgs } from "./project";
export { Provider, type ProviderArgs } from "./provider";
export type { ResourceOptions } from "./resource";

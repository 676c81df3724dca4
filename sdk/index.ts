/** The exports of the package `pulumi-dynamiclink`, for Pulumi programs. */
import "../provider/requireNode";

export type { LookUpArgs } from "../provider/resources/lookups";
export * from "./choices";
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
export { Provider, type ProviderArgs } from "./provider";
export type { ResourceOptions } from "./resource";
export {
  type AndroidApplicationArgs,
  Application,
  type ApplicationArgs,
  type IosApplicationArgs,
  type WebApplicationArgs,
} from "./resources/application";
export { CustomDomain, type CustomDomainArgs } from "./resources/customDomain";
export { CustomDomainActivation, type CustomDomainActivationArgs } from "./resources/customDomainActivation";
export { Project, type ProjectArgs } from "./resources/project";

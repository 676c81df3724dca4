/** The exports of the package `pulumi-dynamiclink`, for Pulumi programs. */
import "../provider/requireNode";

export type { ListArgs, LookUpArgs } from "../provider/resources/lookups";
export * from "./choices";
export type { ResourceOptions } from "./dynamicResource";
export {
  type FunctionOptions,
  type FunctionOutputOptions,
  type GetApplicationResult,
  type GetApplicationsResult,
  type GetCustomDomainResult,
  type GetCustomDomainsResult,
  type GetLinkResult,
  type GetProjectResult,
  type GetProjectsResult,
  getApplication,
  getApplicationOutput,
  getApplications,
  getApplicationsOutput,
  getCustomDomain,
  getCustomDomainOutput,
  getCustomDomains,
  getCustomDomainsOutput,
  getLink,
  getLinkOutput,
  getProject,
  getProjectOutput,
  getProjects,
  getProjectsOutput,
  type ListOutputArgs,
  type LookUpOutputArgs,
} from "./functions";
export { Provider, type ProviderArgs } from "./provider";
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

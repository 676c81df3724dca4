/** The functions of the native plugin, which run in its process. Their doc comments are in `../functions.ts`. */
import { NATIVE_HOST } from "../../provider/hosts/hosts";
import type * as dynamic from "../functions";
import { requireOwnProvider } from "../hostProviders";
import { requireNoArguments, requireOptions } from "../program/functionOptions";
import { invokeFunction } from "../program/invokeFunction";
import { outputForm } from "../program/outputForm";
import { reportPlainKey } from "../program/stackConfiguration";
import { RELEASED_PLUGIN } from "./releasedPlugin";
import { requirePlugin } from "./requirePlugin";

export const getProject: typeof dynamic.getProject = (args, options) => invoke("getProject", args, options);
export const getProjectOutput: typeof dynamic.getProjectOutput = (args, options = {}) =>
  outputForm(getProject, args, options);

export const getProjects: typeof dynamic.getProjects = async (options = {}, ...others: unknown[]) => {
  requireNoArguments("getProjects", others);
  return await invoke("getProjects", {}, options);
};
export const getProjectsOutput: typeof dynamic.getProjectsOutput = (options = {}, ...others: unknown[]) => {
  requireNoArguments("getProjectsOutput", others);
  return outputForm((_args, plain: dynamic.FunctionOptions) => getProjects(plain), {}, options);
};

export const getApplication: typeof dynamic.getApplication = (args, options) =>
  invoke("getApplication", args, options);
export const getApplicationOutput: typeof dynamic.getApplicationOutput = (args, options = {}) =>
  outputForm(getApplication, args, options);

export const getApplications: typeof dynamic.getApplications = (args, options) =>
  invoke("getApplications", args, options);
export const getApplicationsOutput: typeof dynamic.getApplicationsOutput = (args, options = {}) =>
  outputForm(getApplications, args, options);

export const getCustomDomain: typeof dynamic.getCustomDomain = (args, options) =>
  invoke("getCustomDomain", args, options);
export const getCustomDomainOutput: typeof dynamic.getCustomDomainOutput = (args, options = {}) =>
  outputForm(getCustomDomain, args, options);

export const getCustomDomains: typeof dynamic.getCustomDomains = (args, options) =>
  invoke("getCustomDomains", args, options);
export const getCustomDomainsOutput: typeof dynamic.getCustomDomainsOutput = (args, options = {}) =>
  outputForm(getCustomDomains, args, options);

export const getLink: typeof dynamic.getLink = (args, options) => invoke("getLink", args, options);
export const getLinkOutput: typeof dynamic.getLinkOutput = (args, options = {}) =>
  outputForm(getLink, args, options);

async function invoke<Result>(
  name: string,
  args: object,
  options: dynamic.FunctionOptions = {},
): Promise<Result> {
  requireOptions(name, options);
  requirePlugin();
  reportPlainKey();
  requireOwnProvider(NATIVE_HOST, name, options);
  return await invokeFunction(name, args, { ...RELEASED_PLUGIN, ...options });
}

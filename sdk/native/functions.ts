/** The functions of the native plugin, which run in its process. Their doc comments are in `../functions.ts`. */
import * as pulumi from "@pulumi/pulumi";
import { NATIVE_HOST } from "../../provider/hosts/hosts";
import { nativeToken } from "../../provider/hosts/nativeNames";
import type { LookUpArgs } from "../../provider/resources/lookUps";
import type * as dynamic from "../functions";
import { requireOwnProvider } from "../hosts";
import { outputForm } from "../outputForm";
import { runError } from "../runError";

export const getProject: typeof dynamic.getProject = (args, options) => invoke("getProject", args, options);
export const getProjectOutput: typeof dynamic.getProjectOutput = (args, options = {}) =>
  outputForm(getProject, args, options);

export const getApplication: typeof dynamic.getApplication = (args, options) =>
  invoke("getApplication", args, options);
export const getApplicationOutput: typeof dynamic.getApplicationOutput = (args, options = {}) =>
  outputForm(getApplication, args, options);

export const getCustomDomain: typeof dynamic.getCustomDomain = (args, options) =>
  invoke("getCustomDomain", args, options);
export const getCustomDomainOutput: typeof dynamic.getCustomDomainOutput = (args, options = {}) =>
  outputForm(getCustomDomain, args, options);

export const getLink: typeof dynamic.getLink = (args, options) => invoke("getLink", args, options);
export const getLinkOutput: typeof dynamic.getLinkOutput = (args, options = {}) =>
  outputForm(getLink, args, options);

async function invoke<Result>(
  name: string,
  args: LookUpArgs,
  { provider, parent }: dynamic.FunctionOptions = {},
): Promise<Result> {
  requireOwnProvider(NATIVE_HOST, name, { provider, parent });
  const options = { ...(provider && { provider }), ...(parent && { parent }) };
  try {
    return await pulumi.runtime.invoke(nativeToken(name), { ...args }, options);
  } catch (error) {
    throw error instanceof Error ? runError(error.message) : error;
  }
}

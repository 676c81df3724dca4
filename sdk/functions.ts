/**
 * Functions that look up objects by UUID, or list them. They run in the program's process, because dynamic providers have no
 * functions.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Application, CustomDomain, Link } from "../provider/client";
import { DYNAMIC_HOST } from "../provider/hosts/hosts";
import type { FunctionName, ListArgs, LookUpArgs } from "../provider/resources/functions";
import type { ProjectProperties } from "../provider/resources/project";
import type { RawSettings } from "../provider/session/settings";
import { effectiveProvider, requireOwnProvider } from "./hostProviders";
import { requireNoArguments, requireOptions } from "./program/functionOptions";
import { invokeFunction } from "./program/invokeFunction";
import { outputForm } from "./program/outputForm";
import { runError } from "./program/runError";
import { declaredSettings, programSession } from "./programSession";
import { isMocked } from "./pulumi/mocks";

/** Options of a function: the provider that it uses. */
export interface FunctionOptions {
  /** The provider to use. Default: the provider of `parent`, else the stack's configuration and the environment. */
  provider?: pulumi.ProviderResource;
  /** The resource whose provider is used if `provider` is not set. */
  parent?: pulumi.Resource;
}

/** Options of a function that takes Inputs. */
export interface FunctionOutputOptions extends FunctionOptions {
  /** Resources that must exist before the function runs; for a component, the resources in it. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/** Arguments of a lookup, as Inputs. */
export interface LookUpOutputArgs {
  /** UUID of the object. */
  readonly id: pulumi.Input<string>;
}

/** Arguments of a list, as Inputs. */
export interface ListOutputArgs {
  /** UUID of the project. */
  readonly projectId: pulumi.Input<string>;
}

/** Every field of a project. */
export interface GetProjectResult extends ProjectProperties {}

/**
 * Looks up a project by its UUID. Needs the scope projects:read.
 *
 * @throws if the organization has no such project. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * const brand = await getProject({ id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
 * export const subDomain = brand.subDomain;
 * ```
 */
export async function getProject(args: LookUpArgs, options: FunctionOptions = {}): Promise<GetProjectResult> {
  return await run("getProject", args, options);
}

/**
 * The same as {@link getProject}, but `id` may be an Output. In preview, the result is unknown if the project has not
 * been created yet. Needs the scope projects:read.
 *
 * @throws if the organization has no such project. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * export const subDomain = getProjectOutput({ id: shop.id }).subDomain;
 * ```
 */
export function getProjectOutput(
  args: LookUpOutputArgs,
  options: FunctionOutputOptions = {},
): pulumi.Output<GetProjectResult> {
  return outputForm(getProject, args, options);
}

/** The projects of an organization. */
export interface GetProjectsResult {
  /** The projects, each with every field. */
  readonly projects: ProjectProperties[];
}

/**
 * Lists the projects of the organization, for example to find their UUIDs by name. Needs the scope projects:read.
 *
 * @throws if the key lacks the scope. The error names it.
 * @example
 * ```typescript
 * const { projects } = await getProjects();
 * export const ids = Object.fromEntries(projects.map(({ name, id }) => [name, id]));
 * ```
 */
export async function getProjects(options?: FunctionOptions): Promise<GetProjectsResult>;
export async function getProjects(
  options: FunctionOptions = {},
  ...others: unknown[]
): Promise<GetProjectsResult> {
  requireNoArguments("getProjects", others);
  return await run("getProjects", {}, options);
}

/**
 * The same as {@link getProjects}, but returns an Output. Needs the scope projects:read.
 *
 * @throws if the key lacks the scope. The error names it.
 * @example
 * ```typescript
 * export const count = getProjectsOutput().projects.length;
 * ```
 */
export function getProjectsOutput(options?: FunctionOutputOptions): pulumi.Output<GetProjectsResult>;
export function getProjectsOutput(
  options: FunctionOutputOptions = {},
  ...others: unknown[]
): pulumi.Output<GetProjectsResult> {
  requireNoArguments("getProjectsOutput", others);
  return outputForm((_args, plain: FunctionOptions) => getProjects(plain), {}, options);
}

/** Every field of an application. */
export interface GetApplicationResult extends Application {}

/**
 * Looks up an application by its UUID. Needs the scope applications:read.
 *
 * @throws if the organization has no such application. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * const app = await getApplication({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
 * export const bundleId = app.appleInfo?.bundleId;
 * ```
 */
export async function getApplication(
  args: LookUpArgs,
  options: FunctionOptions = {},
): Promise<GetApplicationResult> {
  return await run("getApplication", args, options);
}

/**
 * The same as {@link getApplication}, but `id` may be an Output. In preview, the result is unknown if the application
 * has not been created yet. Needs the scope applications:read.
 *
 * @throws if the organization has no such application. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * export const appleInfo = getApplicationOutput({ id: app.id }).appleInfo;
 * ```
 */
export function getApplicationOutput(
  args: LookUpOutputArgs,
  options: FunctionOutputOptions = {},
): pulumi.Output<GetApplicationResult> {
  return outputForm(getApplication, args, options);
}

/** The applications of a project. */
export interface GetApplicationsResult {
  /** The applications, each with every field. */
  readonly applications: Application[];
}

/**
 * Lists the applications of a project, for example to find the UUID of one by its bundle ID. Needs the scope
 * applications:read.
 *
 * @throws if the organization has no such project. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * const { applications } = await getApplications({ projectId: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
 * const shop = applications.find(({ appleInfo }) => appleInfo?.bundleId === "example.shop.app");
 * export const id = shop?.id;
 * ```
 */
export async function getApplications(
  args: ListArgs,
  options: FunctionOptions = {},
): Promise<GetApplicationsResult> {
  return await run("getApplications", args, options);
}

/**
 * The same as {@link getApplications}, but `projectId` may be an Output. In preview, the result is unknown if the project
 * has not been created yet. Needs the scope applications:read.
 *
 * @throws if the organization has no such project. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * export const count = getApplicationsOutput({ projectId: shop.id }).applications.length;
 * ```
 */
export function getApplicationsOutput(
  args: ListOutputArgs,
  options: FunctionOutputOptions = {},
): pulumi.Output<GetApplicationsResult> {
  return outputForm(getApplications, args, options);
}

/** Every field of a custom domain. */
export interface GetCustomDomainResult extends CustomDomain {}

/**
 * Looks up a custom domain by its UUID, with its lifecycle status and verification records. Needs the scope
 * domains:read.
 *
 * @throws if the organization has no such custom domain. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * const domain = await getCustomDomain({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
 * export const records = domain.sslValidationRecords?.records;
 * ```
 */
export async function getCustomDomain(
  args: LookUpArgs,
  options: FunctionOptions = {},
): Promise<GetCustomDomainResult> {
  return await run("getCustomDomain", args, options);
}

/**
 * The same as {@link getCustomDomain}, but `id` may be an Output. In preview, the result is unknown if the custom
 * domain has not been created yet. Needs the scope domains:read.
 *
 * @throws if the organization has no such custom domain. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * export const lifecycleStatus = getCustomDomainOutput({ id: links.id }).lifecycleStatus;
 * ```
 */
export function getCustomDomainOutput(
  args: LookUpOutputArgs,
  options: FunctionOutputOptions = {},
): pulumi.Output<GetCustomDomainResult> {
  return outputForm(getCustomDomain, args, options);
}

/** The custom domains of a project. */
export interface GetCustomDomainsResult {
  /** The custom domains, each with every field. */
  readonly customDomains: CustomDomain[];
}

/**
 * Lists the custom domains of a project, with their lifecycle status and verification records. Needs the scope
 * domains:read.
 *
 * @throws if the organization has no such project. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * const { customDomains } = await getCustomDomains({ projectId: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e" });
 * export const ids = Object.fromEntries(customDomains.map(({ hostname, id }) => [hostname, id]));
 * ```
 */
export async function getCustomDomains(
  args: ListArgs,
  options: FunctionOptions = {},
): Promise<GetCustomDomainsResult> {
  return await run("getCustomDomains", args, options);
}

/**
 * The same as {@link getCustomDomains}, but `projectId` may be an Output. In preview, the result is unknown if the project
 * has not been created yet. Needs the scope domains:read.
 *
 * @throws if the organization has no such project. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * export const count = getCustomDomainsOutput({ projectId: shop.id }).customDomains.length;
 * ```
 */
export function getCustomDomainsOutput(
  args: ListOutputArgs,
  options: FunctionOutputOptions = {},
): pulumi.Output<GetCustomDomainsResult> {
  return outputForm(getCustomDomains, args, options);
}

/** Every field of a link. */
export interface GetLinkResult extends Link {}

/**
 * Looks up a link by its UUID. Needs the scope links:read.
 *
 * @throws if the organization has no such link. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * const link = await getLink({ id: "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10" });
 * export const shortUrl = link.shortUrl;
 * ```
 */
export async function getLink(args: LookUpArgs, options: FunctionOptions = {}): Promise<GetLinkResult> {
  return await run("getLink", args, options);
}

/**
 * The same as {@link getLink}, but `id` may be an Output. In preview, the result is unknown if the link has not been
 * created yet. Needs the scope links:read.
 *
 * @throws if the organization has no such link. The error contains the UUID and the organization.
 * @example
 * ```typescript
 * export const shortUrl = getLinkOutput({ id: linkId }).shortUrl;
 * ```
 */
export function getLinkOutput(
  args: LookUpOutputArgs,
  options: FunctionOutputOptions = {},
): pulumi.Output<GetLinkResult> {
  return outputForm(getLink, args, options);
}

async function run<Result>(name: FunctionName, args: object, options: FunctionOptions): Promise<Result> {
  requireOptions(name, options);
  requireOwnProvider(DYNAMIC_HOST, "The function", options);
  const applying = effectiveProvider(DYNAMIC_HOST, options);
  // Without an engine and without mocks, a test that forgot the mocks would send requests.
  if (pulumi.runtime.getMonitor() === undefined)
    throw runError(`${name} works in a program that Pulumi runs, or with pulumi.runtime.setMocks.`);
  if (isMocked()) return await invokeFunction(name, args, { ...(applying && { provider: applying }) });
  const output = declaredSettings(applying);
  if (output === undefined)
    throw runError("The provider of a dynamiclink function must be a Provider of pulumi-dynamiclink.");
  const raw = await new Promise<RawSettings>((resolve) => void output.apply(resolve));
  const { callFunction } = await import("../provider/resources/functions.js");
  try {
    return (await callFunction(name, args, () => programSession(raw))) as Result;
  } catch (error) {
    if (!(error instanceof Error && error.name === "UserError")) throw error;
    throw runError(error.message);
  }
}

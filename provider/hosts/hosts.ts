/**
 * The two hosts that run this package's providers, as programs, states and import files refer to them. The names must never
 * change. Each class of one host has an alias to those of the other.
 */
import type { ResourceDescription } from "../lifecycle/description";
import { typeToken } from "./dynamicNames";

/** The Pulumi package of the native plugin. */
export const PACKAGE_NAME = "dynamiclink";

/** The token of a resource, function or type of the package. */
export function nativeToken(name: string): string {
  return `${PACKAGE_NAME}:index:${name}`;
}

export interface Host {
  /** The module that exports its classes and functions. */
  readonly module: string;
  readonly pulumiPackage: string;
  readonly providerType: string;
  readonly typeToken: (description: Pick<ResourceDescription, "type">) => string;
}

export const DYNAMIC_HOST: Host = {
  module: "pulumi-dynamiclink",
  pulumiPackage: "pulumi-nodejs",
  providerType: "pulumi:providers:pulumi-nodejs",
  typeToken,
};

export const NATIVE_HOST: Host = {
  module: "pulumi-dynamiclink/native",
  pulumiPackage: PACKAGE_NAME,
  providerType: `pulumi:providers:${PACKAGE_NAME}`,
  typeToken: ({ type }) => nativeToken(type),
};

export function otherHost(host: Host): Host {
  return host === NATIVE_HOST ? DYNAMIC_HOST : NATIVE_HOST;
}

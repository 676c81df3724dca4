/** The hosts of this package's providers, as states and programs name them, for ever. Each class has an alias to the other host's. */
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

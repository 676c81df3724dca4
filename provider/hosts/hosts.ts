/** The two hosts that run this package's providers, as programs, states and import files refer to them. */
import type { ResourceDescription } from "../lifecycle/description";
import { typeToken } from "./dynamicNames";
import { nativeTypeToken, PACKAGE_NAME } from "./nativeNames";

/** A host, as programs and states refer to it. */
export interface Host {
  /** The module that exports its classes and functions. */
  readonly module: string;
  /** The Pulumi package of its resources. */
  readonly pulumiPackage: string;
  /** The type of its providers. */
  readonly providerType: string;
  /** The type token of a description's resource. */
  readonly typeToken: (description: Pick<ResourceDescription, "type">) => string;
}

/** Pulumi's host of dynamic providers. */
export const DYNAMIC_HOST: Host = {
  module: "pulumi-dynamiclink",
  pulumiPackage: "pulumi-nodejs",
  providerType: "pulumi:providers:pulumi-nodejs",
  typeToken,
};

/** The native plugin. */
export const NATIVE_HOST: Host = {
  module: "pulumi-dynamiclink/native",
  pulumiPackage: PACKAGE_NAME,
  providerType: `pulumi:providers:${PACKAGE_NAME}`,
  typeToken: nativeTypeToken,
};

/** The other host. */
export function otherHost(host: Host): Host {
  return host === NATIVE_HOST ? DYNAMIC_HOST : NATIVE_HOST;
}

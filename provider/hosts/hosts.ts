/** The two hosts that run this package's providers, as programs, states and import files refer to them. */
import type { ResourceDescription } from "../lifecycle/description";
import { typeToken } from "./dynamicNames";
import { nativeToken, PACKAGE_NAME } from "./nativeNames";

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

/**
 * The two hosts that run this package's providers. A stack can move from one to the other, because every class carries
 * an alias to its twin: the same class of the other host.
 */
import * as pulumi from "@pulumi/pulumi";
import { typeToken } from "../provider/hosts/dynamic/names";
import { nativeTypeToken, PACKAGE_NAME } from "../provider/hosts/nativeNames";
import { runError } from "./runError";

/** A host, as programs and states refer to it. */
export interface Host {
  /** The module that exports its classes and functions. */
  readonly module: string;
  /** The Pulumi package of its resources. */
  readonly pulumiPackage: string;
  /** The type of its providers. */
  readonly providerType: string;
  /** The type of its resources of a description. */
  readonly typeToken: (description: { readonly type: string }) => string;
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
export function twinOf(host: Host): Host {
  return host === NATIVE_HOST ? DYNAMIC_HOST : NATIVE_HOST;
}

/** The options with an alias to the type of the twin. The aliases of the program come first. */
export function withTwin<Options extends pulumi.ResourceOptions>(
  options: Options,
  twinType: string,
): Options {
  return { ...options, aliases: [...(options.aliases ?? []), { type: twinType }] };
}

/**
 * Requires that a resource or a function does not get its provider from the other host. The engine would pass the
 * provider on to a process that does not know the type, or ignore it and use the default provider.
 *
 * @param subject what gets the provider, for the message.
 * @throws RunError if the provider, or that of the parent, is of the other host.
 */
export function requireOwnProvider(
  host: Host,
  subject: string,
  {
    provider,
    parent,
  }: {
    readonly provider?: pulumi.ProviderResource | undefined;
    readonly parent?: pulumi.Resource | undefined;
  },
): void {
  const twin = twinOf(host);
  const used = provider ?? inheritedProvider(host, parent) ?? inheritedProvider(twin, parent);
  if ((used as { __pulumiType?: unknown } | undefined)?.__pulumiType !== twin.providerType) return;
  throw runError(
    `${subject} is imported from ${host.module}, but its provider is a Provider of ${twin.module}. Import both from the same module.`,
  );
}

/** The provider of a host that a parent passes on. */
export function inheritedProvider(
  { typeToken }: Host,
  parent: pulumi.Resource | undefined,
): pulumi.ProviderResource | undefined {
  // Pulumi looks only at the package in the type. It reports a parent that is no resource.
  return pulumi.Resource.isInstance(parent) ? parent.getProvider(typeToken({ type: "Project" })) : undefined;
}

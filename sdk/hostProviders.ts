/**
 * Programs on either of the two hosts. A stack can move from one to the other, because every class has an alias to the
 * same class of the other host: see docs/internals/native-host.md#moving.
 */
import * as pulumi from "@pulumi/pulumi";
import { type Host, otherHost } from "../provider/hosts/hosts";
import { runError } from "./program/runError";
import { typeTokenOf } from "./pulumi/typeToken";

type ProviderOptions = Pick<pulumi.CustomResourceOptions, "provider" | "parent">;

/** Adds an alias to the type of the same class of the other host, after the aliases of the program. */
export function withOtherHostAlias<Options extends pulumi.ResourceOptions>(
  options: Options,
  otherType: string,
): Options {
  return { ...options, aliases: [...(options.aliases ?? []), { type: otherType }] };
}

/**
 * Requires that the provider of a resource or function does not belong to the other host. The engine would send the
 * request to a process that does not know the type, or ignore the provider and use the default one.
 *
 * @param subject the resource or function, for the message.
 * @throws RunError if the provider, or the inherited one, belongs to the other host.
 */
export function requireOwnProvider(host: Host, subject: string, options: ProviderOptions): void {
  const other = otherHost(host);
  const used = effectiveProvider(host, options) ?? inheritedProvider(other, options.parent);
  if (typeTokenOf(used) !== other.providerType) return;
  throw runError(
    `${subject} is imported from ${host.module}, but its provider is a Provider of ${other.module}. Import both from the same module.`,
  );
}

/** The provider that the options of a resource or function select. */
export function effectiveProvider(
  host: Host,
  { provider, parent }: ProviderOptions,
): pulumi.ProviderResource | undefined {
  return provider ?? inheritedProvider(host, parent);
}

/** The provider of a host that a parent passes to its children. */
export function inheritedProvider(
  { typeToken }: Host,
  parent: pulumi.Resource | undefined,
): pulumi.ProviderResource | undefined {
  // Pulumi uses only the package in the type. It reports a parent that is not a resource itself.
  return pulumi.Resource.isInstance(parent) ? parent.getProvider(typeToken({ type: "Project" })) : undefined;
}

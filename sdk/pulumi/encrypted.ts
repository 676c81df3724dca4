import * as pulumi from "@pulumi/pulumi";

/**
 * Whether a key of the stack's configuration is encrypted.
 *
 * The SDK exports `runtime.isConfigSecret` (runtime/config.ts), but its types do not declare it. See
 * docs/internals/sdk.md#encrypted-configuration.
 */
export function isEncrypted(key: string): boolean {
  const { isConfigSecret } = pulumi.runtime as { readonly isConfigSecret?: (key: string) => boolean };
  // Without the function, nothing is known, and nothing fails.
  return isConfigSecret?.(key) ?? true;
}

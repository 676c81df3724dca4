/**
 * The type token of a resource or provider, as in the state.
 *
 * The SDK keeps it in `__pulumiType` (resource.ts, `Resource`), which its types do not declare. See
 * docs/internals/sdk.md#type-tokens.
 */
export function typeTokenOf(value: unknown): string | undefined {
  return (value as { readonly __pulumiType?: string } | null | undefined)?.__pulumiType;
}

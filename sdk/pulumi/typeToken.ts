/**
 * The type token of a resource or provider, as in the state.
 *
 * The SDK keeps it in `__pulumiType` (resource.ts, `Resource`), which its types do not declare. The classes that Pulumi
 * generates identify their resources by it too. The declared way is the URN, which is not known when a resource is
 * created.
 */
export function typeTokenOf(value: unknown): string | undefined {
  return (value as { readonly __pulumiType?: string } | null | undefined)?.__pulumiType;
}

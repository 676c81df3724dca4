/** The resources that this process has checked. On the dynamic host, only `check` knows which resource a call is about. */
import { type Properties, sortedJson, withoutNulls } from "../properties";

/** The key of a resource across calls: its URN, or its inputs if the host has no URN. */
export function resourceKey(
  { description, urn }: { readonly description: { readonly title: string }; readonly urn?: string },
  { inputs, adopt }: { readonly inputs: Properties; readonly adopt?: unknown },
): string {
  return urn ?? `${description.title} ${sortedJson({ inputs: withoutNulls(inputs), adopt })}`;
}

export function newCheckedResources() {
  const resources = new Map<string, Set<string>>();
  const names = new Set<string>();
  return {
    /** Records a check. A resource that nothing identifies is another one each time. */
    add(key: string, resource: string): void {
      resources.set(key, (resources.get(key) ?? new Set()).add(resource));
      names.add(resource);
    },
    /** Whether a resource with this {@link resourceKey} was checked. */
    has: (key: string): boolean => resources.has(key),
    includes: (resource: string): boolean => names.has(resource),
    /** The only resource with this key. Undefined if there are several, or none. */
    only(key: string): string | undefined {
      const [resource, ...others] = resources.get(key) ?? [];
      return others.length === 0 ? resource : undefined;
    },
  };
}

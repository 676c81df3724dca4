/** Finds the provider that a program gives to the children of a component or resource, from the state of the stack. */
import { UserError } from "../../provider/errors";
import type { Host } from "../objects/hosts";
import { providerUrnOf, type StackResource } from "./stack";
import { isDefaultProvider, nameInUrn, STACK_TYPE, typeOf } from "./urn";

/**
 * The provider of a resource's children: that of the resource itself, else of its children in the state, which do not
 * contain what was passed to a component, else of its own parent.
 *
 * @param urn the URN of the parent.
 * @returns the URN of the provider; undefined if it is the default provider, or if there are no resources to learn it from.
 * @throws UserError when the children have different providers.
 */
export function inheritedProvider(
  resources: readonly StackResource[],
  urn: string,
  host: Pick<Host, "providerType">,
): string | undefined {
  const visited = new Set<string>();
  let parent = resources.find((one) => one.urn === urn);
  while (parent !== undefined && parent.type !== STACK_TYPE && !visited.has(parent.urn)) {
    const { urn: parentUrn, parent: grandparent } = parent;
    visited.add(parentUrn);
    const children = resources.filter((one) => one.parent === parentUrn);
    const own = providersOf([parent], host);
    const found = own.length > 0 ? own : providersOf(children, host);
    const [first] = found;
    if (found.length > 1) {
      throw new UserError(
        `The children of ${nameInUrn(parentUrn)} have different providers: ${found.map(nameInUrn).join(", ")}. Specify one with --provider.`,
      );
    }
    if (first !== undefined) return isDefaultProvider(first) ? undefined : first;
    parent = resources.find((one) => one.urn === grandparent);
  }
  return undefined;
}

/** The URNs of the providers of a host that resources use. */
function providersOf(
  resources: readonly StackResource[],
  { providerType }: Pick<Host, "providerType">,
): string[] {
  return [...new Set(resources.map(providerUrnOf))].filter((urn) => typeOf(urn) === providerType);
}

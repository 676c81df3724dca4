/**
 * The resources that an invoke waits for: those in `dependsOn` and those behind its arguments, and for a component, the
 * resources in it.
 *
 * The SDK does not export the functions of its own invokes (runtime/dependsOn.ts): see
 * docs/internals/sdk.md#dependencies-of-functions.
 */
import type { CustomResource, ID, Input, Resource } from "@pulumi/pulumi";
import * as dependsOnModule from "@pulumi/pulumi/runtime/dependsOn";
import { typeTokenOf } from "./typeToken";

interface DependsOnModule {
  gatherExplicitDependencies(dependsOn: unknown): Promise<Resource[]>;
  getAllTransitivelyReferencedResources(from: Set<Resource>, exclude: Set<Resource>): Promise<Resource[]>;
}

/** The ids of resources that are only read. Some CLIs, such as 3.260, do not return them, so a preview does not know them. */
const readIds = new WeakMap<Resource, Input<ID>>();

export function noteRead(resource: Resource, id: Input<ID>): void {
  readIds.set(resource, id);
}

/**
 * What is known when all resources exist: their ids. Also whether this run may have created one of them.
 *
 * @param dependencies resources, and outputs of resources, at any depth of lists.
 */
export async function invokeDependencies(
  dependencies: unknown,
): Promise<{ readonly ids: readonly unknown[]; readonly mayBeNew: boolean }> {
  const pulumi = dependsOnModule as unknown as DependsOnModule;
  const named = await pulumi.gatherExplicitDependencies(dependencies);
  const resources = await pulumi.getAllTransitivelyReferencedResources(new Set(named), new Set());
  // Pulumi only reads stack references, too.
  const isReference = (resource: Resource) => typeTokenOf(resource) === "pulumi:pulumi:StackReference";
  const ids = resources.flatMap((resource) => {
    const { id } = resource as Partial<CustomResource>;
    return [resource.urn, isReference(resource) ? undefined : (readIds.get(resource) ?? id)];
  });
  return { ids, mayBeNew: resources.some((each) => !isReference(each) && !readIds.has(each)) };
}

/**
 * The resources that an invoke waits for: those in `dependsOn` and those behind its arguments, and for a component, the
 * resources in it.
 *
 * The SDK does not export the functions of its own invokes (runtime/dependsOn.ts): see
 * docs/internals/sdk.md#dependencies-of-functions.
 */
import type { Resource } from "@pulumi/pulumi";
import * as dependsOnModule from "@pulumi/pulumi/runtime/dependsOn";

interface DependsOnModule {
  gatherExplicitDependencies(dependsOn: unknown): Promise<Resource[]>;
  getAllTransitivelyReferencedResources(from: Set<Resource>, exclude: Set<Resource>): Promise<Resource[]>;
}

/** @param dependencies resources, and outputs of resources, at any depth of lists. */
export async function invokeDependencies(dependencies: unknown): Promise<Resource[]> {
  const pulumi = dependsOnModule as unknown as DependsOnModule;
  const named = await pulumi.gatherExplicitDependencies(dependencies);
  return await pulumi.getAllTransitivelyReferencedResources(new Set(named), new Set());
}

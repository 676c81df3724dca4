/** The `getXOutput` form of the functions of both hosts. */
import * as pulumi from "@pulumi/pulumi";
import type { LookUpArgs } from "../../provider/resources/lookups";

/** Calls a lookup when its Inputs and `dependsOn` are known. */
export function outputForm<Options extends object, Result>(
  lookUp: (args: LookUpArgs, options: Options) => Promise<Result>,
  args: { readonly id: pulumi.Input<string> },
  { dependsOn, ...options }: Options & Pick<pulumi.CustomResourceOptions, "dependsOn">,
): pulumi.Output<Result> {
  // The id of a resource is unknown until it is created, so the lookup waits for the ids.
  const awaited = pulumi
    .output(dependsOn ?? [])
    .apply((resources) =>
      [resources].flat().map((resource) => (resource as Partial<pulumi.CustomResource>).id ?? resource.urn),
    );
  return pulumi
    .all([pulumi.output(args), awaited])
    .apply(([{ id }]) => lookUp({ id }, options as unknown as Options)) as pulumi.Output<Result>;
}

/** The `getXOutput` form of the functions of both hosts. */
import * as pulumi from "@pulumi/pulumi";
import type { LookUpArgs } from "../provider/resources/lookUps";
import type { FunctionOptions, FunctionOutputOptions, LookUpOutputArgs } from "./functions";

/** Looks up by Inputs, when they and `dependsOn` are known. */
export function outputForm<Result>(
  lookUp: (args: LookUpArgs, options: FunctionOptions) => Promise<Result>,
  args: LookUpOutputArgs,
  { dependsOn, ...options }: FunctionOutputOptions,
): pulumi.Output<Result> {
  // The id of a resource is unknown until it is created, so the look-up waits for the ids.
  const awaited = pulumi
    .output(dependsOn ?? [])
    .apply((resources) =>
      [resources].flat().map((resource) => (resource as Partial<pulumi.CustomResource>).id ?? resource.urn),
    );
  return pulumi
    .all([pulumi.output(args), awaited])
    .apply(([{ id }]) => lookUp({ id }, options)) as pulumi.Output<Result>;
}

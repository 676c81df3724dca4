/** The `getXOutput` form of the functions of both hosts. */
import * as pulumi from "@pulumi/pulumi";

/** Calls a function when its Inputs and `dependsOn` are known. */
export function outputForm<Args extends object, Options extends object, Result>(
  call: (args: Args, options: Options) => Promise<Result>,
  args: pulumi.Inputs & { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> },
  { dependsOn, ...options }: Options & Pick<pulumi.CustomResourceOptions, "dependsOn">,
): pulumi.Output<Result> {
  // The id of a resource is unknown until it is created, so the function waits for the ids.
  const awaited = pulumi
    .output(dependsOn ?? [])
    .apply((resources) =>
      [resources].flat().map((resource) => (resource as Partial<pulumi.CustomResource>).id ?? resource.urn),
    );
  return pulumi
    .all([pulumi.output(args), awaited])
    .apply(([values]) => call(values as Args, options as unknown as Options)) as pulumi.Output<Result>;
}

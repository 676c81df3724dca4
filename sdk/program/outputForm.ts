/** The `getXOutput` form of the functions of both hosts. */
import * as pulumi from "@pulumi/pulumi";
import { invokeDependencies } from "../pulumi/invokeDependencies";

/** Calls a function when its Inputs are known, and what it depends on exists. */
export function outputForm<Args extends object, Options extends object, Result>(
  call: (args: Args, options: Options) => Promise<Result>,
  args: pulumi.Inputs & { readonly [Name in keyof Args]: pulumi.Input<Args[Name]> },
  { dependsOn, ...options }: Options & Pick<pulumi.CustomResourceOptions, "dependsOn">,
): pulumi.Output<Result> {
  const values = pulumi.output(args);
  // Only the resources behind the values count here: `all` waits for the values themselves.
  const dependencies = invokeDependencies([dependsOn, values.apply(() => [])]);
  // The id of a resource is unknown until it is created, so the function waits for the ids.
  const ids = dependencies.then((resources) =>
    resources.map((resource) => (resource as Partial<pulumi.CustomResource>).id ?? resource.urn),
  );
  return pulumi
    .all([values, ids])
    .apply(([known]) => call(known as Args, options as unknown as Options)) as pulumi.Output<Result>;
}

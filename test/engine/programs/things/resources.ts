// The classes of "things": a resource that names its provider in a constant text, a provider, and a component.
import * as pulumi from "@pulumi/pulumi";

const PROVIDER = `exports.handler=()=>require(process.cwd()+"/../things/provider.cjs").thing`;

export class Thing extends pulumi.CustomResource {
  declare readonly handle: pulumi.Output<string>;
  declare readonly label: pulumi.Output<string>;

  constructor(name: string, inputs: pulumi.Inputs, options?: pulumi.CustomResourceOptions) {
    super(
      "pulumi-nodejs:dynamic/things:Thing",
      name,
      { handle: undefined, ...inputs, __provider: PROVIDER },
      options,
    );
  }
}

export class ThingProvider extends pulumi.ProviderResource {
  constructor(name: string, key: pulumi.Input<string>, options?: pulumi.ResourceOptions) {
    super("pulumi-nodejs", name, { "things:key": key }, options);
  }
}

export class Group extends pulumi.ComponentResource {
  constructor(name: string, options?: pulumi.ComponentResourceOptions) {
    super("things:index:Group", name, {}, options);
  }
}

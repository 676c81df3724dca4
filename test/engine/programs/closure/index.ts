/** A dynamic resource as in Pulumi's documentation: the provider object is serialized into the state. */
import * as pulumi from "@pulumi/pulumi";

const greeter: pulumi.dynamic.ResourceProvider = {
  async create(inputs) {
    return { id: `greeting-${inputs.name}`, outs: { name: inputs.name, text: `Hello, ${inputs.name}!` } };
  },
};

class Greeting extends pulumi.dynamic.Resource {
  declare readonly text: pulumi.Output<string>;

  constructor(name: string, inputs: { name: pulumi.Input<string> }, options?: pulumi.CustomResourceOptions) {
    super(greeter, name, { text: undefined, ...inputs }, options);
  }
}

export const text = new Greeting("greeting", { name: "world" }).text;

/** A plain CommonJS program. */
const pulumi = require("@pulumi/pulumi");

class Thing extends pulumi.CustomResource {
  constructor(name, inputs, options) {
    const __provider = `exports.handler=()=>require(process.cwd()+"/../things/provider.cjs").thing`;
    super("pulumi-nodejs:dynamic/things:Thing", name, { handle: undefined, ...inputs, __provider }, options);
  }
}

exports.handle = new Thing("only", { label: "js" }).handle;

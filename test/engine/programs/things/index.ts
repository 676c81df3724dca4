/**
 * Registers the resources in the environment variable DECLARED, which a test sets as JSON. It loads only the modules that
 * it uses, because loading the whole package would take a third of the time of each test.
 */
import type * as pulumi from "@pulumi/pulumi";
import { secret as markSecret } from "@pulumi/pulumi/output.js";
import { ComponentResource, CustomResource, ProviderResource } from "@pulumi/pulumi/resource.js";
import { invoke } from "@pulumi/pulumi/runtime/invoke.js";
import type { Declared, Rest } from "../../things.js";

const PROVIDER = `exports.handler=()=>require(process.cwd()+"/provider.cjs").thing`;

class Resource extends CustomResource {}

const THING = "pulumi-nodejs:dynamic/things:Thing";

class ThingProvider extends ProviderResource {
  constructor(name: string, key: pulumi.Input<string>, options?: pulumi.ResourceOptions) {
    super("pulumi-nodejs", name, { "things:key": key }, options);
  }
}

type Inputs = Record<string, pulumi.Input<string>>;

/** Creates what a declaration describes. */
function create(kind: Declared["kind"], name: string, inputs: Inputs, options: pulumi.CustomResourceOptions) {
  const thing = { handle: undefined, __provider: PROVIDER };
  switch (kind) {
    case "provider":
      return new ThingProvider(name, inputs.key ?? "", options);
    case "group":
      return new ComponentResource("things:index:Group", name, {}, options);
    case "get":
      return new Resource(THING, name, thing, { ...options, id: inputs.id ?? "" });
    case "other":
      return new Resource("cloud:index:Bucket", name, { url: undefined, ...inputs }, options);
    default:
      return new Resource(THING, name, { ...thing, ...inputs }, options);
  }
}

const created: Record<string, pulumi.Resource> = {};

/**
 * Resolves the marks of a declaration: `{ output: "first.handle" }`, `{ secret: … }`, `{ resource: "first" }`,
 * `{ call: "package:module:function", with: {} }`.
 */
function resolve(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== "object" || value === null) return value;
  const { output, secret, resource, call } = value as Record<string, string>;
  if (output !== undefined) {
    const [name, property] = output.split(".") as [string, string];
    return (created[name] as unknown as Record<string, unknown>)[property];
  }
  if (secret !== undefined) return markSecret(resolve(secret));
  if (resource !== undefined) return created[resource];
  if (call !== undefined) return invoke(call, (value as { with: Record<string, unknown> }).with);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, resolve(part)]));
}

const declaration: Rest & { readonly resources: Declared[] } = JSON.parse(process.env.DECLARED ?? "{}");
const { resources, outputs = {}, log, fail } = declaration;

for (const { kind, name, ...declared } of resources) {
  const inputs = resolve(declared.inputs ?? {}) as Inputs;
  const options = resolve(declared.options ?? {}) as pulumi.CustomResourceOptions;
  created[name] = create(kind, name, inputs, options);
}
if (log) console.log(log);
if (fail) throw new Error(fail);

// A CommonJS program may export a function or plain values; an ES module exports by name or as a whole.
export default resolve(outputs);

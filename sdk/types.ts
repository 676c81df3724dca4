/** Types of arguments, which accept Inputs at any depth, and of outputs. */
import type * as pulumi from "@pulumi/pulumi";

/**
 * The same properties, each of which may be an Input, at any depth. Null declares that the object has no value: it is
 * removed, also when it was set outside Pulumi. A property that is omitted is not managed.
 */
export type Args<Values> = { [Name in keyof Values]: DeepInput<Values[Name]> };

/** A value that may be an Input at any depth. */
export type DeepInput<Value> = [Value] extends [Primitive]
  ? pulumi.Input<Value>
  : pulumi.Input<
      Value extends Primitive
        ? Value
        : Value extends readonly (infer Item)[]
          ? DeepInput<Item>[]
          : { [Name in keyof Value]: DeepInput<Value[Name]> }
    >;

type Primitive = string | number | boolean | null | undefined;

/** The properties of a resource. A value that is null in the service is undefined here. */
export type Outputs<Values> = { readonly [Name in keyof Values]-?: pulumi.Output<Absent<Values[Name]>> };

type Absent<Value> = null extends Value ? Exclude<Value, null> | undefined : Value;

/**
 * What the resource classes have in common.
 *
 * They are dynamic resources that name their provider instead of serializing it: the property `__provider` is a
 * constant text by which Pulumi's host finds the code. So the state of a resource holds no code and no captured
 * value, and the same text serves every version of this package.
 */
import * as pulumi from "@pulumi/pulumi";
import { providerText, typeToken } from "../provider/hosts/dynamic/names";
import type { ResourceDescription } from "../provider/lifecycle/description";
import { requireReachableProvider } from "./reachableProvider";
import { runError } from "./runError";
import { requireWellFormed } from "./wellFormed";

export { providerText, typeToken };

/** Options of a resource. */
export interface ResourceOptions extends Omit<pulumi.CustomResourceOptions, "import" | "customTimeouts"> {
  /**
   * UUID of an existing object to adopt instead of creating a new one. The declared properties must agree with it;
   * nothing is written.
   *
   * The option implies `protect: true` and `retainOnDelete: true` unless you set them, and nothing deletes or replaces
   * the object while the option is there. Removing it is an update that a preview shows and that writes nothing; it
   * also removes both protections, so that the object is then deleted and replaced like any other.
   */
  import?: string | undefined;
}

/** What a class needs of its description. */
type Described = Pick<ResourceDescription, "exportName" | "type" | "inputs" | "outputs">;

/** A resource that a description describes. Its properties are set by CustomResource, from what is registered. */
export abstract class DescribedResource extends pulumi.CustomResource {
  protected constructor(
    description: Described,
    name: string,
    args: object | undefined,
    options: (ResourceOptions & { id?: pulumi.Input<pulumi.ID> }) | undefined,
  ) {
    requireReachableProvider();
    requireWellFormed(name, { ...args, import: options?.import, id: options?.id });
    const properties = registeredProperties(description, args, options?.import);
    const registered = registeredOptions(name, options ?? {});
    // Pulumi notes where each of the resource's dozens of promises was made, for its search for leaked promises. The
    // notes would cost a fifth of the time of a program with a thousand resources.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      super(typeToken(description), name, properties, registered);
    } catch (error) {
      Error.stackTraceLimit = stackTraceLimit;
      if (error instanceof Error) Error.captureStackTrace(error, DescribedResource);
      throw error;
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}

/** Whether a value is a resource of a description, also one of another copy of this package. */
export function isInstanceOf(description: Pick<Described, "type">, value: unknown): boolean {
  return (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType === typeToken(description);
}

/** What is declared, with a place for each output. */
function registeredProperties(
  description: Described,
  args: object | undefined,
  adopt: string | undefined,
): pulumi.Inputs {
  const places = Object.keys({ ...description.inputs, ...description.outputs }).map((name) => [
    name,
    undefined,
  ]);
  return {
    ...Object.fromEntries(places),
    ...args,
    ...(adopt !== undefined && { __import: adopt }),
    __provider: providerText(description),
  };
}

/** The options as Pulumi knows them. @throws RunError for one that could not have an effect. */
export function registeredOptions(
  name: string,
  { import: adopt, ...options }: ResourceOptions,
): pulumi.CustomResourceOptions {
  if ("customTimeouts" in options && options.customTimeouts !== undefined) {
    throw runError(
      `${name}: customTimeouts does not reach a dynamic provider, so it is refused rather than ignored. Waits are bounded; the one that can be set is the argument timeoutSeconds of CustomDomainActivation.`,
    );
  }
  if (adopt === undefined) return options;
  return { ...options, protect: options.protect ?? true, retainOnDelete: options.retainOnDelete ?? true };
}

/**
 * The base of the resource classes.
 *
 * They are dynamic resources that refer to their provider instead of serializing it: the property `__provider` is
 * constant code with which Pulumi's host loads the provider from the package. So the state contains neither serialized
 * functions nor captured values, and the same state works with every version of this package.
 */
import * as pulumi from "@pulumi/pulumi";
import { PROVIDER_PROPERTY, providerText, typeToken } from "../provider/hosts/dynamic/names";
import type { ResourceDescription } from "../provider/lifecycle/description";
import { requireReachableProvider } from "./reachableProvider";
import { runError } from "./runError";
import type { Outputs } from "./types";
import { requireWellFormed } from "./wellFormed";

export { providerText, typeToken };

/** Options of a resource. */
export interface ResourceOptions extends Omit<pulumi.CustomResourceOptions, "import" | "customTimeouts"> {
  /**
   * UUID of an existing object to adopt instead of creating a new one. The declared properties must equal those of the
   * object. Adopting writes nothing.
   *
   * The option implies `protect: true` and `retainOnDelete: true` unless you set them. While it is set, nothing
   * deletes or replaces the object. If you remove it, the preview shows an update, which writes nothing. Both
   * protections are removed with it, so the object can then be deleted and replaced like any other.
   */
  import?: string | undefined;
}

/** The options, and the id with which `get` reads an existing object. */
type RegisteredOptions = ResourceOptions & { readonly id?: pulumi.Input<pulumi.ID> };

/** The part of a description that a class needs. */
type Described = Pick<ResourceDescription, "type" | "inputs" | "outputs">;

/** The class of a resource. */
export interface ResourceClass<Self, Arguments, Values> {
  new (name: string, args: Arguments, options?: ResourceOptions): pulumi.CustomResource & Outputs<Values>;

  /**
   * Reads an existing object that this stack does not manage, by its UUID. It is read in every preview and up, and
   * destroy leaves it unchanged. Needs only the read scope of the class.
   *
   * @throws in preview if the organization has no such object. The error contains the UUID and the organization.
   * @example
   * ```typescript
   * const brand = Project.get("brand", "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e");
   * ```
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Self;

  /** Whether a value is a resource of this class, including classes of another copy of this package. */
  isInstance(value: unknown): value is Self;
}

/**
 * Creates the base class of a resource from its description.
 *
 * @typeParam Self the class itself.
 * @typeParam Arguments the arguments of the class.
 * @typeParam Values the properties of the description, inputs and outputs.
 * @example
 * ```typescript
 * export class Project extends resourceClass<Project, ProjectArgs, ProjectInputs & ProjectOutputs>(projectDescription) {}
 * ```
 */
export function resourceClass<Self, Arguments extends object, Values extends object>(
  description: Described,
): ResourceClass<Self, Arguments, Values> {
  class DescribedResource extends pulumi.CustomResource {
    constructor(name: string, args: Arguments | undefined, options: RegisteredOptions = {}) {
      requireReachableProvider();
      requireWellFormed(name, { ...args, import: options.import, id: options.id });
      const properties = registeredProperties(description, args, options.import);
      const registered = registeredOptions(name, options);
      // To find leaked promises, Pulumi captures a stack trace for each of the resource's dozens of promises. In a
      // program with a thousand resources, that would take a fifth of the time.
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

    static get(
      name: string,
      id: pulumi.Input<pulumi.ID>,
      options?: pulumi.CustomResourceOptions,
    ): DescribedResource {
      // Without arguments, the resource has all properties of the object.
      return new this(name, undefined, { ...options, id } as RegisteredOptions);
    }

    static override isInstance(value: unknown): value is DescribedResource {
      return (
        (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType === typeToken(description)
      );
    }
  }
  // The constructor of CustomResource sets the properties from what is registered, so the class does not declare them.
  return DescribedResource as unknown as ResourceClass<Self, Arguments, Values>;
}

/** The properties to register: the arguments, and undefined for each property that is not declared. */
function registeredProperties(
  description: Described,
  args: object | undefined,
  adopt: string | undefined,
): pulumi.Inputs {
  const undeclared = Object.keys({ ...description.inputs, ...description.outputs }).map((name) => [
    name,
    undefined,
  ]);
  return {
    ...Object.fromEntries(undeclared),
    ...args,
    ...(adopt !== undefined && { __import: adopt }),
    [PROVIDER_PROPERTY]: providerText(description),
  };
}

/** Converts the options to those of Pulumi. @throws RunError for an option that would have no effect. */
export function registeredOptions(
  name: string,
  { import: adopt, ...options }: ResourceOptions,
): pulumi.CustomResourceOptions {
  if ("customTimeouts" in options && options.customTimeouts !== undefined) {
    throw runError(
      `${name}: Pulumi does not pass customTimeouts to dynamic providers, so the option would have no effect. Remove it. All waits have a time limit; you can set that of CustomDomainActivation with timeoutSeconds.`,
    );
  }
  if (adopt === undefined) return options;
  return { ...options, protect: options.protect ?? true, retainOnDelete: options.retainOnDelete ?? true };
}

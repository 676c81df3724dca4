/**
 * What the resource classes have in common.
 *
 * They are dynamic resources that name their provider instead of serializing it: the property `__provider` is a
 * constant text by which Pulumi's host finds the code. So the state of a resource holds no code and no captured
 * value, and the same text serves every version of this package.
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
   * UUID of an existing object to adopt instead of creating a new one. The declared properties must agree with it;
   * nothing is written.
   *
   * The option implies `protect: true` and `retainOnDelete: true` unless you set them, and nothing deletes or replaces
   * the object while the option is there. Removing it is an update that a preview shows and that writes nothing; it
   * also removes both protections, so that the object is then deleted and replaced like any other.
   */
  import?: string | undefined;
}

/** The options with those by which a class looks up what exists. */
type RegisteredOptions = ResourceOptions & { readonly id?: pulumi.Input<pulumi.ID> };

/** What a class needs of its description. */
type Described = Pick<ResourceDescription, "type" | "inputs" | "outputs">;

/** The class of a resource, as programs see it. */
export interface ResourceClass<Self, Arguments, Values> {
  new (name: string, args: Arguments, options?: ResourceOptions): pulumi.CustomResource & Outputs<Values>;

  /**
   * An object that exists and that this stack does not manage, by its UUID: it is read in every preview and up, and
   * destroy leaves it unchanged. Needs the read scope of the class, and no other.
   *
   * @throws in preview when the organization has no such object, naming the UUID and the organization.
   * @example
   * ```typescript
   * const brand = Project.get("brand", "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e");
   * ```
   */
  get(name: string, id: pulumi.Input<pulumi.ID>, options?: pulumi.CustomResourceOptions): Self;

  /** Whether a value is a resource of this class, also one of another copy of this package. */
  isInstance(value: unknown): value is Self;
}

/**
 * What a resource's class extends: everything that follows from the description.
 *
 * @typeParam Self the class itself.
 * @typeParam Arguments what a program declares.
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

    static get(
      name: string,
      id: pulumi.Input<pulumi.ID>,
      options?: pulumi.CustomResourceOptions,
    ): DescribedResource {
      // Only a program's own declaration has arguments; what is looked up has all that the service knows.
      return new this(name, undefined, { ...options, id } as RegisteredOptions);
    }

    static override isInstance(value: unknown): value is DescribedResource {
      return (
        (value as { __pulumiType?: unknown } | null | undefined)?.__pulumiType === typeToken(description)
      );
    }
  }
  // CustomResource sets the properties when it is constructed, from what is registered, so no declaration has them.
  return DescribedResource as unknown as ResourceClass<Self, Arguments, Values>;
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
    [PROVIDER_PROPERTY]: providerText(description),
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

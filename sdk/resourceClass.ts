/** The base of the resource classes of both hosts. */
import * as pulumi from "@pulumi/pulumi";
import { type Host, otherHost } from "../provider/hosts/hosts";
import { DESCRIBED } from "./described";
import { requireOwnProvider, withOtherHostAlias } from "./hostProviders";
import { requireTexts, requireUuid } from "./program/texts";
import { recordCallSite } from "./pulumi/callSite";
import { noteRead } from "./pulumi/invokeDependencies";
import { typeTokenOf } from "./pulumi/typeToken";
import type { Outputs } from "./types";

type WithId = Pick<pulumi.CustomResourceOptions, "id">;

export type ClassName = keyof typeof DESCRIBED;

/** Options of the classes of both hosts. */
export interface CommonOptions extends Omit<pulumi.CustomResourceOptions, "import" | "customTimeouts"> {
  /** UUID of an existing object. */
  import?: string | undefined;
}

/** Adds the protections of an adopted object, unless the program sets them. */
export function withProtections<
  Options extends Pick<pulumi.CustomResourceOptions, "protect" | "retainOnDelete">,
>(options: Options): Options {
  return { ...options, protect: options.protect ?? true, retainOnDelete: options.retainOnDelete ?? true };
}

/** How the classes of a host register their resources. */
export interface Registration<Options extends CommonOptions> {
  readonly host: Host;
  /** Converts the options to those of Pulumi. */
  options(name: string, options: Options): pulumi.CustomResourceOptions;
  /** The properties that the host itself needs. */
  hiddenProperties(
    type: ClassName,
    resource: { readonly name: string; readonly options: Options; readonly args: object | undefined },
  ): pulumi.Inputs;
  /** Requires that the host can be started and configured. */
  requireHost(options: Options): void;
}

export interface ResourceClass<Self, Arguments, Values, Options> {
  new (name: string, args: Arguments, options?: Options): pulumi.CustomResource & Outputs<Values>;

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

/** Creates the function that creates the base class of each resource of a host. */
export function resourceClasses<Options extends CommonOptions>(registration: Registration<Options>) {
  /**
   * @typeParam Self the class itself.
   * @typeParam Arguments the arguments of the class.
   * @typeParam Values the properties of the description, inputs and outputs.
   * @example
   * ```typescript
   * class Project extends resourceClass<Project, ProjectArgs, ProjectInputs & ProjectOutputs>("Project") {}
   * ```
   */
  return <Self, Arguments extends object, Values extends object>(type: ClassName) => {
    const { host } = registration;
    const typeToken = host.typeToken({ type });
    const otherToken = otherHost(host).typeToken({ type });
    const { properties, nullable } = DESCRIBED[type];
    // See docs/internals/sdk.md#properties-must-be-registered.
    const undeclared = Object.fromEntries(properties.map((name) => [name, undefined]));

    class DescribedResource extends pulumi.CustomResource {
      constructor(name: string, args: Arguments | undefined, options: Options & WithId = {} as Options) {
        registration.requireHost(options);
        requireDeclared(name, args, options);
        requireOwnProvider(host, name, options);
        const inputs = {
          ...undeclared,
          ...args,
          ...registration.hiddenProperties(type, { name, options, args }),
        };
        const withDefaults = options.import === undefined ? options : withProtections(options);
        const registered = withOtherHostAlias(registration.options(name, withDefaults), otherToken);
        const recorded = recordCallSite();
        try {
          super(typeToken, name, inputs, registered);
        } catch (error) {
          recorded();
          if (error instanceof Error) Error.captureStackTrace(error, DescribedResource);
          throw error;
        } finally {
          recorded();
        }
        if (options.id !== undefined) noteRead(this, options.id);
        for (const name of nullable) {
          const declared = args?.[name as keyof Arguments];
          if (declared === null || pulumi.Output.isInstance(declared)) withoutNull(this, name);
        }
      }

      static get(
        name: string,
        id: pulumi.Input<pulumi.ID>,
        options?: pulumi.CustomResourceOptions,
      ): DescribedResource {
        // Without arguments, the resource has all properties of the object.
        return new this(name, undefined, { ...options, id } as unknown as Options);
      }

      static override isInstance(value: unknown): value is DescribedResource {
        return typeTokenOf(value) === typeToken;
      }
    }

    // The constructor of CustomResource sets the registered properties, so the class does not declare them.
    return DescribedResource as unknown as ResourceClass<Self, Arguments, Values, Options>;
  };
}

/** @throws RunError for texts that cannot be meant, and for UUIDs that are none. */
function requireDeclared(name: string, args: object | undefined, options: CommonOptions & WithId): void {
  const { import: adopt, id, additionalSecretOutputs = [] } = options;
  const mayShow = (argument: string) => !additionalSecretOutputs.includes(argument);
  requireTexts(name, { ...args, import: adopt, id }, { mayShow });
  if (adopt !== undefined) requireUuid(name, "import", adopt);
  // An empty id would create an object: see docs/internals/sdk.md#properties-must-be-registered.
  if ("id" in options && !id) requireUuid(name, "id", id);
}

/** Makes an output undefined where it is null. Only properties that are declared as null are null in the state. */
function withoutNull(resource: pulumi.CustomResource, name: string): void {
  const output = Reflect.get(resource, name) as pulumi.Output<unknown>;
  Reflect.set(
    resource,
    name,
    output.apply((value) => value ?? undefined),
  );
}

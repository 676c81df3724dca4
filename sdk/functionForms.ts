/** The two forms of a function: with plain arguments, and with Inputs. */
import type * as pulumi from "@pulumi/pulumi";
import type { Host } from "../provider/hosts/hosts";
import type { FunctionName } from "../provider/resources/functions";
import { requireOwnProvider } from "./hostProviders";
import { requireNoArguments, requireOptions } from "./program/functionOptions";
import { outputForm } from "./program/outputForm";

/** Options of a function: the provider that it uses. */
export interface FunctionOptions {
  /** The provider to use. Default: the provider of `parent`, else the stack's configuration and the environment. */
  provider?: pulumi.ProviderResource;
  /** The resource whose provider is used if `provider` is not set. */
  parent?: pulumi.Resource;
}

/** Options of a function that takes Inputs. */
export interface FunctionOutputOptions extends FunctionOptions {
  /** Resources that must exist before the function runs; for a component, the resources in it. */
  dependsOn?: pulumi.Input<pulumi.Input<pulumi.Resource>[]> | pulumi.Input<pulumi.Resource>;
}

/**
 * Both forms of every function of a host. A function without arguments passes what it was `given`.
 *
 * @param call calls a function of the host by its name.
 */
export function functionForms(
  host: Host,
  call: (name: FunctionName, args: object, options: FunctionOptions) => Promise<unknown>,
) {
  async function plain<Result>(
    name: FunctionName,
    args: object,
    options: FunctionOptions = {},
    given?: ArrayLike<unknown>,
  ): Promise<Result> {
    requireNoArguments(name, given);
    requireOptions(name, options);
    requireOwnProvider(host, name, options);
    return (await call(name, args, options)) as Result;
  }

  function output<Result>(
    name: FunctionName,
    args: object,
    options: FunctionOutputOptions = {},
    given?: ArrayLike<unknown>,
  ): pulumi.Output<Result> {
    requireNoArguments(`${name}Output`, given);
    return outputForm(
      (known, chosen: FunctionOptions) => plain<Result>(name, known, chosen),
      { ...args },
      options,
    );
  }

  return { plain, output };
}

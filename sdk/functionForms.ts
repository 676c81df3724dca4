/** The two forms of a function: with plain arguments, and with Inputs. */
import * as pulumi from "@pulumi/pulumi";
import type { Host } from "../provider/hosts/hosts";
import type { FunctionName } from "../provider/resources/functions";
import { requireOwnProvider } from "./hostProviders";
import { runError } from "./program/runError";
import { invokeDependencies } from "./pulumi/invokeDependencies";

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

/** Pulumi's options. Those that concern only a plugin have no effect on the dynamic host. */
const OPTIONS = ["provider", "parent", "dependsOn", "async", "version", "pluginDownloadURL"];

/**
 * Both forms of every function of a host. A function without arguments passes what it was `given`.
 *
 * @param call calls a function of the host by its name.
 */
export function functionForms(
  host: Host,
  call: (name: FunctionName, args: object, options: FunctionOptions, mayBeNew: boolean) => Promise<unknown>,
) {
  async function checkedCall<Result>(...request: Parameters<typeof call>): Promise<Result> {
    const [name, , options] = request;
    requireOptions(name, options);
    requireOwnProvider(host, name, options);
    return (await call(...request)) as Result;
  }

  async function plain<Result>(
    name: FunctionName,
    args: object,
    options: FunctionOptions = {},
    given?: ArrayLike<unknown>,
  ): Promise<Result> {
    requireNoArguments(name, given);
    return await checkedCall(name, args, options, false);
  }

  /** Calls a function when its Inputs are known, and what it depends on exists. */
  function output<Result>(
    name: FunctionName,
    args: object,
    { dependsOn, ...options }: FunctionOutputOptions = {},
    given?: ArrayLike<unknown>,
  ): pulumi.Output<Result> {
    requireNoArguments(`${name}Output`, given);
    const values = pulumi.output({ ...args });
    // Only the resources behind the values count here: `all` waits for the values themselves.
    const dependencies = invokeDependencies([dependsOn, values.apply(() => [])]);
    return pulumi
      .all([values, dependencies])
      .apply(([known, { mayBeNew }]) =>
        checkedCall<Result>(name, known, options, mayBeNew),
      ) as pulumi.Output<Result>;
  }

  return { plain, output };
}

/** @throws RunError for an option that a function ignores: it would use another provider. */
function requireOptions(name: string, options: object): void {
  const unknown = Object.keys(options ?? {}).find((option) => !OPTIONS.includes(option));
  if (unknown !== undefined)
    throw runError(`${unknown} is not an option of ${name}; allowed: ${OPTIONS.join(", ")}.`);
}

/** @throws RunError if options follow the first ones: a function without arguments is called as if it had some. */
function requireNoArguments(name: string, given: ArrayLike<unknown> = []): void {
  if (given.length > 1)
    throw runError(`${name} has no arguments: pass the options first, as in ${name}({ provider }).`);
}

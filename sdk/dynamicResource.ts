/**
 * The base of the resource classes.
 *
 * They are dynamic resources that refer to their provider instead of serializing it, so the state contains no code, and
 * works with every version of this package: see docs/internals/dynamic-host.md#provider-text. The option `import` is
 * their own: see docs/internals/dynamic-host.md#no-import.
 */
import * as pulumi from "@pulumi/pulumi";
import { type ProgramFacts, providerText } from "../provider/hosts/dynamicNames";
import { DYNAMIC_HOST } from "../provider/hosts/hosts";
import {
  DECLARATION_PROPERTY,
  IMPORT_PROPERTY,
  PROVIDER_PROPERTY,
} from "../provider/lifecycle/hiddenProperties";
import { membersOf } from "../provider/values/walk";
import { effectiveProvider } from "./hostProviders";
import { requireReachableProvider } from "./program/reachableProvider";
import { runError } from "./program/runError";
import { requireEncryptedKey, requireKnownConfiguration } from "./program/stackConfiguration";
import { isMocked } from "./pulumi/mocks";
import { type CommonOptions, resourceClasses } from "./resourceClass";

/** Options of a resource. */
export interface ResourceOptions extends CommonOptions {
  /**
   * UUID of an existing object to adopt instead of creating a new one. The declared properties must equal those of the
   * object. Adopting writes nothing.
   *
   * The option implies `protect: true` and `retainOnDelete: true` unless you set them. While it is set, nothing
   * deletes or replaces the object.
   *
   * If you remove the option, you remove both protections, unless you set them: the object can then be deleted and
   * replaced like any other. The preview shows an update (`-__import`), which writes nothing, and a message about the
   * protections.
   */
  import?: string | undefined;
}

export const resourceClass = resourceClasses<ResourceOptions>({
  host: DYNAMIC_HOST,
  requireHost(options) {
    requireReachableProvider();
    requireKnownConfiguration();
    if (effectiveProvider(DYNAMIC_HOST, options) === undefined) requireEncryptedKey();
  },
  options: registeredOptions,
  hiddenProperties: (type, { name, options, args }) => ({
    ...(options.import !== undefined && { [IMPORT_PROPERTY]: options.import }),
    // An object that is only read is never checked, and the state contains all its inputs. Mocks get what is declared.
    ...(!("id" in options || isMocked()) && {
      [DECLARATION_PROPERTY]: {
        resource: resourceIn(options.parent, name),
        shown: shownProperties(args, options),
        isPreview: pulumi.runtime.isDryRun(),
        retainOnDelete: options.retainOnDelete ?? false,
        deleteBeforeReplace: options.deleteBeforeReplace ?? false,
      } satisfies Awaitable<ProgramFacts>,
    }),
    ...(!isMocked() && { [PROVIDER_PROPERTY]: providerText({ type }) }),
  }),
});

type Awaitable<Value> = { readonly [Name in keyof Value]: Value[Name] | Promise<Value[Name]> };

/** Identifies a resource among those of its type in a run. */
function resourceIn(parent: pulumi.Resource | undefined, name: string): string | Promise<string> {
  if (parent === undefined) return name;
  // An output would make the resource depend on its parent.
  return new Promise((resolve) => parent.urn.apply((urn) => resolve(`${urn} ${name}`)));
}

/** The names of the arguments that are not secret. */
function shownProperties(
  args: object = {},
  { additionalSecretOutputs = [] }: ResourceOptions,
): string[] | Promise<string[]> {
  const entries = Object.entries(args).filter(([name]) => !additionalSecretOutputs.includes(name));
  // Only an Output can be or contain a secret. To ask Pulumi costs several Outputs.
  if (entries.every(([, value]) => isPlain(value))) return entries.map(([name]) => name);
  // A value that fails counts as secret: Pulumi reports it with its property.
  const isSecret = async (value: unknown) =>
    !isPlain(value) && (await pulumi.isSecret(pulumi.output(value)).catch(() => true));
  return Promise.all(entries.map(async ([name, value]) => ((await isSecret(value)) ? [] : [name]))).then(
    (names) => names.flat(),
  );
}

/** Whether a value is and contains no Output and no promise. */
function isPlain(value: unknown): boolean {
  if (Object(value) !== value) return true;
  const members = membersOf(value);
  return (members.length > 0 || Array.isArray(value)) && members.every(([, member]) => isPlain(member));
}

/** Converts the options to those of Pulumi. @throws RunError for one without effect: see docs/internals/dynamic-host.md#no-timeouts. */
function registeredOptions(
  name: string,
  { import: _, ...options }: ResourceOptions,
): pulumi.CustomResourceOptions {
  if ("customTimeouts" in options && options.customTimeouts !== undefined)
    throw runError(
      `${name}: Pulumi does not pass customTimeouts to dynamic providers, so the option would have no effect. Remove it. All waits have a time limit; you can set those of CustomDomainActivation and CustomDomainRecords with timeoutSeconds.`,
    );
  return options;
}

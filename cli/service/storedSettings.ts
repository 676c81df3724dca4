/** Reads the settings of a provider in the stack or in the import, or without a provider those of the stack. */

import { UserError } from "../../provider/errors";
import type { ImportEntry } from "../../provider/hosts/importFileFormat";
import type { RawSettings } from "../../provider/session/settings";
import type { Host } from "../objects/hosts";
import { type StackResource, settingsIn } from "../pulumi/stack";
import { type PulumiContext, stackSettings } from "../pulumi/stackSettings";

export interface SettingsPlaces {
  /** The entries of the import that may be the provider. Default: none. */
  readonly entries?: readonly Pick<ImportEntry, "name" | "inputs">[];
  /** The stack's resources; undefined without a stack. */
  readonly resources: readonly StackResource[] | undefined;
  readonly nameTable: Readonly<Record<string, string>>;
  readonly pulumi: PulumiContext;
  /** The host of the resources that use the provider. */
  readonly host: Host;
}

/**
 * Reads the settings.
 *
 * @param provider the name of the provider in the import; by default the settings of the stack.
 * @throws UserError when the stack has no such provider, or its settings cannot be read.
 */
export async function storedSettings(
  provider: string | undefined,
  { entries = [], resources, nameTable, pulumi, host }: SettingsPlaces,
): Promise<RawSettings> {
  if (provider === undefined) return await stackSettings(pulumi);
  const entry = entries.find(({ name }) => name === provider);
  if (entry !== undefined) {
    if (entry.inputs?.[host.providerArgument("apiKey")] == null) {
      return settingsIn(`provider ${provider}`, (name) => entry.inputs?.[host.providerArgument(name)]);
    }
    throw new UserError(
      `Provider ${provider} is not in the stack yet and has its API key as an argument, which must not be written to a file. Deploy the provider first, or use apiKeyEnvVar.`,
    );
  }
  // Without a stack, use the environment. With a key of another organization, the objects are not found.
  if (resources === undefined) return { apiUrl: pulumi.apiUrl };
  const resource = resources.find(({ urn }) => urn === nameTable[provider]);
  if (resource === undefined)
    throw new UserError(`The stack has no provider ${nameTable[provider]}. Deploy it first.`);
  return settingsIn(`provider ${provider}`, (name) => resource.inputs?.[host.providerArgument(name)]);
}

/** Reads the settings that the engine passes, from the stack's configuration or from an explicit provider. */
import { ClientError } from "../../client/errors";
import { problemOf } from "../../errors";
import { explain } from "../../lifecycle/explain";
import { requireProviderOrganization } from "../../lifecycle/ownership";
import type { Properties } from "../../lifecycle/properties";
import type { Session } from "../../session/session";
import {
  isOff,
  type RawSettings,
  resolveSettings,
  type SettingsOptions,
  settingsFrom,
  unknownSettingProblem,
} from "../../session/settings";

/** Arguments of a provider that the engine itself adds: see docs/internals/native-host.md#engines-arguments. */
const ENGINE_NAMES = ["version", "pluginDownloadURL", "pluginChecksums", "parameterization"];

/** The settings among the arguments of a provider. The stack's read-only mode applies to explicit providers as well. */
export function settingsFromArguments(
  args: Properties,
  environment: SettingsOptions["environment"],
): RawSettings {
  // The CLI passes the stack's configuration of this package to each plugin, whatever provider it serves.
  const { readOnly: ofStack }: Properties = Object(JSON.parse(environment.PULUMI_CONFIG ?? "{}"));
  const readOnly = isOff(ofStack) ? args.readOnly : ofStack;
  // SDKs encode it as text, but not in each call.
  return { ...settingsFrom((name) => args[name]), readOnly: readOnly == null ? undefined : String(readOnly) };
}

export function configurationFailures(args: Properties, options: SettingsOptions): string[] {
  const unknown = Object.keys(args)
    .filter((name) => !ENGINE_NAMES.includes(name) && !name.startsWith("__"))
    .flatMap((name) => unknownSettingProblem(name) ?? []);
  if (unknown.length > 0) return unknown;
  const problem = problemOf(() => resolveSettings(settingsFromArguments(args, options.environment), options));
  return problem === undefined ? [] : [problem];
}

/**
 * The organization of a provider, see docs/internals/native-host.md#owner: that of its key. If the key cannot be looked up, it is
 * the one in the state, and each resource reports why.
 *
 * @throws UserError if they differ. Also if there is neither: the provider would later get that of whatever key comes next.
 */
export async function organizationOf(open: () => Session, owner: unknown): Promise<unknown> {
  const identity = await Promise.resolve()
    .then(() => open().identity())
    .catch((error: unknown) => {
      if (owner == null && error instanceof ClientError) throw explain(error);
      return undefined;
    });
  if (identity === undefined) return owner;
  requireProviderOrganization(owner, identity.organizationId);
  return identity.organizationId;
}

/** The arguments of the `Provider` classes of both hosts. */
import * as pulumi from "@pulumi/pulumi";
import { CONFIGURATION_NAMESPACE } from "../provider/service";
import {
  isOff,
  notKnown,
  SETTING_NAMES,
  type SettingName,
  settingProblem,
} from "../provider/session/settings";
import { runError } from "./program/runError";
import { reportPlainKey, requireKnownConfiguration } from "./program/stackConfiguration";
import { requireTexts } from "./program/texts";

/** The settings of a provider, by name. All are known in preview. */
export type ProviderSettings = Readonly<Record<string, pulumi.Output<unknown>>>;

/**
 * Validates the arguments of a provider and returns its settings. The key is a secret. The dynamic host validates the
 * settings of a provider only when a resource uses it.
 *
 * @throws RunError for an argument that does not exist, and for a plain value that is invalid. For an output, it is
 * thrown in the output, also if the value is not known yet.
 */
export function providerSettings(name: string, args: object): ProviderSettings {
  const names: readonly string[] = SETTING_NAMES;
  const unexpected = Object.keys(args).filter((key) => !names.includes(key));
  if (unexpected.length > 0)
    throw runError(
      `Provider ${name} has no argument ${unexpected.join(" or ")}; its arguments are ${names.join(", ")}.`,
    );
  requireKnownConfiguration();
  reportPlainKey();
  requireTexts(name, args, { subject: `Provider ${name}` });
  const given = Object.entries(args).filter(([, value]) => value != null) as [SettingName, unknown][];
  requireValid(
    name,
    given.filter(([, value]) => Object(value) !== value),
  );
  const known: Record<string, pulumi.Output<unknown>> = {};
  for (const [setting, value] of given) known[setting] = knownSetting(name, setting, value);
  // Read-only mode of the whole stack applies to every provider in it.
  const wholeStack = new pulumi.Config(CONFIGURATION_NAMESPACE).get("readOnly");
  if (!isOff(wholeStack)) known.readOnly = pulumi.output(wholeStack);
  return known;
}

/** @throws RunError with the problems of all values. */
function requireValid(name: string, settings: readonly (readonly [SettingName, unknown])[]): void {
  const problems = settings.flatMap(([setting, value]) => settingProblem(setting, value) ?? []);
  if (problems.length > 0)
    throw runError(problems.map((problem) => `Provider ${name}: ${problem}`).join("\n"));
}

/** The settings as the properties of a provider resource, all of which are strings. */
export function providerProperties(settings: ProviderSettings, prefix = ""): pulumi.Inputs {
  return Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [
      `${prefix}${setting}`,
      value.apply((plain) =>
        typeof plain === "boolean" || typeof plain === "number" ? String(plain) : plain,
      ),
    ]),
  );
}

/**
 * Requires a setting to be known and valid: see docs/internals/dynamic-host.md#unknown-settings.
 *
 * @throws RunError in the output, if the value is not known or is invalid.
 */
function knownSetting(
  name: string,
  setting: SettingName,
  value: pulumi.Input<unknown>,
): pulumi.Output<unknown> {
  const output: pulumi.Output<unknown> = setting === "apiKey" ? pulumi.secret(value) : pulumi.output(value);
  let seen = false;
  const probe = output.apply((plain) => {
    seen = true;
    requireValid(name, [[setting, plain]]);
    return plain;
  });
  const checked = pulumi.isSecret(probe).then((secret): pulumi.Output<unknown> => {
    if (!seen) throw runError(notKnown(`${setting} of Provider ${name}`));
    return secret ? pulumi.secret(probe) : probe;
  });
  const result = pulumi.output(checked) as pulumi.Output<unknown>;
  return setting === "apiKey" ? pulumi.secret(result) : result;
}

/** The session of a provider in the program's process, with the settings that its host has too. */
import * as pulumi from "@pulumi/pulumi";
import { CONFIGURATION_NAMESPACE } from "../provider/service";
import type { Session } from "../provider/session/session";
import { type RawSettings, type Settings, settingsFrom } from "../provider/session/settings";
import { requireDefaultProvider, requireEncryptedKey } from "./program/stackConfiguration";
import { settingsOf } from "./provider";

/**
 * The settings of a provider of this package, or without a provider, those of the stack's configuration. Undefined for
 * a provider of another package.
 */
export function declaredSettings(
  provider: pulumi.ProviderResource | undefined,
): pulumi.Output<RawSettings> | undefined {
  if (provider !== undefined) return settingsOf(provider);
  requireDefaultProvider();
  requireEncryptedKey();
  const configuration = new pulumi.Config(CONFIGURATION_NAMESPACE);
  return pulumi.output(settingsFrom((name) => configuration.get(name)));
}

/** Validates settings and adds those of the environment. @throws UserError that lists what is missing or invalid. */
export async function resolvedSettings(raw: RawSettings): Promise<Settings> {
  const { resolveSettings } = await import("../provider/session/settings.js");
  return resolveSettings(raw, { environment: process.env });
}

/** Opens the session. Loaded lazily: most programs need no HTTP client. */
export async function programSession(settings: Settings): Promise<Session> {
  const { sharedSession } = await import("../provider/session/session.js");
  return sharedSession(settings, { report: reportProgress });
}

function reportProgress(message: string): void {
  void pulumi.log.info(message, undefined, undefined, true);
}

/** The session of a provider in the program's process, with the settings that its host has too. */
import * as pulumi from "@pulumi/pulumi";
import { CONFIGURATION_NAMESPACE } from "../provider/service";
import type { Session } from "../provider/session/session";
import { type RawSettings, settingsFrom } from "../provider/session/settings";
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

/**
 * Opens the session of settings, with those of the environment. Loaded lazily: most programs need no HTTP client.
 *
 * @throws UserError that lists what is missing or invalid.
 */
export async function programSession(raw: RawSettings): Promise<Session> {
  const { resolveSettings } = await import("../provider/session/settings.js");
  const { sharedSession } = await import("../provider/session/session.js");
  return sharedSession(resolveSettings(raw, { environment: process.env }), { report: reportProgress });
}

export function reportProgress(message: string): void {
  void pulumi.log.info(message, undefined, undefined, true);
}

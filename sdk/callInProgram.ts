/** Calls the functions in the program's process: see docs/internals/dynamic-host.md#no-functions. */
import * as pulumi from "@pulumi/pulumi";
import { UserError } from "../provider/errors";
import { DYNAMIC_HOST } from "../provider/hosts/hosts";
import { CONFIGURATION_NAMESPACE } from "../provider/service";
import type { Session } from "../provider/session/session";
import { type RawSettings, settingsFrom } from "../provider/session/settings";
import { functionForms } from "./functionForms";
import { effectiveProvider } from "./hostProviders";
import { invokeFunction } from "./program/invokeFunction";
import { runError } from "./program/runError";
import { requireDefaultProvider, requireEncryptedKey } from "./program/stackConfiguration";
import { settingsOf } from "./provider";
import { isMocked } from "./pulumi/mocks";

export const { plain, output } = functionForms(DYNAMIC_HOST, async (name, args, options, mayBeNew) => {
  const applying = effectiveProvider(DYNAMIC_HOST, options);
  // Without an engine and without mocks, a test that forgot the mocks would send requests.
  if (pulumi.runtime.getMonitor() === undefined)
    throw runError(`${name} works in a program that Pulumi runs, or with pulumi.runtime.setMocks.`);
  if (isMocked()) return await invokeFunction(name, args, { ...(applying && { provider: applying }) });
  const settings = declaredSettings(applying);
  if (settings === undefined)
    throw runError(
      "The provider of a dynamiclink function must be a Provider of pulumi-dynamiclink, and of the same copy: see `npm ls pulumi-dynamiclink`.",
    );
  const raw = await new Promise<RawSettings>((resolve) => void settings.apply(resolve));
  const { callFunction } = await import("../provider/resources/functions.js");
  try {
    return await callFunction(name, args, async () => ({
      session: await programSession(raw),
      report: reportProgress,
      // A preview creates nothing.
      mayBeNew: mayBeNew && !pulumi.runtime.isDryRun(),
    }));
  } catch (error) {
    throw error instanceof UserError ? runError(error.message) : error;
  }
});

/**
 * The settings of a provider of this package, or without a provider, those of the stack's configuration. Undefined for
 * a provider of another package.
 */
function declaredSettings(
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
async function programSession(raw: RawSettings): Promise<Session> {
  const { resolveSettings } = await import("../provider/session/settings.js");
  const { sharedSession } = await import("../provider/session/session.js");
  return sharedSession(resolveSettings(raw, { environment: process.env }), { report: reportProgress });
}

function reportProgress(message: string): void {
  void pulumi.log.info(message, undefined, undefined, true);
}

/** Calls the functions in the program's process: see docs/internals/dynamic-host.md#no-functions. */
import * as pulumi from "@pulumi/pulumi";
import { UserError } from "../provider/errors";
import { DYNAMIC_HOST } from "../provider/hosts/hosts";
import type { RawSettings } from "../provider/session/settings";
import { functionForms } from "./functionForms";
import { effectiveProvider } from "./hostProviders";
import { invokeFunction } from "./program/invokeFunction";
import { runError } from "./program/runError";
import { declaredSettings, programSession, reportProgress } from "./programSession";
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

/** Checks the keys of this package in the stack's configuration. */
import * as pulumi from "@pulumi/pulumi";
import { CONFIGURATION_NAMESPACE } from "../provider/session/service";
import { resemblesSetting, unknownSettingProblem } from "../provider/session/settings";
import { runError } from "./runError";

/**
 * Requires that each key of the namespace is a setting. A misspelt `readOnly`, for example, would allow writes.
 *
 * The program checks them because the dynamic-provider host can only look up keys by name. The native plugin checks
 * those of a default provider itself; for an explicit provider, no process but the program sees them.
 *
 * @throws RunError that lists all keys that are not settings.
 */
export function requireKnownConfiguration(): void {
  const prefix = `${CONFIGURATION_NAMESPACE}:`;
  const problems = Object.keys(pulumi.runtime.allConfig())
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    // The configuration of a project is in the namespace with the project's name.
    .filter((name) => pulumi.getProject() !== CONFIGURATION_NAMESPACE || resemblesSetting(name))
    .flatMap((name) => unknownSettingProblem(name) ?? []);
  if (problems.length > 0) throw runError(problems.join("\n"));
}

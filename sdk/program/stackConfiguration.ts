/** Checks the keys of this package in the stack's configuration. */
import * as pulumi from "@pulumi/pulumi";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import { resemblesSetting, unknownSettingProblem } from "../../provider/session/settings";
import { runError } from "./runError";

/** The programs whose keys were checked, by their connection to the engine. One process can run several programs. */
const checked = new WeakSet<object>();

/**
 * Requires that each key of the namespace is a setting. A misspelt `readOnly`, for example, would allow writes.
 *
 * The program checks them because the dynamic-provider host can only look up keys by name. The native plugin checks
 * those of a default provider itself; for an explicit provider, no process but the program sees them.
 *
 * @throws RunError that lists all keys that are not settings.
 */
export function requireKnownConfiguration(): void {
  // Every resource asks, and the SDK parses the whole configuration each time.
  const program = pulumi.runtime.getMonitor();
  if (program !== undefined && checked.has(program)) return;
  const prefix = `${CONFIGURATION_NAMESPACE}:`;
  const problems = Object.keys(pulumi.runtime.allConfig())
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    // The configuration of a project is in the namespace with the project's name.
    .filter((name) => pulumi.getProject() !== CONFIGURATION_NAMESPACE || resemblesSetting(name))
    .flatMap((name) => unknownSettingProblem(name) ?? []);
  if (problems.length > 0) throw runError(problems.join("\n"));
  if (program !== undefined) checked.add(program);
}

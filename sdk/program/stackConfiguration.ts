/** Checks the keys of this package in the stack's configuration. */
import * as pulumi from "@pulumi/pulumi";
import { DYNAMIC_HOST } from "../../provider/hosts/hosts";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import { plainKeyProblem, unknownSettingProblems } from "../../provider/session/settings";
import { isEncrypted } from "../pulumi/encrypted";
import { isMocked } from "../pulumi/mocks";
import { runError } from "./runError";

interface Checked {
  /** Whether it contains the API key in plain text. */
  readonly hasPlainKey: boolean;
  isReported: boolean;
}

/** The programs whose keys were checked, by their connection to the engine. One process can run several programs. */
const programs = new WeakMap<object, Checked>();

/**
 * Requires that each key of the namespace is a setting. A misspelt `readOnly`, for example, would allow writes.
 *
 * The program checks them because the dynamic-provider host can only look up keys by name. The native plugin checks
 * those of a default provider itself; for an explicit provider, no process but the program sees them.
 *
 * @throws RunError that lists all keys that are not settings.
 */
export function requireKnownConfiguration(): void {
  checkedConfiguration();
}

/**
 * Requires that the configuration does not contain the API key in plain text: see
 * docs/internals/dynamic-host.md#default-provider.
 *
 * @throws RunError with the command that encrypts the key.
 */
export function requireEncryptedKey(): void {
  if (checkedConfiguration().hasPlainKey)
    throw runError(plainKeyProblem(", and Pulumi would store it in the state in plain text as well"));
}

/**
 * Requires that functions may run without a `Provider`. Pulumi itself refuses resources without one: it does not see the
 * functions of the dynamic host.
 *
 * @throws RunError if the stack's configuration disables the default provider of dynamic resources.
 */
export function requireDefaultProvider(): void {
  const setting = "disable-default-providers";
  const configuration = new pulumi.Config("pulumi");
  // Pulumi passes an empty list as an empty text.
  const disabled = configuration.get(setting) ? configuration.getObject(setting) : [];
  const name = [disabled]
    .flat()
    .find((each) => ["*", DYNAMIC_HOST.pulumiPackage].includes(String(each).trim()));
  if (name === undefined) return;
  throw runError(
    `The stack's configuration pulumi:${setting} contains "${name}", so a function needs the option provider, or a parent with a provider.`,
  );
}

/**
 * Reports once if the configuration contains the API key in plain text, where the state does not: Pulumi does not tell
 * the native plugin what is encrypted in the configuration, and the plugin always encrypts the key in the state.
 */
export function reportPlainKey(): void {
  const found = checkedConfiguration();
  if (!found.hasPlainKey || found.isReported) return;
  found.isReported = true;
  void pulumi.log.warn(plainKeyProblem());
}

function checkedConfiguration(): Checked {
  // Every resource asks, and the SDK parses the whole configuration each time.
  const program = pulumi.runtime.getMonitor();
  const known = program && programs.get(program);
  if (known !== undefined) return known;
  const keys = Object.keys(pulumi.runtime.allConfig());
  // The configuration of a project is in the namespace with the project's name.
  const mayBeOthers = pulumi.getProject() === CONFIGURATION_NAMESPACE;
  const problems = unknownSettingProblems(keys, { mayBeOthers });
  if (problems.length > 0) throw runError(problems.join("\n"));
  const key = `${CONFIGURATION_NAMESPACE}:apiKey`;
  // Mocks store nothing.
  const hasPlainKey = keys.includes(key) && !isEncrypted(key) && !isMocked();
  const found = { hasPlainKey, isReported: false };
  if (program !== undefined) programs.set(program, found);
  return found;
}

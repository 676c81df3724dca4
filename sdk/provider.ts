/** The `Provider` class: the settings of one organization, for the resources and functions that use it. */
import * as pulumi from "@pulumi/pulumi";
import { CONFIGURATION_NAMESPACE } from "../provider/session/service";
import { type RawSettings, SETTING_NAMES } from "../provider/session/settings";
import { runError } from "./runError";
import { requireWellFormed } from "./wellFormed";

/**
 * Arguments of a {@link Provider}. Omitted arguments are read from the environment, never from the stack's
 * configuration. Only `readOnly` is on if any of the three turns it on.
 */
export interface ProviderArgs {
  /** API key of the organization. Always a secret. Default: the value of the environment variable `apiKeyEnvVar`. */
  apiKey?: pulumi.Input<string> | undefined;
  /** Name of the environment variable that contains the API key. Default: `DYNAMICLINK_API_KEY`. */
  apiKeyEnvVar?: pulumi.Input<string> | undefined;
  /**
   * URL of the service, such as `https://api.dynamiclink.example`. It must use https, except for loopback addresses. A
   * path is allowed; a user name, query or fragment is not. Default: the built-in URL, a placeholder under `.example`.
   */
  apiUrl?: pulumi.Input<string> | undefined;
  /**
   * Refuse every write before it is sent, and require only read scopes. The stack's configuration and
   * `DYNAMICLINK_READ_ONLY` can also turn it on; no setting turns it off again. Default: false.
   */
  readOnly?: pulumi.Input<boolean> | undefined;
}

const rawSettings = new WeakMap<pulumi.ProviderResource, pulumi.Output<RawSettings>>();

/**
 * The settings of one organization. A resource uses the provider in its option `provider`, else the provider of its
 * parent, else the stack's configuration, else the environment.
 *
 * Prefer `apiKeyEnvVar` to `apiKey`. A key that is an argument is stored in the state, encrypted, and `pulumi destroy`
 * and `pulumi refresh` continue to use the stored key after you rotate it.
 *
 * @throws RunError for an argument that does not exist, and in preview for an argument whose value is not known yet.
 * @example
 * ```typescript
 * const europe = new Provider("europe", { apiKeyEnvVar: "DYNAMICLINK_API_KEY_EUROPE" });
 * new Project("shop", { name: "Shop" }, { provider: europe });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options: pulumi.ResourceOptions = {}) {
    for (const unexpected of Object.keys(args).filter(
      (key) => !(SETTING_NAMES as readonly string[]).includes(key),
    )) {
      throw runError(
        `Provider ${name} has no argument ${unexpected}; its arguments are ${SETTING_NAMES.join(", ")}.`,
      );
    }
    requireWellFormed(name, args, { subject: `Provider ${name}` });
    const known: Record<string, pulumi.Output<unknown>> = {};
    for (const setting of SETTING_NAMES) {
      const value = args[setting];
      if (value != null) known[setting] = knownSetting(name, setting, value);
    }
    // Read-only mode of the whole stack applies to every provider in it.
    const wholeStack = new pulumi.Config(CONFIGURATION_NAMESPACE).get("readOnly");
    if (wholeStack !== undefined && wholeStack !== "false") known.readOnly = pulumi.output(wholeStack);
    const settings = pulumi.output(known);
    super(
      "pulumi-nodejs",
      name,
      Object.fromEntries(
        Object.entries(known).map(([setting, value]) => [
          `${CONFIGURATION_NAMESPACE}:${setting}`,
          value.apply((plain) => (typeof plain === "boolean" ? String(plain) : plain)),
        ]),
      ),
      options,
    );
    rawSettings.set(this, settings as pulumi.Output<RawSettings>);
  }
}

/** The arguments of a provider, for functions, which run in the program. Undefined for providers of other packages. */
export function settingsOf(provider: pulumi.ProviderResource): pulumi.Output<RawSettings> | undefined {
  return rawSettings.get(provider);
}

/**
 * Requires a setting to be known. The engine does not configure a provider with unknown settings, so a preview would
 * not validate its resources.
 *
 * @throws RunError in the output, if the value is not known.
 */
function knownSetting(name: string, setting: string, value: pulumi.Input<unknown>): pulumi.Output<unknown> {
  const output: pulumi.Output<unknown> = setting === "apiKey" ? pulumi.secret(value) : pulumi.output(value);
  let seen = false;
  const probe = output.apply((plain) => {
    seen = true;
    return plain;
  });
  const checked = pulumi.isSecret(probe).then((secret): pulumi.Output<unknown> => {
    if (!seen) {
      throw runError(
        `${setting} of Provider ${name} is not known yet, and the provider needs it in preview as well. Give it a value that does not depend on another resource's output.`,
      );
    }
    return secret ? pulumi.secret(probe) : probe;
  });
  const result = pulumi.output(checked) as pulumi.Output<unknown>;
  return setting === "apiKey" ? pulumi.secret(result) : result;
}

/** The `Provider` class: the settings of one organization. For their names see docs/internals/dynamic-host.md#default-provider. */
import * as pulumi from "@pulumi/pulumi";
import { DYNAMIC_HOST, NATIVE_HOST } from "../provider/hosts/hosts";
import { CONFIGURATION_NAMESPACE } from "../provider/service";
import type { RawSettings } from "../provider/session/settings";
import { withOtherHostAlias } from "./hostProviders";
import { checkComponentsWith } from "./program/componentProviders";
import { providerProperties, providerSettings } from "./providerSettings";

/**
 * Arguments of a {@link Provider}. An omitted key is read from the environment. Nothing is read from the stack's
 * configuration, except that `readOnly` is on if the arguments, the configuration or the environment turn it on.
 */
export interface ProviderArgs {
  /** API key of the organization. Always a secret. Default: the value of the environment variable `apiKeyEnvVar`. */
  apiKey?: pulumi.Input<string> | undefined;
  /** Name of the environment variable that contains the API key. Default: `DYNAMICLINK_API_KEY`. */
  apiKeyEnvVar?: pulumi.Input<string> | undefined;
  /**
   * URL of the service, such as `https://api.dynamiclink.example`. It must use https, except for loopback addresses. A
   * path is allowed; a user name, query or fragment is not. Required: the default is a placeholder, which is an error.
   */
  apiUrl?: pulumi.Input<string> | undefined;
  /**
   * Refuse every write before it is sent, and require only read scopes. The stack's configuration and
   * `DYNAMICLINK_READ_ONLY` can also turn it on; no setting turns it off again. Default: false.
   */
  readOnly?: pulumi.Input<boolean> | undefined;
}

const settingsByProvider = new WeakMap<pulumi.ProviderResource, pulumi.Output<RawSettings>>();

/**
 * The settings of one organization. A resource uses the provider in its option `provider`, else the provider of its
 * parent, else the stack's configuration, else the environment.
 *
 * Prefer `apiKeyEnvVar` to `apiKey`. A key that is an argument is stored in the state, encrypted, and `pulumi destroy`
 * and `pulumi refresh` continue to use the stored key after you rotate it.
 *
 * A component takes one provider in its option `providers`: Pulumi would use only the last of several.
 *
 * @throws RunError for an argument that does not exist or is invalid, for a component with several providers, and in
 * preview for an argument whose value is not known yet.
 * @example
 * ```typescript
 * const apiUrl = new pulumi.Config("dynamiclink").require("apiUrl");
 * const europe = new Provider("europe", { apiKeyEnvVar: "DYNAMICLINK_API_KEY_EUROPE", apiUrl });
 * new Project("shop", { name: "Shop" });
 * new Project("shop-europe", { name: "Shop" }, { provider: europe });
 * ```
 */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options: pulumi.ResourceOptions = {}) {
    const settings = providerSettings(name, args);
    super(
      DYNAMIC_HOST.pulumiPackage,
      name,
      providerProperties(settings, `${CONFIGURATION_NAMESPACE}:`),
      withOtherHostAlias(options, NATIVE_HOST.providerType),
    );
    checkComponentsWith(this, name);
    settingsByProvider.set(this, pulumi.output(settings) as pulumi.Output<RawSettings>);
  }
}

/** The arguments of a provider, for functions, which run in the program. Undefined for providers of other packages. */
export function settingsOf(provider: pulumi.ProviderResource): pulumi.Output<RawSettings> | undefined {
  return settingsByProvider.get(provider);
}

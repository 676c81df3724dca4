/** The `Provider` class of the native plugin. */
import * as pulumi from "@pulumi/pulumi";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import { withOtherHostAlias } from "../hostProviders";
import { checkComponentsWith } from "../program/componentProviders";
import type { ProviderArgs } from "../provider";
import { providerProperties, providerSettings } from "../providerSettings";
import { RELEASED_PLUGIN } from "./releasedPlugin";
import { requirePlugin } from "./requirePlugin";

/** {@inheritDoc Provider} */
export class Provider extends pulumi.ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options: pulumi.ResourceOptions = {}) {
    requirePlugin(options);
    super(
      NATIVE_HOST.pulumiPackage,
      name,
      providerProperties(providerSettings(name, args)),
      withOtherHostAlias({ ...RELEASED_PLUGIN, ...options }, DYNAMIC_HOST.providerType),
    );
    checkComponentsWith(this, name);
  }
}

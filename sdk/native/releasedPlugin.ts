/** How Pulumi installs the plugin of this release. */
import { pluginDownloadUrl } from "../../provider/hosts/pluginDownload";

// By its name, because the path from dist/ is another one.
const { repository, version } = require("pulumi-dynamiclink/package.json") as {
  readonly repository: { readonly url: string };
  readonly version: string;
};
const pluginDownloadURL = pluginDownloadUrl(repository.url, version);

/**
 * The options with which Pulumi installs the plugin of the same version. Empty as long as the address of the repository
 * is a placeholder: the project file must then name the plugin, or it must be installed.
 */
export const RELEASED_PLUGIN: { readonly version?: string; readonly pluginDownloadURL?: string } =
  pluginDownloadURL === undefined ? {} : { version, pluginDownloadURL };

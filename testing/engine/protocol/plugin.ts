/** The plugin that a program asks for: the name and the inputs of a provider in the state contain it. */
import type { Properties } from "./values";

/** The plugin of a package. Both are empty if the program leaves them to the engine. */
export interface RequestedPlugin {
  readonly version: string;
  readonly downloadUrl: string;
}

export function requestedPlugin(request: {
  getVersion(): string;
  getPlugindownloadurl(): string;
}): RequestedPlugin {
  return { version: request.getVersion(), downloadUrl: request.getPlugindownloadurl() };
}

/** The name of the default provider with a plugin, such as `default_0_4_0`. */
export function defaultProviderName({ version, downloadUrl }: RequestedPlugin): string {
  const parts = [version.replace("-", "_").replaceAll(/[.+]/g, "_"), asName(downloadUrl)];
  return ["default", ...parts.filter((part) => part !== "")].join("_");
}

function asName(url: string): string {
  return url
    .split("/")
    .filter((segment) => segment !== "")
    .map((segment) => segment.replaceAll(/[^\w.-]/g, "_"))
    .join("/");
}

/** The inputs of a provider with what the engine needs to find its plugin. */
export function withPlugin(inputs: Properties, { version, downloadUrl }: RequestedPlugin): Properties {
  if (version === "" && downloadUrl === "") return inputs;
  return {
    ...inputs,
    ...(version !== "" && { version }),
    __internal: downloadUrl === "" ? {} : { pluginDownloadURL: downloadUrl },
  };
}

/** The inputs of a provider without those that only the engine reads. */
export function withoutInternal({ __internal, ...inputs }: Properties): Properties {
  return inputs;
}

/** Checked inputs of a provider with the plugin that the unchecked ones contain. */
export function withPluginOf({ version, __internal }: Properties, checked: Properties): Properties {
  return {
    ...checked,
    ...(version !== undefined && { version }),
    ...(__internal !== undefined && { __internal }),
  };
}

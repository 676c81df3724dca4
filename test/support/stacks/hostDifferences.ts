/** Where scenarios of the two hosts differ, and why. Every other scenario is the same on both. */

/** Why a scenario applies to one host only, by what it is about. */
export const HOST_DIFFERENCES = {
  import:
    "With the native plugin, Pulumi itself imports, before the plugin compares, and it does not say which object an import replaces.",
  replacementOfImported:
    "With the native plugin, Pulumi itself refuses a replacement while the option import is set, and `--replace` creates another object.",
  organizationOfProvider:
    "Only a plugin gets the state of its provider, and can keep the organization there.",
  pluginConfiguration:
    "Pulumi passes the stack configuration of a package to its plugin, also for explicit providers. For dynamic ones, only the program passes it.",
  plainConfiguration:
    "Pulumi stores the configuration of dynamic providers as it is; a plugin can mark a key as secret before.",
  customTimeouts: "Pulumi passes customTimeouts to plugins, but not to dynamic providers.",
  providerText: "Only dynamic resources have the text of their provider in the state.",
  functionsInProgram: "Pulumi does not see the functions of the dynamic host, which run in the program.",
  importFile:
    "Import files with inputs and outputs are for dynamic resources: Pulumi reads native ones by UUID.",
} as const;

/** What a scenario that applies to one host only is about. */
export type HostDifference = keyof typeof HOST_DIFFERENCES;

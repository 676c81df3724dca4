/**
 * Generates the data that the plugin serves: the schema of the Pulumi package, with the doc comments of the source as its
 * texts, and the mapping from the Terraform provider.
 */
import { basename } from "node:path";
import packageJson from "../../package.json";
import { pluginDownloadUrl } from "../../provider/hosts/pluginDownload";
import { MAPPING_FILE } from "../../provider/hosts/terraform/mappingFile";
import { commentOf, propertiesOf } from "../sourceDocs";
import { terraformMapping } from "../terraformMapping";
import { type PackageSchema, packageSchema } from "./packageSchema";

/** The texts of the files that the plugin reads, by their paths in `provider/hosts`. */
export function pluginData(): Readonly<Record<string, string>> {
  return {
    "plugin/schema.json": JSON.stringify(pluginSchema()),
    [`terraform/${basename(MAPPING_FILE)}`]: JSON.stringify(terraformMapping(packageJson)),
  };
}

/** Generates the schema from the source. */
export function pluginSchema(): PackageSchema {
  const facts = { ...packageJson, pluginDownloadURL: pluginDownloadUrl(packageJson.repository.url) };
  return packageSchema(facts, (module, name, property) => {
    const { text = "" } =
      property === undefined
        ? commentOf(module, name)
        : (propertiesOf(module, name).find(({ path }) => path === property) ?? {});
    // A line for each paragraph: the CLI and the SDKs keep the other line breaks.
    return text.replace(/(?<=\S)\n(?=\S)/g, " ");
  });
}

/**
 * Generates the data that the plugin serves: the schema of the Pulumi package, with the doc comments of the source as its
 * texts, and the mapping from the Terraform provider.
 */
import { basename } from "node:path";
import packageJson from "../../package.json";
import { exportName } from "../../provider/hosts/dynamicNames";
import { pluginDownloadUrl } from "../../provider/hosts/pluginDownload";
import { MAPPING_FILE } from "../../provider/hosts/terraform/mappingFile";
import { DESCRIPTIONS } from "../../provider/resources";
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

  function textOf(module: string, name: string): string {
    return unwrapped(commentOf(module, name).text);
  }

  function propertyTexts(module: string, name: string): Map<string, string> {
    return new Map(propertiesOf(module, name).map(({ path, text }) => [path, unwrapped(text)]));
  }

  return packageSchema(facts, {
    provider: {
      text: textOf("sdk/provider.ts", "Provider"),
      properties: propertyTexts("sdk/provider.ts", "ProviderArgs"),
    },
    resource(type) {
      const file = `${exportName(DESCRIPTIONS[type as keyof typeof DESCRIPTIONS])}.ts`;
      const module = `provider/resources/${file}`;
      return {
        text: textOf(`sdk/resources/${file}`, type),
        properties: new Map([
          ...propertyTexts(module, `${type}Inputs`),
          ...propertyTexts(module, `${type}Outputs`),
        ]),
      };
    },
    lookUp: (name) => ({
      text: textOf("sdk/functions.ts", name),
      args: new Map([
        ...propertyTexts("provider/resources/functions.ts", "LookUpArgs"),
        ...propertyTexts("provider/resources/functions.ts", "ListArgs"),
      ]),
      properties: propertyTexts("sdk/functions.ts", `G${name.slice(1)}Result`),
    }),
    type(name) {
      const module =
        name === "ProjectProperties" ? "provider/resources/project.ts" : "provider/client/model/index.ts";
      return { text: textOf(module, name), properties: propertyTexts(module, name) };
    },
  });
}

/** The text with a line for each paragraph. The CLI and the SDKs keep the other line breaks. */
function unwrapped(text: string): string {
  return text.replace(/(?<=\S)\n(?=\S)/g, " ");
}

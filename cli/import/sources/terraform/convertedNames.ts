/** The names that `pulumi convert` gives to the resources of a Terraform configuration. */
import type { ModuleStep, TerraformAddress } from "./address";

/** The name of a resource, and that of the component it is in, if any. */
export interface ConvertedName {
  readonly name: string;
  readonly parent?: string | undefined;
}

/**
 * The name of a resource. Names and keys keep their spelling, except that the names of modules become camelCase. A
 * component adds its own name to those of its resources.
 *
 * @example
 * // module.my_brand["north"].dynamiclink_project.this is named myBrand-north-this, in the component myBrand-north.
 */
export function convertedName({ modules, name, key }: TerraformAddress): ConvertedName {
  const parent = modules.map((step) => keyed({ ...step, name: camelCase(step.name) })).join("-");
  const own = keyed({ name, key });
  return parent === "" ? { name: own } : { name: `${parent}-${own}`, parent };
}

/**
 * The same name without what distinguishes a component from a resource of the same name: the converter adds `Component`
 * and perhaps a number.
 */
export function withoutSuffixes({ name, parent }: ConvertedName): ConvertedName {
  const shorten = (text: string) => text.replaceAll(/Component\d*(?=-|$)/g, "");
  return { name: shorten(name), parent: parent === undefined ? undefined : shorten(parent) };
}

function keyed({ name, key }: ModuleStep): string {
  return key === undefined ? name : `${name}-${key}`;
}

/** The converter's camelCase: a name in upper case, and underscores at the beginning, stay as they are. */
function camelCase(name: string): string {
  if (name === name.toUpperCase()) return name;
  const camel = name
    .replaceAll(/(?<=[^_])_+([^_])/g, (_, letter: string) =>
      /[a-z]/.test(letter) ? letter.toUpperCase() : letter,
    )
    .replace(/(?<=[^_])_+$/, "_");
  return camel.charAt(0).toLowerCase() + camel.slice(1);
}

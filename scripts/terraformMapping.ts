/**
 * Generates the mapping from this service's provider for Terraform to the Pulumi package, which `pulumi convert` asks for
 * when it converts a Terraform configuration. Its format is that of Pulumi's bridge for Terraform providers, without what
 * the converter does not use. The mapping is derived from the resource descriptions, the lookups and the settings; the
 * build writes it to a file.
 */
import { z } from "zod";
import { uuid } from "../provider/client/model/formats";
import { nativeToken } from "../provider/hosts/hosts";
import { TERRAFORM_PROVIDER, TERRAFORM_RELEASE, terraformType } from "../provider/hosts/terraform/names";
import { DESCRIPTIONS } from "../provider/resources";
import { FUNCTIONS } from "../provider/resources/functions";
import { type Fields, fieldsOf, itemOf, unwrapped } from "../provider/values/schema";
import { wireName } from "../provider/values/wire";
import { SETTINGS } from "./schema/packageSchema";

export interface TerraformAttribute {
  readonly type: number;
  readonly element?: { readonly schema: TerraformAttribute } | { readonly resource: Attributes };
  readonly maxItems?: number;
}

/** The attributes of a resource or an object, by name. */
export type Attributes = Readonly<Record<string, TerraformAttribute>>;

/** The property that an attribute becomes. */
export interface MappedAttribute {
  readonly name: string;
  readonly fields?: MappedAttributes;
  readonly element?: { readonly fields: MappedAttributes };
}

/** The properties of a resource or an object, by the names of the attributes. */
export type MappedAttributes = Readonly<Record<string, MappedAttribute>>;

/** The numbers of Terraform's types. A map whose element is a resource is an object. */
const TYPES: Readonly<Record<string, number>> = { boolean: 1, integer: 2, string: 4, array: 5, object: 6 };

export function terraformMapping({ version }: { readonly version: string }) {
  const resources = TERRAFORM_RELEASE.resources.map((type) => {
    const { inputs, outputs } = DESCRIPTIONS[type];
    const fields: Fields = { id: uuid, ...inputs.shape, ...outputs.shape };
    return { type: terraformType(type), tok: nativeToken(type), fields };
  });
  const dataSources = TERRAFORM_RELEASE.dataSources.map((type) => {
    const fields: Fields = FUNCTIONS[`get${type}`].result.shape;
    return { type: terraformType(type), tok: nativeToken(`get${type}`), fields };
  });
  return {
    name: TERRAFORM_PROVIDER,
    version,
    provider: {
      resources: byType(resources, ({ fields }) => attributesOf(fields)),
      dataSources: byType(dataSources, ({ fields }) => attributesOf(fields)),
    },
    config: propertiesOf(SETTINGS),
    resources: byType(resources, ({ tok, fields }) => ({ tok, fields: propertiesOf(fields) })),
    dataSources: byType(dataSources, ({ tok, fields }) => ({ tok, fields: propertiesOf(fields) })),
  };
}

function byType<Item extends { readonly type: string }, Value>(
  items: readonly Item[],
  pick: (item: Item) => Value,
): Record<string, Value> {
  return Object.fromEntries(items.map((item) => [item.type, pick(item)]));
}

function byAttribute<Value>(fields: Fields, pick: (schema: z.ZodType, name: string) => Value) {
  const entries = Object.entries(fields);
  return Object.fromEntries(entries.map(([name, schema]) => [wireName(name), pick(schema, name)]));
}

function attributesOf(fields: Fields): Attributes {
  return byAttribute(fields, attributeOf);
}

function attributeOf(schema: z.ZodType): TerraformAttribute {
  const json = z.toJSONSchema(unwrapped(schema).inner);
  const type = TYPES[String(json.type)];
  if (type === undefined) throw new Error(`The mapping cannot describe a value of type ${json.type}.`);
  const item = itemOf(schema);
  const nested = fieldsOf(item ?? schema);
  return {
    type,
    ...(nested && { element: { resource: attributesOf(nested) } }),
    ...(item && !nested && { element: { schema: attributeOf(item) } }),
    ...(json.maxItems !== undefined && { maxItems: json.maxItems }),
  };
}

/** The properties that attributes become, at every depth: by default, Pulumi uses the plural of some names. */
function propertiesOf(fields: Fields): MappedAttributes {
  return byAttribute(fields, (schema, name) => {
    const [inner, ofItem] = [fieldsOf(schema), fieldsOf(itemOf(schema) ?? z.unknown())];
    return {
      name,
      ...(inner && { fields: propertiesOf(inner) }),
      ...(ofItem && { element: { fields: propertiesOf(ofItem) } }),
    };
  });
}

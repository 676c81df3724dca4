/** The mapping from the Terraform provider: it agrees with the descriptions, the functions and the settings at every depth. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import packageJson from "../../../package.json";
import { readMapping } from "../../../provider/hosts/terraform/mappingFile";
import { addsObject } from "../../../provider/lifecycle/creates";
import { EVERY_DESCRIPTION } from "../../../provider/resources";
import { FUNCTIONS } from "../../../provider/resources/functions";
import { SETTING_NAMES } from "../../../provider/session/settings";
import { type Fields, fieldsOf, itemOf, unwrapped } from "../../../provider/values/schema";
import { type Attributes, type MappedAttributes, terraformMapping } from "../../../scripts/terraformMapping";
import { directoryWith } from "../../release/package/programs";

const mapping = terraformMapping(packageJson);

/** The attributes of the provider, with the names that the provider for Terraform documents. */
const NAMES: Readonly<Record<string, string>> = {
  Project: "dynamiclink_project",
  Application: "dynamiclink_application",
  CustomDomain: "dynamiclink_custom_domain",
  Link: "dynamiclink_link",
};

/** The name of an attribute, by another rule than that of the mapping. */
function snakeCase(name: string): string {
  return name
    .split(/(?=[A-Z])/)
    .join("_")
    .toLowerCase();
}

/** The types by their numbers in Pulumi's bridge. */
const TYPES = ["invalid", "boolean", "integer", "float", "string", "array", "object"];

function jsonOf(field: z.ZodType) {
  return z.toJSONSchema(unwrapped(field).inner);
}

/** What a description says about attributes, by name, at every depth. */
function described(fields: Fields): object {
  const attributes = Object.entries(fields).map(([name, field]) => {
    const { type, maxItems } = jsonOf(field);
    const item = itemOf(field);
    const inner = fieldsOf(item ?? field);
    const items = item && !inner ? jsonOf(item).type : undefined;
    return [snakeCase(name), { name, type, maxItems, items, fields: inner && described(inner) }];
  });
  return Object.fromEntries(attributes);
}

/** The same, as the mapping has it. */
function mapped(attributes: Attributes, properties: MappedAttributes): object {
  const all = Object.keys({ ...attributes, ...properties }).map((attribute) => {
    const { type: number, maxItems, element } = attributes[attribute] ?? { type: 0 };
    const type = TYPES[number];
    const property = properties[attribute];
    const items = element && "schema" in element ? TYPES[element.schema.type] : undefined;
    const ofFields = (type === "array" ? property?.element : property)?.fields ?? {};
    const fields = element && "resource" in element ? mapped(element.resource, ofFields) : undefined;
    return [attribute, { name: property?.name, type, maxItems, items, fields }];
  });
  return Object.fromEntries(all);
}

function partsOf(table: "resources" | "dataSources", name: string) {
  const { tok, fields = {} } = mapping[table][name] ?? {};
  return { tok, attributes: mapped(mapping.provider[table][name] ?? {}, fields) };
}

test.each(EVERY_DESCRIPTION.filter(addsObject))(
  "the resource $type has the id, inputs and outputs of its description",
  ({ type, inputs, outputs }) => {
    expect(partsOf("resources", NAMES[type] ?? "")).toEqual({
      tok: `dynamiclink:index:${type}`,
      attributes: described({ id: z.string(), ...inputs.shape, ...outputs.shape } as Fields),
    });
  },
);

test.each(Object.entries(FUNCTIONS).filter(([, { args }]) => "id" in args))(
  "the data source of %s has its argument and result",
  (name, { result }) => {
    expect(partsOf("dataSources", NAMES[name.replace("get", "")] ?? "")).toEqual({
      tok: `dynamiclink:index:${name}`,
      attributes: described(result.shape as Fields),
    });
  },
);

test("it has the types of the provider for Terraform and no others", () => {
  const { Link: link = "", ...resources } = NAMES;
  for (const each of [mapping, mapping.provider]) {
    expect(Object.keys(each.resources)).toEqual(Object.values(resources));
    expect(Object.keys(each.dataSources)).toEqual([...Object.values(resources), link]);
  }
});

test("the arguments of the provider are settings", () => {
  expect(Object.entries(mapping.config)).toEqual(SETTING_NAMES.map((name) => [snakeCase(name), { name }]));
  expect(Object.keys(mapping.config)).toEqual(["api_key", "api_key_env_var", "api_url", "read_only"]);
});

test("an info is an object, so that its block and its attribute become the same value", () => {
  const { apple_info: info } = mapping.provider.resources.dynamiclink_application ?? {};
  // A map whose element is a resource.
  expect(info).toEqual({
    type: 6,
    element: { resource: expect.objectContaining({ app_name: { type: 4 } }) },
  });
});

describe("the file", () => {
  const { path, remove } = directoryWith({});
  afterAll(remove);
  const file = join(path, "dynamiclink.json");

  // The test of the plugin's archive reads the one of the build.
  test.each([
    ["missing", undefined, "no such file"],
    ["truncated", JSON.stringify(mapping).slice(0, 1_000), "JSON"],
  ])("is refused if it is %s", (_state, content, reason) => {
    if (content !== undefined) writeFileSync(file, content);
    const refusal = `^The mapping for Terraform configurations cannot be read from .*dynamiclink\\.json: .*${reason}.* Install pulumi-dynamiclink again\\.$`;
    expect(() => readMapping(file)).toThrow(new RegExp(refusal, "s"));
  });
});

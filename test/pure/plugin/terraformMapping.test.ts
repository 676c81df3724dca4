/** The mapping from the Terraform provider: it agrees with the descriptions, the functions and the settings at every depth. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import packageJson from "../../../package.json";
import { readMapping } from "../../../provider/hosts/terraform/mappingFile";
import { EVERY_DESCRIPTION } from "../../../provider/resources";
import { FUNCTIONS } from "../../../provider/resources/functions";
import { SETTING_NAMES } from "../../../provider/session/settings";
import { type Fields, fieldsOf, itemOf, unwrapped } from "../../../provider/values/schema";
import {
  type MappedAttributes,
  type TerraformAttribute,
  type TerraformAttributes,
  terraformMapping,
} from "../../../scripts/terraformMapping";

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

/** The number that Pulumi's bridge has for the type of a value. */
function typeNumber(field: z.ZodType): number {
  const types = ["invalid", "boolean", "integer", "float", "string", "array", "object"];
  return types.indexOf(String(jsonOf(field).type));
}

function jsonOf(field: z.ZodType) {
  return z.toJSONSchema(unwrapped(field).inner);
}

function differences(
  fields: Fields,
  { attributes, properties }: { attributes: TerraformAttributes; properties: MappedAttributes },
  path: string,
): string[] {
  const names = Object.keys(fields).map(snakeCase).sort().join();
  return [
    ...(Object.keys(attributes).sort().join() === names ? [] : [`${path}: attributes`]),
    ...(Object.keys(properties).sort().join() === names ? [] : [`${path}: properties`]),
    ...Object.entries(fields).flatMap(([name, field]) => {
      const attribute: TerraformAttribute = attributes[snakeCase(name)] ?? { type: 0 };
      const property = properties[snakeCase(name)];
      const at = `${path}.${name}`;
      const item = itemOf(field);
      const inner = fieldsOf(item ?? field);
      const items = attribute.element && "schema" in attribute.element ? attribute.element.schema : undefined;
      const nested =
        attribute.element && "resource" in attribute.element ? attribute.element.resource : undefined;
      return [
        ...(attribute.type === typeNumber(field) ? [] : [`${at}: type`]),
        ...(property?.name === name ? [] : [`${at}: name`]),
        ...(attribute.maxItems === jsonOf(field).maxItems ? [] : [`${at}: maxItems`]),
        ...(items?.type === (item && !inner ? typeNumber(item) : undefined) ? [] : [`${at}: items`]),
        ...differences(
          inner ?? {},
          {
            attributes: nested ?? {},
            properties: (item ? property?.element : property)?.fields ?? {},
          },
          at,
        ),
      ];
    }),
  ];
}

function partsOf(table: "resources" | "dataSources", name: string) {
  return {
    tok: mapping[table][name]?.tok,
    parts: {
      attributes: mapping.provider[table][name] ?? {},
      properties: mapping[table][name]?.fields ?? {},
    },
  };
}

const uuid = z.string();

test.each(EVERY_DESCRIPTION.filter(({ idOf }) => idOf === undefined))(
  "the resource $type has the id, inputs and outputs of its description",
  ({ type, inputs, outputs }) => {
    const { tok, parts } = partsOf("resources", NAMES[type] ?? "");
    expect(tok).toBe(`dynamiclink:index:${type}`);
    expect(differences({ id: uuid, ...inputs.shape, ...outputs.shape } as Fields, parts, type)).toEqual([]);
  },
);

test.each(Object.entries(FUNCTIONS).filter(([, { args }]) => "id" in args))(
  "the data source of %s has its argument and result",
  (name, { result }) => {
    const { tok, parts } = partsOf("dataSources", NAMES[name.replace("get", "")] ?? "");
    expect(tok).toBe(`dynamiclink:index:${name}`);
    expect(differences(result.shape as Fields, parts, name)).toEqual([]);
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
  const directory = mkdtempSync(join(tmpdir(), "dynamiclink-mapping-"));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "dynamiclink.json");

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

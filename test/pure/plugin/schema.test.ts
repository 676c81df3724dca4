/**
 * The schema of the Pulumi package agrees with the descriptions, from which the types of programs are inferred, and with
 * Pulumi's rules. The generated files match the code.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import packageJson from "../../../package.json";
import { exportName } from "../../../provider/hosts/dynamicNames";
import { EVERY_DESCRIPTION } from "../../../provider/resources";
import { FUNCTIONS } from "../../../provider/resources/functions";
import { SETTING_NAMES } from "../../../provider/session/settings";
import { choicesOf, type Fields, fieldsOf, itemOf, unwrapped } from "../../../provider/values/schema";
import { generatedFiles } from "../../../scripts/referencePages";
import {
  type ObjectSpec,
  type PropertySpec,
  packageSchema,
  type ResourceSpec,
} from "../../../scripts/schema/packageSchema";
import { propertiesOf } from "../../../scripts/sourceDocs";
import * as native from "../../../sdk/native";
import { ROOT } from "../../release/package/programs";

const schema = packageSchema(packageJson);
const { types, resources, functions } = schema;

function resourceSpec(type: string): ResourceSpec {
  const spec = resources[`dynamiclink:index:${type}`];
  if (spec === undefined) throw new Error(`The schema has no ${type}.`);
  return spec;
}

/** The names and types of fields at every depth, as a description has them: `name?` may be absent. */
function fieldShapes(fields: Fields): object {
  const shapes = Object.entries(fields).map(([name, field]) => {
    const { inner } = unwrapped(field);
    return [inner === field ? name : `${name}?`, fieldShape(inner)];
  });
  return Object.fromEntries(shapes);
}

function fieldShape(field: z.ZodType): unknown {
  const [item, fields, choices] = [itemOf(field), fieldsOf(field), choicesOf(field)];
  // The choices in a list have no type of their own: no generated code has any.
  if (item !== undefined) return [choicesOf(item) === undefined ? fieldShape(item) : "string"];
  if (fields !== undefined) return fieldShapes(fields);
  // In a program, a choice with a single value is a string.
  if (choices !== undefined && choices.length > 1) return choices;
  if (field instanceof z.ZodBoolean) return "boolean";
  return field instanceof z.ZodNumber ? "integer" : "string";
}

/** The same, as the schema has them. */
function specShapes({ properties, required }: ObjectSpec): object {
  const shapes = Object.entries(properties).map(([name, property]) => [
    required.includes(name) ? name : `${name}?`,
    specShape(property),
  ]);
  return Object.fromEntries(shapes);
}

function specShape({ type, items, $ref }: PropertySpec): unknown {
  if (items !== undefined) return [specShape(items)];
  const spec = types[$ref?.replace("#/types/", "") ?? ""];
  if (spec === undefined) return type;
  return "enum" in spec ? spec.enum.map(({ value }) => value) : specShapes(spec);
}

describe.each(EVERY_DESCRIPTION)("$type", (description) => {
  const { type, inputs, outputs, replaceOnChanges } = description;

  test("has the inputs and outputs of its description", () => {
    const { properties, required, inputProperties, requiredInputs } = resourceSpec(type);
    const declared = fieldShapes(inputs.shape as Fields);
    expect(specShapes({ properties: inputProperties, required: requiredInputs })).toEqual(declared);
    expect(specShapes({ properties, required })).toEqual({
      ...declared,
      ...fieldShapes(outputs.shape as Fields),
    });
  });

  test("replaces on the inputs that its description lists", () => {
    const { inputProperties, properties } = resourceSpec(type);
    const marked = (specs: Readonly<Record<string, PropertySpec>>) =>
      Object.keys(specs).filter((name) => specs[name]?.replaceOnChanges && specs[name]?.willReplaceOnChanges);
    expect(marked(inputProperties)).toEqual([...replaceOnChanges]);
    expect(marked(properties)).toEqual([...replaceOnChanges]);
  });

  test("has the arguments of the class", () => {
    const file = `${exportName(description)}.ts`;
    // The arguments of an application are a union, so the schema has the fields of all its members.
    const platforms = ["IosApplicationArgs", "AndroidApplicationArgs", "WebApplicationArgs"];
    const args = type === "Application" ? platforms : undefined;
    const names = (args ?? [`${type}Args`]).flatMap((name) =>
      propertiesOf(`sdk/resources/${file}`, name).map(({ path }) => path.split(".")[0]),
    );
    expect([...new Set(names)].sort()).toEqual(Object.keys(resourceSpec(type).inputProperties).sort());
  });
});

test.each(Object.entries(FUNCTIONS))("%s has the result of its schema", (name, { args, result }) => {
  const spec = functions[`dynamiclink:index:${name}`];
  expect(specShapes(spec?.outputs as ObjectSpec)).toEqual(fieldShapes(result.shape as Fields));
  const [argument] = Object.keys(args);
  if (argument === undefined) return expect(spec).not.toHaveProperty("inputs");
  const inputs = { properties: { [argument]: { type: "string" } }, required: [argument] };
  expect(spec?.inputs).toMatchObject(inputs);
});

test("the module that generated code imports exports everything that the code uses", () => {
  const inputTypes = JSON.stringify(Object.values(resources).map(({ inputProperties }) => inputProperties));
  const isInput = (token: string) => inputTypes.includes(`#/types/${token}"`);
  const enums = Object.keys(types).filter((token) => "enum" in (types[token] ?? {}) && isInput(token));
  const tokens = [...Object.keys(resources), ...Object.keys(functions), ...enums];
  const names = tokens.map((token) => token.replace("dynamiclink:index:", ""));
  expect(Object.keys(native)).toEqual(expect.arrayContaining(names));
  const extra = Object.keys(native).filter((name) => !names.includes(name) && !name.endsWith("Output"));
  expect(extra).toEqual(["Provider"]);
  expect(Object.values(native.AppType)).toEqual(specShape({ $ref: "dynamiclink:index:AppType" }));
  expect(schema.language.nodejs).toMatchObject({ packageName: "pulumi-dynamiclink/native" });
});

test.each([
  ["git+https://git.example/pulumi-dynamiclink.git", "example.com/pulumi-dynamiclink"],
  ["git+https://github.com/Links-Team/pulumi-dynamiclink.git", "github.com/Links-Team/pulumi-dynamiclink"],
])("the address of the Go module is the one that the CLI derives from the schema of %s", (url, expected) => {
  const { name, repository, meta, language } = packageSchema({ ...packageJson, repository: { url } });
  // Pulumi's `package add` prints the import path from the repository, and the SDK has that of the schema.
  const { host, pathname } = new URL(repository ?? `https://example.com/pulumi-${name}`);
  expect(`${host}${pathname}`).toBe(expected);
  expect(meta).toEqual({ supportPack: true });
  expect(language.go.importBasePath).toBe(`${expected}/sdk/go/${name}`);
});

test("Go programs import the path that the example imports", () => {
  const example = readFileSync(join(ROOT, "examples/quickstart-go/main.go"), "utf8");
  const [, path] = /"(.*pulumi-dynamiclink.*)"/.exec(example) ?? [];
  expect(schema.language.go).toMatchObject({ importBasePath: path });
});

test("the provider has all settings, and only the key is secret", () => {
  const { inputProperties, requiredInputs } = schema.provider;
  expect(Object.keys(inputProperties)).toEqual([...SETTING_NAMES]);
  expect(schema.config.variables).toEqual(inputProperties);
  expect(requiredInputs).toEqual([]);
  expect(Object.keys(inputProperties).filter((name) => inputProperties[name]?.secret)).toEqual(["apiKey"]);
  // A default would write the key of the environment to the state.
  expect(JSON.stringify(schema)).not.toContain("defaultInfo");
});

const EXAMPLES = /\n\n\{\{% examples %\}\}[\s\S]*$/;

test("the provider, every resource and every function have an example in every language", () => {
  const specs = [schema.provider, ...Object.values(resources), ...Object.values(functions)];
  for (const { description = "" } of specs) {
    const languages = [...description.matchAll(/^```(\w+)$/gm)].map(([, language]) => language);
    expect(languages).toEqual(["typescript", "python", "go", "csharp", "java", "yaml"]);
  }
});

test("everything has a description", () => {
  const specs = [...Object.values(types), ...Object.values(resources), ...Object.values(functions)];
  const texts = specs.map(({ description = "" }) => description.replace(EXAMPLES, ""));
  expect(texts.filter((text) => !/\w.*\.$/s.test(text))).toEqual([]);
});

test("each paragraph is one line, because the CLI and the SDKs keep line breaks", () => {
  const texts: string[] = [];
  JSON.stringify(schema, (key, value) => {
    if (key === "description" && typeof value === "string") texts.push(value.replace(EXAMPLES, ""));
    return value;
  });
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.filter((text) => /\S\n\S/.test(text))).toEqual([]);
});

// The CLI refuses every other violation of Pulumi's metaschema, before it generates the SDKs of test/scenarios/native.
test("every type is referenced, every reference leads to a type, and no resource declares an id", () => {
  const found = JSON.stringify(schema).matchAll(/"\$ref":"#\/types\/([^"]+)"/g);
  const references = [...found].map(([, token]) => token);
  expect([...new Set(references)].sort()).toEqual(Object.keys(types));
  expect(Object.values(resources).filter(({ properties }) => "id" in properties)).toEqual([]);
});

describe("what `npm run docs` generates", () => {
  const files = generatedFiles();

  test.each([...files])("%s is up to date", (path, text) => {
    const file = join(ROOT, path);
    expect(existsSync(file) ? readFileSync(file, "utf8") : "").toBe(text);
  });

  test("every page of a resource belongs to one", () => {
    const committed = globSync("docs/resources/*", { cwd: ROOT });
    expect(committed.length).toBeGreaterThan(0);
    expect(committed.filter((path) => !files.has(path.replaceAll("\\", "/")))).toEqual([]);
  });

  test.each([...files].filter(([path]) => path.startsWith("docs/")))(
    "every field in %s has a description for users",
    (_path, text) => {
      expect(text.split("\n").filter((line) => /^\|.*\| {1,2}\|$/.test(line))).toEqual([]);
      expect(text).not.toMatch(/Reference \d|@link|(?<!`)undefined/);
    },
  );
});

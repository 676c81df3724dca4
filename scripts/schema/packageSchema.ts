/**
 * Generates the schema of the Pulumi package, from which Pulumi generates code and SDKs in every language. The schema
 * is derived from the resource descriptions, the lookups and the shapes of the client. Its texts are the doc comments
 * of the source. The build writes it to a file, so that the running plugin needs neither this module nor a compiler.
 */
import { z } from "zod";
import type packageJson from "../../package.json";
import { exportName } from "../../provider/hosts/dynamicNames";
import { nativeToken, PACKAGE_NAME } from "../../provider/hosts/hosts";
import { isPlaceholder, pluginDownloadUrl, repositoryOnWeb } from "../../provider/hosts/pluginDownload";
import type { ResourceDescription } from "../../provider/lifecycle/description";
import { DESCRIPTIONS, EVERY_DESCRIPTION } from "../../provider/resources";
import type { PackageFunction } from "../../provider/resources/functions";
import type { SettingName } from "../../provider/session/settings";
import { choicesOf, type Fields, fieldsOf, itemOf, unwrapped } from "../../provider/values/schema";
import { inEveryLanguage } from "../examples/languages";
import { exampleSection } from "../markdown";
import { commentOf, propertiesOf as documentedProperties } from "../sourceDocs";
import {
  argumentsOf,
  DECLARED,
  exampleOf,
  FUNCTIONS_MODULE,
  listText,
  type ModelType,
  modelType,
  resultOf,
  scopeSentence,
} from "./declarations";
import { languageOptions } from "./languages";

/** The fields of package.json that the schema repeats. */
interface PackageFacts
  extends Pick<typeof packageJson, "version" | "description" | "keywords" | "license" | "author"> {
  readonly repository: { readonly url: string };
}

export interface PropertySpec {
  readonly description?: string;
  readonly type?: string;
  readonly items?: PropertySpec;
  readonly $ref?: string;
  readonly secret?: true;
  readonly replaceOnChanges?: true;
  readonly willReplaceOnChanges?: true;
}

export interface ObjectSpec {
  readonly description?: string;
  readonly type?: string;
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

export interface ResourceSpec extends ObjectSpec {
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
}

export type PackageSchema = ReturnType<typeof withoutExamples>;

/** The settings of a provider, without defaults: one from the environment would write the key to the state. */
export const SETTINGS = {
  apiKey: z.string().optional(),
  apiKeyEnvVar: z.string().optional(),
  apiUrl: z.string().optional(),
  readOnly: z.boolean().optional(),
} satisfies Readonly<Record<SettingName, z.ZodType>>;

/** What other languages call the types that a program declares. An existing object may lack each of their properties. */
const DECLARED_TYPES = { AppleInfo: "AppleInfoCreate", AndroidInfo: "AndroidInfoCreate" };

export function packageSchema(facts: PackageFacts) {
  const schema = withoutExamples(facts);
  const withExample = <Spec extends { readonly description?: string }>(spec: Spec, type: string): Spec => ({
    ...spec,
    description: `${spec.description}\n\n${exampleSection(inEveryLanguage(exampleOf(type), schema))}`,
  });
  const { provider, resources, functions } = schema;
  return {
    ...schema,
    provider: withExample(provider, "Provider"),
    resources: mapped(resources, withExample),
    functions: mapped(functions, withExample),
  };
}

/** The specifications of resources or functions, each mapped with its name. */
function mapped<Spec>(specs: Readonly<Record<string, Spec>>, map: (spec: Spec, name: string) => Spec) {
  const entries = Object.entries(specs).map(([token, spec]) => [token, map(spec, token.replace(/^.*:/, ""))]);
  return Object.fromEntries(entries) as Readonly<Record<string, Spec>>;
}

function withoutExamples({ version, description, keywords, license, author, repository }: PackageFacts) {
  const address = String(repositoryOnWeb(repository.url) ?? "");
  const pluginDownloadURL = pluginDownloadUrl(repository.url, version);
  const types: Types = new Map();
  const context: Context = { types };
  const settings = propertiesOf(SETTINGS, "sdk/provider.ts", "ProviderArgs", context);
  const apiKey: PropertySpec = { ...settings.apiKey, secret: true };
  const inputProperties: Record<string, PropertySpec> = { ...settings, apiKey };
  const resources = Object.fromEntries(
    EVERY_DESCRIPTION.map((each) => [nativeToken(each.type), resourceOf(each, context)]),
  );
  const functions = Object.fromEntries(
    DECLARED.map(([name, each]) => [nativeToken(name), functionOf(name, each, context)]),
  );
  return {
    name: PACKAGE_NAME,
    displayName: PACKAGE_NAME,
    version,
    description,
    // How the public registry sorts packages.
    keywords: [...keywords, "category/cloud", "kind/native"],
    license,
    publisher: author,
    ...(pluginDownloadURL !== undefined && { pluginDownloadURL }),
    homepage: address,
    // From the repository, the CLI derives the path that it prints for the Go module. Without one, it has the placeholder.
    ...(!isPlaceholder(address) && {
      repository: address,
      logoUrl: `${address}/raw/v${version}/docs/logo.png`,
    }),
    // Lets the generators write files that belong to a package, such as go.mod.
    meta: { supportPack: true },
    language: languageOptions(repository.url),
    config: { variables: inputProperties },
    provider: { description: textOf("sdk/provider.ts", "Provider"), inputProperties, requiredInputs: [] },
    types: Object.fromEntries([...types].sort(([one], [other]) => (one < other ? -1 : 1))),
    resources,
    functions,
  };
}

interface EnumSpec {
  readonly description: string;
  readonly type: "string";
  readonly enum: readonly { readonly value: string }[];
}

type Types = Map<string, ObjectSpec | EnumSpec>;

interface Context {
  /** The types so far, by token. */
  readonly types: Types;
  /** The names of types that have another name here. */
  readonly renamed?: Readonly<Record<string, string>>;
}

function resourceOf(description: ResourceDescription, context: Context): ResourceSpec {
  const { type, inputs, outputs, replaceOnChanges } = description;
  const file = `resources/${exportName(description)}.ts`;
  const declaring = { ...context, renamed: DECLARED_TYPES };
  const object = ({ shape }: z.ZodObject, name: string) =>
    objectOf(shape as Fields, `provider/${file}`, `${type}${name}`, declaring);
  const [declared, added] = [object(inputs, "Inputs"), object(outputs, "Outputs")];
  const replacing = (properties: Readonly<Record<string, PropertySpec>>) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        replaceOnChanges.includes(name)
          ? { ...property, replaceOnChanges: true as const, willReplaceOnChanges: true as const }
          : property,
      ]),
    );
  return {
    description: textOf(`sdk/${file}`, type),
    properties: replacing({ ...declared.properties, ...added.properties }),
    required: [...declared.required, ...added.required],
    inputProperties: replacing(declared.properties),
    requiredInputs: declared.required,
  };
}

function functionOf(name: string, declared: PackageFunction, context: Context) {
  const args = argumentsOf(name, declared);
  const { type, list } = resultOf(name, declared);
  const { shape } = declared.result;
  return {
    description: `${textOf(FUNCTIONS_MODULE, `FUNCTIONS.${name}`)} ${scopeSentence(declared)}`,
    ...(args && { inputs: objectOf(declared.args, FUNCTIONS_MODULE, args, context) }),
    outputs:
      list === undefined
        ? objectOf(shape as Fields, type.module, type.name, context)
        : {
            properties: { [list]: { description: listText(list), ...typeOf(shape[list], context) } },
            required: [list],
          },
  };
}

function objectOf(fields: Fields, module: string, name: string, context: Context): ObjectSpec {
  return {
    properties: propertiesOf(fields, module, name, context),
    // To a program, null is the same as absent.
    required: Object.entries(fields).flatMap(([name, each]) => (unwrapped(each).inner === each ? name : [])),
  };
}

function propertiesOf(
  fields: Fields,
  module: string,
  type: string,
  context: Context,
): Record<string, PropertySpec> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const description = textOf(module, type, name);
      if (description === "") throw new Error(`${name} has no doc comment.`);
      return [name, { description, ...typeOf(field, context) }];
    }),
  );
}

function typeOf(schema: z.ZodType, context: Context): PropertySpec {
  const { inner } = unwrapped(schema);
  const type = modelType(inner);
  if (type !== undefined) return { $ref: `#/types/${typeToken(type, inner, context)}` };
  const item = itemOf(inner);
  if (item !== undefined) return { type: "array", items: typeOf(item, context) };
  const { type: kind } = z.toJSONSchema(inner);
  if (typeof kind !== "string" || kind === "object")
    throw new Error(`The schema cannot describe a value of type ${kind}.`);
  return { type: kind };
}

/** Adds a type to the schema, if necessary. Returns its token. */
function typeToken({ name: own, module }: ModelType, schema: z.ZodType, context: Context): string {
  const { types, renamed } = context;
  const name = renamed?.[own] ?? own;
  // Some languages cannot have a type with the name of a resource.
  const token = nativeToken(name in DESCRIPTIONS ? `${name}Properties` : name);
  if (types.has(token)) return token;
  const description = textOf(module, name);
  const fields = fieldsOf(schema);
  const choices = (choicesOf(schema) ?? []).map((value) => ({ value: String(value) }));
  types.set(
    token,
    fields === undefined
      ? { description, type: "string", enum: choices }
      : { description, type: "object", ...objectOf(fields, module, name, context) },
  );
  return token;
}

/**
 * The text of an export of a module, or of one of its properties: a line for each paragraph, because the SDKs keep breaks, and
 * no links to pages, which only the package has.
 */
function textOf(module: string, name: string, property?: string): string {
  const documented =
    property === undefined
      ? commentOf(module, name)
      : documentedProperties(module, name).find(({ path }) => path === property);
  const text = documented?.text.replace(/(?<=\S)\n(?=\S)/g, " ") ?? "";
  return text.replace(/\[([^\]]+)\]\(\.[^)]+\)/g, "$1");
}

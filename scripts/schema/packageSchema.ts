/**
 * Generates the schema of the Pulumi package, from which Pulumi generates code and SDKs in every language. The schema
 * is derived from the resource descriptions, the lookups and the shapes of the client. Its texts are the doc comments
 * of the source. The build writes it to a file, so that the running plugin needs neither this module nor a compiler.
 */
import { z } from "zod";
import * as model from "../../provider/client/model";
import { nativeToken, PACKAGE_NAME } from "../../provider/hosts/nativeNames";
import { isPlaceholder, repositoryOnWeb } from "../../provider/hosts/pluginDownload";
import type { ResourceDescription } from "../../provider/lifecycle/description";
import { DESCRIPTIONS, EVERY_DESCRIPTION } from "../../provider/resources";
import { FUNCTIONS } from "../../provider/resources/functions";
import { projectPropertiesSchema } from "../../provider/resources/project";
import type { SettingName } from "../../provider/session/settings";
import { capitalized } from "../../provider/values/phrases";
import { choicesOf, type Fields, fieldsOf, itemOf, unwrapped } from "../../provider/values/schema";
import { languageOptions } from "./languages";

/** The doc comments of a type, class or function and of its properties. */
export interface Documented {
  readonly text: string;
  readonly properties: ReadonlyMap<string, string>;
}

/** The doc comments of everything in the schema. */
export interface SchemaDocs {
  readonly provider: Documented;
  /** By the name of the class. */
  resource(type: string): Documented;
  /** By the name of the function. The properties are those of the result. */
  lookUp(name: string): Documented & { readonly args: ReadonlyMap<string, string> };
  /** By the name of a type of the client. */
  type(name: string): Documented;
}

/** The fields of package.json that the schema repeats, and the address of the plugin's archives. */
export interface PackageFacts {
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly repository: { readonly url: string };
  readonly pluginDownloadURL?: string | undefined;
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

export interface EnumSpec {
  readonly description?: string;
  readonly type: "string";
  readonly enum: readonly { readonly value: string }[];
}

export interface ResourceSpec extends ObjectSpec {
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
}

export type PackageSchema = ReturnType<typeof packageSchema>;

/** The settings of a provider, without defaults: one from the environment would write the key to the state. */
export const SETTINGS = {
  apiKey: z.string().optional(),
  apiKeyEnvVar: z.string().optional(),
  apiUrl: z.string().optional(),
  readOnly: z.boolean().optional(),
} satisfies Readonly<Record<SettingName, z.ZodType>>;

/** The names of the client's types, by their schemas. */
const TYPE_NAMES: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [projectPropertiesSchema, "ProjectProperties"],
  ...Object.entries(model).map(([name, schema]) => [schema, capitalized(name)] as const),
]);

/** What other languages call the types that a program declares. An existing object may lack each of their properties. */
const DECLARED_TYPES: Readonly<Record<string, string>> = {
  AppleInfo: "AppleInfoCreate",
  AndroidInfo: "AndroidInfoCreate",
};

export function packageSchema(
  { version, description, keywords, license, repository, pluginDownloadURL }: PackageFacts,
  docs: SchemaDocs,
) {
  const address = String(repositoryOnWeb(repository.url) ?? "");
  const types = new Map<string, ObjectSpec | EnumSpec>();
  const settings = propertiesOf(SETTINGS, docs.provider.properties, noteType);
  const apiKey: PropertySpec = { ...settings.apiKey, secret: true };
  const inputProperties: Record<string, PropertySpec> = { ...settings, apiKey };

  /** Adds a named type to the schema, if necessary. Returns the reference to it. */
  function noteType(name: string, schema: z.ZodType): string {
    // Some languages cannot have a type with the name of a resource.
    const token = nativeToken(name in DESCRIPTIONS ? `${name}Properties` : name);
    if (!types.has(token)) {
      const { text: description, properties } = docs.type(name);
      const shared = { description };
      const fields = fieldsOf(schema);
      if (fields === undefined) {
        types.set(token, {
          ...shared,
          type: "string",
          enum: (choicesOf(schema) ?? []).map((value) => ({ value: String(value) })),
        });
      } else {
        // A placeholder, so that the type's own fields do not add it again.
        types.set(token, { ...shared, type: "object", properties: {}, required: [] });
        types.set(token, { ...shared, type: "object", ...objectOf(fields, properties, noteType) });
      }
    }
    return `#/types/${token}`;
  }

  const resources = Object.fromEntries(
    EVERY_DESCRIPTION.map((each) => [
      nativeToken(each.type),
      resourceOf(each, docs.resource(each.type), (name, schema) =>
        noteType(DECLARED_TYPES[name] ?? name, schema),
      ),
    ]),
  );
  const functions = Object.fromEntries(
    Object.entries(FUNCTIONS).map(([name, { args: inputs, result }]) => {
      const { text: description, args, properties } = docs.lookUp(name);
      return [
        nativeToken(name),
        {
          description,
          ...(Object.keys(inputs).length > 0 && { inputs: objectOf(inputs, args, noteType) }),
          outputs: objectOf(result.shape as Fields, properties, noteType),
        },
      ];
    }),
  );
  return {
    name: PACKAGE_NAME,
    displayName: PACKAGE_NAME,
    version,
    description,
    // How the public registry sorts packages.
    keywords: [...keywords, "category/cloud", "kind/native"],
    license,
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
    provider: { description: docs.provider.text, inputProperties, requiredInputs: [] },
    types: Object.fromEntries([...types].sort(([one], [other]) => (one < other ? -1 : 1))),
    resources,
    functions,
  };
}

type NoteType = (name: string, schema: z.ZodType) => string;

function resourceOf(
  { inputs, outputs, replaceOnChanges }: ResourceDescription,
  { text: description, properties: texts }: Documented,
  noteType: NoteType,
): ResourceSpec {
  const replacing = (properties: Readonly<Record<string, PropertySpec>>) =>
    Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        replaceOnChanges.includes(name)
          ? { ...property, replaceOnChanges: true as const, willReplaceOnChanges: true as const }
          : property,
      ]),
    );
  const declared = objectOf(inputs.shape as Fields, texts, noteType);
  const all = objectOf({ ...inputs.shape, ...outputs.shape } as Fields, texts, noteType);
  return {
    description,
    properties: replacing(all.properties),
    required: all.required,
    inputProperties: replacing(declared.properties),
    requiredInputs: declared.required,
  };
}

function objectOf(fields: Fields, texts: ReadonlyMap<string, string>, noteType: NoteType): ObjectSpec {
  return {
    properties: propertiesOf(fields, texts, noteType),
    // To a program, null is the same as absent.
    required: Object.entries(fields)
      .filter(([, field]) => unwrapped(field).inner === field)
      .map(([name]) => name),
  };
}

function propertiesOf(
  fields: Fields,
  texts: ReadonlyMap<string, string>,
  noteType: NoteType,
): Record<string, PropertySpec> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const description = texts.get(name);
      if (description === undefined || description === "") throw new Error(`${name} has no doc comment.`);
      return [name, { description, ...typeOf(field, noteType) }];
    }),
  );
}

function typeOf(schema: z.ZodType, noteType: NoteType): PropertySpec {
  const { inner } = unwrapped(schema);
  const name = TYPE_NAMES.get(inner);
  if (name !== undefined) return { $ref: noteType(name, inner) };
  const item = itemOf(inner);
  if (item !== undefined) return { type: "array", items: typeOf(item, noteType) };
  const { type } = z.toJSONSchema(inner);
  if (typeof type !== "string" || type === "object")
    throw new Error(`The schema cannot describe a value of type ${type}.`);
  return { type };
}

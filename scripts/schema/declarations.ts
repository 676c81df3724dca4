/** What the declarations of functions and types say to generators: names, and the modules with their doc comments. */
import type { z } from "zod";
import * as model from "../../provider/client/model";
import { verificationRecord } from "../../provider/resources/customDomainRecords";
import { ARGUMENTS, FUNCTIONS, type PackageFunction } from "../../provider/resources/functions";
import { projectPropertiesSchema } from "../../provider/resources/project";
import { capitalized, enumerated, uncapitalized } from "../../provider/values/phrases";
import { itemOf } from "../../provider/values/schema";
import { commentOf } from "../sourceDocs";

export const FUNCTIONS_MODULE = "provider/resources/functions.ts";

export const DECLARED: readonly (readonly [name: string, declared: PackageFunction])[] =
  Object.entries(FUNCTIONS);

/** An exported type that a schema describes. */
export interface ModelType {
  readonly name: string;
  readonly module: string;
}

const MODEL = "provider/client/model/index.ts";
const MODEL_TYPES: ReadonlyMap<unknown, ModelType> = new Map<unknown, ModelType>([
  ...Object.entries(model).map(([name, each]) => [each, { name: capitalized(name), module: MODEL }] as const),
  [verificationRecord, { name: "VerificationRecord", module: "provider/resources/customDomainRecords.ts" }],
  [projectPropertiesSchema, { name: "ProjectProperties", module: "provider/resources/project.ts" }],
]);

/** The type that a schema describes, if it has a name. */
export function modelType(schema: z.ZodType): ModelType | undefined {
  return MODEL_TYPES.get(schema);
}

/** The name of the type of a function's arguments; undefined if it has none. */
export function argumentsOf(name: string, { args }: PackageFunction): string | undefined {
  const type = Object.entries(ARGUMENTS).find(([, fields]) => fields === args)?.[0];
  if (type === undefined && Object.keys(args).length > 0)
    throw new Error(`The arguments of ${name} are not those of one of the ARGUMENTS.`);
  return type;
}

/** The type of a function's result, or if the result has a list, that of its items and the name of the list. */
export function resultOf(name: string, { result }: PackageFunction): { type: ModelType; list?: string } {
  const type = modelType(result);
  if (type !== undefined) return { type };
  const [[list, schema], ...others] = Object.entries(result.shape) as [[string, z.ZodType]];
  const item = others.length === 0 ? modelType(itemOf(schema) ?? schema) : undefined;
  if (item === undefined) throw new Error(`The result of ${name} is neither a type nor a list of one.`);
  return { type: item, list };
}

/** The example of a class or a function that is shown in every language. That of a function is the one of its form with Outputs. */
export function exampleOf(type: string): string {
  const file = type === "Provider" ? "sdk/provider.ts" : `sdk/resources/${uncapitalized(type)}.ts`;
  const { examples } =
    type in FUNCTIONS ? commentOf(FUNCTIONS_MODULE, `FUNCTIONS.${type}`) : commentOf(file, type);
  const example = examples.at(-1);
  if (example === undefined) throw new Error(`${type} needs an @example in its doc comment.`);
  return example;
}

/** The text of a list in the result of a function, such as `customDomains`. */
export function listText(list: string): string {
  return `The ${words(list)}, each with every field.`;
}

/** The words of a name, such as `custom domains`. */
export function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function scopeSentence({ kind }: PackageFunction): string {
  const { read } = kind.scopes;
  return `Needs the ${read.length === 1 ? "scope" : "scopes"} ${enumerated(read)}.`;
}

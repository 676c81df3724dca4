/**
 * Matches requests to the operations of an OpenAPI document, and validates requests and responses against it. Schemas
 * are compiled on first use, so that loading the document stays cheap.
 */
import { unescape as decoded } from "node:querystring";
import { Ajv, type ErrorObject, type Options } from "ajv";
import addFormats from "ajv-formats";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
type Method = (typeof METHODS)[number];

interface Reference {
  readonly $ref: string;
}
interface ParameterObject {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required?: boolean;
  readonly schema: { readonly type?: string; readonly $ref?: string };
}
interface ContentObject {
  readonly content?: { readonly "application/json": { readonly schema: object } };
}
interface OperationObject {
  readonly operationId: string;
  readonly "x-scope"?: string;
  readonly parameters?: readonly (ParameterObject | Reference)[];
  readonly requestBody?: ContentObject | Reference;
  readonly responses: { readonly [status: string]: ContentObject | Reference };
}
type PathItem = { readonly parameters?: readonly (ParameterObject | Reference)[] } & {
  [Name in Method]?: OperationObject;
};

/** The parts of an OpenAPI document that are used here. */
interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: { readonly [path: string]: PathItem };
  readonly components: { readonly schemas: { readonly [name: string]: object } };
}

export type Operation = ReturnType<typeof operationOf>;

type ParameterSchema = ReturnType<typeof parameterSchema>;

/** A request. Validation converts its parameters in place to their declared types, and fills in defaults. */
interface Request {
  readonly path: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: unknown };
  readonly body: unknown;
}

/** The operation that a request is for. */
export interface Match {
  readonly operation: Operation;
  readonly path: { readonly [name: string]: string };
}

/** The validation against one OpenAPI document. Each method returns what is wrong. */
export type Contract = ReturnType<typeof readContract>;

const contracts = new Map<string, Contract>();

/** The contract of an OpenAPI document in the directory of this file. It is read on first use. */
export function loadContract(fileName: keyof typeof DOCUMENTS): Contract {
  const contract = contracts.get(fileName) ?? readContract(fileName);
  contracts.set(fileName, contract);
  return contract;
}

/** Without the endings: the build parses the files, because that takes a sixth of a second. From source, they are loaded. */
const DOCUMENTS = {
  "openapi.yaml": () => require("./openapi"),
  "controls.yaml": () => require("./controls"),
};

function readContract(fileName: keyof typeof DOCUMENTS) {
  const document = DOCUMENTS[fileName]() as OpenApiDocument;
  const strict = checkerOf(document, fileName, {});
  const completing = checkerOf(document, fileName, { useDefaults: true });
  const routes = routesOf(document, fileName);
  return {
    document,
    operations: routes.map(({ operation }) => operation),
    /** Finds the operation of a method and a path without a query. */
    match(method: string, path: string): Match | undefined {
      for (const { operation, pattern } of routes) {
        if (operation.method.toUpperCase() !== method) continue;
        const found = pattern.exec(path);
        if (found !== null) return { operation, path: decodeAll(found.groups ?? {}) };
      }
      return undefined;
    },
    requestErrors({ parameters: { path, query }, body }: Operation, request: Request): string[] {
      readIntegers(query, request.query);
      const errors = [...completing(path, request.path), ...completing(query, request.query)];
      if (body === undefined) return errors;
      if (request.body === undefined) return [...errors, "a JSON body is required"];
      return [...errors, ...strict(body, request.body)];
    },
    /** Validates a response: its status is documented, and its body matches that status. */
    answerErrors({ answers }: Operation, status: number, body: unknown): string[] {
      if (!answers.has(status)) return [`status ${status} is not documented`];
      const schema = answers.get(status);
      if (schema === undefined) return body === undefined ? [] : ["no body is documented"];
      return strict(schema, body);
    },
    /** Validates a value against a schema of the document's components. */
    schemaErrors: (schemaName: string, value: unknown): string[] =>
      strict({ $ref: `#/components/schemas/${schemaName}` }, value),
  };
}

/** Validates values against schemas of a document. It keeps what it has compiled, by schema and by reference. */
function checkerOf(document: OpenApiDocument, fileName: string, more: Options) {
  const ajv = new Ajv({
    strict: true,
    // A variant may require a property that the enclosing schema declares.
    strictRequired: false,
    allErrors: true,
    validateSchema: false,
    // A schema is compiled for a few uses in a process. Optimizing its code takes as long as creating it.
    code: { optimize: false },
    ...more,
  });
  addFormats(ajv);
  ajv.addFormat("uri", isUrl);
  // The document is not a schema itself. It is added so that references into it resolve.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, fileName);
  return (schema: object, value: unknown): string[] => {
    const validate = "$ref" in schema ? ajv.getSchema(`${fileName}${schema.$ref}`) : ajv.compile(schema);
    if (validate === undefined) throw new Error(`${fileName} has no schema ${JSON.stringify(schema)}.`);
    return validate(value) === true ? [] : [...new Set(validate.errors?.map(describeError))];
  };
}

/** The operations of a document. One whose path has no parameter in a place precedes one that has. */
function routesOf(document: OpenApiDocument, fileName: string) {
  const routes = Object.entries(document.paths).flatMap(([path, item]) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    const methods = METHODS.filter((method) => item[method] !== undefined);
    return methods.map((method) => ({ operation: operationOf(document, fileName, path, method), pattern }));
  });
  return routes.sort((a, b) => parameterCount(a.operation.path) - parameterCount(b.operation.path));
}

function operationOf(document: OpenApiDocument, fileName: string, path: string, method: Method) {
  const item = document.paths[path] as PathItem;
  const source = item[method] as OperationObject;
  const resolve = <Value>(value: Value | Reference): Value => {
    if (typeof value !== "object" || value === null || !("$ref" in value)) return value as Value;
    let found: unknown = document;
    for (const name of value.$ref.slice(2).split("/")) found = (found as { [name: string]: unknown })[name];
    return found as Value;
  };
  const contentOf = (content: ContentObject | Reference | undefined) =>
    resolve<ContentObject | undefined>(content)?.content?.["application/json"].schema;
  // Schemas are compiled alone, so a reference must include the document's name.
  const absolute = (schema: ParameterObject["schema"]): ParameterObject["schema"] =>
    "$ref" in schema ? { $ref: `${fileName}${schema.$ref}` } : schema;
  const parameters = [...(item.parameters ?? []), ...(source.parameters ?? [])]
    .map((one) => resolve(one))
    .map((parameter) => ({ ...parameter, schema: absolute(parameter.schema) }));
  const answers = Object.entries(source.responses)
    .filter(([status]) => status !== "default")
    .map(([status, answer]) => [Number(status), contentOf(answer)] as const);
  return {
    operationId: source.operationId,
    method,
    path,
    /** The scope that a credential needs, from `x-scope`. */
    scope: source["x-scope"] ?? null,
    parameters: { path: parameterSchema(parameters, "path"), query: parameterSchema(parameters, "query") },
    /** The schema of the body, which is then required. */
    body: contentOf(source.requestBody),
    /** The contents of responses by their documented status, undefined for those without content. */
    answers: new Map(answers),
    /** The status of its success. */
    success: Math.min(...answers.map(([status]) => status)),
  };
}

function parameterCount(path: string): number {
  return path.split("{").length - 1;
}

function parameterSchema(parameters: readonly ParameterObject[], place: "path" | "query") {
  const chosen = parameters.filter((parameter) => parameter.in === place);
  return {
    type: "object",
    properties: Object.fromEntries(chosen.map((parameter) => [parameter.name, parameter.schema])),
    required: chosen.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

/** Accepts digits only: the conversions of JavaScript and of the validator also accept 0x10, 1e999 and white space. */
function readIntegers({ properties }: ParameterSchema, values: { [name: string]: unknown }): void {
  for (const [name, { type }] of Object.entries(properties)) {
    const value = values[name];
    if (type === "integer" && /^-?\d+$/.test(String(value))) values[name] = Number(value);
  }
}

const hasUriSyntax = addFormats.get("uri") as (text: string) => boolean;

/** The syntax of URIs does not limit the port, so the URL parser checks it as well. */
function isUrl(text: string): boolean {
  return hasUriSyntax(text) && URL.canParse(text);
}

function decodeAll(groups: { [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decoded(value)]));
}

function describeError({ instancePath, keyword, message = "is invalid", params }: ErrorObject): string {
  const path = instancePath.slice(1).split("/");
  const place = (...more: unknown[]) => [...path, ...more].filter((name) => name !== "").join(".");
  if (keyword === "required") return `${place(params.missingProperty)} is required`;
  if (keyword === "additionalProperties") return `${place(params.additionalProperty)} is not allowed`;
  if (keyword === "enum") {
    // A text with a full stop, and null, would look like part of the sentence.
    const shown = (value: unknown) => (/^\w+$/.test(`${value ?? ""}`) ? value : JSON.stringify(value));
    return `${place()} must be one of ${(params.allowedValues as unknown[]).map(shown).join(", ")}`.trim();
  }
  return `${place()} ${message}`.trim();
}

// An OpenAPI document as a set of checks: which operation a request is for, whether it is valid, whether an answer is.
// Schemas are compiled when they are first needed, so that loading the document stays cheap.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import addFormats from "ajv-formats";
import { parse } from "yaml";

type Method = "get" | "post" | "put" | "patch" | "delete";

interface Reference {
  $ref: string;
}
interface ParameterObject {
  name: string;
  in: "path" | "query";
  required?: boolean;
  schema: object;
}
interface ContentObject {
  required?: boolean;
  content?: { "application/json": { schema: object } };
}
interface OperationObject {
  operationId: string;
  "x-scope"?: string;
  parameters?: (ParameterObject | Reference)[];
  requestBody?: ContentObject | Reference;
  responses: { [status: string]: ContentObject | Reference };
}
type PathItem = { parameters?: (ParameterObject | Reference)[] } & { [method in Method]?: OperationObject };

/** The parts of an OpenAPI document that are read here. */
interface OpenApiDocument {
  openapi: string;
  paths: { [path: string]: PathItem };
  components: { schemas: { [name: string]: object } };
}

/** One operation of a document, as far as a request needs it. */
export interface Operation {
  operationId: string;
  method: Method;
  path: string;
  /** The scope that a credential needs, from `x-scope`. */
  scope: string | null;
  hasBody: boolean;
  /** The statuses that are documented. */
  statuses: number[];
}

/** What a valid request carries besides its body: parameters of their declared types, defaults filled in. */
interface Parameters {
  path: { [name: string]: string };
  query: { [name: string]: unknown };
}

/** The result of matching a request line. */
export interface Match {
  operation: Operation;
  path: { [name: string]: string };
}

/** The checks of one OpenAPI document. */
export interface Contract {
  document: OpenApiDocument;
  operations: readonly Operation[];
  /** Finds the operation of a method and a path without query, or nothing. */
  match(method: string, path: string): Match | undefined;
  /** Checks the parameters of a request, and turns them in place into their declared types. */
  parameterErrors(operation: Operation, parameters: Parameters): string[];
  /** Checks the body of a request. */
  bodyErrors(operation: Operation, body: unknown): string[];
  /** Checks an answer: its status is documented and its body is what that status promises. */
  answerErrors(operation: Operation, status: number, body: unknown): string[];
  /** Checks a value against a schema of the document's components. */
  schemaErrors(schemaName: string, value: unknown): string[];
}

const methods: readonly Method[] = ["get", "post", "put", "patch", "delete"];

/** Reads an OpenAPI document that lies next to this file. */
export function loadContract(fileName: string): Contract {
  const document = parse(readFileSync(join(__dirname, fileName), "utf8")) as OpenApiDocument;
  const strict = new Ajv({ strict: true, strictRequired: false, allErrors: true, validateSchema: false });
  const completing = new Ajv({
    strict: true,
    // A variant may require a property that the whole declares.
    strictRequired: false,
    allErrors: true,
    validateSchema: false,
    useDefaults: true,
  });
  for (const ajv of [strict, completing]) {
    addFormats(ajv);
    ajv.addFormat("uri", isUrl);
    // The document as a whole is no schema; it is only there for references to lead into.
    ajv.addVocabulary(Object.keys(document));
    ajv.addSchema(document, fileName);
  }

  const resolve = <Value>(value: Value | Reference): Value => {
    if (typeof value !== "object" || value === null || !("$ref" in value)) return value as Value;
    let found: unknown = document;
    for (const name of value.$ref.slice(2).split("/")) found = (found as { [name: string]: unknown })[name];
    return found as Value;
  };

  // References inside a schema start at the document's root, so a schema that stands alone names the document.
  const compiled = new Map<object, ReturnType<Ajv["compile"]>>();
  const check = (ajv: Ajv, schema: object, value: unknown): string[] => {
    let validate = compiled.get(schema);
    if (validate === undefined) {
      validate = ajv.compile(rebase(schema, fileName) as object);
      compiled.set(schema, validate);
    }
    return validate(value) ? [] : describeErrors(validate.errors ?? []);
  };

  const details = new Map<
    Operation,
    {
      parameters: { path: ParameterSchema; query: ParameterSchema };
      body: { required: boolean; schema: object } | undefined;
      answers: Map<number, object | undefined>;
    }
  >();
  const routes: { operation: Operation; pattern: RegExp }[] = [];
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const source = item[method];
      if (source === undefined) continue;
      const parameters = [...(item.parameters ?? []), ...(source.parameters ?? [])].map((one) =>
        resolve(one),
      );
      const body = source.requestBody && resolve<ContentObject>(source.requestBody);
      const answers = new Map(
        Object.entries(source.responses).map(([status, answer]) => [
          Number(status),
          resolve<ContentObject>(answer).content?.["application/json"].schema,
        ]),
      );
      const operation: Operation = {
        operationId: source.operationId,
        method,
        path,
        scope: source["x-scope"] ?? null,
        hasBody: body !== undefined,
        statuses: [...answers.keys()],
      };
      details.set(operation, {
        parameters: {
          path: parameterSchema(parameters, "path"),
          query: parameterSchema(parameters, "query"),
        },
        body: body?.content && {
          required: body.required ?? false,
          schema: body.content["application/json"].schema,
        },
        answers,
      });
      routes.push({ operation, pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`) });
    }
  }
  // A path without parameters wins over one that has a parameter in the same place.
  routes.sort((a, b) => parameterCount(a.operation.path) - parameterCount(b.operation.path));

  const detailsOf = (operation: Operation) => {
    const found = details.get(operation);
    if (found === undefined) throw new Error(`${operation.operationId} is not an operation of ${fileName}.`);
    return found;
  };

  return {
    document,
    operations: routes.map(({ operation }) => operation),
    match(method, path) {
      for (const { operation, pattern } of routes) {
        if (operation.method.toUpperCase() !== method) continue;
        const found = pattern.exec(path);
        if (found !== null) return { operation, path: decodeAll(found.groups ?? {}) };
      }
      return undefined;
    },
    parameterErrors(operation, parameters) {
      const { path, query } = detailsOf(operation).parameters;
      readIntegers(query, parameters.query);
      return [...check(completing, path, parameters.path), ...check(completing, query, parameters.query)];
    },
    bodyErrors(operation, body) {
      const expected = detailsOf(operation).body;
      if (expected === undefined) return [];
      if (body === undefined) return expected.required ? ["a JSON body is required"] : [];
      return check(strict, expected.schema, body);
    },
    answerErrors(operation, status, body) {
      const { answers } = detailsOf(operation);
      if (!answers.has(status)) return [`status ${status} is not documented`];
      const schema = answers.get(status);
      if (schema === undefined) return body === undefined ? [] : ["no body is documented"];
      return check(strict, schema, body);
    },
    schemaErrors(schemaName, value) {
      const schema = document.components.schemas[schemaName];
      if (schema === undefined) throw new Error(`${schemaName} is not a schema of ${fileName}.`);
      return check(strict, schema, value);
    },
  };
}

function parameterCount(path: string): number {
  return path.split("{").length - 1;
}

interface ParameterSchema {
  type: "object";
  properties: { [name: string]: { type?: string } };
  required: string[];
}

function parameterSchema(parameters: readonly ParameterObject[], place: "path" | "query"): ParameterSchema {
  const chosen = parameters.filter((parameter) => parameter.in === place);
  return {
    type: "object",
    properties: Object.fromEntries(chosen.map((parameter) => [parameter.name, parameter.schema])),
    required: chosen.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
}

// Only digits: conversions in JavaScript, and in the validator, also take 0x10, 1e999 and white space for numbers.
function readIntegers({ properties }: ParameterSchema, values: { [name: string]: unknown }): void {
  for (const [name, { type }] of Object.entries(properties)) {
    const value = values[name];
    if (type === "integer" && typeof value === "string" && /^-?\d+$/.test(value))
      values[name] = Number(value);
  }
}

const hasUriSyntax = addFormats.get("uri") as (text: string) => boolean;

// The syntax of URIs leaves open what a port may be.
function isUrl(text: string): boolean {
  return hasUriSyntax(text) && URL.canParse(text);
}

function rebase(schema: unknown, base: string): unknown {
  if (Array.isArray(schema)) return schema.map((item) => rebase(item, base));
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === "$ref" && typeof value === "string" && value.startsWith("#")
        ? base + value
        : rebase(value, base),
    ]),
  );
}

function decodeAll(groups: { [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decode(value)]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function describeErrors(errors: readonly ErrorObject[]): string[] {
  return [...new Set(errors.map(describeError))];
}

function describeError({ instancePath, keyword, message = "is invalid", params }: ErrorObject): string {
  const path = instancePath.slice(1).split("/");
  const place = (...more: unknown[]) => [...path, ...more].filter((name) => name !== "").join(".");
  if (keyword === "required") return `${place(params.missingProperty)} is required`;
  if (keyword === "additionalProperties") return `${place(params.additionalProperty)} is not allowed`;
  if (keyword === "enum")
    return `${place()} must be one of ${(params.allowedValues as unknown[]).join(", ")}`.trim();
  return `${place()} ${message}`.trim();
}

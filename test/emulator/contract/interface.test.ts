/** The interface's description: a valid document with exactly the operations, scopes and statuses of the service. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { z } from "zod";
import { type Operation, operations } from "../../../provider/client/operations";
import { parseResponse, wireName, wireValue } from "../../../provider/values/wire";
import { defaultBehaviour } from "../../../testing/emulator";
import { loadContract } from "../../../testing/emulator/contract/contract";
import { handlers } from "../../../testing/emulator/operations";
import { PROJECT_SETTINGS } from "../../../testing/emulator/world/entities";
import { described, type Schema } from "../../support/values/arbitraries";
import { allowed, contentOf, contract, controls, named, OPERATIONS_WITH_BODY, whole } from "./contract";

const UPSTREAM: Readonly<Partial<Record<string, readonly number[]>>> = {
  createCustomDomain: [502, 503],
  deleteCustomDomain: [503],
  retryCustomDomain: [502, 503],
};

test.each(["openapi.yaml", "controls.yaml"] as const)("%s is a valid OpenAPI 3.0.3 document", (file) => {
  const validator = resolve("node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js");
  const path = resolve("testing/emulator/contract", file);
  const output = execFileSync(process.execPath, [validator, path], { encoding: "utf8" });
  expect(JSON.parse(output)).toEqual({ valid: true });
  // No file that an earlier build has left.
  expect(loadContract(file).document).toEqual(parse(readFileSync(path, "utf8")));
  expect(loadContract(file).document.openapi).toBe("3.0.3");
});

test.each(["SeedProject", "NewProject", "ProjectChange"])("%s has each setting of a project", (name) => {
  const { properties = {} } = (controls.document.components.schemas[name] ?? {}) as Schema;
  const settings = ["name", ...Object.keys(PROJECT_SETTINGS)];
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(settings));
});

test("each setting of a project has the limits of the API in a seed", () => {
  const { properties: own = {} } = named("SeedProject");
  const { properties: settings = {} } = named("ProjectFields");
  for (const setting of Object.keys(PROJECT_SETTINGS))
    expect({ setting, ...whole(own[setting] ?? {}) }).toEqual({
      setting,
      ...whole(settings[wireName(setting)] ?? {}),
    });
});

test("the document has the 30 operations of the client and the emulator, with the same methods, paths and scopes", () => {
  const described = contract.operations.map(({ operationId, method, path, scope, answers }) => [
    operationId,
    {
      method: method.toUpperCase(),
      path: path.replaceAll("_id}", "Id}"),
      scope,
      statuses: [...answers.keys()],
    },
  ]);
  // The key alone is looked up without a request that could be invalid.
  const errors = (id: string) =>
    id === "getCurrentApiCredential" ? [401, 403] : [400, 401, 403, 404, 409, ...(UPSTREAM[id] ?? [])];
  const expected = Object.entries(operations as Readonly<Record<string, Operation>>).map(
    ([id, { request, scope = null, success }]) => {
      const [method = "", path = ""] = request.split(" ");
      const status = success ?? { POST: 201, DELETE: 204 }[method] ?? 200;
      return [
        id,
        {
          method,
          path: path.replace("customDomainId", "custom_domainId"),
          scope,
          statuses: [status, ...errors(id)],
        },
      ];
    },
  );
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(expected));
  expect(described).toHaveLength(30);
  expect(Object.keys(handlers).sort()).toEqual(described.map(([id]) => id).sort());
});

test("the controls have every behaviour option and no other", () => {
  const schema = controls.document.components.schemas.Behaviour as { properties: object };
  expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(defaultBehaviour).sort());
  expect(controls.schemaErrors("Behaviour", defaultBehaviour)).toEqual([]);
});

function limitsOf(schema: Schema, required = true, path = ""): Record<string, object> {
  const { nullable = false, format, items, properties = {}, required: names = [], ...limits } = whole(schema);
  const { type, enum: choices, pattern, minLength, maxLength, minItems, maxItems, minimum, maximum } = limits;
  const sizes = { minLength, maxLength, minItems, maxItems, minimum, maximum };
  const own = { type, choices, ...sizes, format: format ?? pattern, required };
  return Object.assign(
    // The client requires a value where the service may be content with null.
    { [path]: required ? own : { ...own, nullable } },
    items && limitsOf(items, true, `${path}[]`),
    ...Object.entries(properties)
      // The info of another platform, which the client never sends.
      .filter(([, field]) => whole(field).enum?.[0] !== null)
      .map(([name, field]) => limitsOf(field, names.includes(name), `${path}.${wireName(name)}`)),
  );
}

const CLIENT = operations as Readonly<Record<string, Operation>>;

test.each([
  ...OPERATIONS_WITH_BODY.map(({ operationId: id, variants }) => [id, CLIENT[id]?.body, variants] as const),
  ...contract.operations
    .filter(({ parameters }) => Object.keys(parameters.query.properties).length > 0)
    .map(({ operationId: id, parameters: { query } }) => [id, CLIENT[id]?.query, [query as Schema]] as const),
])("the request of %s has the limits of the client's", (_, ofClient = z.never(), variants) => {
  const client = described(ofClient);
  const limits = (all: readonly Schema[]) => all.map((each) => limitsOf(each));
  expect(limits(variants)).toEqual(limits(client.oneOf ?? [client]));
});

const WITH_CONTENT = contract.operations.filter(({ method }) => method !== "delete");

test.each(WITH_CONTENT.map((operation) => [operation.operationId, operation] as const))(
  "the client accepts every response that the schema of %s allows, and loses nothing of it",
  (id, operation) => {
    const { response = z.never() } = (operations as Readonly<Record<string, Operation>>)[id] ?? {};
    fc.assert(
      fc.property(allowed(contentOf(operation) ?? {}), (json) => {
        const parsed = parseResponse(response, json);
        expect(parsed.ok ? wireValue(response, parsed.value) : parsed).toEqual(canonical(json));
      }),
      // The operations have most of their fields in common.
      { numRuns: 30 },
    );
  },
);

/** Fingerprints in canonical form: the letters of their digits are upper-case. */
function canonical(json: unknown): unknown {
  const text = JSON.stringify(json);
  return JSON.parse(text.replace(/"[0-9a-f]{2}(:[0-9a-f]{2}){31}"/gi, (each) => each.toUpperCase()));
}

const APPLE = { app_name: "x", app_scheme: "x", bundle_id: "a.b" };
const ANDROID = { app_name: "x", app_scheme: "x", app_package_name: "a.b" };

test.each<[schema: string, body: object, isValid?: boolean]>([
  ["UpdateProject", {}],
  ["UpdateLink", {}],
  ["UpdateApplication", {}],
  ["CreateApplication", { app_type: "WEB", apple_info: APPLE }],
  ["CreateApplication", { app_type: "IOS", apple_info: APPLE, android_info: {} }],
  ["CreateApplication", { app_type: "ANDROID", android_info: ANDROID, apple_info: APPLE }],
  ["CreateApplication", { app_type: "ANDROID", android_info: null }],
  ["CreateApplication", { app_type: "ANDROID", android_info: ANDROID, other: 1 }],
  ["UpdateApplication", { apple_info: { other: null } }],
  ["SaveSkin", { theme_type: "custom", theme_choice_type: "black", default_hookup_msg: "x" }],
  ["UpdateLink", { apple_options: { other: 1 } }],
  // Null stands for the info of another platform.
  ["CreateApplication", { app_type: "WEB", apple_info: null, android_info: null }, true],
  ["CreateApplication", { app_type: "IOS", apple_info: APPLE, android_info: null }, true],
  ["CreateApplication", { app_type: "ANDROID", android_info: ANDROID, apple_info: null }, true],
])("the contract judges %s with %j", (schema, body, isValid = false) => {
  expect(contract.schemaErrors(schema, body).length === 0).toBe(isValid);
});

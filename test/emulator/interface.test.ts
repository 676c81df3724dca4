/** The interface's description: a valid document with exactly the operations, scopes and statuses of the service. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { type Operation, operations } from "../../provider/client/operations";
import { defaultBehaviour } from "../../testing/emulator";
import { loadContract } from "../../testing/emulator/contract/contract";
import { handlers } from "../../testing/emulator/operations";
import { NOWHERE } from "./service";

const contract = loadContract("openapi.yaml");
const controls = loadContract("controls.yaml");

const FINGERPRINT = Array(32).fill("aB").join(":");

/** The statuses of errors that only some operations have. */
const UPSTREAM: Readonly<Partial<Record<string, readonly number[]>>> = {
  createCustomDomain: [502, 503],
  deleteCustomDomain: [503],
  retryCustomDomain: [502, 503],
};

describe.each(["openapi.yaml", "controls.yaml"] as const)("%s", (file) => {
  test("is a valid OpenAPI document", () => {
    const validator = resolve("node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js");
    const output = execFileSync(process.execPath, [validator, resolve("testing/emulator/contract", file)], {
      encoding: "utf8",
    });
    expect(JSON.parse(output)).toEqual({ valid: true });
  });

  test("is an OpenAPI 3.0.3 document", () => {
    expect(loadContract(file).document.openapi).toBe("3.0.3");
  });
});

test("the emulator has exactly the operations of the document", () => {
  expect(Object.keys(handlers).sort()).toEqual(
    contract.operations.map(({ operationId }) => operationId).sort(),
  );
});

test("the document has the 30 operations that the client has, with the same methods, paths and scopes", () => {
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
    ([id, { method, path, scope = null, success = { POST: 201, DELETE: 204 }[method as string] ?? 200 }]) => [
      id,
      {
        method,
        path: path.replace("customDomainId", "custom_domainId"),
        scope,
        statuses: [success, ...errors(id)],
      },
    ],
  );
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries(expected));
  expect(described).toHaveLength(30);
});

test("a path without parameters takes precedence over one with a parameter in the same position", () => {
  const at = (path: string) => contract.match("GET", path)?.operation.operationId;
  expect(at("/api/v2/links/resolve")).toBe("resolveLinkByUrl");
  expect(at("/api/v2/links/x")).toBe("getLink");
  expect(at("/api/v2/organizations/o/projects/name-availability")).toBe("checkProjectNameAvailability");
  expect(at("/api/v2/organizations/o/projects/p")).toBe("getProject");
});

test("every error of every operation has an ErrorResponse and the header x-request-id", () => {
  const { components } = contract.document as unknown as {
    components: { responses: Record<string, { headers?: object; content?: object }> };
  };
  const errors = [
    "BadRequest",
    "Unauthorized",
    "Forbidden",
    "NotFound",
    "Conflict",
    "BadGateway",
    "ServiceUnavailable",
  ];
  for (const name of errors) {
    expect(components.responses[name]).toMatchObject({
      headers: { "x-request-id": { $ref: "#/components/headers/RequestId" } },
      content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorResponse" } } },
    });
  }
});

test("the controls have every behaviour option and no other", () => {
  const schema = controls.document.components.schemas.Behaviour as { properties: object };
  expect(Object.keys(schema.properties).sort()).toEqual(Object.keys(defaultBehaviour).sort());
  expect(controls.schemaErrors("Behaviour", defaultBehaviour)).toEqual([]);
});

describe("a schema", () => {
  const errors = (schema: string, value: unknown) => contract.schemaErrors(schema, value).length;
  const link = (more: object) => ({
    dynamic_link_url: "https://shop.example/",
    dynamic_link_name: "Home",
    ...more,
  });
  const long = (length: number) => "x".repeat(length);

  test.each<[string, number, (text: string) => object]>([
    ["CreateProject", 100, (project_name) => ({ project_name })],
    ["CreateProject", 500, (default_hookup_msg) => ({ project_name: "x", default_hookup_msg })],
    ["CreateCustomDomain", 253, (hostname) => ({ hostname })],
    ["CreateLink", 100, (dynamic_link_name) => link({ dynamic_link_name })],
    ["CreateLink", 100, (dynamic_link_suffix) => link({ dynamic_link_suffix })],
    ["CreateLink", 482, (path) => link({ dynamic_link_url: `https://x.example/${path}` })],
    ["CreateLink", 100, (apple_action) => link({ apple_options: { apple_action } })],
    ["CreateLink", 100, (ius) => link({ apple_options: { apple_advanced_options: { ius } } })],
    ["CreateLink", 200, (app_name) => link({ android_options: { application_info: { app_name } } })],
    [
      "CreateLink",
      500,
      (text) => link({ android_options: { application_info: { sha256_fingerprint: text } } }),
    ],
    ["CreateLink", 200, (utm_medium) => link({ additional_options: { utm_medium } })],
    ["CreateApplication", 50, (app_name) => ios({ app_name })],
    ["CreateApplication", 500, (app_scheme) => android({ app_scheme })],
  ])("%s accepts %d characters and no more", (schema, maximum, body) => {
    expect(errors(schema, body(long(maximum)))).toBe(0);
    expect(errors(schema, body(long(maximum + 1)))).toBeGreaterThan(0);
  });

  test.each<[string, unknown, unknown]>([
    ["CreateProject", { project_name: "x" }, { project_name: "" }],
    ["CreateProject", { project_name: "x", logo_image_id: null }, { project_name: "x", logo_image_id: "y" }],
    ["UpdateProject", { default_hookup_msg: null }, {}],
    ["UpdateProject", { logo_image_id: null }, { project_name: null }],
    [
      "SaveSkin",
      { theme_type: "basic", theme_choice_type: "grey" },
      { theme_type: "basic", theme_choice_type: "gray" },
    ],
    [
      "SaveSkin",
      { theme_type: "custom", theme_choice_type: "black" },
      { theme_type: "custom", theme_choice_type: "black", default_hookup_msg: "x" },
    ],
    ["CreateCustomDomain", { hostname: "x" }, { hostname: "" }],
    ["CreateLink", link({}), { dynamic_link_url: "https://shop.example/" }],
    ["CreateLink", link({ apple_options: null }), link({ apple_options: { other: 1 } })],
    ["CreateLink", link({ apple_options: { request_uri: long(2000) } }), link({ apple_options: 1 })],
    ["CreateLink", link({ apple_options: { application_info: null } }), link({ android_options: [] })],
    ["CreateLink", link({ additional_options: { skip_app_preview: null } }), link({ stats_flag: null })],
    ["UpdateLink", { stats_flag: true }, {}],
    ["UpdateLink", { dynamic_link_suffix: "x" }, { dynamic_link_suffix: "" }],
    ["CreateCoreLinkV2", link({ project_id: NOWHERE, custom_domain_id: null }), link({})],
    [
      "CreateUnifiedLink",
      link({ project_id: NOWHERE, custom_domain_url: "https://go.shop.example" }),
      link({ project_id: NOWHERE, custom_domain_url: "go" }),
    ],
    ["CreateApplication", { app_type: "WEB", apple_info: null }, { app_type: "WEB", apple_info: {} }],
    ["CreateApplication", ios({}), { ...ios({}), android_info: {} }],
    [
      "CreateApplication",
      { ...ios({}), android_info: null },
      { app_type: "IOS", apple_info: { app_name: "x", app_scheme: "x" } },
    ],
    ["CreateApplication", android({}), { app_type: "ANDROID", android_info: null }],
    ["CreateApplication", android({}), { ...android({}), other: 1 }],
    ["CreateApplication", ios({ app_id: "ABCDE12345.a.b" }), ios({ app_id: "ABCDE1234.a.b" })],
    ["CreateApplication", ios({ app_id: "ABCDE12345.a-1.b.c" }), ios({ app_id: "ABCDE12345.a" })],
    ["CreateApplication", ios({ app_id_prefix: "ABCDE12345" }), ios({ app_id_prefix: "abcde12345" })],
    ["CreateApplication", ios({ bundle_id: "a.b-2" }), ios({ bundle_id: "a" })],
    ["CreateApplication", android({ app_package_name: "a.b_1" }), android({ app_package_name: "a.1b" })],
    [
      "CreateApplication",
      android({ sha256_fingerprints: [FINGERPRINT] }),
      android({ sha256_fingerprints: [] }),
    ],
    [
      "CreateApplication",
      android({ sha256_fingerprints: Array(10).fill(FINGERPRINT) }),
      android({ sha256_fingerprints: Array(11).fill(FINGERPRINT) }),
    ],
    [
      "CreateApplication",
      android({ sha256_fingerprints: null }),
      android({ sha256_fingerprints: [FINGERPRINT.slice(3)] }),
    ],
    ["UpdateApplication", { apple_info: { app_name: null } }, { apple_info: { other: null } }],
    ["UpdateApplication", { android_info: null }, {}],
    ["UpdateApplication", { app_type: "WEB" }, { app_type: "DESKTOP" }],
  ])("%s accepts %j and rejects %j", (schema, right, wrong) => {
    expect(errors(schema, right)).toBe(0);
    expect(errors(schema, wrong)).toBeGreaterThan(0);
  });
});

function ios(more: object) {
  return { app_type: "IOS", apple_info: { app_name: "x", app_scheme: "x", bundle_id: "a.b", ...more } };
}

function android(more: object) {
  return {
    app_type: "ANDROID",
    android_info: { app_name: "x", app_scheme: "x", app_package_name: "a.b", ...more },
  };
}

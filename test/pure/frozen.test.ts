/**
 * What is stored in users' states: type tokens, provider texts, property names and hidden properties. A change here
 * breaks refresh and destroy of existing stacks, so everything is asserted literally, from the built package as the
 * host loads it.
 */
import { readFileSync } from "node:fs";
import * as providers from "pulumi-dynamiclink/provider";
import { operations } from "../../provider/client/operations";
import { exportName, providerText, typeToken } from "../../provider/hosts/dynamicNames";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../provider/hosts/hosts";
import * as hidden from "../../provider/lifecycle/hiddenProperties";
import { DESCRIPTIONS } from "../../provider/resources";
import { FUNCTIONS } from "../../provider/resources/functions";
import { builtSchema } from "../../scripts/release/builtSchema";

const descriptions = Object.values(DESCRIPTIONS);

test("type tokens are as stored in states", () => {
  expect(descriptions.map(typeToken)).toEqual([
    "pulumi-nodejs:dynamic/dynamiclink:Project",
    "pulumi-nodejs:dynamic/dynamiclink:Application",
    "pulumi-nodejs:dynamic/dynamiclink:CustomDomain",
    "pulumi-nodejs:dynamic/dynamiclink:CustomDomainActivation",
    "pulumi-nodejs:dynamic/dynamiclink:CustomDomainRecords",
  ]);
});

test("type tokens of the native plugin are as stored in states", () => {
  expect(descriptions.map(NATIVE_HOST.typeToken)).toEqual([
    "dynamiclink:index:Project",
    "dynamiclink:index:Application",
    "dynamiclink:index:CustomDomain",
    "dynamiclink:index:CustomDomainActivation",
    "dynamiclink:index:CustomDomainRecords",
  ]);
});

test("types of providers are as stored in states", () => {
  expect([DYNAMIC_HOST.providerType, NATIVE_HOST.providerType]).toEqual([
    "pulumi:providers:pulumi-nodejs",
    "pulumi:providers:dynamiclink",
  ]);
});

test("provider texts are as stored in states", () => {
  expect(descriptions.map(providerText)).toEqual([
    'exports.handler=()=>require("pulumi-dynamiclink/provider").project',
    'exports.handler=()=>require("pulumi-dynamiclink/provider").application',
    'exports.handler=()=>require("pulumi-dynamiclink/provider").customDomain',
    'exports.handler=()=>require("pulumi-dynamiclink/provider").customDomainActivation',
    'exports.handler=()=>require("pulumi-dynamiclink/provider").customDomainRecords',
  ]);
});

test("every provider text loads its provider from the built package, which exports nothing else", () => {
  expect(Object.keys(providers).sort()).toEqual(descriptions.map(exportName).sort());
  for (const description of descriptions) {
    const text = `${providerText(description)};return exports.handler();`;
    const provider = new Function("exports", "require", text)({}, require);
    const calls = ["check", "configure", "create", "delete", "diff", "read", "update"];
    expect(Object.keys(provider).sort()).toEqual(calls);
  }
});

test("functions have the names and arguments that programs in every language use", () => {
  expect(Object.entries(FUNCTIONS).map(([name, { args }]) => [name, ...Object.keys(args)])).toEqual([
    ["getProject", "id"],
    ["getProjects"],
    ["getApplication", "id"],
    ["getApplications", "projectId"],
    ["getCustomDomain", "id"],
    ["getCustomDomains", "projectId"],
    ["getLink", "id"],
  ]);
});

test("types of inputs and results have the names that programs in other languages use", () => {
  const names = [
    "AdditionalOptions",
    "AndroidAdvancedOptions",
    "AndroidApplicationInfo",
    "AndroidInfo",
    "AndroidInfoCreate",
    "AndroidOptions",
    "AppType",
    "AppleAdvancedOptions",
    "AppleApplicationInfo",
    "AppleInfo",
    "AppleInfoCreate",
    "AppleOptions",
    "ApplicationProperties",
    "CustomDomainProperties",
    "LinkApplications",
    "LinkedApplication",
    "LogoImage",
    "NotInstalledOptions",
    "OwnershipValidation",
    "ProjectProperties",
    "SkinInfo",
    "SslValidationRecord",
    "SslValidationRecords",
    "VerificationRecord",
  ];
  expect(Object.keys(builtSchema().types)).toEqual(names.map((name) => `dynamiclink:index:${name}`));
});

test("hidden properties are as stored in states", () => {
  expect(hidden).toMatchObject({
    PROVIDER_PROPERTY: "__provider",
    IMPORT_PROPERTY: "__import",
    ADOPTED_PROPERTY: "__adopted",
    ORGANIZATION_PROPERTY: "__organization",
    PENDING_PROPERTY: "__pending",
    IMPORTED_PROPERTY: "__imported",
    REFUSED_PROPERTY: "__refused",
    CHANGED_PROPERTY: "__changed",
  });
});

test("names of inputs and outputs are as stored in states", () => {
  expect(
    descriptions.map(({ inputs, outputs }) => [Object.keys(inputs.shape), Object.keys(outputs.shape)]),
  ).toEqual([
    [
      ["name", "defaultHookupMsg"],
      ["organizationId", "subDomain", "createdAt"],
    ],
    [["projectId", "appType", "appleInfo", "androidInfo"], ["createdAt"]],
    [["projectId", "hostname"], ["cnameTarget"]],
    [["customDomainId", "timeoutSeconds", "retryFailed"], ["hostname"]],
    [
      ["customDomainId", "timeoutSeconds", "waitFor"],
      ["ownership", "certificates"],
    ],
  ]);
});

test("the description of the API is a file of the package, with all operations of the client", () => {
  const text = readFileSync(require.resolve("pulumi-dynamiclink/openapi.yaml"), "utf8");
  const ids = [...text.matchAll(/operationId: (\w+)/g)].map(([, id]) => id);
  expect(text).toMatch(/^openapi: 3/m);
  expect(ids.sort()).toEqual(Object.keys(operations).sort());
});

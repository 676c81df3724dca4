/**
 * What stands in the state of every stack that ever used the package: types, the texts by which the host finds the
 * providers, hidden properties. A change here breaks refresh and destroy of stacks that exist, so everything is
 * asserted literally, from the built package, as the host finds it.
 */
import * as sdk from "pulumi-dynamiclink";
import * as providers from "pulumi-dynamiclink/provider";
import { exportName, PROVIDER_PROPERTY } from "../../provider/hosts/dynamic/names";
import { ORGANIZATION_PROPERTY } from "../../provider/lifecycle/ownership";
import { ADOPTED_PROPERTY, ADOPTION_PROPERTY, IMPORT_PROPERTY } from "../../provider/lifecycle/state";
import { DESCRIPTIONS } from "../../provider/resources";
import { providerText, typeToken } from "../../sdk/resource";

const descriptions = Object.values(DESCRIPTIONS);

test("types are what states hold", () => {
  expect(descriptions.map(typeToken)).toEqual([
    "pulumi-nodejs:dynamic/dynamiclink:Project",
    "pulumi-nodejs:dynamic/dynamiclink:Application",
    "pulumi-nodejs:dynamic/dynamiclink:CustomDomain",
    "pulumi-nodejs:dynamic/dynamiclink:CustomDomainActivation",
  ]);
});

test("provider texts are what states hold", () => {
  expect(descriptions.map(providerText)).toEqual([
    'exports.handler=()=>require("pulumi-dynamiclink/provider").project',
    'exports.handler=()=>require("pulumi-dynamiclink/provider").application',
    'exports.handler=()=>require("pulumi-dynamiclink/provider").customDomain',
    'exports.handler=()=>require("pulumi-dynamiclink/provider").customDomainActivation',
  ]);
});

test("every text finds its provider in the built package, and nothing else is there", () => {
  expect(Object.keys(providers).sort()).toEqual(descriptions.map(exportName).sort());
  for (const description of descriptions) {
    const provider = new Function(
      "exports",
      "require",
      `${providerText(description)};return exports.handler();`,
    )({}, require);
    expect(Object.keys(provider).sort()).toEqual([
      "check",
      "configure",
      "create",
      "delete",
      "diff",
      "read",
      "update",
    ]);
  }
});

test("every resource has the class that is called like its type", () => {
  for (const [name, { type }] of Object.entries(DESCRIPTIONS)) {
    expect(type).toBe(name);
    expect(sdk).toHaveProperty(name);
  }
});

test("hidden properties are what states hold", () => {
  expect([
    PROVIDER_PROPERTY,
    IMPORT_PROPERTY,
    ADOPTED_PROPERTY,
    ADOPTION_PROPERTY,
    ORGANIZATION_PROPERTY,
  ]).toEqual(["__provider", "__import", "__adopted", "__adoption", "__organization"]);
});

test("names of inputs and outputs are what states hold", () => {
  expect(descriptions.map(({ inputs, outputs }) => [Object.keys(inputs), Object.keys(outputs)])).toEqual([
    [
      ["name", "defaultHookupMsg"],
      ["organizationId", "subDomain", "createdAt"],
    ],
    [["projectId", "appType", "appleInfo", "androidInfo"], ["createdAt"]],
    [["projectId", "hostname"], ["cnameTarget"]],
    [["customDomainId", "timeoutSeconds", "retryFailed"], ["hostname"]],
  ]);
});

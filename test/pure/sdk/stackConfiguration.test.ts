/** Keys of the stack's configuration that are not settings. */
import * as pulumi from "@pulumi/pulumi";
import { requireKnownConfiguration } from "../../../sdk/program/stackConfiguration";

const SETTINGS = { "dynamiclink:apiUrl": "https://links.example", "dynamiclink:readOnly": "true" };

function check(config: Record<string, string>, project = "shop"): () => void {
  return () => {
    pulumi.runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) }, project);
    pulumi.runtime.setAllConfig(config);
    requireKnownConfiguration();
  };
}

test("settings, and keys of other namespaces, are accepted", () => {
  expect(check({ ...SETTINGS, "shop:readonly": "true", "dynamiclinks:readonly": "true" })).not.toThrow();
});

test("one error names every key that is not a setting", () => {
  const unknown = { "dynamiclink:readonly": "true", "dynamiclink:region": "eu" };
  expect(check({ ...SETTINGS, ...unknown })).toThrow(/^readonly is not .*\n.*\nregion is not .*\n.*$/);
});

test("a project that is named like the namespace keeps its own keys, unless they resemble a setting", () => {
  expect(check({ ...SETTINGS, "dynamiclink:region": "eu" }, "dynamiclink")).not.toThrow();
  expect(check({ "dynamiclink:readonly": "true" }, "dynamiclink")).toThrow("did you mean readOnly?");
});

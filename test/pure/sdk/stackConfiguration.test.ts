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

test("one error names every key that is not a setting, the nearest setting, and the command that removes the key", () => {
  expect(check({ ...SETTINGS, "dynamiclink:readonly": "true", "dynamiclink:region": "eu" })).toThrow(
    new pulumi.RunError(
      [
        "readonly is not a setting of dynamiclink; allowed: apiKey, apiKeyEnvVar, apiUrl, readOnly; did you mean readOnly?",
        "If it is in the stack's configuration, remove it: `pulumi config rm dynamiclink:readonly`.",
        "region is not a setting of dynamiclink; allowed: apiKey, apiKeyEnvVar, apiUrl, readOnly",
        "If it is in the stack's configuration, remove it: `pulumi config rm dynamiclink:region`.",
      ].join("\n"),
    ),
  );
});

test("a project that is named like the namespace keeps its own keys, unless they resemble a setting", () => {
  expect(check({ ...SETTINGS, "dynamiclink:region": "eu" }, "dynamiclink")).not.toThrow();
  expect(check({ "dynamiclink:readonly": "true" }, "dynamiclink")).toThrow("did you mean readOnly?");
});

/** The values of `--provider` for a Terraform state. */
import {
  chooseProvider,
  parseProviderChoices,
} from "../../../../../cli/import/sources/terraform/configurations";

const URN = "urn:pulumi:test::p::pulumi:providers:pulumi-nodejs::a=b";
const address = { modules: [], isData: false, type: "dynamiclink_project", name: "x", key: "a=b" };

test.each([
  [[], {}],
  [["eu"], { standard: "eu" }],
  [[URN], { standard: URN }],
  [["europe=eu", "main"], { standard: "main", byKey: { europe: "eu" } }],
  [[`europe=${URN}`], { byKey: { europe: URN } }],
  [['dynamiclink_project.x["a=b"]=eu'], { byKey: { 'dynamiclink_project.x["a=b"]': "eu" } }],
] as const)("%j", (values, { standard, byKey = {} }: { standard?: string; byKey?: object }) => {
  expect(parseProviderChoices(values)).toEqual({ standard, byKey: new Map(Object.entries(byKey)) });
});

test.each([
  [["=eu"], "--provider =eu must be <alias>=<name or URN of a provider in the stack>."],
  [["europe="], "--provider europe= must be <alias>=<name or URN of a provider in the stack>."],
  [["a=b", "a=c"], "--provider has more than one value for a. Keep one of them."],
  [
    ["b", "c"],
    "--provider has more than one value without an alias: b, c. Write the others as <alias>=<name>.",
  ],
])("%j is rejected", (values, message) => {
  expect(() => parseProviderChoices(values)).toThrow(message);
});

test.each([
  ["", [], { provider: undefined }],
  ["", ["main"], { provider: "main" }],
  ["europe", ["main"], { isMissing: true }],
  ["europe", ["europe=eu"], { provider: "eu", key: "europe" }],
  ["europe", ["europe=eu", "dynamiclink_project.x=all"], { provider: "all", key: "dynamiclink_project.x" }],
  [
    "europe",
    ["dynamiclink_project.x=all", 'dynamiclink_project.x["a=b"]=one'],
    { provider: "one", key: 'dynamiclink_project.x["a=b"]' },
  ],
])("with the configuration %j and %j", (configuration, values, chosen) => {
  expect(chooseProvider({ address, configuration }, parseProviderChoices(values))).toEqual(chosen);
});

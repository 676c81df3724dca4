/** What a release may not change in the schema: everything that programs in other languages depend on. */
import { schemaBreaks, schemaNames } from "../../../scripts/release/schemaBreaks";

const schema = schemaNames();

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of the schema.
function breaksAfter(change: (copy: any) => void): string[] {
  const copy = structuredClone(schema);
  change(copy);
  return schemaBreaks(schema, copy);
}

const PROJECT = "dynamiclink:index:Project";
const DOMAIN = "dynamiclink:index:CustomDomain";
const LOOKUP = "dynamiclink:index:getLink";
const APPLE = "dynamiclink:index:AppleInfoCreate";
const PLATFORM = "dynamiclink:index:AppType";
const GO = "example.com/pulumi-dynamiclink/sdk/go/dynamiclink";

type Change = Parameters<typeof breaksAfter>[0];

test.each<[string, Change, broken: string]>([
  ["a resource", ({ resources }) => delete resources[DOMAIN], `resources.${DOMAIN} was removed.`],
  ["a function", ({ functions }) => delete functions[LOOKUP], `functions.${LOOKUP} was removed.`],
  [
    "an input",
    ({ resources }) => delete resources[PROJECT].inputProperties.name,
    `resources.${PROJECT}.inputProperties.name was removed.`,
  ],
  [
    "the type of an output",
    ({ resources }) => Object.assign(resources[PROJECT].properties.createdAt, { type: "integer" }),
    `resources.${PROJECT}.properties.createdAt.type was string, and is integer.`,
  ],
  [
    "an optional input that becomes required",
    ({ resources }) => resources[PROJECT].requiredInputs.push("defaultHookupMsg"),
    `resources.${PROJECT}.requiredInputs now contains "defaultHookupMsg".`,
  ],
  ["a property", ({ types }) => types[APPLE].required.push("a"), `types.${APPLE}.required now contains "a".`],
  [
    "an output that may be absent",
    ({ resources }) => resources[PROJECT].required.shift(),
    `resources.${PROJECT}.required no longer contains "name".`,
  ],
  [
    "a value of an enumeration",
    ({ types }) => types[PLATFORM].enum.shift(),
    `types.${PLATFORM}.enum no longer contains {"value":"IOS"}.`,
  ],
  [
    "a name of an SDK",
    ({ language }) => Object.assign(language.go, { importBasePath: "example.com/other" }),
    `language.go.importBasePath was ${GO}, and is example.com/other.`,
  ],
])("%s breaks programs", (_what, change, expected) => {
  expect(breaksAfter(change)).toEqual([expected]);
});

test("additions, other texts, an input that becomes optional and another build file of an SDK break nothing", () => {
  const earlier = structuredClone(schema) as ReturnType<typeof JSON.parse>;
  earlier.types[APPLE].required.push("appName");
  expect(schemaBreaks(earlier, schema)).toEqual([]);
  expect(
    breaksAfter(({ resources, functions, language }) => {
      Object.assign(resources[PROJECT].inputProperties, { logo: { type: "string" } });
      Object.assign(functions, { "dynamiclink:index:getLogo": {} });
      resources[PROJECT].requiredInputs.shift();
      resources[PROJECT].description = "Another text.";
      language.java.buildFiles = "gradle";
    }),
  ).toEqual([]);
});

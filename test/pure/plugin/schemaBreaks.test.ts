/** What a release may not change in the schema: everything that programs in other languages depend on. */
import { schemaBreaks, schemaNames } from "../../../scripts/release/schemaBreaks";

const schema = schemaNames();

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of the schema.
function breaksAfter(change: (copy: any) => void): string[] {
  const copy = structuredClone(schema);
  change({ ...copy, shop: copy.resources[PROJECT] });
  return schemaBreaks(schema, copy);
}

const PROJECT = "dynamiclink:index:Project";
const DOMAIN = "dynamiclink:index:CustomDomain";
const OF_SHOP = `resources.${PROJECT}`;
const CHOICE = '{"value":"IOS"}';
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
    ({ shop }) => delete shop.inputProperties.name,
    `${OF_SHOP}.inputProperties.name was removed.`,
  ],
  [
    "the type of an output",
    ({ shop }) => Object.assign(shop.properties.createdAt, { type: "integer" }),
    `${OF_SHOP}.properties.createdAt.type was string, and is integer.`,
  ],
  [
    "a new required input",
    ({ shop }) => shop.requiredInputs.push("a"),
    `${OF_SHOP}.requiredInputs now contains "a".`,
  ],
  ["a property", ({ types }) => types[APPLE].required.push("a"), `types.${APPLE}.required now contains "a".`],
  [
    "an optional output",
    ({ shop }) => shop.required.shift(),
    `${OF_SHOP}.required no longer contains "name".`,
  ],
  [
    "a choice",
    ({ types }) => types[PLATFORM].enum.shift(),
    `types.${PLATFORM}.enum no longer contains ${CHOICE}.`,
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
    breaksAfter(({ shop, functions, language }) => {
      Object.assign(shop.inputProperties, { logo: { type: "string" } });
      Object.assign(functions, { "dynamiclink:index:getLogo": {} });
      shop.requiredInputs.shift();
      shop.description = "Another text.";
      language.java.buildFiles = "gradle";
    }),
  ).toEqual([]);
});

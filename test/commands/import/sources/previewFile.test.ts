/** Files of `pulumi preview --import-file`: which entries are imported, and what is reported about the others. */

import { parsePreviewFile, previewSelection } from "../../../../cli/import/sources/previewFile";
import { HOSTS } from "../../../../cli/objects/hosts";

const UUID = "8f14e45f-ceea-467f-a8d5-5bd1d1d1c0de";
const PROJECT = "pulumi-nodejs:dynamic/dynamiclink:Project";
const APPLICATION = "pulumi-nodejs:dynamic/dynamiclink:Application";
const team = { type: "acme:index:Team", name: "team", component: true };
const eu = {
  type: "pulumi:providers:pulumi-nodejs",
  name: "eu",
  inputs: { "dynamiclink:apiKeyEnvVar": "EU_KEY" },
};

function parse(file: object) {
  return previewSelection(parsePreviewFile(JSON.stringify(file), "preview.json"), "preview.json");
}

test("entries with a UUID are imported with their parents and providers, and nothing else", () => {
  const unused = { type: "acme:index:Team", name: "unused", component: true };
  const file = parse({
    nameTable: { shared: "urn:pulumi:test::p::acme:index:Team::shared" },
    resources: [
      team,
      unused,
      eu,
      { type: PROJECT, name: "shopProject", logicalName: "shop", id: UUID, parent: "team", provider: "eu" },
      { type: APPLICATION, name: "web", id: UUID.replace("8f", "9F"), parent: "shared" },
    ],
  });
  expect(file).toEqual({
    requests: [
      {
        kind: "project",
        host: HOSTS.dynamic,
        name: "shopProject",
        logicalName: "shop",
        uuid: UUID,
        parent: "team",
        provider: "eu",
        place: "preview.json, shopProject",
      },
      {
        kind: "application",
        host: HOSTS.dynamic,
        name: "web",
        uuid: UUID.replace("8f", "9f"),
        parent: "shared",
        place: "preview.json, web",
      },
    ],
    support: [team, eu],
    nameTable: { shared: "urn:pulumi:test::p::acme:index:Team::shared" },
    problems: [],
    leftOut: [],
  });
});

test("native and dynamic types can be mixed, and placeholders and other types are reported", () => {
  const native = { type: "pulumi:providers:dynamiclink", name: "us" };
  const { requests, support, leftOut, problems } = parse({
    resources: [
      native,
      { type: "dynamiclink:index:Project", name: "shop", id: UUID, provider: "us" },
      { type: APPLICATION, name: "web", id: UUID },
      { type: "dynamiclink:index:CustomDomainActivation", name: "active", id: UUID },
      { type: "acme:index:Bucket", name: "bucket", id: "b-1" },
      { type: "dynamiclink:index:CustomDomain", name: "links", id: "<PLACEHOLDER>" },
    ],
  });
  expect(problems).toEqual([]);
  expect(requests.map(({ kind, host }) => [kind, host?.name])).toEqual([
    ["project", "native"],
    ["application", "dynamic"],
  ]);
  expect(support).toEqual([native]);
  expect(leftOut).toEqual([
    `active (dynamiclink:index:CustomDomainActivation) is not imported: it is not a project, application or custom domain.`,
    `bucket (acme:index:Bucket) is not imported: it is not a project, application or custom domain.`,
    "links (dynamiclink:index:CustomDomain) has no UUID yet, so it is not imported: the next `pulumi up` would create it.",
  ]);
});

test("a name table of null counts as empty", () => {
  const { requests, nameTable } = parse({
    nameTable: null,
    resources: [{ type: PROJECT, name: "shop", id: UUID }],
  });
  expect([requests.length, nameTable]).toEqual([1, {}]);
});

const shop = { type: PROJECT, name: "shop", id: UUID, parent: "team" };
const group = { ...team, name: "group", parent: "team" };
/** The problem of an entry that refers to another one. */
function refersTo(name: string, other: string): string {
  return `preview.json, ${name}: ${other}, which it refers to, is not imported. Fill in its UUID as well, or write the file again with \`pulumi preview --import-file\`.`;
}

test.each<[string, object[], string[]]>([
  [
    "a slug instead of a UUID",
    [{ type: PROJECT, name: "slug", id: "my-shop" }],
    ["preview.json, slug: uuid must be a UUID."],
  ],
  [
    "a parent without a UUID",
    [
      { type: PROJECT, name: "shop", id: "<PLACEHOLDER>" },
      { type: APPLICATION, name: "web", id: UUID, parent: "shop" },
    ],
    [refersTo("web", "shop")],
  ],
  ["a component under itself", [shop, { ...team, parent: "team" }], [refersTo("shop", "team")]],
  [
    "a component under its own children",
    [shop, { ...team, parent: "group" }, group],
    [refersTo("shop", "team")],
  ],
  [
    "a component under its own provider",
    [shop, { ...team, provider: "group" }, group],
    [refersTo("shop", "team")],
  ],
  [
    "parents that many paths lead to, each visited once",
    [
      ...Array.from({ length: 60 }, (_, level) => {
        const above = `team${level + 1}`;
        return { ...team, name: `team${level}`, parent: above, provider: above };
      }),
      { ...team, name: "team60" },
      { ...shop, parent: "team0" },
    ],
    [],
  ],
  [
    "a duplicate name, of which only one entry would be imported",
    [
      { type: PROJECT, name: "shop", id: UUID },
      { type: APPLICATION, name: "shop", id: UUID.replace("8f", "9f") },
    ],
    [
      "preview.json, shop: more than one entry has this name. Give each a unique name, and set logicalName to its name in the program.",
    ],
  ],
])("the problems of %s", (_, resources, problems) => {
  expect(parse({ resources }).problems).toEqual(problems);
});

test.each([
  "",
  "[]",
  "{}",
  '{"resources":[{}]}',
  "null",
  '{"nameTable":[],"resources":[]}',
  '{"nameTable":{"team":1},"resources":[]}',
  '{"resources":[{"type":"a","name":"b","parent":{}}]}',
  '{"resources":[{"type":"a","name":"b","provider":1}]}',
  '{"resources":[{"type":"a","name":"b","logicalName":null}]}',
])("%j is rejected", (content) => {
  expect(() => parsePreviewFile(content, "x.json")).toThrow(
    "x.json is not a file from `pulumi preview --import-file`.",
  );
});

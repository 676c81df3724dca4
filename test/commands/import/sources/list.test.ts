/** Lists of objects to import: the accepted formats, and the problems of other content. */
import { parseImportList } from "../../../../cli/import/sources/list";
import { KIND_NAMES } from "../../../../cli/objects/kinds";

const UUID = "8f14e45f-ceea-467f-a8d5-5bd1d1d1c0de";

const SHOP = { kind: "project", name: "shop", uuid: UUID, place: "list.csv, line 2" };

test.each<[string, string, string, object[]]>([
  [
    "quotes, empty cells and lines, and a byte order mark",
    "list.csv",
    `\ufefftype,name,uuid,parent,provider\r\nproject,"shop, the first",${UUID.toUpperCase()},,\r\n\r\ncustomDomain, links ,${UUID},team,eu\r\n`,
    [
      { ...SHOP, name: "shop, the first" },
      {
        ...{ kind: "customDomain", name: "links", uuid: UUID, parent: "team", provider: "eu" },
        place: "list.csv, line 4",
      },
    ],
  ],
  ["semicolons as separators", "list.csv", `type;name;uuid\nproject;shop;${UUID}\n`, [SHOP]],
  ["empty columns without a header", "list.csv", `type,name,uuid,,\nproject,shop,${UUID},,\n`, [SHOP]],
  [
    "JSON",
    "list.json",
    JSON.stringify([{ type: "application", name: "쇼핑", uuid: UUID }]),
    [{ kind: "application", name: "쇼핑", uuid: UUID, place: "list.json, entry 1" }],
  ],
])("a list can have %s", (_, file, content, requests) => {
  expect(parseImportList(content, { file })).toEqual({ requests, problems: [] });
});

test.each([
  [`type,name,uuid,uuid\nproject,shop,${UUID},\n`, "uuid"],
  [`type,name,uuid, name ,type\nproject,shop,${UUID},,\n`, "name, type"],
])("CSV with a duplicate column is rejected, because one of them would be lost: %j", (content, columns) => {
  expect(() => parseImportList(content, { file: "list.csv" })).toThrow(
    `list.csv has more than one column ${columns}. Keep one of each.`,
  );
});

test.each([
  ["list.json", "[]", ["list.json lists nothing to import."]],
  ["list.csv", "type,name,uuid\n", ["list.csv lists nothing to import."]],
  [
    "list.csv",
    `type,name,uuid,,\nproject,shop,${UUID},team,\n`,
    [expect.stringMatching(/^list\.csv, line 2: column 4 is not a property; allowed: type, name,/)],
  ],
  [
    "list.csv",
    `type,name,uuid\nlink,x,${UUID}\nproject,,shop\n`,
    [
      `list.csv, line 2: type must be one of ${KIND_NAMES.map((kind) => `"${kind}"`).join(", ")}.`,
      "list.csv, line 3: name is required: text of at least 1 character.",
      "list.csv, line 3: uuid must be a UUID.",
    ],
  ],
])("every problem is reported of %s %j", (file, content, problems) => {
  expect(parseImportList(content, { file })).toEqual({ requests: [], problems });
});

test.each(["\n", "\r\n"])(
  "problems of CSV have the line of the file in which the record begins: %j",
  (end) => {
    const lines = [
      "type,name,uuid",
      "",
      `project,"two`,
      `lines",${UUID}`,
      "project,shop",
      `project,shop,${UUID},team`,
      "project,shop,slug",
      `link,shop,${UUID}`,
    ];
    expect(parseImportList(lines.join(end), { file: "list.csv" })).toEqual({
      requests: [{ kind: "project", name: "two\nlines", uuid: UUID, place: "list.csv, line 3" }],
      problems: [
        "list.csv, line 5: it has 2 cells, but the header has 3. Check its separators and quotes.",
        "list.csv, line 6: it has 4 cells, but the header has 3. Check its separators and quotes.",
        "list.csv, line 7: uuid must be a UUID.",
        expect.stringMatching(/^list\.csv, line 8: type must be one of /),
      ],
    });
  },
);

test.each([
  ["list.json", "{", /^list\.json is not JSON: /],
  ["list.json", "{}", /^list\.json must contain a list/],
  ["list.csv", 'type,name,uuid\n"project,x', /^list\.csv is not CSV: /],
  [
    "list.csv",
    `type,name,id\nproject,x,${UUID}\nproject,y,${UUID}\n`,
    "list.csv must begin with a line of column names: type, name and uuid, and optionally parent, provider and address. Its first line has type, name and id.",
  ],
])("%s %j is rejected", (file, content, message) => {
  expect(() => parseImportList(content, { file })).toThrow(message);
});

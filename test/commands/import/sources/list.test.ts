/** Lists of objects to import: the accepted formats, and the problems of other content. */
import { parseImportList } from "../../../../cli/import/sources/list";
import { KIND_NAMES } from "../../../../cli/objects/kinds";

const UUID = "8f14e45f-ceea-467f-a8d5-5bd1d1d1c0de";

test("CSV can have quotes, empty cells and lines, and a byte order mark", () => {
  const content = `\ufefftype,name,uuid,parent,provider\r\nproject,"shop, the first",${UUID.toUpperCase()},,\r\n\r\ncustomDomain, links ,${UUID},team,eu\r\n`;
  expect(parseImportList(content, { file: "list.csv" })).toEqual({
    problems: [],
    requests: [
      { kind: "project", name: "shop, the first", uuid: UUID, place: "list.csv, line 2" },
      {
        kind: "customDomain",
        name: "links",
        uuid: UUID,
        parent: "team",
        provider: "eu",
        place: "list.csv, line 4",
      },
    ],
  });
});

test("CSV can have semicolons as separators", () => {
  expect(parseImportList(`type;name;uuid\nproject;shop;${UUID}\n`, { file: "list.csv" })).toEqual({
    problems: [],
    requests: [{ kind: "project", name: "shop", uuid: UUID, place: "list.csv, line 2" }],
  });
});

test.each([
  [`type,name,uuid,uuid\nproject,shop,${UUID},\n`, "uuid"],
  [`type,name,uuid, name ,type\nproject,shop,${UUID},,\n`, "name, type"],
])("CSV with a duplicate column is rejected, because one of them would be lost: %j", (content, columns) => {
  expect(() => parseImportList(content, { file: "list.csv" })).toThrow(
    `list.csv has more than one column ${columns}. Keep one of each.`,
  );
});

test("CSV can have columns without a header only if they are empty", () => {
  expect(parseImportList(`type,name,uuid,,\nproject,shop,${UUID},,\n`, { file: "list.csv" })).toEqual({
    problems: [],
    requests: [{ kind: "project", name: "shop", uuid: UUID, place: "list.csv, line 2" }],
  });
  expect(
    parseImportList(`type,name,uuid,,\nproject,shop,${UUID},team,\n`, { file: "list.csv" }).problems,
  ).toEqual([expect.stringMatching(/^list\.csv, line 2: column 4 is not a property; allowed: type, name,/)]);
});

test("JSON is a list of objects", () => {
  const content = JSON.stringify([{ type: "application", name: "쇼핑", uuid: UUID }]);
  expect(parseImportList(content, { file: "list.json" })).toEqual({
    problems: [],
    requests: [{ kind: "application", name: "쇼핑", uuid: UUID, place: "list.json, entry 1" }],
  });
});

test.each([
  ["list.json", "[]", ["list.json lists nothing to import."]],
  ["list.csv", "type,name,uuid\n", ["list.csv lists nothing to import."]],
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

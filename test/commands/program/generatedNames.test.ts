/** Generated programs parse, whatever the names of objects are. */
import { transform } from "esbuild";
import fc from "fast-check";
import { inventoryProgram } from "../../../cli/discover/inventoryProgram";
import { HOSTS } from "../../../cli/objects/hosts";
import { identityKey } from "../../../cli/objects/identity";
import { declarationSource } from "../../../cli/program/declarationSource";
import { code as sourceText } from "../../../cli/program/programSource";
import { referenceSource } from "../../../cli/program/projectReferences";
import { entriesForCode, type ImportedObject } from "../../../cli/pulumi/importFile";
import { unicodeText } from "../../support/values/text";
import { declared } from "../generatedProgram";
import { HOSTILE_NAMES } from "../largeSeed";

const WORDS = `
  null undefined true false NaN Infinity this super await async yield let static enum eval arguments new class import
  export default module exports require globalThis pulumi Project Application value name id of type interface __proto__
  constructor toString ctx err
`
  .trim()
  .split(/\s+/);

const name = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.constantFrom(...HOSTILE_NAMES),
  unicodeText({ minLength: 1, maxLength: 40 }),
);
const objects = fc
  .uniqueArray(fc.tuple(fc.uuid(), name), { minLength: 1, maxLength: 12, selector: ([uuid]) => uuid })
  .map((pairs) => pairs.flatMap(([uuid, title], index) => projectWithApplication(uuid, title, index)));

function projectWithApplication(uuid: string, title: string, index: number) {
  const createdAt = new Date(index).toISOString();
  const reading = (id: string, inputs: object) => ({
    uuid: id,
    inputs: { ...inputs },
    state: {},
    ready: true,
  });
  const application = uuid.replace(/^./, (digit) => (digit === "a" ? "b" : "a"));
  return [
    { kind: "project" as const, title, uuid, createdAt, reading: reading(uuid, { name: title }) },
    {
      ...{ kind: "application" as const, title, uuid: application, createdAt },
      reading: reading(application, { projectId: uuid, appType: "WEB" }),
    },
  ];
}

/** As discover names them. */
function programOf(found: readonly ReturnType<typeof projectWithApplication>[number][]): string {
  const program = inventoryProgram(
    {
      objects: found.toSorted((one, other) => (one.kind > other.kind ? -1 : Number(one.kind < other.kind))),
      undeclarable: [],
      incomplete: new Set(),
      links: new Map(),
      problems: [],
    },
    {
      name: "estate",
      organizationId: "0a0a0a0a-0000-4000-8000-000000000001",
      host: HOSTS.dynamic,
      isImportFileOnly: false,
      dependencies: {},
      installation: ".",
      settings: {},
      protect: "all",
      // Names of a stack: objects keep them, whatever they are.
      named: found.slice(0, 4).map(({ kind, uuid, title }) => ({ kind, uuid, name: title })),
      inStack: [],
      only: new Set(found.map(identityKey)),
      references: [],
    },
  );
  return program.files["index.ts"] ?? "";
}

test("the program of discover is a module", async () => {
  await fc.assert(
    fc.asyncProperty(objects, async (found) => {
      await transform(programOf(found), { loader: "ts", format: "esm" });
    }),
  );
});

test("the code of import can be pasted into a module of either format", async () => {
  await fc.assert(
    fc.asyncProperty(objects, async (found) => {
      const imported: ImportedObject[] = [];
      for (const { title, ...object } of found)
        imported.push({ ...object, host: HOSTS.dynamic, name: title });
      const source = declarationSource(imported, { protect: true });
      await transform(source, { loader: "ts", format: "esm" });
      const { code } = await transform(source.replace(/^import .*$/m, ""), { loader: "ts" });
      // Node.js wraps a CommonJS module in a function with these parameters.
      new Function("exports", "require", "module", "__filename", "__dirname", `"use strict";${code}`);
    }),
  );
});

test.each(["null", "true", "false", "undefined", "module", "pulumi", "ctx", "err"])(
  "for the code that Pulumi generates, an entry is not named %s, and keeps its logical name",
  (word) => {
    const [project] = projectWithApplication("0c0c0c0c-0000-4000-8000-000000000001", word, 0);
    expect(project && entriesForCode([{ ...project, host: HOSTS.native, name: word }])).toEqual([
      { type: "dynamiclink:index:Project", name: `${word}2`, logicalName: word, id: project?.uuid },
    ]);
  },
);

test("objects of two kinds with one UUID are two objects: only the project is a variable", () => {
  const [project, application] = projectWithApplication("0c0c0c0c-0000-4000-8000-000000000001", "Shop", 0);
  if (project === undefined || application === undefined) throw new Error("There are two.");
  const { uuid } = project;
  const both = [project, { ...application, uuid, reading: { ...application.reading, uuid } }];
  const program = [
    declared("project", "shop", { name: "Shop" }, { variable: "shop" }),
    declared("application", "shop-web", { projectId: sourceText("shop.id"), appType: "WEB" }),
  ].join("\n");
  expect(
    programOf(both.map((object) => ({ ...object, title: object.kind === "project" ? "shop" : "shop-web" }))),
  ).toContain(program);
  const imported = both.map((object) => ({
    ...object,
    host: HOSTS.dynamic,
    name: object.kind === "project" ? "shop" : "shop-web",
  }));
  expect(declarationSource(imported, { protect: true })).toContain(program);
});

test("stacks whose names are the same variable get two, whatever their names contain", async () => {
  const references = ["a b/c", "a-b/c"].map((stack, index) => ({
    ...{ kind: "project" as const, uuid: `0c0c0c0c-0000-4000-8000-00000000000${index}`, stack, output: "id" },
    ...{ fullName: `"acme/${stack}"`, key: undefined, option: { stack, output: "id" } },
  }));
  const { statements } = referenceSource(references, { names: new Map(), taken: [] });
  await transform(statements.join("\n"), { loader: "ts", format: "esm" });
  expect(new Set(statements.map((line) => line.split(" ")[1])).size).toBe(4);
});

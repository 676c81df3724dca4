/** What `discover` writes for an organization with hostile names is adopted without a write, on both hosts. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "yaml";
import { adoptingProgram } from "../../../cli/program/adoptingProgram";
import { importFileText } from "../../../cli/program/importFile";
import { namedObjects } from "../../../cli/program/names";
import type { InventoryObject } from "../../../cli/service/inventory";
import { programStack } from "../../support/stacks/programStack";
import { unicodeText } from "../../support/values/arbitraries";
import { requestCounts } from "../../support/values/requestCounts";
import { newDirectory } from "../directories";
import { FILE_NAMES, filesIn, typeCheck } from "../generatedProgram";
import { HOSTILE_NAMES, largeSeed } from "../largeSeed";
import { pulumiIn, withCli } from "../pulumiClis";
import { discover, discoverFirst } from "../run";
import { testsWith } from "../testsWith";

const { test: testOnService, testOnCli } = testsWith(largeSeed());
const OBJECTS = 110;

testOnService("the program of 110 objects compiles, and is adopted without a write", async (service) => {
  const { out, code } = await discoverFirst(service);
  expect([code, Object.keys(filesIn(out))]).toEqual([0, FILE_NAMES.toSorted()]);
  typeCheck(out);
  await using stack = programStack({ service, program: out, environment: { DYNAMICLINK_READ_ONLY: "1" } });
  service.clearRequests();
  const { changes, diagnostics } = await stack.up();
  expect(changes).toEqual({ create: OBJECTS + 1 });
  // One list for each place, and one read of each object.
  const { projects, applications, customDomains } = service.state;
  const placesOf = (objects: readonly { projectId: string }[]) =>
    Object.keys(Object.groupBy(objects, ({ projectId }) => projectId)).length;
  const { getProject = 0, ...sent } = requestCounts(service);
  expect(sent).toEqual({
    getCurrentApiCredential: 1,
    listProjects: 1,
    listApplications: placesOf(applications),
    listCustomDomains: placesOf(customDomains),
    getApplication: applications.length,
    getCustomDomain: customDomains.length,
  });
  // The first check may be a lone read, because no other has arrived yet.
  expect([projects.length, projects.length + 1]).toContain(getProject);
  expect(diagnostics.filter(({ message }) => message.includes("adopted without a write"))).toHaveLength(1);
});

testOnCli(
  "the file of 110 objects is imported, and the generated code shows no change",
  async (service) => {
    const directory = newDirectory();
    const environment = withCli(directory);
    const plugin = { name: "dynamiclink", path: join(__dirname, "..", "..", "..", "plugin") };
    const files = {
      "Pulumi.yaml": {
        ...{ name: "hostile", main: "index.ts", plugins: { providers: [plugin] } },
        runtime: { name: "nodejs", options: { typescript: false } },
        config: { "dynamiclink:apiUrl": { value: service.url } },
      },
      "package.json": { name: "hostile", type: "module", main: "index.ts" },
    };
    for (const [name, value] of Object.entries(files))
      writeFileSync(join(directory, name), JSON.stringify(value));
    writeFileSync(join(directory, "index.ts"), "export {};\n");
    await discover(service, "--native", "--out", join(directory, "adopt"));
    mkdirSync(join(directory, "state"), { recursive: true });
    const pulumi = (...args: string[]) => pulumiIn(directory, environment, args);
    await pulumi("stack", "init", "test");
    await pulumi("import", "--file", "adopt/import.json", "--out", "index.ts", "--yes");
    const printed = await pulumi("preview", "--expect-no-changes", "--json");
    expect(JSON.parse(printed).changeSummary).toEqual({ same: OBJECTS + 1 });
    expect(readFileSync(join(directory, "index.ts"), "utf8")).toContain("protect: true");
  },
  ["pulumi-language-nodejs"],
);

const WORDS = `
  null undefined true false NaN Infinity this super await async yield let static enum eval arguments new class import
  export default module exports require globalThis pulumi Project Application value name id of type interface __proto__
  constructor toString ctx err yes no 0x1F 0o17 12 1e-3 2024-01-01
`
  .trim()
  .split(/\s+/);
const word = fc.constantFrom(...WORDS, ...HOSTILE_NAMES);
const name = fc.oneof({ arbitrary: word, weight: 2 }, unicodeText({ minLength: 1, maxLength: 40 }));

function objectsOf([uuid, title]: readonly [string, string], index: number): InventoryObject[] {
  const createdAt = new Date(index).toISOString();
  const application = uuid.replace(/^./, (digit) => (digit === "a" ? "b" : "a"));
  const reading = (id: string, inputs: object) => ({
    uuid: id,
    inputs: { ...inputs },
    state: {},
    ready: true,
  });
  return [
    { kind: "project", uuid, createdAt, reading: reading(uuid, { name: title }) },
    {
      ...{ kind: "application", uuid: application, createdAt },
      reading: reading(application, { projectId: uuid, appType: "WEB" }),
    },
  ];
}

test("whatever the names are, the program is a module of either format, names differ, and newer objects change none", () => {
  const pairs = fc.uniqueArray(fc.tuple(fc.uuid(), name), {
    ...{ minLength: 1, maxLength: 12, selector: ([uuid]) => uuid },
  });
  fc.assert(
    fc.property(pairs, name, (found, provider) => {
      const objects = namedObjects(found.flatMap(objectsOf));
      const source = adoptingProgram(objects, [], provider).replace(/^(import|\/\/) .*$/gm, "");
      // Node.js wraps a CommonJS module in a function with these parameters; in a module, await is reserved.
      const parameters = ["exports", "require", "module", "__filename", "__dirname"];
      new Function(...parameters, `"use strict";async()=>{${source}}`);
      const { resources } = JSON.parse(importFileText(objects)) as { resources: { name: string }[] };
      const names = resources.map((one) => one.name);
      expect(new Set(names.map((one) => one.toLowerCase())).size).toBe(objects.length);
      for (const one of names) expect(one).toMatch(/^[_\p{ID_Start}][\p{ID_Continue}]*$/u);
      for (const one of objects) expect(one.name).toMatch(/^[\p{L}\p{N}][\p{L}\p{M}\p{N}-]*$/u);
      // Pulumi writes names into YAML without quotes.
      for (const one of [...names, ...objects.map((object) => object.name)])
        for (const version of ["1.1", "1.2"] as const) expect(parse(one, { version })).toBe(one);
      const older = namedObjects(found.slice(0, -1).flatMap(objectsOf));
      expect(objects).toEqual(expect.arrayContaining([...older]));
    }),
    // Without the letter that variables do not use, it is a truth value in YAML 1.1.
    { examples: [[[["0c0c0c0c-0000-4000-8000-000000000001", "n𠀀"]], "asia"]] },
  );
});

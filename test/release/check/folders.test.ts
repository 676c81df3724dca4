/** Imports between folders point one way: a file imports only from its own folder and from folders below it. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { preProcessFile } from "typescript";
import { ROOT } from "../package/programs";

/**
 * The folders in a room, the first of which is the room itself, each above those that it may import from. Add a room here, and
 * every folder of it is checked. A file that is not where its folder is has an entry of its own.
 */
const ORDER: Readonly<Record<string, string>> = {
  cli: ". commands domains discover compare program service pulumi objects terminal",
  provider: `
    index.ts hosts/dynamic hosts/plugin hosts/terraform hosts resources
    lifecycle/operations lifecycle/adoption.ts lifecycle/create lifecycle/run lifecycle/delete lifecycle/evidence
    lifecycle
    lifecycle/ledger session client client/connection client/model values .`,
  sdk: "index.ts native resources . program pulumi",
  "testing/engine": ". commands planning run providers program state process protocol",
  "testing/emulator": ". server controls operations wire contract world",
  "test/support": "stacks providers processes servers values",
};

/** More files than this are not seen at one glance. */
const MAX_FILES = 15;

/** The files of this repository that match a pattern, in the same order everywhere. */
function filesIn(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: ROOT }).sort();
}

/** The files that a file imports from, or mentions the types of, as the compiler sees it. */
function importsOf(file: string): string[] {
  const { importedFiles } = preProcessFile(readFileSync(join(ROOT, file), "utf8"));
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .flatMap(({ fileName }) => {
      const path = join(dirname(file), fileName);
      return [`${path}.ts`, join(path, "index.ts")].filter((one) => existsSync(join(ROOT, one)));
    });
}

describe.each(Object.entries(ORDER))("in %s", (room, names) => {
  const order = names
    .trim()
    .split(/\s+/)
    .map((name) => posix.join(room, name));
  const files = filesIn(`${room}/**/*.{ts,cjs}`);

  test("imports point one way", () => {
    const rank = (file: string) => order.indexOf(order.includes(file) ? file : dirname(file));
    const imports = files.flatMap((file) => importsOf(file).map((target) => [file, target] as const));
    const own = imports.filter(([, target]) => target.startsWith(`${room}/`));
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(([file, target]) => rank(file) < 0 || rank(file) > rank(target))).toEqual([]);
  });

  test("every folder is in the list", () => {
    const folders = new Set(files.map((file) => dirname(file)));
    expect([...folders].sort()).toEqual(order.filter((entry) => !files.includes(entry)).sort());
  });
});

test(`no folder has more than ${MAX_FILES} files`, () => {
  const files = filesIn("{provider,sdk,cli,testing,test,scripts}/**/*.{ts,cjs}");
  const folders = [...Map.groupBy(files, (file) => dirname(file))];
  expect(folders.filter(([, { length }]) => length > MAX_FILES)).toEqual([]);
});

test("what the SDK of Pulumi does not declare is used in sdk/pulumi only, and other hosts use its protocol", () => {
  const PRIVATE = /@pulumi\/pulumi\/(?!proto\/)|__pulumiType|isConfigSecret|prepareStackTrace|getChannel/;
  const users = (pattern: string, used: RegExp) =>
    filesIn(pattern).filter((file) => used.test(readFileSync(join(ROOT, file), "utf8")));
  const outside = users("{cli,provider,sdk}/**/*.ts", PRIVATE);
  expect(outside.filter((file) => dirname(file) !== "sdk/pulumi")).toEqual([]);
  expect(users("sdk/pulumi/*.ts", PRIVATE)).toEqual(filesIn("sdk/pulumi/*.ts"));
  expect(users("{cli,sdk}/**/*.ts", /@pulumi\/pulumi\/proto/)).toEqual([]);
});

test("the tests in test/pure use neither the emulator nor a stack nor a protocol", () => {
  const NEEDS = /^(?:testing\/|test\/(?:protocol|scenarios|engine|support\/(?:stacks|providers|servers)))/;
  const files = filesIn("test/pure/**/*.ts");
  const imports = files.flatMap((file) => importsOf(file).map((target) => [file, target]));
  expect(imports.filter(([, target = ""]) => NEEDS.test(target))).toEqual([]);
  expect(imports.length).toBeGreaterThan(0);
});

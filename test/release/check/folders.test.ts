/** Imports between folders point one way: a file imports only from its own folder and from folders below it. */
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { filesIn, importsOf, ROOT } from "./imports";

/**
 * The folders in a room, the first of which is the room itself, each above those that it may import from. Add a room here, and
 * every folder of it is checked. A file that is not where its folder is has an entry of its own.
 */
const ORDER: Readonly<Record<string, readonly string[]>> = {
  cli: [
    "",
    "commands",
    "domains",
    "discover",
    "compare",
    "program",
    "service",
    "pulumi",
    "objects",
    "terminal",
  ],
  provider: [
    "index.ts",
    "hosts/dynamic",
    "hosts/plugin",
    "hosts/terraform",
    "hosts",
    "resources",
    "lifecycle/operations",
    "lifecycle/adoption.ts",
    "lifecycle/create",
    "lifecycle/run",
    "lifecycle/evidence",
    "lifecycle",
    "lifecycle/ledger",
    "session",
    "client",
    "client/connection",
    "client/model",
    "values",
    "",
  ],
  sdk: ["index.ts", "native", "resources", "", "program", "pulumi"],
  "testing/engine": [
    "",
    "commands",
    "planning",
    "run",
    "providers",
    "program",
    "state",
    "process",
    "protocol",
  ],
  "test/support": ["stacks", "providers", "processes", "servers", "values"],
};

/** More files than this are not seen at one glance. */
const MAX_FILES = 15;

type Imports = ReadonlyMap<string, readonly string[]>;

/** The imports that point upwards within a room, or between folders that are not in the list. */
function upwards(imports: Imports, room: string, order: readonly string[]): string[] {
  const rank = (file: string) => order.indexOf(order.includes(file) ? file : dirname(file));
  const isIn = (file: string) => file.startsWith(`${room}/`);
  return [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => isIn(target) && (rank(file) < 0 || rank(file) > rank(target)))
      .map((target) => `${file} -> ${target}`),
  );
}

test("an import that points upwards is found, so that the next test can fail", () => {
  const imports = new Map([
    ["a/top.ts", ["a/low/one.ts", "b/other.ts"]],
    ["a/low/one.ts", ["a/low/two.ts", "a/top.ts"]],
    ["a/new/three.ts", ["a/low/one.ts"]],
    ["a/index.ts", ["a/top.ts"]],
  ]);
  expect(upwards(imports, "a", ["a/index.ts", "a", "a/low"])).toEqual([
    "a/low/one.ts -> a/top.ts",
    "a/new/three.ts -> a/low/one.ts",
  ]);
});

describe.each(Object.entries(ORDER))("in %s", (room, names) => {
  const order = names.map((name) => posix.join(room, name));
  const files = filesIn(`${room}/**/*.{ts,cjs}`);

  test("imports point one way", () => {
    expect(upwards(new Map(files.map((file) => [file, importsOf(file)])), room, order)).toEqual([]);
  });

  test("every folder is in the list", () => {
    const folders = new Set(files.map((file) => dirname(file)));
    expect([...folders].sort()).toEqual(order.filter((entry) => !files.includes(entry)).sort());
  });
});

test(`no folder has more than ${MAX_FILES} files`, () => {
  const folders = Map.groupBy(filesIn("{provider,sdk,cli,testing,test,scripts}/**/*.{ts,cjs}"), (file) =>
    dirname(file),
  );
  expect(
    [...folders].flatMap(([folder, { length }]) => (length > MAX_FILES ? [{ folder, length }] : [])),
  ).toEqual([]);
});

test("what the SDK of Pulumi does not declare is used in sdk/pulumi only, and other hosts use its protocol", () => {
  const PRIVATE = /@pulumi\/pulumi\/(?!proto\/)|__pulumiType|isConfigSecret|prepareStackTrace|getChannel/;
  const users = (pattern: string, used: RegExp) =>
    filesIn(pattern).filter((file) => used.test(readFileSync(join(ROOT, file), "utf8")));
  expect(
    users("{cli,provider,sdk}/**/*.ts", PRIVATE).filter((file) => dirname(file) !== "sdk/pulumi"),
  ).toEqual([]);
  expect(users("sdk/pulumi/*.ts", PRIVATE)).toEqual(filesIn("sdk/pulumi/*.ts"));
  expect(users("{cli,sdk}/**/*.ts", /@pulumi\/pulumi\/proto/)).toEqual([]);
});

test("the tests in test/pure use neither the emulator nor a stack nor a protocol", () => {
  const NEEDS = /^(?:testing\/|test\/(?:protocol|scenarios|engine|support\/(?:stacks|providers|servers)))/;
  const imports = filesIn("test/pure/**/*.ts").flatMap((file) =>
    importsOf(file).map((target) => [file, target]),
  );
  expect(imports.filter(([, target = ""]) => NEEDS.test(target))).toEqual([]);
  expect(imports.length).toBeGreaterThan(0);
});

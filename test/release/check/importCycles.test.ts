/** No file imports itself through other files. Includes imports of types, which the linter does not follow. */
import { filesIn, importsOf } from "./imports";

const SOURCES = "{provider,sdk,cli,testing}/**/*.ts";

/** All files that a file reaches through imports. */
function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const visit = (from: string) => {
    for (const next of imports.get(from) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(file);
  return reached;
}

/** The groups of files that reach each other. */
function importCyclesIn(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...imports.keys()].map((file) => [file, reachedFrom(file, imports)]));
  const cycles = [...imports.keys()]
    .sort()
    .filter((file) => reached.get(file)?.has(file))
    .map((file) =>
      [...imports.keys()].filter((o) => reached.get(file)?.has(o) && reached.get(o)?.has(file)).sort(),
    );
  return [...new Map(cycles.map((cycle) => [cycle.join(), cycle])).values()];
}

test("import cycles are found, so that the next test can fail", () => {
  const imports = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["b", "d"]],
    ["d", []],
    ["e", ["e"]],
  ]);
  expect(importCyclesIn(imports)).toEqual([["b", "c"], ["e"]]);
  expect(importsOf("testing/emulator/controls/emulator.ts")).toContain("testing/emulator/world/additions.ts");
});

test("the code has no import cycles", () => {
  const files = filesIn(SOURCES);
  expect(files.length).toBeGreaterThan(80);
  expect(importCyclesIn(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
});

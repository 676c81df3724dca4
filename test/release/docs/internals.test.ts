/** The reasons in docs/internals: each names files and tests that exist, and code that leads to it. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ROOT } from "../package/programs";
import { anchorOf, anchorsOf, internals, linksIn } from "./codeBlocks";

function text(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

/** The last paragraph of a fact: where it was seen, what rests on it, and what would notice a change. */
const SOURCES = /^(?:Seen on|Read in) (?:CLI|SDK) \d+\.\d+.*\. Code: (.+?)\. Test: (.+)\.$/m;
const FILE = /\[([\w.-]+)\]\(\.\.\/\.\.\/([\w./-]+)\)/g;
const TEST = /^\[([\w.-]+)\]\(\.\.\/\.\.\/(test\/[\w./-]+)\), "([^"]+)"$/;

/** `service.md` says what the service is assumed to do, and has a form of its own. */
function isService(page: string): boolean {
  return basename(page) === "service.md";
}

const facts = internals
  .filter((page) => !isService(page))
  .flatMap((page) =>
    text(page)
      .split(/^### /m)
      .slice(1)
      .map((section) => {
        const [title = ""] = section.split("\n");
        const [, code = "", test = ""] = SOURCES.exec(section) ?? [];
        return {
          fact: `${page}#${anchorOf(title)}`,
          code: [...code.matchAll(FILE)].map(([, name = "", path = ""]) => ({ name, path })),
          test,
        };
      }),
  );

test.each(facts)(
  "$fact names the code that rests on it, which leads back, and a test or why there is none",
  ({ fact, code, test: named }) => {
    expect(code.map(({ path }) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
    expect(code.map(({ path }) => basename(path))).toEqual(code.map(({ name }) => name));
    expect(code.filter(({ path }) => text(path).includes(fact))).not.toEqual([]);
    const [, name, path = "", title = ""] = TEST.exec(named) ?? [];
    if (/^none, because \w/.test(named)) return;
    expect({ named, name, exists: path !== "" && text(path).includes(title) }).toEqual({
      named,
      name: basename(path),
      exists: true,
    });
  },
);

function isIn(file: string, anchor = ""): boolean {
  return anchor === "" || anchorsOf(file).includes(anchor);
}

test("the code leads only to facts that exist", () => {
  const sources = globSync(
    "{{provider,sdk,cli,testing,scripts,test}/**/*.{ts,cjs,md},plugin/*,.github/**/*.yml,*.md,package.json}",
    { cwd: ROOT },
  );
  const leads = sources.flatMap((source) =>
    [...text(source).matchAll(/docs\/internals\/([\w-]+\.md)(?:#([\w-]+))?/g)].map(
      ([lead, page, anchor]) => ({ source, lead, file: `docs/internals/${page}`, anchor }),
    ),
  );
  expect(leads.length).toBeGreaterThanOrEqual(facts.length);
  expect(leads.filter(({ file, anchor }) => !internals.includes(file) || !isIn(file, anchor))).toEqual([]);
});

test.each(internals)("%s has no broken links", (page) => {
  const exists = (file: string) => existsSync(join(ROOT, file));
  const broken = linksIn(page).filter(({ file, anchor }) => !exists(file) || !isIn(file, anchor));
  expect(broken).toEqual([]);
});

test("the pages stay short enough to be read: what is added makes room", () => {
  const words = (pages: readonly string[]) => pages.flatMap((page) => text(page).match(/\S+/g) ?? []).length;
  expect(words(internals.filter(isService))).toBeLessThanOrEqual(700);
  expect(words(internals.filter((page) => !isService(page)))).toBeLessThanOrEqual(4_500);
});

/** A long page starts with its contents: a link to each of its sections, in their order. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./codeBlocks";

/** Shorter pages fit on a few screens. */
const LONG_LINES = 150;

const DOCS = join(ROOT, "docs");
const pages = readdirSync(DOCS)
  .filter((name) => name.endsWith(".md"))
  .map((name) => ({ name, text: readFileSync(join(DOCS, name), "utf8") }))
  .filter(({ text }) => text.split("\n").length > LONG_LINES);

test("there are long pages", () => {
  expect(pages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["hosts.md", "importing.md", "testing.md"]),
  );
});

test.each(pages.map(({ name, text }) => [name, text]))("%s starts with its contents", (_, text) => {
  const withoutCode = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  const sections = [...withoutCode.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const [beginning = ""] = withoutCode.split(/^## /m);
  const links = beginning.matchAll(/^- \[(.+)\]\(#(.+)\)$/gm);
  expect([...links].map(([, heading, anchor]) => [heading, anchor])).toEqual(
    sections.map((heading) => [
      heading,
      heading
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, "")
        .replaceAll(" ", "-"),
    ]),
  );
});

/** The code blocks of README.md and docs/. */
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/** The root of this checkout. */
export const ROOT = resolve(__dirname, "..", "..");

/** A fenced block. */
export interface CodeBlock {
  /** Its location, such as `docs/testing.md:12`. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
  /** Whether an HTML comment before it, `<!-- compiled only: … -->`, marks it as not a program. */
  readonly compiledOnly: boolean;
}

/** The documents that users read. */
export const documents: readonly string[] = [
  ...globSync("*.md", { cwd: ROOT }),
  ...globSync("docs/**/*.md", { cwd: ROOT }),
].sort();

/** All blocks of all documents. */
export function codeBlocks(): CodeBlock[] {
  return documents.flatMap((document) => {
    const text = readFileSync(join(ROOT, document), "utf8");
    const fence = /(<!-- compiled only: .+ -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm;
    return [...text.matchAll(fence)].map(([, mark, language = "", code = ""], index, all) => ({
      place: `${document}:${text.slice(0, all[index]?.index).split("\n").length + (mark === undefined ? 0 : 1)}`,
      language,
      text: code,
      compiledOnly: mark !== undefined,
    }));
  });
}

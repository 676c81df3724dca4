/**
 * A step of `npm run build`: replaces `{@inheritDoc Name}` in the declarations of the native classes, because editors
 * do not. The replacement is the doc comment of the class of the same name of the dynamic host.
 */
const { globSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const DIRECTORY = join(__dirname, "..", "dist", "sdk");
const sources = globSync(join(DIRECTORY, "{.,resources}", "*.d.ts")).map((file) =>
  readFileSync(file, "utf8"),
);

for (const file of globSync(join(DIRECTORY, "native", "*.d.ts"))) {
  const text = readFileSync(file, "utf8");
  const filled = text.replace(/\/\*\* \{@inheritDoc (\w+)\} \*\//g, (_tag, name) => docOf(name));
  if (filled !== text) writeFileSync(file, filled);
}

function docOf(name) {
  const declaration = new RegExp(`(?<=\\*/)\\n(?=export declare class ${name} )`);
  const [before] = sources.map((source) => source.split(declaration)).find(({ length }) => length > 1) ?? [];
  if (before === undefined) throw new Error(`No class ${name} of sdk/ has a doc comment.`);
  return before.slice(before.lastIndexOf("/**"));
}

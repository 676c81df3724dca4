/**
 * A step of `npm run build`: replaces `{@inheritDoc Name}` in the declarations of the native classes, because editors
 * do not. The replacement is the doc comment of the class of the same name, in the file of the same name, of the dynamic
 * host.
 */
const { globSync, readFileSync, writeFileSync } = require("node:fs");
const { basename, join } = require("node:path");

const DIRECTORY = join(__dirname, "..", "dist", "sdk");

for (const file of globSync(join(DIRECTORY, "native", "*.d.ts"))) {
  const text = readFileSync(file, "utf8");
  const filled = text.replace(/\/\*\* \{@inheritDoc (\w+)\} \*\//g, (_tag, name) =>
    docOf(name, join(DIRECTORY, basename(file))),
  );
  if (filled !== text) writeFileSync(file, filled);
}

function docOf(name, file) {
  const source = readFileSync(file, "utf8");
  const [before, declared] = source.split(new RegExp(`(?<=\\*/)\\n(?=export declare class ${name} )`));
  if (declared === undefined) throw new Error(`${file} has no class ${name} with a doc comment.`);
  return before.slice(before.lastIndexOf("/**"));
}

/**
 * A step of `npm run build`: completes the doc comments of the declarations, because editors show them as they are.
 *
 * - `{@inheritDoc Name}` of a native class becomes the doc comment of the class of the same name of the dynamic host.
 * - The operations of the client name the scope that the key needs.
 */
const { globSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const DIST = join(__dirname, "..", "dist");
const classes = globSync(join(DIST, "sdk", "{.,resources}", "*.d.ts")).map((file) =>
  readFileSync(file, "utf8"),
);

for (const file of globSync(join(DIST, "sdk", "native", "*.d.ts")))
  complete(file, /\/\*\* \{@inheritDoc (\w+)\} \*\//g, (_tag, name) => docOf(name));
complete(
  join(DIST, "provider", "client", "operations.d.ts"),
  /( \*\/\n {4}readonly \w+: \{\n(?: {8}.*\n)*? {8}readonly scope: "([a-z:]+)")/g,
  (_operation, rest, scope) => ` Needs ${scope}.${rest}`,
);

function complete(file, pattern, replacement) {
  const text = readFileSync(file, "utf8");
  const completed = text.replace(pattern, replacement);
  if (completed !== text) writeFileSync(file, completed);
}

function docOf(name) {
  const declaration = new RegExp(`(?<=\\*/)\\n(?=export declare class ${name} )`);
  const [before] = classes.map((source) => source.split(declaration)).find(({ length }) => length > 1) ?? [];
  if (before === undefined) throw new Error(`No class ${name} of sdk/ has a doc comment.`);
  return before.slice(before.lastIndexOf("/**"));
}

/**
 * A step of `npm run build`: rewrites the declarations for the TypeScript 3.8 that Pulumi bundles. It compiles programs
 * whose project does not have TypeScript. The types stay the same:
 *
 * - `import { type A, B }` becomes `import { A, B }`. In declarations, both import the same.
 * - `export { type A, B }` becomes two exports, one of them of types.
 * - The modifiers `in`, `out` and `const` of type parameters are removed. They only speed up or narrow inference.
 */
const { globSync, readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const ts = require("typescript");

const DIRECTORY = join(__dirname, "..", "dist");

for (const file of globSync(join(DIRECTORY, "**", "*.d.ts"))) {
  const text = readFileSync(file, "utf8");
  const rewritten = rewrite(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  if (rewritten !== text) writeFileSync(file, rewritten);
}

/** The text of a file with its replacements. */
function rewrite(source) {
  const replacements = [];
  visit(source);
  return replacements
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), source.text);

  function replace(node, by) {
    replacements.push({ start: node.getStart(), end: node.getEnd(), by });
  }

  function visit(node) {
    if (ts.isImportSpecifier(node) && node.isTypeOnly) {
      replace(node, withoutType(node));
    } else if (ts.isExportDeclaration(node) && node.exportClause?.elements?.some((each) => each.isTypeOnly)) {
      replace(node, separated(node));
    } else if (ts.isTypeParameterDeclaration(node) && node.modifiers?.length > 0) {
      replacements.push({ start: node.modifiers[0].getStart(), end: node.name.getStart(), by: "" });
    }
    ts.forEachChild(node, visit);
  }
}

/** A specifier without `type`. */
function withoutType(specifier) {
  return specifier.getText().replace(/^type\s+/, "");
}

/** An export of types, and another one of the rest. */
function separated({ exportClause, moduleSpecifier }) {
  const from = moduleSpecifier ? ` from ${moduleSpecifier.getText()}` : "";
  const [types = [], values = []] = [true, false].map((isType) =>
    exportClause.elements.filter((each) => each.isTypeOnly === isType).map(withoutType),
  );
  return [
    `export type { ${types.join(", ")} }${from};`,
    ...(values.length > 0 ? [`export { ${values.join(", ")} }${from};`] : []),
  ].join("\n");
}

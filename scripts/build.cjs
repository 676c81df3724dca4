/** `npm run build`: compiles the package into `dist/`, together with the data that it reads. */
const { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { dirname, join, relative } = require("node:path");
const ts = require("typescript");
const { parse } = require("yaml");

require("./fromSource.cjs");
const { pluginData } = require("./schema/pluginSchema.ts");

const ROOT = join(__dirname, "..");
const DIST = join(ROOT, "dist");
/** The emulator's API descriptions. To parse them takes a sixth of a second, so that is done here. */
const CONTRACT = join("testing", "emulator", "contract");

/** The text of each file, by its path in `dist/`. */
const files = new Map();
emit();
for (const name of ["openapi", "controls"]) {
  const path = join(CONTRACT, `${name}.json`);
  files.set(path, JSON.stringify(parse(readFileSync(join(ROOT, CONTRACT, `${name}.yaml`), "utf8"))));
  // The tests run the source.
  writeFileSync(join(ROOT, path), files.get(path));
}
for (const [path, text] of Object.entries(pluginData())) files.set(join("provider", "hosts", path), text);

rmSync(DIST, { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(DIST, path)), { recursive: true });
  writeFileSync(join(DIST, path), path.endsWith(".d.ts") ? withDocs(text) : text);
}
const EMULATOR = join("testing", "emulator");
for (const name of ["contract/openapi.yaml", "page/page.html", "page/page.css", "page/page.js"])
  copyFileSync(join(ROOT, EMULATOR, name), join(DIST, EMULATOR, name));

/** Compiles the source. It prints what is wrong, and exits. */
function emit() {
  const { options, fileNames, errors } = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, "tsconfig.build.json"),
    undefined,
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => console.error(messageText) },
  );
  const program = ts.createProgram(fileNames, options);
  const { diagnostics } = program.emit(
    undefined,
    (path, text) => files.set(relative(DIST, path), text),
    undefined,
    false,
    { afterDeclarations: [forOlderTypeScript] },
  );
  const problems = [...errors, ...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length === 0) return;
  console.error(ts.formatDiagnostics(problems, ts.createCompilerHost(options)));
  process.exit(1);
}

/**
 * Rewrites declarations for the TypeScript 3.8 that Pulumi bundles. It compiles programs whose project does not have
 * TypeScript. The types stay the same:
 *
 * - `import { type A, B }` becomes `import { A, B }`. In declarations, both import the same.
 * - `export { type A, B }` becomes two exports, one of them of types.
 * - The modifiers `in`, `out` and `const` of type parameters are removed. They only speed up or narrow inference.
 */
function forOlderTypeScript(context) {
  const { factory } = context;
  return (file) => ts.visitEachChild(file, rewritten, context);

  function rewritten(node) {
    if (ts.isImportSpecifier(node))
      return factory.updateImportSpecifier(node, false, node.propertyName, node.name);
    if (ts.isExportDeclaration(node) && node.exportClause?.elements?.some(({ isTypeOnly }) => isTypeOnly))
      return separated(node);
    const visited = ts.visitEachChild(node, rewritten, context);
    if (!ts.isTypeParameterDeclaration(visited)) return visited;
    const { name, constraint, default: type } = visited;
    return factory.updateTypeParameterDeclaration(visited, undefined, name, constraint, type);
  }

  /** An export of types, and another one of the rest. */
  function separated({ exportClause: { elements }, moduleSpecifier }) {
    return [true, false].flatMap((isType) => {
      const specifiers = elements
        .filter(({ isTypeOnly }) => isTypeOnly === isType)
        .map(({ propertyName, name }) => factory.createExportSpecifier(false, propertyName, name));
      if (specifiers.length === 0) return [];
      const clause = factory.createNamedExports(specifiers);
      return factory.createExportDeclaration(undefined, isType, clause, moduleSpecifier);
    });
  }
}

/**
 * Completes the doc comments of a declaration, because editors show them as they are:
 *
 * - `{@inheritDoc Name}` of a native class becomes the doc comment of the class of the same name of the dynamic host.
 * - The operations of the client name the scope that the key needs.
 */
function withDocs(declaration) {
  return declaration
    .replace(/\/\*\* \{@inheritDoc (\w+)\} \*\//g, (_tag, name) => docOf(name))
    .replace(
      /( \*\/\n {4}readonly \w+: \{\n(?: {8}.*\n)*? {8}readonly scope: "([a-z:]+)")/g,
      (_operation, rest, scope) => ` Needs ${scope}.${rest}`,
    );
}

function docOf(name) {
  const documented = new RegExp(
    `/\\*\\*(?! \\{@inheritDoc)(?:(?!\\*/).)*\\*/(?=\nexport declare class ${name} )`,
    "s",
  );
  const [doc] = [...files.values()].map((text) => documented.exec(text)).find((found) => found) ?? [];
  if (doc === undefined) throw new Error(`No class ${name} of sdk/ has a doc comment.`);
  return doc;
}

/** `npm run build`: compiles the package into `dist/`, together with the data that it reads. */
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { dirname, join, relative } = require("node:path");
const ts = require("typescript");
const { parse } = require("yaml");

require("./fromSource.cjs");
const packageJson = require("../package.json");
const { MAPPING_FILE } = require("../provider/hosts/terraform/mappingFile.ts");
const { functionDocs } = require("./functionComments.ts");
const { packageSchema } = require("./schema/packageSchema.ts");
const { inSourceOrder, readFrom } = require("./sourceDocs.ts");
const { terraformMapping } = require("./terraformMapping.ts");

const ROOT = join(__dirname, "..");
const DIST = join(ROOT, "dist");
/** The emulator's API descriptions. */
const CONTRACT = join("testing", "emulator", "contract");

/** The text of each file, by its path in `dist/`. */
const files = new Map();
emit();
for (const name of ["openapi", "controls"]) {
  const text = readFileSync(join(ROOT, CONTRACT, `${name}.yaml`), "utf8");
  files.set(join(CONTRACT, `${name}.json`), JSON.stringify(parse(text)));
  if (name === "openapi") files.set(join(CONTRACT, "openapi.yaml"), text);
}
completeDocs();
// What the plugin serves, so that it needs no compiler.
files.set(join("provider", "hosts", "plugin", "schema.json"), JSON.stringify(packageSchema(packageJson)));
files.set(relative(ROOT, MAPPING_FILE), JSON.stringify(terraformMapping(packageJson)));

rmSync(DIST, { recursive: true, force: true });
for (const [path, text] of files) {
  mkdirSync(dirname(join(DIST, path)), { recursive: true });
  writeFileSync(join(DIST, path), text);
}

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
    { afterDeclarations: [(context) => forOlderTypeScript(program.getTypeChecker(), context)] },
  );
  readFrom(program);
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
 * - `z.infer` becomes the type that it infers: that TypeScript cannot read the declarations of zod, and those of this package
 *   have the doc comments of fields only there.
 */
function forOlderTypeScript(checker, context) {
  const { factory } = context;
  return (file) => ts.visitEachChild(file, rewritten, context);

  function rewritten(node) {
    if (ts.isImportSpecifier(node))
      return factory.updateImportSpecifier(node, false, node.propertyName, node.name);
    if (ts.isExportDeclaration(node) && node.exportClause?.elements?.some(({ isTypeOnly }) => isTypeOnly))
      return separated(node);
    if (ts.isInterfaceDeclaration(node) && isInferred(node.heritageClauses?.[0]?.types[0]))
      return withMembers(node);
    if (ts.isTypeAliasDeclaration(node) && isInferred(node.type)) {
      const type = typeNode(checker.getTypeAtLocation(ts.getParseTreeNode(node)), node);
      return factory.updateTypeAliasDeclaration(node, node.modifiers, node.name, undefined, type);
    }
    const visited = ts.visitEachChild(node, rewritten, context);
    if (!ts.isTypeParameterDeclaration(visited)) return visited;
    const { name, constraint, default: type } = visited;
    return factory.updateTypeParameterDeclaration(visited, undefined, name, constraint, type);
  }

  function isInferred(node) {
    const name = node?.expression ?? node?.typeName;
    return name !== undefined && /^z\.infer$/.test(ts.getParseTreeNode(name)?.getText() ?? "");
  }

  function typeNode(type, enclosing) {
    const flags = ts.NodeBuilderFlags.NoTruncation | ts.NodeBuilderFlags.InTypeAlias;
    return checker.typeToTypeNode(type, ts.getParseTreeNode(enclosing), flags);
  }

  /** An interface with the members that it inherits, and their doc comments. */
  function withMembers(node) {
    const { modifiers, name } = node;
    const properties = checker.getPropertiesOfType(checker.getTypeAtLocation(ts.getParseTreeNode(node)));
    const members = inSourceOrder(properties).map((property) => {
      const optional = property.flags & ts.SymbolFlags.Optional;
      const question = optional ? factory.createToken(ts.SyntaxKind.QuestionToken) : undefined;
      const type = typeNode(checker.getTypeOfSymbol(property), node);
      const member = factory.createPropertySignature(undefined, property.name, question, type);
      const text = ts.displayPartsToString(property.getDocumentationComment(checker));
      const comment = `* ${text.replaceAll("\n", "\n * ")} `;
      return ts.addSyntheticLeadingComment(member, ts.SyntaxKind.MultiLineCommentTrivia, comment, true);
    });
    return factory.updateInterfaceDeclaration(node, modifiers, name, undefined, undefined, members);
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
 * Completes the doc comments of declarations, because editors show them as they are:
 *
 * - `{@inheritDoc Name}` of a native class becomes the doc comment of the class of the same name of the dynamic host, and that
 *   of a function the one of its declaration.
 * - The operations of the client name the scope that the key needs.
 */
function completeDocs() {
  const declarations = [...files].filter(([path]) => path.endsWith(".d.ts"));
  const documented = declarations.flatMap(([, text]) => [
    ...text.matchAll(/^(\/\*\*(?:(?! \*\/|@inheritDoc).)* \*\/)\nexport declare class (\w+)/gms),
  ]);
  const docs = new Map([...documented.map(([, doc, name]) => [name, doc]), ...functionDocs()]);
  for (const [path, text] of declarations) {
    const inherited = text.replace(/\/\*\* \{@inheritDoc (\w+)\} \*\//g, (_, name) => {
      if (!docs.has(name)) throw new Error(`${name} has no doc comment to inherit.`);
      return docs.get(name);
    });
    const operation = / \*\/(?=\n +readonly \w+: \{\n +readonly request: .*\n +readonly scope: "(.*)")/g;
    files.set(path, inherited.replace(operation, " Needs $1. */"));
  }
}

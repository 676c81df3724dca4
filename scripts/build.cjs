/** `npm run build`: compiles the package into `dist/`, together with the data that it reads. */
const { mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
const { dirname, join, relative } = require("node:path");
const ts = require("typescript");
const { parse } = require("yaml");

require("./fromSource.cjs");
const { pluginData } = require("./schema/pluginSchema.ts");
const { functionDocs } = require("./sdkFunctions.ts");
const { inSourceOrder } = require("./sourceDocs.ts");

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
for (const [path, text] of Object.entries(pluginData())) files.set(join("provider", "hosts", path), text);

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
    const parsed = ts.getParseTreeNode(enclosing);
    return ts.visitNode(checker.typeToTypeNode(type, parsed, flags), function relativeTo(inner) {
      // The checker names the module of a type that the file does not import by its absolute path.
      if (!ts.isImportTypeNode(inner)) return ts.visitEachChild(inner, relativeTo, context);
      const module = relative(dirname(parsed.getSourceFile().fileName), inner.argument.literal.text);
      const argument = factory.createLiteralTypeNode(factory.createStringLiteral(`./${module}`));
      const { attributes, qualifier, typeArguments, isTypeOf } = inner;
      return factory.updateImportTypeNode(inner, argument, attributes, qualifier, typeArguments, isTypeOf);
    });
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
  const declarations = [...files.keys()].filter((path) => path.endsWith(".d.ts")).map(parsed);
  const classes = declarations.flatMap(({ statements }) => statements.filter(ts.isClassDeclaration));
  const functions = functionDocs();
  for (const file of declarations) {
    const edits = [];
    const visit = (node) => {
      const [doc] = node.jsDoc ?? [];
      const inherited = doc && inheritedName(doc);
      if (inherited) edits.push({ at: doc.pos, end: doc.end, text: docOf(inherited) });
      const scope = doc && scopeOf(node);
      if (scope) edits.push({ at: doc.end - " */".length, end: doc.end, text: ` Needs ${scope}. */` });
      ts.forEachChild(node, visit);
    };
    visit(file);
    let { text } = file;
    for (const edit of edits.reverse()) text = text.slice(0, edit.at) + edit.text + text.slice(edit.end);
    files.set(file.fileName, text);
  }

  function docOf(name) {
    if (functions.has(name)) return functions.get(name);
    const documented = classes.find(
      (node) => node.name.text === name && node.jsDoc && !inheritedName(node.jsDoc[0]),
    );
    if (!documented) throw new Error(`No class ${name} of sdk/ has a doc comment.`);
    return documented.jsDoc[0].getText();
  }
}

function parsed(path) {
  return ts.createSourceFile(path, files.get(path), ts.ScriptTarget.Latest, true);
}

function inheritedName(doc) {
  return /^\/\*\* \{@inheritDoc (\w+)\} \*\/$/.exec(doc.getText())?.[1];
}

/** The scope of an operation of the client. Undefined if a node declares something else. */
function scopeOf(node) {
  if (!ts.isPropertySignature(node) || !node.type || !ts.isTypeLiteralNode(node.type)) return undefined;
  const scope = node.type.members.find((member) => member.name?.getText() === "scope")?.type;
  return scope && ts.isLiteralTypeNode(scope) ? scope.literal.text : undefined;
}

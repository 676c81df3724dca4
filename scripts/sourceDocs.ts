/**
 * Reads doc comments and types from the source, with the TypeScript compiler. It compiles the package once in a process,
 * when something is first read.
 */
import { resolve } from "node:path";
import ts from "typescript";

/** A property of a type. */
export interface DocumentedProperty {
  /** The path from the type, such as `appleInfo.appName`. */
  readonly path: string;
  readonly text: string;
  /** The TypeScript type, shortened. */
  readonly type: string;
}

const ROOT = resolve(__dirname, "..");

/** The modules that export everything that is documented, together with what they import. Some of that is generated. */
const ENTRIES = ["sdk/index.ts", "sdk/functionForms.ts", "provider/resources/functions.ts"].map((file) =>
  resolve(ROOT, file),
);

let compiled: ts.Program | undefined;

/** Reads from a program of the package that is compiled already. */
export function readFrom(program: ts.Program): void {
  compiled = program;
}

function program(): ts.Program {
  compiled ??= compile();
  return compiled;
}

/** Loads only the package itself: the types of other packages take most of a compilation, and no page shows them. */
function compile(): ts.Program {
  const { config } = ts.readConfigFile(resolve(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ENTRIES }, ts.sys, ROOT);
  const own = { ...options, types: [], lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts"] };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(own),
    resolveModuleNameLiterals: (literals, file) =>
      literals.map(({ text }) =>
        /^\.|^zod$/.test(text) ? ts.resolveModuleName(text, file, own, host) : { resolvedModule: undefined },
      ),
  };
  return ts.createProgram(ENTRIES, own, host);
}

function checker(): ts.TypeChecker {
  return program().getTypeChecker();
}

/**
 * The doc comment of an export, or of a member of an exported constant, such as `operations.getProject`: its text without
 * tags, the code of each `@example`, and the text of `@throws`.
 */
export function commentOf(module: string, path: string) {
  const [name = "", member] = path.split(".");
  const exported = symbolOf(module, name);
  const type = checker().getTypeOfSymbol(exported);
  const symbol = member === undefined ? exported : checker().getPropertyOfType(type, member);
  if (symbol === undefined) throw new Error(`${module} has no ${path}.`);
  const tags = symbol
    .getJsDocTags(checker())
    .map((tag) => ({ name: tag.name, text: ts.displayPartsToString(tag.text) }));
  const throws = tags.find((tag) => tag.name === "throws");
  const examples = tags.filter((tag) => tag.name === "example");
  return {
    text: textOf(symbol),
    examples: examples.map(({ text }) => text.replace(/^```\w*\n|\n```\s*$/g, "")),
    ...(throws && { throws: plain(throws.text) }),
  };
}

/** The properties of an exported type. Those of a nested object follow the object. */
export function propertiesOf(module: string, name: string): DocumentedProperty[] {
  return propertiesIn(checker().getDeclaredTypeOfSymbol(symbolOf(module, name)), "");
}

function symbolOf(module: string, name: string): ts.Symbol {
  const file = program().getSourceFile(resolve(ROOT, module));
  const exports = file && checker().getSymbolAtLocation(file);
  const exported = exports && checker().tryGetMemberInModuleExports(name, exports);
  if (exported === undefined) throw new Error(`${module} exports no ${name}.`);
  return exported;
}

function textOf(symbol: ts.Symbol): string {
  return plain(ts.displayPartsToString(symbol.getDocumentationComment(checker())));
}

function propertiesIn(type: ts.Type, prefix: string): DocumentedProperty[] {
  return inSourceOrder(checker().getPropertiesOfType(type)).flatMap((property) => {
    const path = `${prefix}${property.name}`;
    const whole = checker().getTypeOfSymbol(property);
    const type = checker().getNonNullableType(whole);
    const [item] = checker().isArrayType(type) ? checker().getTypeArguments(type as ts.TypeReference) : [];
    const nested = isOwnObject(item ?? type) ? propertiesIn(item ?? type, `${path}${item ? "[]" : ""}.`) : [];
    const documented = { path, text: textOf(property), type: typeText(whole, nested.length > 0) };
    return [documented, ...nested];
  });
}

/** In another order than the source, TypeScript lists the properties that a schema infers. */
export function inSourceOrder(properties: readonly ts.Symbol[]): readonly ts.Symbol[] {
  const files = [...new Set(properties.map(fileOf))];
  const placeOf = (property: ts.Symbol) => property.declarations?.[0]?.pos ?? 0;
  return properties.toSorted(
    (one, other) =>
      files.indexOf(fileOf(one)) - files.indexOf(fileOf(other)) || placeOf(one) - placeOf(other),
  );
}

function fileOf(property: ts.Symbol): string | undefined {
  return property.declarations?.[0]?.getSourceFile().fileName;
}

/** Whether a type is an object with fields of this package, and not a string, a list or an Output. */
function isOwnObject(type: ts.Type): boolean {
  const declared = type.symbol?.declarations?.[0]?.getSourceFile().fileName ?? "";
  return (type.flags & ts.TypeFlags.Object) !== 0 && declared.startsWith(`${ROOT}/provider/`);
}

function typeText(type: ts.Type, isObject: boolean): string {
  const nonNull = checker().getNonNullableType(type);
  const nullable = type !== nonNull && checker().typeToString(type).includes("null");
  const objects = checker().isArrayType(nonNull) ? "list of objects" : "object";
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
  const text = isObject ? objects : checker().typeToString(nonNull, undefined, flags);
  // A member of `OrOther`, which TypeScript lists anywhere.
  const members = text.split(" | ");
  const named = members.filter((member) => member !== "(string & Record<never, never>)");
  const known = named.join(" | ") + (named.length < members.length ? " or another string" : "");
  return nullable ? `${known} or null` : known;
}

/** Replaces links within the source with names. */
function plain(text: string): string {
  return text.replace(/\{@link (\w+)\}/g, "`$1`");
}

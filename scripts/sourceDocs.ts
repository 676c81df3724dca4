/** Reads doc comments and types from the source, with the TypeScript compiler. */
import { resolve } from "node:path";
import ts from "typescript";

/** A doc comment. */
export interface DocComment {
  /** The text, without tags. */
  readonly text: string;
  /** The code of the `@example`. */
  readonly example?: string;
  /** The text of `@throws`. */
  readonly throws?: string;
}

/** A property of a type. */
export interface DocumentedProperty {
  /** The path from the type, such as `appleInfo.appName`. */
  readonly path: string;
  readonly text: string;
  /** The TypeScript type, shortened. */
  readonly type: string;
  readonly optional: boolean;
  /** The names of the parameters, if it is a method. */
  readonly parameters?: readonly string[];
}

/** The doc comments of the modules of this package. */
export interface SourceDocs {
  /** The doc comment of an export. */
  comment(module: string, name: string): DocComment;
  /** The properties of an exported type. Those of a nested object follow the object. */
  properties(module: string, name: string): DocumentedProperty[];
  /** The names of the types in an exported union, in the order of the source. */
  members(module: string, name: string): string[];
}

const ROOT = resolve(__dirname, "..");

/** The modules that export everything that is documented, together with what they import. */
const ENTRIES = ["sdk/index.ts", "testing/index.ts"].map((path) => resolve(ROOT, path));

let read: SourceDocs | undefined;

/** Compiles the package, once in a process, to read the doc comments. */
export function readSourceDocs(): SourceDocs {
  read ??= compiledDocs();
  return read;
}

/** Loads only the package itself: the types of other packages take most of a compilation, and no page shows them. */
function compiledProgram(): ts.Program {
  const { config } = ts.readConfigFile(resolve(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: ENTRIES }, ts.sys, ROOT);
  const own = { ...options, types: [], lib: ["lib.es2024.d.ts", "lib.esnext.disposable.d.ts"] };
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(own),
    resolveModuleNameLiterals: (literals, file) =>
      literals.map(({ text }) =>
        text.startsWith(".") ? ts.resolveModuleName(text, file, own, host) : { resolvedModule: undefined },
      ),
  };
  return ts.createProgram(ENTRIES, own, host);
}

function compiledDocs(): SourceDocs {
  const program = compiledProgram();
  const checker = program.getTypeChecker();

  function symbolOf(module: string, name: string): ts.Symbol {
    const file = program.getSourceFile(resolve(ROOT, module));
    const exported =
      file && checker.getSymbolAtLocation(file)?.exports?.get(ts.escapeLeadingUnderscores(name));
    if (exported === undefined) throw new Error(`${module} exports no ${name}.`);
    return exported;
  }

  function textOf(symbol: ts.Symbol): string {
    return plain(ts.displayPartsToString(symbol.getDocumentationComment(checker)));
  }

  function propertiesOf(type: ts.Type, prefix: string): DocumentedProperty[] {
    return checker.getPropertiesOfType(type).flatMap((property) => {
      // TypeScript numbers the symbols in names.
      const path = `${prefix}${property.name.replace(/^__@(\w+)@\d+$/, "[Symbol.$1]")}`;
      const whole = checker.getTypeOfSymbol(property);
      const type = checker.getNonNullableType(whole);
      const item = checker.isArrayType(type)
        ? checker.getTypeArguments(type as ts.TypeReference)[0]
        : undefined;
      const nested = isOwnObject(item ?? type)
        ? propertiesOf(item ?? type, `${path}${item ? "[]" : ""}.`)
        : [];
      const documented = {
        path,
        text: textOf(property),
        type: typeText(whole, nested.length > 0),
        optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
        ...((property.flags & ts.SymbolFlags.Method) !== 0 && { parameters: parametersOf(whole) }),
      };
      return [documented, ...nested];
    });
  }

  function parametersOf(type: ts.Type): string[] {
    const [signature] = type.getCallSignatures();
    return signature?.getParameters().map(({ name }) => name) ?? [];
  }

  /** Whether a type is an object with fields of this package, and not a string, a list or an Output. */
  function isOwnObject(type: ts.Type): boolean {
    const declared = type.symbol?.declarations?.[0]?.getSourceFile().fileName ?? "";
    return (type.flags & ts.TypeFlags.Object) !== 0 && declared.startsWith(`${ROOT}/provider/`);
  }

  function typeText(type: ts.Type, isObject: boolean): string {
    const nonNull = checker.getNonNullableType(type);
    const nullable = type !== nonNull && checker.typeToString(type).includes("null");
    const list = checker.isArrayType(nonNull);
    const text = isObject
      ? list
        ? "list of objects"
        : "object"
      : checker.typeToString(
          nonNull,
          undefined,
          ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias,
        );
    // The members of `OrOther`, which TypeScript lists in another order.
    const known = text.replace(/^\(string & Record<never, never>\) \| (.*)$/, "$1 or another string");
    return nullable ? `${known} or null` : known;
  }

  return {
    comment(module, name) {
      const symbol = symbolOf(module, name);
      const tag = (wanted: string) => {
        const found = symbol.getJsDocTags(checker).find(({ name: each }) => each === wanted);
        return found && ts.displayPartsToString(found.text);
      };
      const example = tag("example")?.replace(/^```\w*\n|\n```\s*$/g, "");
      const throws = tag("throws");
      return { text: textOf(symbol), ...(example && { example }), ...(throws && { throws: plain(throws) }) };
    },
    properties(module, name) {
      return propertiesOf(checker.getDeclaredTypeOfSymbol(symbolOf(module, name)), "");
    },
    members(module, name) {
      const type = checker.getDeclaredTypeOfSymbol(symbolOf(module, name));
      return type.isUnion() ? type.types.map(({ symbol }) => symbol.name) : [];
    },
  };
}

/** Replaces links within the source with names. */
function plain(text: string): string {
  return text.replace(/\{@link (\w+)\}/g, "`$1`");
}

/**
 * Generates the source text of programs that declare existing objects. Each property has a line of its own, so that
 * formatters change little and a difference between two versions is easy to read.
 */
import type { Properties } from "../../provider/lifecycle/properties";
import { HOSTS, type Host } from "../objects/hosts";
import { KIND_NAMES, KINDS, type KindName } from "../objects/kinds";
import { uniqueNames, variableName } from "../objects/logicalNames";

/** The classes that a program imports from the package. No variable may have one of these names. */
export const CLASS_NAMES: readonly string[] = KIND_NAMES.map((kind) => className({ kind }));

/** Variables for items that have these names, by key. None is the name of a class, or taken. */
export function variablesFor<Item extends { readonly uuid: string }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  { key, taken = [] }: { readonly key?: (item: Item) => string; readonly taken?: readonly string[] },
): Map<string, string> {
  return uniqueNames(items, (item) => [variableName(nameOf(item), { taken: [...CLASS_NAMES, ...taken] })], {
    ...(key && { key }),
    join: (name, uuid) => `${name}_${uuid.replaceAll(/\W/g, "")}`,
  });
}

const INDENT = "  ";

/** Source text to insert unchanged, such as `shop.id`. Marked by a symbol, which no object of the service has. */
export interface Code {
  readonly [CODE]: string;
}

const CODE = Symbol("code");

export interface Declaration {
  readonly kind: KindName;
  /** The logical name. */
  readonly name: string;
  /** The variable to assign it to. Default: none. */
  readonly variable?: string | undefined;
  /** Its inputs. Values may be source text. */
  readonly inputs: Properties;
  /** Its options. Default: none. */
  readonly options?: Properties;
}

export function code(text: string): Code {
  return { [CODE]: text };
}

/** The text of a module: a comment, its imports and its declarations. */
export function programSource(
  declarations: readonly Declaration[],
  {
    comment = [],
    imports = [],
    statements = [],
    host = HOSTS.dynamic,
  }: {
    readonly comment?: readonly string[];
    readonly imports?: readonly string[];
    /** Statements before the declarations. They use the SDK of Pulumi as `pulumi`. */
    readonly statements?: readonly string[];
    /** The host of the resources. Default: dynamic. */
    readonly host?: Host;
  } = {},
): string {
  const classes = [...new Set(declarations.map(className))].sort();
  const paragraphs = [
    comment.map((line) => `// ${line}`).join("\n"),
    [
      ...(statements.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";'] : []),
      ...(classes.length > 0 ? [`import { ${classes.join(", ")} } from "${host.module}";`] : []),
      ...imports.map((path) => `import ${literal(path)};`),
    ].join("\n"),
    statements.join("\n"),
    ...declarations.map(statement),
  ];
  return paragraphs.flatMap((paragraph) => (paragraph === "" ? [] : [`${paragraph}\n`])).join("\n");
}

/** Writes a value or source text. The inputs of objects contain no numbers, and no lists except of strings. */
function expression(value: unknown, indent = ""): string {
  if (typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "string") return literal(value);
  if (isStringList(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new TypeError(`A generated program cannot express ${JSON.stringify(value)}.`);
  }
  if (CODE in value) return String(value[CODE]);
  const inner = indent + INDENT;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  const lines = fields.map(([name, field]) => `${inner}${fieldKey(name)}: ${expression(field, inner)},\n`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}${indent}}`;
}

function isStringList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function fieldKey(name: string): string {
  return /^[$_\p{ID_Start}][$\p{ID_Continue}]*$/u.test(name) ? name : literal(name);
}

/**
 * Invisible characters, except the joiners and variation selectors of scripts and emoji; and what would make text in a
 * line a command of a CI runner, such as `##vso[…]`, because code is also printed.
 */
const ESCAPED =
  /[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cc}\p{Co}\u{feff}]--[\u{200c}\u{200d}\u{fe00}-\u{fe0f}]]|#(?=#\w*\[)/gv;

/**
 * A text as a literal. Text of any script stays readable. Characters that are invisible or change the direction of text
 * are escaped.
 */
export function literal(text: string): string {
  return JSON.stringify(text).replaceAll(
    ESCAPED,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Like formatters, with a line for each argument if there are two objects. */
function statement(declaration: Declaration): string {
  const { name, variable, inputs, options = {} } = declaration;
  const assignment = variable === undefined ? "" : `const ${variable} = `;
  const call = `${assignment}new ${className(declaration)}(`;
  if (Object.values(options).every((option) => option === undefined)) {
    return `${call}${literal(name)}, ${expression(inputs)});`;
  }
  const args = [name, inputs, options].map((arg) => `${INDENT}${expression(arg, INDENT)},\n`);
  return `${call}\n${args.join("")});`;
}

function className({ kind }: Pick<Declaration, "kind">): string {
  return KINDS[kind].description.type;
}

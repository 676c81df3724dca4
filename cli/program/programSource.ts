/**
 * Generates the source text of programs that declare existing objects. Each property has a line of its own, so that
 * formatters change little and a difference between two versions is easy to read.
 */

import { DYNAMIC_HOST } from "../../provider/hosts/hosts";
import type { Properties } from "../../provider/lifecycle/properties";
import { KIND_NAMES, KINDS, type KindName } from "../objects/kinds";
import { jsonText } from "../terminal/json";

/** The classes that a program imports from the package. No variable may have one of these names. */
export const CLASS_NAMES: readonly string[] = KIND_NAMES.map((kind) => className({ kind }));

const INDENT = "  ";

/** Source text to insert unchanged, such as `shop.id`. Marked by a symbol, which no object of the service has. */
export interface Code {
  readonly [CODE]: string;
}

const CODE = Symbol("code");

export interface Declaration {
  readonly kind: KindName;
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

/** The text of a module: a comment, its import and its declarations. */
export function programSource(declarations: readonly Declaration[], comment: readonly string[] = []): string {
  const classes = [...new Set(declarations.map(className))].sort();
  const paragraphs = [
    comment.map((line) => `// ${line}`).join("\n"),
    `import { ${classes.join(", ")} } from "${DYNAMIC_HOST.module}";`,
    ...declarations.map(statement),
  ];
  return paragraphs.flatMap((paragraph) => (paragraph === "" ? [] : [`${paragraph}\n`])).join("\n");
}

/** Writes a value or source text. The inputs of objects contain no numbers, and no lists except of strings. */
function expression(value: unknown, indent = ""): string {
  if (typeof value === "boolean" || value === null) return String(value);
  if (typeof value === "string") return jsonText(value);
  if (isStringList(value)) return `[${value.map((item) => jsonText(item)).join(", ")}]`;
  if (typeof value !== "object" || Array.isArray(value))
    throw new TypeError(`A generated program cannot express ${JSON.stringify(value)}.`);
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
  return /^[$_\p{ID_Start}][$\p{ID_Continue}]*$/u.test(name) ? name : jsonText(name);
}

/** Like formatters, with a line for each argument if there are options. These are in one line. */
function statement(declaration: Declaration): string {
  const { name, variable, inputs, options = {} } = declaration;
  const assignment = variable === undefined ? "" : `const ${variable} = `;
  const call = `${assignment}new ${className(declaration)}(`;
  const chosen = Object.entries(options).map(([option, value]) => `${option}: ${expression(value)}`);
  if (chosen.length === 0) return `${call}${jsonText(name)}, ${expression(inputs)});`;
  const args = [jsonText(name), expression(inputs, INDENT), `{ ${chosen.join(", ")} }`];
  return `${call}\n${args.map((arg) => `${INDENT}${arg},\n`).join("")});`;
}

function className({ kind }: Pick<Declaration, "kind">): string {
  return KINDS[kind].type;
}

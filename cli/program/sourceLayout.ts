/**
 * Formats the few kinds of code that generated programs contain exactly as Prettier does, which a test verifies. Prettier
 * itself would more than double the size of this package's installation.
 */
import isFullwidthCodePoint from "is-fullwidth-code-point";

/** The width of a line in columns. */
const LINE_WIDTH = 110;

/** A key up to this width keeps a long value on its own line, because a line break would gain too little. */
const SHORT_KEY_WIDTH = 4;

const INDENT = "  ";

/** An expression: text on one line, a boolean, a list or an object. */
export type Expression = string | boolean | ListLiteral | ObjectLiteral;

/** A list whose items each stay on one line. */
export interface ListLiteral {
  readonly items: readonly string[];
}

/** An object: its keys in printed form, with their values. */
export interface ObjectLiteral {
  readonly fields: readonly (readonly [key: string, value: Expression])[];
}

/** A statement that creates an object, and may assign it to a variable. */
export interface Construction {
  readonly variable?: string | undefined;
  readonly className: string;
  readonly args: readonly Expression[];
}

/** The text of the statement. */
export function constructionSource({ variable, className, args }: Construction): string {
  const callee = `new ${className}(`;
  if (variable === undefined) return call(callee, args, "");
  const before = `const ${variable} = ${callee}`;
  if (fits(before)) return call(before, args, "");
  return `const ${variable} =\n${call(INDENT + callee, args, INDENT)}`;
}

/** A string literal in the quotes that need fewer escapes. `json` is the literal in double quotes. */
export function inBestQuotes(json: string): string {
  const count = (quote: string) => json.slice(1, -1).split(quote).length;
  if (count('"') <= count("'")) return json;
  const body = json
    .slice(1, -1)
    .replaceAll(/\\(.)|'/gs, (match: string, escaped: string | undefined) =>
      escaped === '"' ? '"' : match === "'" ? "\\'" : match,
    );
  return `'${body}'`;
}

/** The arguments of a call and its end. `before` is the text before them on the first line. */
function call(before: string, args: readonly Expression[], indent: string): string {
  const whole = `${before}${args.map(inOneLine).join(", ")});`;
  if (fits(whole)) return whole;
  const [others, last] = [args.slice(0, -1), args.at(-1)];
  // A final object opens on the line of the call, unless the argument before it is also an object.
  if (isObject(last) && last.fields.length > 0 && !isObject(others.at(-1))) {
    const opening = before + [...others.map(inOneLine), "{"].join(", ");
    if (fits(opening)) return `${opening}\n${fields(last, indent)}${indent}});`;
  }
  const lines = args.map((arg) => `${value(indent + INDENT, arg, indent + INDENT)},\n`);
  return `${before}\n${lines.join("")}${indent});`;
}

/** A value before a comma. `before` is the text before it on the line. */
function value(before: string, expression: Expression, indent: string): string {
  const whole = before + inOneLine(expression);
  if (typeof expression !== "object" || fits(`${whole},`)) return whole;
  if (isObject(expression)) return `${before}{\n${fields(expression, indent)}${indent}}`;
  const lines = expression.items.map((item) => `${indent}${INDENT}${item},\n`);
  return `${before}[\n${lines.join("")}${indent}]`;
}

/** The fields of an object, each on lines of its own. */
function fields({ fields }: ObjectLiteral, outerIndent: string): string {
  const indent = outerIndent + INDENT;
  return fields
    .map(([key, expression]) => {
      const line = value(`${indent}${key}: `, expression, indent);
      const moves = typeof expression === "string" && widthOf(key) > SHORT_KEY_WIDTH && !fits(`${line},`);
      return moves ? `${indent}${key}:\n${indent}${INDENT}${expression},\n` : `${line},\n`;
    })
    .join("");
}

function inOneLine(expression: Expression): string {
  if (typeof expression !== "object") return String(expression);
  if (!isObject(expression)) return `[${expression.items.join(", ")}]`;
  if (expression.fields.length === 0) return "{}";
  return `{ ${expression.fields.map(([key, field]) => `${key}: ${inOneLine(field)}`).join(", ")} }`;
}

function isObject(expression: Expression | undefined): expression is ObjectLiteral {
  return typeof expression === "object" && "fields" in expression;
}

function fits(line: string): boolean {
  return widthOf(line) <= LINE_WIDTH;
}

/** The width of a text in columns: two for emoji and East Asian wide characters, none for accents. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  const rest = text.replaceAll(/\p{RGI_Emoji}/gv, () => {
    width += 2;
    return "";
  });
  for (const character of rest.replaceAll(/[\p{Mn}\p{Me}\p{Cc}]/gu, "")) {
    width += isFullwidthCodePoint(character.codePointAt(0) ?? 0) ? 2 : 1;
  }
  return width;
}

/**
 * Lays out the few forms that generated programs have, to the letter as prettier does: a test holds the two against
 * each other. Prettier itself would be the larger half of what an installation of this package weighs.
 */
import isFullwidthCodePoint from "is-fullwidth-code-point";

/** How many columns a line has. */
const LINE_WIDTH = 110;

/** A field with a key as short as this keeps a long value on its line: a line of its own would win too little. */
const SHORT_KEY_WIDTH = 4;

const INDENT = "  ";

/** An expression: text that stays in one line, a flag, a list or an object. */
export type Expression = string | boolean | ListLiteral | ObjectLiteral;

/** A list of texts that stay in one line each. */
export interface ListLiteral {
  readonly items: readonly string[];
}

/** An object: its keys as they are printed, with their values. */
export interface ObjectLiteral {
  readonly fields: readonly (readonly [key: string, value: Expression])[];
}

/** A statement that makes an object, and may keep it in a variable. */
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

/** The arguments of a call and its end. `before` is what stands before them on their first line. */
function call(before: string, args: readonly Expression[], indent: string): string {
  const whole = `${before}${args.map(inOneLine).join(", ")});`;
  if (fits(whole)) return whole;
  const [others, last] = [args.slice(0, -1), args.at(-1)];
  // A last object opens on the line of the call, unless the one before it is an object as well.
  if (isObject(last) && last.fields.length > 0 && !isObject(others.at(-1))) {
    const opening = before + [...others.map(inOneLine), "{"].join(", ");
    if (fits(opening)) return `${opening}\n${fields(last, indent)}${indent}});`;
  }
  const lines = args.map((arg) => `${value(indent + INDENT, arg, indent + INDENT)},\n`);
  return `${before}\n${lines.join("")}${indent});`;
}

/** A value that a comma follows. `before` is what stands before it on its line. */
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

/** How many columns a text takes: emoji and letters of East Asia two each, and accents none. */
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

/** The source text of programs that declare objects as they are. Laid out by a formatter, so it is also known to parse. */
import type { Plugin } from "prettier";
import type { Properties } from "../provider/lifecycle/properties";
import { KIND_NAMES, KINDS, type KindName } from "./kinds";

/** How many columns a line of a program has. */
const LINE_WIDTH = 110;

/** What a program has from the package, and no variable may be called. */
export const CLASS_NAMES: readonly string[] = KIND_NAMES.map((kind) => className({ kind }));

/** A part of a program that stands as it is, such as `shop.id`. Marked by a symbol, which no object of the service has. */
export interface Code {
  readonly [CODE]: string;
}

const CODE = Symbol("code");

/** A resource in a program. */
export interface Declaration {
  readonly kind: KindName;
  /** The logical name. */
  readonly name: string;
  /** The variable that holds it. Default: none. */
  readonly variable?: string | undefined;
  /** Its inputs; parts of the program may stand for values. */
  readonly inputs: Properties;
  /** Its options, none by default. */
  readonly options?: Properties;
}

/** A part of a program. */
export function code(text: string): Code {
  return { [CODE]: text };
}

/** The text of a module: a comment, what it imports, its declarations. */
export async function programSource(
  declarations: readonly Declaration[],
  {
    comment = [],
    imports = [],
  }: { readonly comment?: readonly string[]; readonly imports?: readonly string[] } = {},
): Promise<string> {
  const classes = [...new Set(declarations.map(className))].sort();
  const paragraphs = [
    comment.map((line) => `// ${line}`).join("\n"),
    [
      ...(classes.length > 0 ? [`import { ${classes.join(", ")} } from "pulumi-dynamiclink";`] : []),
      ...imports.map((path) => `import ${literal(path)};`),
    ].join("\n"),
    ...declarations.map(statement),
  ];
  return await formatted(paragraphs.filter((paragraph) => paragraph !== "").join("\n\n"));
}

/** The text of a JSON value or a part of a program. */
function source(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(source).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    if (CODE in value) return String(value[CODE]);
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return `{ ${fields.map(([name, field]) => `${literal(name)}: ${source(field)}`).join(", ")} }`;
  }
  return literal(value);
}

/** Characters that nobody sees, except those that scripts and emoji are joined and varied by. */
const INVISIBLE =
  /[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cc}\p{Co}\u{feff}]--[\u{200c}\u{200d}\u{fe00}-\u{fe0f}]]/gv;

/**
 * A text, number or flag as a literal. Text of any script stays readable; characters that nobody can see, or that
 * make the text around them read backwards, are escaped.
 */
export function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    INVISIBLE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

function statement(declaration: Declaration): string {
  const { name, variable, inputs, options = {} } = declaration;
  const given = Object.values(options).some((option) => option !== undefined);
  const args = [literal(name), source(inputs), ...(given ? [source(options)] : [])];
  const expression = `new ${className(declaration)}(${args.join(", ")});`;
  return variable === undefined ? expression : `const ${variable} = ${expression}`;
}

function className({ kind }: Pick<Declaration, "kind">): string {
  return KINDS[kind].description.type;
}

async function formatted(text: string): Promise<string> {
  // Loaded here, so that no other command pays for it.
  const [{ format }, estree, babel] = await Promise.all([
    import("prettier/standalone"),
    import("prettier/plugins/estree"),
    import("prettier/plugins/babel"),
  ]);
  return await format(text, {
    parser: "babel-ts",
    // Typed as a module with printers of any kind, which a plugin's type does not name.
    plugins: [babel, estree as Plugin],
    printWidth: LINE_WIDTH,
  });
}

/** An example in every language: the same declarations, with the names of the SDKs that Pulumi generates from the schema. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { NATIVE_HOST, nativeToken, PACKAGE_NAME } from "../../provider/hosts/hosts";
import { DESCRIPTIONS } from "../../provider/resources";
import { capitalized } from "../../provider/values/phrases";
import type { PackageSchema, PropertySpec } from "../schema/packageSchema";
import { completed, Reference, type Statement, statementsOf, type Value, type Values } from "./statements";

type Texts = Readonly<Record<string, string>>;

/** The templates of each language, by the name of the language in code blocks. */
const LANGUAGES: Readonly<Record<string, Texts>> = parse(
  readFileSync(join(__dirname, "languages.yaml"), "utf8"),
);

/** The program in every language, by the names of the languages in code blocks. */
export function inEveryLanguage(example: string, schema: PackageSchema): ReadonlyMap<string, string> {
  const statements = statementsOf(example);
  return new Map([
    ["typescript", example.startsWith("import ") ? example.trim() : completed(example)],
    ...Object.entries(LANGUAGES).map(
      ([name, templates]) => [name, programIn(templates, statements, schema)] as const,
    ),
    ["yaml", yaml(statements)],
  ]);
}

function programIn(templates: Texts, statements: readonly Statement[], schema: PackageSchema): string {
  const used = new Set<Statement>();
  /** The first of these templates that the language has. */
  function part(names: readonly string[], texts: Texts): string {
    return filled(templates[names.find((name) => name in templates) ?? ""] ?? "", texts);
  }
  function code(value: Value, { $ref = "" }: PropertySpec = {}): string {
    const spec = schema.types[$ref.replace("#/types/", "")];
    const type = $ref.replace(/^.*:/, "");
    if (typeof value === "string") return part(spec ? ["choice", "text"] : ["text"], { value, type });
    if (!(value instanceof Reference)) {
      const specs = spec && "properties" in spec ? spec.properties : {};
      return part(["object"], { type, fields: assignments(["field", "argument"], value, specs) });
    }
    const { to, property: name = "" } = value;
    used.add(to);
    const of = `Of${capitalized(to.kind)}`;
    const names = name === "" ? ["variable"] : [`${name}${of}`, `property${of}`];
    return part(names, { variable: variableOf(to), name });
  }
  function assignments(
    names: readonly string[],
    values: Values,
    specs: Readonly<Record<string, PropertySpec>> = {},
  ): string {
    const entries = Object.entries(values);
    return entries.map(([name, value]) => part(names, { name, value: code(value, specs[name]) })).join("\n");
  }
  function statement(each: Statement): string {
    const { kind, type, name, values = {}, provider } = each;
    const token = nativeToken(type);
    const { inputProperties } = schema.resources[token] ?? schema.provider;
    const specs = kind === "function" ? schema.functions[token]?.inputs?.properties : inputProperties;
    if (provider) used.add(provider.to);
    const texts = {
      type,
      name,
      // Pulumi generates GetProject in Go, for reading a resource into the program.
      lookup: type.replace("get", type.replace("get", "") in DESCRIPTIONS ? "Lookup" : "Get"),
      args: assignments(["argument"], values, specs),
      provider: provider ? part(["provider"], { variable: variableOf(provider.to) }) : "",
    };
    return part(used.has(each) ? [`${kind}Assigned`, "assigned"] : ["unassigned"], {
      variable: variableOf(each),
      code: part(texts.args === "" ? [`${kind}Alone`, kind] : [kind], texts),
    });
  }
  const outputs = statements
    .flatMap(({ name, value }) => (value ? part(["output"], { name, value: code(value) }) : []))
    .join("\n");
  const others = statements.filter(({ value }) => value === undefined);
  const { go, csharp, java } = schema.language;
  return part(["program"], {
    // The last one first, so that what it uses is known.
    statements: others.reduceRight((after, each) => `${statement(each)}\n\n${after}`, "").trimEnd(),
    imports: others.some(({ kind }) => kind === "setting") ? part(["imports"], {}) : "",
    outputs: outputs && part(["outputs"], { outputs }),
    module: go.importBasePath,
    namespace: `${csharp.rootNamespace}.${csharp.namespaces.dynamiclink}`,
    package: `${java.basePackage}.${PACKAGE_NAME}`,
  })
    .trimEnd()
    .replace(/\n\n(?=\s*\})/g, "\n")
    .replace(/(?:^\t+\w+: .*,\n)+/gm, aligned);
}

/** The template with texts in place of the placeholders. */
function filled(template: string, texts: Texts): string {
  const forms = Object.entries(texts).flatMap(([name, text]) => [
    [name, text],
    [capitalized(name), capitalized(text)],
    [`${name}_`, text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)],
  ]);
  const all: Texts = Object.fromEntries(forms);
  return template
    .trimEnd()
    .replace(/^([ \t]*)\{(\w+)\}$(\n?)|\{(\w+)\}/gm, (found, indent, alone, end, within) => {
      const text = all[alone ?? within] ?? found;
      return alone && text ? `${text.replace(/^(?=.)/gm, indent)}${end}` : text;
    });
}

/** Fields of a structure, as gofmt aligns them. */
function aligned(lines: string): string {
  const width = Math.max(...[...lines.matchAll(/\w+(?=: )/g)].map(([name]) => name.length));
  return lines.replace(/(?<=^\t+)(\w+:) /gm, (_, name) => name.padEnd(width + 2));
}

function variableOf({ name }: Statement): string {
  return name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

function yaml(statements: readonly Statement[]): string {
  function all(kind: Statement["kind"], entry: (statement: Statement) => unknown): object | undefined {
    const entries = statements.filter((each) => each.kind === kind).map((each) => [each.name, entry(each)]);
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
  return stringify({
    name: "shop",
    runtime: "yaml",
    resources: all("resource", ({ type, values, provider }) => ({
      type: type === "Provider" ? NATIVE_HOST.providerType : `${PACKAGE_NAME}:${type}`,
      properties: values,
      options: provider && { provider },
    })),
    variables: all("function", ({ type, values }) => ({
      "fn::invoke": { function: `${PACKAGE_NAME}:${type}`, arguments: values },
    })),
    outputs: all("output", ({ value }) => value),
  }).trimEnd();
}

/** The reference pages: each follows from a class's doc comments and its description, so it cannot say anything else. */

import { exportName } from "../provider/hosts/dynamic/names";
import type { ResourceDescription } from "../provider/lifecycle/description";
import { DESCRIPTIONS } from "../provider/resources";
import { CONFIGURATION_NAMESPACE } from "../provider/session/service";
import { describeShape } from "../provider/shapes/describe";
import type { Shape, ShapeFields } from "../provider/shapes/shape";
import * as functions from "../sdk/functions";
import { typeToken } from "../sdk/resource";
import { readSourceDocs, type SourceDocs } from "./sourceDocs";

/** What a page needs of a description. */
type Described = Pick<
  ResourceDescription,
  "type" | "title" | "creates" | "idOf" | "inputs" | "outputs" | "replaceOnChanges"
> & {
  readonly scopes: { readonly read: readonly string[]; readonly write: unknown };
};

const RESOURCES: readonly Described[] = Object.values(DESCRIPTIONS);

/** The look-ups. The second form of each, `getXOutput`, is on the same page. */
export const FUNCTIONS = Object.keys(functions).filter((name) => /^get(?!.*Output$)/.test(name));

/** The pages, by their path in `docs/`. */
export function referencePages(): Map<string, string> {
  const source = readSourceDocs();
  return new Map([
    ["provider.md", providerPage(source)],
    ...RESOURCES.map(
      (resource) => [`resources/${dashed(resource.type)}.md`, resourcePage(source, resource)] as const,
    ),
    ...FUNCTIONS.map((name) => [`functions/${dashed(name)}.md`, functionPage(source, name)] as const),
  ]);
}

function resourcePage(source: SourceDocs, resource: Described): string {
  const { type, title, inputs, outputs, replaceOnChanges, creates, idOf = title } = resource;
  const file = `${exportName(resource)}.ts`;
  const { text, example = "" } = source.comment(`sdk/${file}`, type);
  const docs = (name: string) =>
    new Map(
      source.properties(`provider/resources/${file}`, name).map((property) => [property.path, property]),
    );
  const inputDocs = docs(`${type}Inputs`);
  const outputDocs = docs(`${type}Outputs`);
  return page(type, [
    text,
    code(example),
    "## Arguments",
    "Each may be an Input, at any depth. Null is the same as leaving it out.",
    table(
      ["argument", "", "what it is", "allowed"],
      flattened(inputs).map(([path, shape]) => [
        `\`${path}\``,
        [shape.optional ? "" : "required", replaceOnChanges.includes(path) ? "replaces" : ""]
          .filter((word) => word !== "")
          .join(", "),
        inputDocs.get(path)?.text ?? "",
        allowed(shape),
      ]),
    ),
    replaceOnChanges.length === 0
      ? "Every argument changes in place."
      : `Another value of an argument marked *replaces* makes a new ${title} and deletes the old one. The others change in place.`,
    "## Outputs",
    "The arguments, and:",
    table(
      ["output", "what it is"],
      [
        ["`id`", `UUID of the ${idOf}.`],
        ...Object.keys(outputs).map((name) => [`\`${name}\``, outputDocs.get(name)?.text ?? ""]),
      ],
    ),
    ...scopes(resource),
    "## One that exists",
    ...(creates === "nothing"
      ? []
      : [
          `The option \`import: "<uuid>"\` takes over an existing ${title} without a write; see [importing](../importing.md).`,
        ]),
    `\`${type}.get(name, uuid)\` reads one that this stack does not manage. The type in the state is \`${typeToken(resource)}\`.`,
  ]);
}

/** The scopes, where the description has them as plain lists; elsewhere the text of the class says them. */
function scopes({ scopes: { read, write } }: Described): string[] {
  if (!Array.isArray(write)) return [];
  const names = (list: readonly string[]) => list.map((scope) => `\`${scope}\``).join(" and ");
  return ["## Scopes", `${names([...read, ...write])}. With \`readOnly\`: ${names(read)}.`];
}

function functionPage(source: SourceDocs, name: string): string {
  const { text, example = "", throws = "" } = source.comment("sdk/functions.ts", name);
  const options = source.properties("sdk/functions.ts", "FunctionOutputOptions");
  return page(name, [
    text,
    `Fails ${throws}`,
    code(example),
    `\`${name}Output\` takes an \`id\` that may be an Output, and gives an Output: it runs once the id is known.`,
    "## Arguments",
    table(
      ["argument", "", "what it is"],
      source
        .properties("provider/resources/lookUps.ts", "LookUpArgs")
        .map(({ path, text: what }) => [`\`${path}\``, "required", what]),
    ),
    "## Options",
    table(
      ["option", "what it is"],
      options.map(({ path, text: what }) => [
        `\`${path}\``,
        path === "dependsOn" ? `${what} For \`${name}Output\` only.` : what,
      ]),
    ),
    "## Result",
    table(
      ["field", "type", "what it is"],
      source
        .properties("sdk/functions.ts", `G${name.slice(1)}Result`)
        .map(({ path, type: kind, optional, text: what }) => [
          `\`${path}\``,
          optional ? `${kind}, or absent` : kind,
          what,
        ]),
    ),
  ]);
}

function providerPage(source: SourceDocs): string {
  const { text, example = "" } = source.comment("sdk/provider.ts", "Provider");
  const settings = source.properties("sdk/provider.ts", "ProviderArgs");
  return page("Provider", [
    text,
    code(example),
    "## Arguments",
    table(
      ["argument", "key in the stack's configuration", "what it is"],
      settings.map(({ path, text: what }) => [`\`${path}\``, `\`${CONFIGURATION_NAMESPACE}:${path}\``, what]),
    ),
    "An argument may be an Input, but its value must be known in preview. [Configuration](configuration.md) tells which source wins.",
  ]);
}

/** The fields with those of nested objects after the one that holds them. */
function flattened(fields: ShapeFields, prefix = ""): [path: string, shape: Shape][] {
  return Object.entries(fields).flatMap(([name, shape]): [string, Shape][] => [
    [`${prefix}${name}`, shape],
    ...flattened(shape.fields ?? {}, `${prefix}${name}.`),
  ]);
}

function allowed(shape: Shape): string {
  const { nullable, optional, ...rest } = shape;
  // What is absent may be null as well, which is said above the table.
  return describeShape(optional || !nullable ? rest : shape);
}

function page(title: string, paragraphs: readonly string[]): string {
  const generated = "<!-- Written by `npm run docs` from the doc comments in sdk/ and provider/. -->";
  return `${[generated, `# ${title}`, ...paragraphs].filter((text) => text.trim() !== "").join("\n\n")}\n`;
}

function code(example: string): string {
  return example === "" ? "" : `\`\`\`typescript\n${example}\n\`\`\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|");
}

/** The name of a page for a class or a function. */
export function dashed(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

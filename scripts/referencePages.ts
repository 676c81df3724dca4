/** Generates the reference pages from the doc comments of classes and functions, and from resource descriptions. */
import { exportName } from "../provider/hosts/dynamicNames";
import type { ResourceDescription } from "../provider/lifecycle/description";
import { DESCRIPTIONS } from "../provider/resources";
import { CONFIGURATION_NAMESPACE } from "../provider/service";
import { describeShape } from "../provider/shapes/describe";
import type { Shape, ShapeFields } from "../provider/shapes/shape";
import * as functions from "../sdk/functions";
import { typeToken } from "../sdk/resource";
import { emulatorPage } from "./emulatorPage";
import { codeBlock, page, table } from "./markdown";
import { readSourceDocs, type SourceDocs } from "./sourceDocs";

/** The part of a description that a page uses. */
type Described = Pick<
  ResourceDescription,
  "type" | "title" | "creates" | "idOf" | "inputs" | "outputs" | "replaceOnChanges"
> & {
  readonly scopes: { readonly read: readonly string[]; readonly write: unknown };
};

const RESOURCES: readonly Described[] = Object.values(DESCRIPTIONS);

/** The lookup functions. The second form of each, `getXOutput`, is on the same page. */
export const FUNCTIONS = Object.keys(functions).filter((name) => /^get(?!.*Output$)/.test(name));

/** The pages, by their path in `docs/`. */
export function referencePages(): Map<string, string> {
  const source = readSourceDocs();
  return new Map([
    ["provider.md", providerPage(source)],
    ["emulator.md", emulatorPage()],
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
    codeBlock(example),
    "## Arguments",
    "Each may be an Input, at any depth. See [properties](../properties.md) for null and omitted ones.",
    table(
      ["argument", "", "description", "allowed"],
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
      ? "All arguments are updated in place."
      : `Changing an argument marked *replaces* creates a new ${title} and deletes the old one. The others are updated in place.`,
    "## Outputs",
    "The arguments, and:",
    table(
      ["output", "description"],
      [
        ["`id`", `UUID of the ${idOf}.`],
        ...Object.keys(outputs).map((name) => [`\`${name}\``, outputDocs.get(name)?.text ?? ""]),
      ],
    ),
    ...scopes(resource),
    "## Existing resources",
    ...(creates === "nothing"
      ? []
      : [
          `The option \`import: "<uuid>"\` adopts an existing ${title} without a write; see [importing](../importing.md).`,
        ]),
    `\`${type}.get(name, uuid)\` reads one that this stack does not manage. The type in the state is \`${typeToken(resource)}\`.`,
  ]);
}

/** The scopes, if the description has plain lists. Otherwise they are in the doc comment of the class. */
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
    codeBlock(example),
    `\`${name}Output\` accepts an Output as \`id\`, and returns an Output. It runs once the id is known.`,
    "## Arguments",
    table(
      ["argument", "", "description"],
      source
        .properties("provider/resources/lookUps.ts", "LookUpArgs")
        .map(({ path, text: what }) => [`\`${path}\``, "required", what]),
    ),
    "## Options",
    table(
      ["option", "description"],
      options.map(({ path, text: what }) => [
        `\`${path}\``,
        path === "dependsOn" ? `${what} For \`${name}Output\` only.` : what,
      ]),
    ),
    "## Result",
    table(
      ["field", "type", "description"],
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
    codeBlock(example),
    "## Arguments",
    table(
      ["argument", "key in the stack's configuration", "description"],
      settings.map(({ path, text: what }) => [`\`${path}\``, `\`${CONFIGURATION_NAMESPACE}:${path}\``, what]),
    ),
    "An argument may be an Input, but its value must be known in preview. See [configuration](configuration.md) for the precedence of sources.",
  ]);
}

/** All fields. Those of a nested object follow the object. */
function flattened(fields: ShapeFields, prefix = ""): [path: string, shape: Shape][] {
  return Object.entries(fields).flatMap(([name, shape]): [string, Shape][] => [
    [`${prefix}${name}`, shape],
    ...flattened(shape.fields ?? {}, `${prefix}${name}.`),
  ]);
}

function allowed(shape: Shape): string {
  const { nullable, optional, ...rest } = shape;
  // An optional argument may also be null, as the text above the table states.
  return describeShape(optional || !nullable ? rest : shape);
}

/** The file name of the page of a class or a function. */
export function dashed(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}

/**
 * The examples in the schema: a YAML program for the provider, each resource and function, and its conversions. Those of
 * resources declare their examples; the others are written by hand.
 */
import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { stringify } from "yaml";
import { PACKAGE_NAME } from "../../provider/hosts/nativeNames";
import type { ResourceDescription } from "../../provider/lifecycle/description";
import { DESCRIPTIONS } from "../../provider/resources";
import {
  EXAMPLE_KINDS,
  examplesOf,
  type Kind,
  kindOf,
  RESOURCE_EXAMPLES,
} from "../../provider/resources/examples";
import { languageOptions } from "../schema/languages";

/** A directory for each example. */
const DIRECTORY = join(__dirname, "examples");

/** The plugin, whose schema the conversion needs. */
const PLUGIN = join(__dirname, "..", "..", "plugin");

/** The languages to which the YAML programs are converted, with the main file that the CLI writes. */
const CONVERSIONS = { typescript: "index.ts", python: "__main__.py", go: "main.go" };

/** The file of an example in each language. */
const FILES = { yaml: "program.yaml", ...CONVERSIONS };
type Language = keyof typeof FILES;

/** A program in each language, by the language of its code block. */
export type Example = Readonly<Record<string, string>>;
/** The examples, by the name of a resource or function. */
type Examples = ReadonlyMap<string, Example>;

/** The examples of all resources and functions. */
export function schemaExamples(): Examples {
  const names = new Set([...readdirSync(DIRECTORY), ...EXAMPLE_KINDS]);
  return new Map([...names].map((name) => [name, schemaExample(name)]));
}

/** The example of a resource or function. That of a resource is only in YAML if its examples have changed since the conversion. */
export function schemaExample(name: string): Example {
  const example = committed(name);
  const kind = EXAMPLE_KINDS.find((each) => each === name);
  if (kind === undefined) return example;
  // A resource that is being added has no examples. The checklist asks for them.
  const current: Example = kind in RESOURCE_EXAMPLES ? { yaml: programOf(kind) } : {};
  return example.yaml === current.yaml ? example : current;
}

function committed(name: string): Example {
  const directory = join(DIRECTORY, name);
  const files = existsSync(directory) ? readdirSync(directory) : [];
  const languages = Object.entries(FILES).filter(([, file]) => files.includes(file));
  return Object.fromEntries(
    languages.map(([language, file]) => [language, readFileSync(join(directory, file), "utf8")]),
  );
}

/** Writes the examples with each YAML program converted again. Needs the Pulumi CLI. */
export async function writeExamples(pulumi: string, environment: NodeJS.ProcessEnv): Promise<void> {
  for (const [name, example] of await convertedExamples(pulumi, environment)) {
    mkdirSync(join(DIRECTORY, name), { recursive: true });
    for (const [language, code] of Object.entries(example))
      writeFileSync(join(DIRECTORY, name, FILES[language as Language]), code);
  }
}

/** A description with its example, in the form in which Pulumi shows the language of the reader. */
export function withExample(description: string, name: string, repository: string): string {
  const { importBasePath } = languageOptions(repository).go;
  const blocks = Object.entries(schemaExample(name)).map(([language, code]) => {
    const own = language === "go" ? code.replace(/"\S+\/sdk\/go\/dynamiclink"/, `"${importBasePath}"`) : code;
    return `\`\`\`${language}\n${own}\`\`\``;
  });
  return `${description}\n\n{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${blocks.join("\n")}\n{{% /example %}}\n{{% /examples %}}`;
}

/** The examples with each YAML program converted again. Needs the Pulumi CLI. */
export async function convertedExamples(
  pulumi: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Examples> {
  const examples = new Map<string, Example>();
  for (const [name, { yaml = "" }] of schemaExamples()) {
    const blocks = Object.entries(CONVERSIONS).map(async ([language, file]) => {
      const code = await inDirectory((directory) => converted(directory, yaml, language, file));
      return [language, code] as const;
    });
    examples.set(name, { yaml, ...Object.fromEntries(await Promise.all(blocks)) });
  }
  return examples;

  async function converted(directory: string, yaml: string, language: string, file: string): Promise<string> {
    const plugins = `plugins: { providers: [{ name: dynamiclink, path: ${JSON.stringify(PLUGIN)} }] }`;
    writeFileSync(join(directory, "Pulumi.yaml"), `name: example\nruntime: yaml\n${plugins}\n${yaml}`);
    const out = join(directory, language);
    const args = ["convert", "--from", "yaml", "--language", language, "--out", out, "--generate-only"];
    await promisify(execFile)(pulumi, args, { cwd: directory, env: environment });
    const code = readFileSync(join(out, file), "utf8");
    return `${corrected(language, code).trimEnd()}\n`;
  }
}

/** A program that declares a resource, what it refers to, and its outputs that are not only a date or a UUID. */
function programOf(kind: Kind): string {
  const { outputs, shapeFor }: Pick<ResourceDescription, "outputs" | "shapeFor"> = DESCRIPTIONS[kind];
  const { valid, names } = RESOURCE_EXAMPLES[kind];
  // The inputs may have several shapes, each with an example.
  const shown = shapeFor === undefined ? valid.slice(0, 1) : valid;
  const declared = shown.flatMap((example, index) =>
    examplesOf(kind, example).map(({ kind: type, properties }) => {
      const name = type === kind ? names[index] : RESOURCE_EXAMPLES[type].names[0];
      return [name, { type: `${PACKAGE_NAME}:${type}`, properties: withReferences(properties) }];
    }),
  );
  const told = Object.keys(outputs).filter(
    (output) => !["dateTime", "uuid"].includes(String(outputs[output]?.rules?.format)),
  );
  return stringify({
    resources: Object.fromEntries(declared),
    ...(told.length > 0 && {
      outputs: Object.fromEntries(told.map((output) => [output, `\${${names[0]}.${output}}`])),
    }),
  });
}

function withReferences(properties: object): object {
  const values = Object.entries(properties).map(([property, value]) => {
    const target = kindOf(value);
    return [property, target === undefined ? value : `\${${RESOURCE_EXAMPLES[target].names[0]}.id}`];
  });
  return Object.fromEntries(values);
}

/** Runs `use` with a temporary directory. */
async function inDirectory<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), "dynamiclink-example-"));
  try {
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What the converter gets wrong: in Go also the names of functions, the type of ids, and that a list has a type. */
const CORRECTIONS: Readonly<Record<string, readonly (readonly [wrong: RegExp, right: string])[]>> = {
  typescript: [[/Output\(\{\}\)/g, "Output()"]],
  go: [
    [
      /, err := (dynamiclink\.\w+)\(ctx, map\[string\]interface\{\}\{\}, nil\)\n\t+if err != nil \{\n\t+return err\n\t+\}/g,
      " := $1Output(ctx)",
    ],
    [/dynamiclink\.Get(Project|Application|CustomDomain)Output/g, "dynamiclink.Lookup$1Output"],
    [/\.ToIDOutput\(\)\.ToStringOutput\(\)/g, ""],
    [/\.ApplyT\(func\([^{]*\{\s*return found\.(\w+)\.\(.*\), nil\s*\}\)\.\(pulumi\.ArrayOutput\)/g, ".$1()"],
  ],
};

function corrected(language: string, code: string): string {
  const corrections = CORRECTIONS[language] ?? [];
  return corrections.reduce((text, [wrong, right]) => text.replace(wrong, right), code);
}

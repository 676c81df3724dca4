/** The examples in the schema, in `schemaExamples.md`: a YAML program for each resource and function, and its conversions. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { languageOptions } from "../schema/languages";

export const EXAMPLES_FILE: string = join(__dirname, "schemaExamples.md");

/** The plugin, whose schema the conversion needs. */
const PLUGIN = join(__dirname, "..", "..", "plugin");

/** The languages to which the YAML programs are converted, with the main file that the CLI writes. */
const CONVERSIONS = { typescript: "index.ts", python: "__main__.py", go: "main.go" };

/** A program in each language, by the language of its code block. */
export type Example = Readonly<Record<string, string>>;

/** The examples, by the name of a resource or function. */
export function schemaExamples(): ReadonlyMap<string, Example> {
  const [, ...sections] = readFileSync(EXAMPLES_FILE, "utf8").split(/^## /m);
  return new Map(
    sections.map((section) => {
      const blocks = [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)];
      return [
        section.slice(0, section.indexOf("\n")),
        Object.fromEntries(blocks.map(([, language = "", code = ""]) => [language, code])),
      ];
    }),
  );
}

/** A description with its example, in the form in which Pulumi shows the language of the reader. */
export function withExample(description: string, name: string, repository: string): string {
  const example = schemaExamples().get(name);
  if (example === undefined) throw new Error(`schemaExamples.md has no program for ${name}.`);
  const { importBasePath } = languageOptions(repository).go;
  const blocks = Object.entries(example).map(([language, code]) => {
    const own = language === "go" ? code.replace(/"\S+\/sdk\/go\/dynamiclink"/, `"${importBasePath}"`) : code;
    return `\`\`\`${language}\n${own}\`\`\``;
  });
  return `${description}\n\n{{% examples %}}\n## Example Usage\n{{% example %}}\n\n${blocks.join("\n")}\n{{% /example %}}\n{{% /examples %}}`;
}

/** The text of `schemaExamples.md` with each YAML program converted again. Needs the Pulumi CLI. */
export async function convertedExamples(
  pulumi: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const [introduction = ""] = readFileSync(EXAMPLES_FILE, "utf8").split(/\n## /);
  const sections: string[] = [introduction.trimEnd()];
  for (const [name, { yaml = "" }] of schemaExamples()) {
    const blocks = Object.entries(CONVERSIONS).map(async ([language, file]) => {
      const code = await inDirectory((directory) => converted(directory, yaml, language, file));
      return `\`\`\`${language}\n${code}\`\`\``;
    });
    sections.push(`## ${name}`, `\`\`\`yaml\n${yaml}\`\`\``, ...(await Promise.all(blocks)));
  }
  return `${sections.join("\n\n")}\n`;

  async function converted(directory: string, yaml: string, language: string, file: string): Promise<string> {
    const plugins = `plugins: { providers: [{ name: dynamiclink, path: ${JSON.stringify(PLUGIN)} }] }`;
    writeFileSync(join(directory, "Pulumi.yaml"), `name: example\nruntime: yaml\n${plugins}\n${yaml}`);
    const out = join(directory, language);
    const args = ["convert", "--from", "yaml", "--language", language, "--out", out, "--generate-only"];
    await promisify(execFile)(pulumi, args, { cwd: directory, env: environment });
    const code = readFileSync(join(out, file), "utf8");
    return `${(language === "go" ? correctedGo(code) : code).trimEnd()}\n`;
  }
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

/** The converter uses the names that functions have without a resource of the same name, and converts ids to strings. */
function correctedGo(code: string): string {
  return code
    .replace(/dynamiclink\.Get(Project|Application|CustomDomain)Output/g, "dynamiclink.Lookup$1Output")
    .replaceAll(".ToIDOutput().ToStringOutput()", "");
}

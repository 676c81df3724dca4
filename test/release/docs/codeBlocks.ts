/** The code blocks and links of the documents. */
import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { builtSchema } from "../../../scripts/release/builtSchema";
import { seedWith } from "../../support/values/organizations";
import { ROOT } from "../package/programs";

export interface CodeBlock {
  /** Its location, such as `docs/testing.md:12`. */
  readonly place: string;
  readonly language: string;
  readonly text: string;
}

/** The pages for maintainers, which are not in the package. */
export const internals: readonly string[] = globSync("docs/internals/*.md", { cwd: ROOT }).sort();

export const documents: readonly string[] = [
  ...globSync("*.md", { cwd: ROOT }),
  ...globSync("docs/{*,resources/*}.md", { cwd: ROOT }),
  ...globSync("{examples,testing}/*/README.md", { cwd: ROOT }),
].sort();

export const OBJECT = "5b6c3f0e-8a55-4a0c-9a0d-6c1f9f1f2a10";
const APPLE_INFO = { appName: "Shop", appScheme: "shop", bundleId: "example.shop.app" };
/** The objects that the examples look up. */
export const SEED = seedWith([
  {
    id: "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e",
    name: "Brand",
    applications: [{ id: OBJECT, appType: "IOS", appleInfo: APPLE_INFO }],
    customDomains: [{ id: OBJECT, hostname: "links.brand.example" }],
    links: [{ id: OBJECT, name: "Home", url: "https://brand.example/" }],
  },
]);

export function codeBlocks(): CodeBlock[] {
  return documents.flatMap((document) => blocksIn(document, readFileSync(join(ROOT, document), "utf8")));
}

/** The examples of the schema in a language. Each has the token of its resource or function as its place. */
export function schemaExamples(wanted: string): CodeBlock[] {
  const { provider, resources, functions } = builtSchema();
  return Object.entries({ Provider: provider, ...resources, ...functions })
    .flatMap(([place, { description = "" }]) => blocksIn(place, description))
    .filter(({ language }) => language === wanted);
}

function blocksIn(place: string, text: string): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ({ index, 1: language = "", 2: code = "" }) => ({
      place: `${place}:${text.slice(0, index).split("\n").length}`,
      language,
      text: code,
    }),
  );
}

/** The links of a document to files, which have paths from the root, and to headings in them. */
export function linksIn(document: string): { readonly file: string; readonly anchor: string | undefined }[] {
  const text = readFileSync(join(ROOT, document), "utf8");
  return [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, path = "", anchor]) => ({
    file: path === "" ? document : posix.join(posix.dirname(document), path),
    anchor,
  }));
}

export function anchorOf(heading: string): string {
  const kept = heading.toLowerCase().replace(/[^\p{Letter}\p{Number} _-]/gu, "");
  return kept.replaceAll(" ", "-");
}

/** The anchors of a document's headings. */
export function anchorsOf(file: string): string[] {
  const headings = readFileSync(join(ROOT, file), "utf8").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) => anchorOf(heading));
}

export interface Steps {
  readonly files: Readonly<Record<string, string>>;
  readonly commands: readonly (readonly string[])[];
}

/** The steps under a heading of docs/hosts.md. A file is the first block after its name in code. */
export function stepsIn(heading: string): Steps {
  const page = readFileSync(join(ROOT, "docs", "hosts.md"), "utf8");
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [text = ""] = section.split("\n## ");
  const names = ["Pulumi.yaml", "index.ts", "requirements.txt", "__main__.py", "go.mod", "main.go"];
  const files = names.flatMap((name) => {
    const [, after] = text.split(new RegExp(`\`${name.replaceAll(".", "\\.")}\``));
    const block = after?.match(/```\w*\n([\s\S]*?)```/)?.[1];
    return block === undefined ? [] : [[name, block] as const];
  });
  const shell = text.matchAll(/```sh\n([\s\S]*?)```/g);
  const commands = [...shell].map(([, block = ""]) => block.trim().split("\n"));
  return { files: Object.fromEntries(files), commands };
}

/** The files of "Getting started" in README.md, and its commands without comments. */
export function gettingStarted() {
  const blocks = codeBlocks().filter(({ place }) => place.startsWith("README.md:"));
  const first = (language: string, part = "") =>
    blocks.find((block) => block.language === language && block.text.includes(part))?.text ?? "";
  const lines = first("sh", "pulumi stack select").split("\n");
  const page = readFileSync(join(ROOT, "README.md"), "utf8");
  return {
    files: {
      "package.json": /`package\.json` with `(\{.*?\})`/.exec(page)?.[1] ?? "",
      "Pulumi.yaml": first("yaml"),
      "index.ts": first("typescript"),
    },
    commands: lines.map((line) => line.replace(/\s+#.*$/, "").trim()).filter((line) => line !== ""),
  };
}

/** What keeps a package from being published. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { isPlaceholder, repositoryOnWeb } from "../../provider/hosts/pluginDownload";
import { PLACEHOLDER_MODULE } from "../schema/languages";

const OWNERS = ".github/CODEOWNERS";
/** What Pulumi's registry reads: two pages, and fields of the schema. */
const PAGES = ["docs/_index.md", "docs/installation-configuration.md"];
const SHOWN = [
  ...["displayName", "description", "keywords", "license", "publisher"],
  ...["homepage", "repository", "logoUrl", "pluginDownloadURL"],
];

/** The fields of package.json that a release needs. */
interface Facts {
  readonly version: string;
  readonly repository?: { readonly url?: string };
  readonly bugs?: { readonly url?: string; readonly email?: string };
}

/** The problems of the package in the current directory, as sentences. The tag is that of the version by default. */
export function releaseProblems(tag?: string): string[] {
  const facts: Facts = JSON.parse(readFileSync("package.json", "utf8"));
  const { version } = facts;
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const problems = [...addressProblems(facts), ...registryProblems()];
  const owners = existsSync(OWNERS) ? readFileSync(OWNERS, "utf8").split("\n") : [];
  if (owners.some(isPlaceholder)) problems.push(`${OWNERS} has a placeholder: set the real owners.`);
  if (tag !== undefined && tag !== `v${version}`)
    problems.push(`The tag is ${tag}, but the version in package.json is ${version}.`);
  if (!changelog.includes(`\n## ${version}\n`)) problems.push(`CHANGELOG.md has no section for ${version}.`);
  return problems;
}

function addressProblems({ repository = {}, bugs = {} }: Facts): string[] {
  const addresses = { "repository.url": repository.url, "bugs.url": bugs.url, "bugs.email": bugs.email };
  const problems = Object.entries(addresses)
    .filter(([, address]) => address === undefined || isPlaceholder(address))
    .map(([name, address]) => `${name} in package.json is ${address ?? "missing"}: set the real address.`);
  if (problems.some((problem) => problem.startsWith("repository"))) return problems;
  if (repositoryOnWeb(repository.url ?? "") === undefined) {
    problems.push(`repository.url in package.json is ${repository.url}: Pulumi downloads only from https.`);
    return problems;
  }
  const files = globSync(["docs/**/*.md", "examples/quickstart-go/*.go"]).filter((file) =>
    readFileSync(file, "utf8").includes(PLACEHOLDER_MODULE),
  );
  return problems.concat(files.map((file) => `${file} imports ${PLACEHOLDER_MODULE}, a placeholder.`));
}

function registryProblems(): string[] {
  const text = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "{}");
  const { provider, resources, functions, ...schema } = JSON.parse(text("schema.json"));
  const specs: Record<string, { description?: string }> = { provider, ...resources, ...functions };
  const examples = Object.entries(specs);
  const lacking = {
    "schema.json": [
      ...SHOWN.filter((name) => !schema[name]?.length),
      ...examples
        .filter(([, spec]) => !spec?.description?.includes("{{% example %}}"))
        .map(([name]) => `an example of ${name}`),
    ],
    ...Object.fromEntries(
      PAGES.map((page) => [
        page,
        ["title", "meta_desc", "layout"].filter((name) => !text(page).includes(`\n${name}: `)),
      ]),
    ),
  };
  return Object.entries(lacking).flatMap(([file, names]) =>
    names.map(
      (name) => `${file} lacks ${name}: complete package.json or the doc comments, and run \`npm run docs\`.`,
    ),
  );
}

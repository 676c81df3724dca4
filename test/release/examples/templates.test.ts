/** The templates for `pulumi new` create the programs of the pages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import quickstart from "../../../examples/quickstart/package.json";
import { version } from "../../../package.json";
import { gettingStarted, stepsIn } from "../docs/codeBlocks";
import { ROOT } from "../package/programs";

const DIRECTORY = join(ROOT, "templates");
const NAME = "shop";

const PAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  go: stepsIn("Go").files,
  python: stepsIn("Python").files,
  typescript: gettingStarted().files,
  yaml: stepsIn("YAML").files,
};

/** The files of a template, as `pulumi new` writes them. It replaces placeholders in names too. */
function filesOf(template: string): Record<string, string> {
  const directory = join(DIRECTORY, template);
  return Object.fromEntries(
    readdirSync(directory).map((name) => [
      name.replace(`\${${"DESCRIPTION"}}`, ""),
      readFileSync(join(directory, name), "utf8").replaceAll(`\${${"PROJECT"}}`, NAME),
    ]),
  );
}

test("there is a template for each language", () => {
  expect(readdirSync(DIRECTORY).sort()).toEqual(Object.keys(PAGES));
});

test.each(Object.entries(PAGES))("the template in %s has the program of the page", (template, page) => {
  const {
    "Pulumi.yaml": projectFile = "",
    "package.json": packageFile,
    ".gitignore": ignored = "",
    ...program
  } = filesOf(template);
  const { "Pulumi.yaml": projectOnPage = "", "package.json": packageOnPage, ...programOnPage } = page;
  expect(program).toEqual(programOnPage);
  const isNode = packageFile !== undefined;
  // What npm installs, or what Pulumi generates.
  expect(ignored.split("\n")).toContain(isNode ? "node_modules/" : "sdks/");

  const { description, template: settings, packages, ...project } = parse(projectFile);
  expect({ ...project, description }).toEqual({
    ...parse(projectOnPage),
    description: `\${${"DESCRIPTION"}}`,
  });
  expect(settings).toEqual({
    description: expect.stringContaining("dynamiclink"),
    quickstart: expect.stringContaining("DYNAMICLINK_API_KEY"),
    // A key is not asked for: it belongs into the environment.
    config: { "dynamiclink:apiUrl": { description: "The service's URL" } },
  });
  // With `packages`, `pulumi new` finds the installed plugin, and generates the SDK.
  expect(packages).toEqual(isNode ? undefined : { dynamiclink: `dynamiclink@${version}` });
  if (!isNode) return;
  expect(JSON.parse(packageFile)).toEqual({
    ...JSON.parse(packageOnPage ?? ""),
    dependencies: { ...quickstart.dependencies, "pulumi-dynamiclink": `^${version}` },
  });
});

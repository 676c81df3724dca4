/** `pulumi new` with the templates of the package, in each language. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { linkPackages, ROOT } from "../../release/package/programs";
import { initialized, installPlugin, type NativeStack, testIn, yamlProgramIn } from "./support";

/** Creates a project from a template, in the directory in which npm has installed the package. */
async function created({ directory, pulumi }: NativeStack, template: string, ...args: string[]) {
  const path = join(ROOT, "templates", template);
  await pulumi("new", path, "--force", "--yes", "--name", "shop", "--description", "A shop", ...args);
  const project = yamlProgramIn(directory);
  expect(project).toMatchObject({ name: "shop", description: "A shop" });
  expect(project).not.toHaveProperty("template");
  // npm leaves a file of this name out of packages. Pulumi removes `${DESCRIPTION}` from the names of files.
  expect(existsSync(join(directory, ".gitignore"))).toBe(true);
}

async function deployed({ service, pulumi }: NativeStack): Promise<void> {
  await pulumi("up", "--yes", "--skip-preview");
  expect(service.state.projects).toMatchObject([{ name: "Shop" }]);
  await pulumi("preview", "--expect-no-changes");
}

for (const language of ["python", "go", "yaml"])
  testIn([language], `pulumi new creates a project in ${language}, with all that it needs`, async (stack) => {
    const { directory, service } = stack;
    await installPlugin(stack);
    const url = `dynamiclink:apiUrl=${service.url}`;
    await created(stack, language, "--stack", "test", "--config", url);
    expect(existsSync(join(directory, "sdks"))).toBe(true);
    await deployed(stack);
  });

testIn(["nodejs"], "pulumi new creates a project in TypeScript", async (stack) => {
  // An installation would change the packages of this checkout.
  await created(stack, "typescript", "--generate-only");
  linkPackages(stack.directory);
  await initialized(stack);
  await deployed(stack);
});

/**
 * The published package: exactly the right files, and code that runs. It is slow because npm packs it. The types are in
 * types.test.ts.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../../testing/emulator";
import { testStack } from "../../../testing/engine";
import { KEY, seedWith } from "../../support/values/organizations";
import { linksIn } from "../docs/codeBlocks";
import { type Directory, directoryWith, packTarball, ROOT, type Tarball, unpackInto } from "./programs";

let tarball: Tarball;
let installation: Directory;
beforeAll(() => {
  tarball = packTarball();
  installation = directoryWith({});
  unpackInto(installation.path, tarball);
});
afterAll(() => {
  tarball?.remove();
  installation?.remove();
});

function programWith(name: string, files: Readonly<Record<string, string>>): string {
  const directory = join(installation.path, name);
  mkdirSync(directory);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
  return directory;
}

test("the tarball contains the build, its data, its documents, the examples, the templates and the plugin, and no source or test", () => {
  const others = tarball.files.filter(
    (file) => !/^dist\/(provider|sdk|cli|testing)\/.*\.(js|d\.ts)$|^(docs|examples|templates)\//.test(file),
  );
  expect(others.sort()).toEqual([
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "dist/provider/hosts/plugin/schema.json",
    "dist/provider/hosts/terraform/dynamiclink.json",
    "dist/testing/emulator/contract/controls.json",
    "dist/testing/emulator/contract/openapi.json",
    "dist/testing/emulator/contract/openapi.yaml",
    "package.json",
    "plugin/PulumiPlugin.yaml",
    "plugin/cli.js",
    "plugin/package.json",
    "plugin/pulumi-resource-dynamiclink",
    "plugin/pulumi-resource-dynamiclink.cmd",
    "plugin/start.js",
  ]);
  const built = tarball.files.filter((file) => !file.startsWith("examples/"));
  expect(built.filter((file) => /test\.|\.tsbuildinfo|\.map$/.test(file))).toEqual([]);
  // The stacks of this repository are part of the example.
  const stacks = ["dev", "prod"].map((name) => `examples/platform/brands/Pulumi.${name}.yaml`);
  const PRIVATE = /node_modules|Pulumi\.\w+\.yaml$|^docs\/internals/;
  expect(tarball.files.filter((file) => PRIVATE.test(file))).toEqual(stacks);
});

test("the links of the documents in the tarball lead to files in it, except those to rules and tests in the repository", () => {
  const isInRepository = (page: string, file: string) =>
    page === "docs/promises.md" && /^(?:provider|test)\//.test(file);
  const isPacked = (file: string) => tarball.files.some((each) => each === file || each.startsWith(file));
  const pages = tarball.files.filter((file) => file.endsWith(".md"));
  const missing = pages.flatMap((page) =>
    linksIn(page).filter(({ file }) => !isInRepository(page, file) && !isPacked(file)),
  );
  expect(pages).toContain("docs/hosts.md");
  expect(missing).toEqual([]);
});

test("publint reports no problem", () => {
  const args = [join(ROOT, "node_modules/.bin/publint"), "run", "--strict", tarball.path];
  expect(execFileSync(process.execPath, args, { encoding: "utf8" })).toContain("All good!");
});

test("import finds the same names as require", () => {
  const script = `
    import { createRequire } from "node:module";
    const missing = [];
    for (const path of ["", "/native", "/provider", "/client", "/testing"]) {
      const imported = await import("pulumi-dynamiclink" + path);
      const required = createRequire(import.meta.url)("pulumi-dynamiclink" + path);
      missing.push(...Object.keys(required).filter((name) => !(name in imported)));
    }
    console.log(JSON.stringify(missing));
  `;
  const program = programWith("names", { "names.mjs": script });
  const printed = execFileSync(process.execPath, [join(program, "names.mjs")], { encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual([]);
});

test("a program runs with the tarball, in TypeScript that Node.js strips", async () => {
  const text = `
    import { getProjectOutput, Project } from "pulumi-dynamiclink";
    const shop = new Project("shop", { name: "Shop" });
    export const look = getProjectOutput({ id: shop.id }).name;
    export const name: string = "typed";`;
  const packageJson = JSON.stringify({ name: "packed", main: "index.ts", type: "module" });
  await using service = await startEmulator({ seed: seedWith() });
  await using stack = await testStack({
    program: programWith("program", { "index.ts": text, "package.json": packageJson }),
    config: { "dynamiclink:apiUrl": service.url },
    environment: { DYNAMICLINK_API_KEY: KEY, DYNAMICLINK_READ_ONLY: undefined },
  });
  expect((await stack.up()).outputs).toMatchObject({ look: "Shop" });
});

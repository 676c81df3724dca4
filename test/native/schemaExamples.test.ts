/** The examples in the schema: those in TypeScript compile, and those in YAML run and are what the others follow from. */
import { spawnSync } from "node:child_process";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { convertedExamples, EXAMPLES_FILE, schemaExamples } from "../../scripts/registry/schemaExamples";
import { directoryWith } from "../package/unpackedProgram";
import { pulumiCli } from "../support/processes/pulumiCli";
import { seedWith } from "../support/stacks/scenarios";
import { initialized, parsedYaml, ROOT, testIn } from "./support";

const EXAMPLES = schemaExamples();
const ID = "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e";

test("the examples in TypeScript compile", () => {
  const files = Object.fromEntries(
    [...EXAMPLES].map(([name, { typescript = "" }]) => [`${name}.ts`, `${typescript}export {};\n`]),
  );
  const directory = directoryWith({
    ...files,
    "package.json": "{}",
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        target: "es2024",
        module: "nodenext",
      },
      files: Object.keys(files),
    }),
  });
  symlinkSync(join(ROOT, "node_modules"), join(directory.path, "node_modules"));
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [tsc, "--project", directory.path], { encoding: "utf8" });
  directory.remove();
  expect(stdout).toBe("");
  expect(Object.keys(files)).toHaveLength(9);
});

const SEED = seedWith([
  {
    id: ID,
    name: "Brand",
    applications: [{ id: ID, appType: "WEB" }],
    customDomains: [{ id: ID, hostname: "go.brand.example" }],
    links: [{ id: ID, name: "Home", url: "https://brand.example/" }],
  },
]);

testIn(
  ["yaml"],
  "the examples in YAML are previewed",
  async (stack) => {
    const { pulumi, service, write } = stack;
    write({});
    await initialized(stack);
    for (const [name, { yaml = "" }] of EXAMPLES) {
      // The example of a provider has settings of its own.
      const own = yaml
        .replace("DYNAMICLINK_API_KEY_EUROPE", "DYNAMICLINK_API_KEY")
        .replace("https://api.dynamiclink.example", service.url);
      write(parsedYaml(own));
      expect([name, await pulumi("preview")]).toEqual([name, expect.stringContaining("Previewing update")]);
      expect(stack.sent()).toContain(name.startsWith("get") ? name : "getCurrentApiCredential");
    }
  },
  { seed: SEED },
);

testIn(["yaml", "nodejs", "python", "go"], "the other examples follow from those in YAML", async () => {
  const { command, environment } = pulumiCli();
  expect(await convertedExamples(command, environment)).toBe(readFileSync(EXAMPLES_FILE, "utf8"));
});

/**
 * The examples in the schema: those in YAML run and are what the others follow from. test/release/package/types compiles those in
 * TypeScript.
 */
import { convertedExamples, schemaExamples } from "../../../scripts/registry/schemaExamples";
import { pulumiCli } from "../../support/processes/pulumiCli";
import { seedWith } from "../../support/values/organizations";
import { initialized, parsedYaml, testIn } from "./support";

const EXAMPLES = schemaExamples();
const ID = "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e";

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
      const operation = name.replace(/^get(\w+s)$/, "list$1");
      expect(stack.sent()).toContain(name.startsWith("get") ? operation : "getCurrentApiCredential");
    }
  },
  { seed: SEED },
);

testIn(
  ["yaml", "nodejs", "python", "go"],
  "the other examples follow from those in YAML",
  async () => {
    const { command, environment } = pulumiCli();
    expect(await convertedExamples(command, environment)).toEqual(EXAMPLES);
  },
  { programs: ["pulumi-converter-yaml"] },
);

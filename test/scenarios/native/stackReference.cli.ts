/** Functions of what another stack has, in the first preview of a new stack, on both hosts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seedWith } from "../../support/values/organizations";
import { initialized, testIn, writeNodeProgram } from "./support";

const BRAND = "0c0c0c0c-0000-4000-8000-000000000003";

const PROGRAM = `
  import * as pulumi from "@pulumi/pulumi";
  import * as dynamic from "pulumi-dynamiclink";
  import * as native from "pulumi-dynamiclink/native";

  const id = new pulumi.StackReference("organization/brands/dev").requireOutput("id");
  export const onNative = native.getProjectOutput({ id }).name;
  export const onDynamic = dynamic.getProjectOutput({ id }).name;
  export const own = pulumi.runtime.invokeOutput("dynamiclink:index:getProject", { id }).apply((r) => r.name);
`;

testIn(
  ["yaml", "nodejs"],
  "functions of a stack reference's output are known in the first preview",
  async (stack) => {
    const brands = join(stack.directory, "brands");
    mkdirSync(brands);
    const project = { name: "brands", runtime: "yaml", outputs: { id: BRAND } };
    writeFileSync(join(brands, "Pulumi.yaml"), JSON.stringify(project));
    await stack.pulumi("stack", "init", "dev", "--cwd", brands);
    await stack.pulumi("up", "--yes", "--skip-preview", "--cwd", brands);
    writeNodeProgram(stack, "index.mjs", PROGRAM);
    await initialized(stack);
    const printed = await stack.pulumi("preview");
    const outputs = [...printed.matchAll(/(\w+) *: (\[unknown\]|"Brand")/g)].map(([, ...output]) =>
      output.join(" "),
    );
    expect(outputs.toSorted()).toEqual(['onDynamic "Brand"', 'onNative "Brand"', 'own "Brand"']);
  },
  { seed: seedWith([{ id: BRAND, name: "Brand" }]) },
);

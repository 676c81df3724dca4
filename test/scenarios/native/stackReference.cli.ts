/** Functions of what another stack has, in the first preview of a new stack, on both hosts. */
import { directoryWith } from "../../release/package/programs";
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
    using brands = directoryWith({ "Pulumi.yaml": `{name: brands, runtime: yaml, outputs: {id: ${BRAND}}}` });
    await stack.pulumi("stack", "init", "dev", "--cwd", brands.path);
    await stack.pulumi("up", "--yes", "--skip-preview", "--cwd", brands.path);
    writeNodeProgram(stack, "index.mjs", PROGRAM);
    await initialized(stack);
    const outputs = (await stack.pulumi("preview")).match(/\w+ *: (\[unknown\]|"Brand")/g);
    expect(outputs?.toSorted()).toEqual(['onDynamic: "Brand"', 'onNative : "Brand"', 'own      : "Brand"']);
  },
  { seed: seedWith([{ id: BRAND, name: "Brand" }]) },
);

// Deploys a stack for each brand, in parallel, from an inline program. Usage: node inline.ts [up | destroy]
import { automation } from "@pulumi/pulumi";
import { Application, getProjectOutput, Project } from "pulumi-dynamiclink";

const { SERVICE_URL = "https://api.dynamiclink.example" } = process.env;
const [command = "up"] = process.argv.slice(2);

/** The program of a brand. It runs in this process. */
function shopOf(brand: string): automation.PulumiFn {
  return async () => {
    const shop = new Project("shop", { name: `Shop ${brand}` });
    new Application("shop-web", { projectId: shop.id, appType: "WEB" });
    const { organizationId } = getProjectOutput({ id: shop.id });
    return { name: shop.name, organizationId };
  };
}

/** Runs the command on the stack of a brand. Resolves with its outputs. */
async function run(brand: string): Promise<automation.OutputMap> {
  const stack = await automation.LocalWorkspace.createOrSelectStack(
    { projectName: "shops", stackName: brand, program: shopOf(brand) },
    // Pulumi loads the providers from `main`, so pulumi-dynamiclink must be in a node_modules folder there or above.
    { projectSettings: { name: "shops", runtime: "nodejs", main: import.meta.dirname } },
  );
  await stack.setConfig("dynamiclink:apiUrl", { value: SERVICE_URL });
  if (command === "destroy") await stack.destroy();
  else await stack.up();
  return await stack.outputs();
}

const brands = ["north", "south"];
// Waits for all stacks. Pulumi would hide an unhandled error while another inline program is running.
const results = await Promise.allSettled(brands.map(run));
for (const [index, result] of results.entries()) {
  if (result.status === "fulfilled") {
    console.log(brands[index], JSON.stringify(result.value));
  } else {
    console.error(`${brands[index]}: ${result.reason.message}`);
    process.exitCode = 1;
  }
}

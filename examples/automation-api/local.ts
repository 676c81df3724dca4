// Deploys the program in another directory. Usage: node local.ts [up | destroy] [directory]
import { resolve } from "node:path";
import { automation } from "@pulumi/pulumi";

const { SERVICE_URL = "https://api.dynamiclink.example", SERVICE_KEY = "" } = process.env;
const [command = "up", directory = "../custom-domain"] = process.argv.slice(2);

const stack = await automation.LocalWorkspace.createOrSelectStack(
  { stackName: "dev", workDir: resolve(import.meta.dirname, directory) },
  // The program and its providers run in processes of their own, which have this variable.
  { envVars: { DYNAMICLINK_API_KEY: SERVICE_KEY } },
);
await stack.setConfig("dynamiclink:apiUrl", { value: SERVICE_URL });
if (command === "destroy") await stack.destroy();
else await stack.up();
console.log(JSON.stringify(await stack.outputs()));

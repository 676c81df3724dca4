// Runs the quickstart from first preview to destroy, against the emulator: on the Pulumi CLI if it is installed, and
// on the test engine otherwise. Usage: node demo.ts, or `npm run demo` in the root of the repository.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type EngineEvent, LocalWorkspace, PulumiCommand, Stack } from "@pulumi/pulumi/automation/index.js";
import { type Emulator, StackFailure, startEmulator, testStack } from "pulumi-dynamiclink/testing";

const KEY = "demo-key-for-the-emulator";
const EXISTING = "5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e";

type Command = "preview" | "up" | "refresh" | "destroy";

/** A step of a command, such as the creation of a resource. */
interface DemoStep {
  readonly operation: string;
  readonly type: string;
  readonly name: string;
}

interface Demo {
  /** Resolves with the steps that change something, and with the errors if the command has failed. */
  run(command: Command): Promise<{ readonly steps: readonly DemoStep[]; readonly errors: readonly string[] }>;
  close(): Promise<void>;
}

// The demo writes to the emulator only.
delete process.env.DYNAMICLINK_READ_ONLY;
const service = await startEmulator({
  seed: {
    organizations: [{ keys: [{ key: KEY }], projects: [{ id: EXISTING, name: "Made in the console" }] }],
  },
});
const directory = copyOfQuickstart();
const demo = (await onPulumi(directory, service)) ?? (await onTestEngine(directory, service));
try {
  await step("preview: shows what will be created; writes nothing", () => demo.run("preview"));
  await step("up: creates the resources", () => demo.run("up"));
  await step(
    "preview again: no changes; the provider sends one request, the function in the program two",
    () => demo.run("preview"),
  );

  const shop = service.state.projects.find(({ name }) => name === "Shop");
  if (shop === undefined) throw new Error("The quickstart created no project.");
  service.updateProject(shop.id, { defaultHookupMsg: "Changed in the console" });
  await step("someone changes the message in the console; refresh detects the drift", () =>
    demo.run("refresh"),
  );
  await step("up: restores what the program declares", () => demo.run("up"));

  // Adopted objects are protected by default. This one is unprotected, so that destroy removes it from the state.
  const adoption = `new Project("existing", { name: "Made in the console" }, { import: "${EXISTING}", protect: false, retainOnDelete: true });`;
  appendFileSync(join(directory, "index.ts"), `\n${adoption}\n`);
  await step(`adopt an existing project by its UUID:\n  ${adoption}\n `, () => demo.run("up"));
  const program = readFileSync(join(directory, "index.ts"), "utf8");
  appendFileSync(join(directory, "index.ts"), '\nnew Project("sale", { nmae: "Summer sale" } as never);\n');
  await step("preview: a misspelt argument fails before anything is created", () => demo.run("preview"), {
    fails: true,
  });
  writeFileSync(join(directory, "index.ts"), program);
  // A custom domain that is seconds old takes half a minute to delete.
  service.clock.advance(60_000);
  await step("destroy: deletes what the stack created", () => demo.run("destroy"));
  const left = service.state.projects.map(({ name }) => name).join(", ");
  console.log(`\nLeft in the service: ${left}. To start with your own organization, see README.md.`);
} finally {
  await demo.close();
  await service.close();
  rmSync(directory, { recursive: true, force: true });
}

async function step(
  title: string,
  run: () => ReturnType<Demo["run"]>,
  { fails = false }: { readonly fails?: boolean } = {},
): Promise<void> {
  service.clearRequests();
  console.log(`\n> ${title}`);
  const { steps, errors } = await run();
  if (errors.length > 0 !== fails) throw new Error(errors.join("\n") || "The command should have failed.");
  for (const { operation, type, name } of steps)
    console.log(`  ${operation.padEnd(7)} ${type.replace(/.*:/, "")} ${name}`);
  for (const error of errors) console.log(error.replace(/^/gm, "  "));
  const requests = service.requests.length;
  const writes = service.requests.filter(({ method }) => method !== "GET").length;
  const summary = steps.length === 0 && !fails ? "no changes; " : "";
  console.log(`  ${summary}${requests} ${requests === 1 ? "request" : "requests"}, ${writes} of them writes`);
}

function copyOfQuickstart(): string {
  const copy = mkdtempSync(join(tmpdir(), "dynamiclink-demo-"));
  for (const file of ["index.ts", "package.json"]) cpSync(join(import.meta.dirname, file), join(copy, file));
  symlinkSync(modulesAbove(import.meta.dirname), join(copy, "node_modules"), "junction");
  const project = {
    name: "dynamiclink-quickstart",
    main: "index.ts",
    runtime: { name: "nodejs", options: { typescript: false } },
  };
  writeFileSync(join(copy, "Pulumi.yaml"), JSON.stringify(project));
  mkdirSync(join(copy, "state"));
  return copy;
}

/** The node_modules with Pulumi: of the checkout, or of the directory into which this example was copied. */
function modulesAbove(directory: string): string {
  const modules = join(directory, "node_modules");
  return existsSync(join(modules, "@pulumi", "pulumi")) ? modules : modulesAbove(dirname(directory));
}

async function onPulumi(program: string, { url }: Emulator): Promise<Demo | undefined> {
  const pulumiCommand = await findPulumi();
  if (pulumiCommand === undefined) return undefined;
  console.log(`Running on the Pulumi CLI ${pulumiCommand.version}, against an emulator of the service.`);
  const workspace = await LocalWorkspace.create({
    workDir: program,
    pulumiCommand,
    envVars: {
      DYNAMICLINK_API_KEY: KEY,
      PULUMI_BACKEND_URL: `file://${program}/state`,
      PULUMI_CONFIG_PASSPHRASE: "demo",
      PULUMI_SKIP_UPDATE_CHECK: "true",
    },
  });
  const stack = await Stack.create("demo", workspace);
  await stack.setConfig("dynamiclink:apiUrl", { value: url });
  return {
    async run(command) {
      const steps: DemoStep[] = [];
      const errors: string[] = [];
      const onEvent = ({ resourcePreEvent: step, resOutputsEvent: read, diagnosticEvent }: EngineEvent) => {
        const { op, type, urn } = (command === "refresh" ? read : step)?.metadata ?? {};
        if (op !== undefined)
          steps.push({ operation: op, type: String(type), name: urn?.split("::").at(-1) ?? "" });
        const { severity, message = "", urn: about } = diagnosticEvent ?? {};
        if (severity === "error" && about !== undefined)
          errors.push(message.replace(/<\{%.*?%\}>/g, "").trim());
      };
      try {
        await stack[command]({ onEvent });
      } catch (error) {
        if (errors.length === 0) throw error;
      }
      return { steps: steps.filter(isChange), errors };
    },
    async close() {},
  };
}

async function findPulumi(): Promise<PulumiCommand | undefined> {
  const roots = [undefined, process.env.PULUMI_HOME, join(homedir(), ".pulumi")];
  for (const root of roots) {
    if (root !== undefined && !existsSync(join(root, "bin"))) continue;
    try {
      return await PulumiCommand.get(root === undefined ? {} : { root });
    } catch {
      // Not found here. Try the next directory.
    }
  }
  return undefined;
}

async function onTestEngine(program: string, { url }: Emulator): Promise<Demo> {
  console.log(
    "No Pulumi CLI found: running on the package's test engine, against an emulator of the service.",
  );
  console.log(
    "To run it on the Pulumi CLI, install it (https://www.pulumi.com/docs/install/) and run this command again.",
  );
  const stack = await testStack({
    program,
    config: { "dynamiclink:apiUrl": url },
    environment: { DYNAMICLINK_API_KEY: KEY },
  });
  return {
    async run(command) {
      try {
        const { steps } = await stack[command]();
        return { steps: steps.filter((one) => isChange(one) && one.result !== "same"), errors: [] };
      } catch (error) {
        if (!(error instanceof StackFailure)) throw error;
        const { diagnostics } = error.result;
        return {
          steps: [],
          errors: diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : [])),
        };
      }
    },
    close: () => stack.close(),
  };
}

/** Whether a step belongs to a resource of the program, and changes something. */
function isChange({ operation, type }: DemoStep): boolean {
  return !type.startsWith("pulumi:") && !["same", "read"].includes(operation);
}

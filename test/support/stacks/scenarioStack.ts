/**
 * A stack for scenarios: on the test engine, or on a real Pulumi CLI through the Automation API. Both run the same
 * program text and return the same results.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import type { ImportFile } from "../../../provider/hosts/importFile";
import { DESCRIPTIONS } from "../../../provider/resources";
import type { TestResult, TestStack } from "../../../testing/engine";
import type { Processes } from "../../../testing/engine/commands/processes";
import { compileCache } from "../../../testing/engine/process/compileCache";
import { findProgram } from "../../../testing/engine/program/program";
import type { ResourceState } from "../../../testing/engine/state/snapshot";
import { createStack } from "../../../testing/engine/testStack";
import { killAll, providersOf } from "../processes/processTree";
import { backendIn, type PulumiCli, runPulumi } from "../processes/pulumiCli";
import { PLUGIN_PROJECT } from "../providers/pluginProject";

const PROJECT = "scenario";
const STACK = "test";

/** What manages the resources of a stack: Pulumi's dynamic-provider host, or the native plugin. */
export interface ScenarioHost {
  readonly name: "dynamic" | "native";
  /** What a program imports the classes from. */
  readonly module: string;
  /** What Pulumi.yaml has besides the name and the runtime. */
  readonly project: object;
  /** The type token of a resource, without the name of its class. */
  readonly typePrefix: string;
}

export const DYNAMIC: ScenarioHost = {
  name: "dynamic",
  module: DYNAMIC_HOST.module,
  project: {},
  typePrefix: DYNAMIC_HOST.typeToken({ type: "" }),
};

export const NATIVE: ScenarioHost = {
  name: "native",
  module: NATIVE_HOST.module,
  project: PLUGIN_PROJECT,
  typePrefix: NATIVE_HOST.typeToken({ type: "" }),
};

/** The imports of every program. */
function preludeFor({ module }: ScenarioHost): string {
  return `
import * as pulumi from "@pulumi/pulumi";
import * as dynamiclink from "${module}";
import { ${[...Object.keys(DESCRIPTIONS), "Provider"].join(", ")} } from "${module}";
`;
}

/** A resource in the state, with plain values. */
export interface ScenarioResource {
  readonly type: string;
  readonly name: string;
  readonly id: string | undefined;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly protect: boolean;
}

/** The result of a command. */
export interface ScenarioOutcome {
  /** The number of resources for each operation. */
  readonly changes: Record<string, number>;
  /** The stack outputs. */
  readonly outputs: Record<string, unknown>;
  /** All output. */
  readonly printed: string;
}

/** Options of preview and up. */
export interface ScenarioOptions {
  readonly expectNoChanges?: boolean;
  readonly refresh?: boolean;
  readonly replace?: readonly string[];
  readonly target?: readonly string[];
  readonly exclude?: readonly string[];
}

/** A stack for scenarios. A command that fails rejects with an Error that contains all output. */
export interface ScenarioStack {
  /** Sets the program: TypeScript without its imports. */
  program(source: string): void;
  /** The URN of a resource without a parent. */
  urnOf(type: string, name: string): string;
  configure(config: Record<string, string | { readonly secret: string }>): Promise<void>;
  environment(variables: Record<string, string | undefined>): Promise<void>;
  preview(options?: ScenarioOptions): Promise<ScenarioOutcome>;
  up(options?: ScenarioOptions): Promise<ScenarioOutcome>;
  refresh(options?: Pick<ScenarioOptions, "expectNoChanges">): Promise<ScenarioOutcome>;
  destroy(): Promise<ScenarioOutcome>;
  /** `pulumi import --file`, without protection. */
  importFile(file: ImportFile): Promise<void>;
  /** Kills the provider processes of the running command. */
  killProviders(): Promise<void>;
  /** `pulumi state delete --force`. */
  deleteFromState(urn: string): Promise<void>;
  /** `pulumi state rename`. */
  renameInState(urn: string, name: string): Promise<void>;
  /** The dynamic resources in the state, sorted by name. */
  resources(): Promise<ScenarioResource[]>;
  /** The whole state as it is stored, with encrypted secrets. */
  stateText(): Promise<string>;
  close(): Promise<void>;
}

/** Creates the stack of a scenario. */
export type StackFactory = (environment: Record<string, string | undefined>) => Promise<ScenarioStack>;

/** Stacks on the test engine, whose programs and providers are started by `processes`. */
export function engineStacks(processes: Processes, host = DYNAMIC): StackFactory {
  return async (environment) => engineStack(environment, processes, host);
}

function engineStack(
  environment: Record<string, string | undefined>,
  processes: Processes,
  host: ScenarioHost,
): ScenarioStack {
  const directory = programDirectory(host);
  const program = findProgram(directory.path, PROJECT);
  const stack = createStack({ program, stack: STACK, environment }, processes);
  const outcome = ({ changes, outputs, diagnostics }: TestResult): ScenarioOutcome => ({
    changes,
    outputs,
    printed: diagnostics.map(({ message }) => message).join("\n"),
  });
  return {
    program: directory.setProgram,
    urnOf: (type, name) => urnOf(host, type, name),
    configure: async (config) => stack.setConfig(config),
    environment: async (variables) => stack.setEnvironment({ ...environment, ...variables }),
    preview: async (options) => outcome(await stack.preview(options)),
    up: async (options) => outcome(await stack.up(options)),
    refresh: async (options) => outcome(await stack.refresh(options)),
    destroy: async () => outcome(await stack.destroy()),
    importFile: async (file) => void (await stack.importFile(file, { protect: false })),
    killProviders: async () => stack.killHosts(),
    deleteFromState: async (urn) =>
      editState(stack, (resources) => resources.filter((resource) => resource.urn !== urn)),
    renameInState: async (urn, name) =>
      editState(stack, (resources) =>
        resources.map((resource) =>
          resource.urn === urn ? { ...resource, urn: urn.replace(/[^:]+$/, name) } : resource,
        ),
      ),
    resources: async () => resourcesIn(stack.exportState({ showSecrets: true }), host),
    stateText: async () => JSON.stringify(stack.exportState()),
    async close() {
      await stack.close();
      directory.remove();
    },
  };
}

/** Stacks on a real CLI, each with its state in a temporary directory. */
export function cliStacks(cli: PulumiCli, host = DYNAMIC): StackFactory {
  return async (environment) => {
    // Loaded late, because it is large and needed only with a CLI.
    const { LocalWorkspace, PulumiCommand, Stack } = await import("@pulumi/pulumi/automation/index.js");
    const directory = programDirectory(host);
    // The Automation API expects the CLI in a directory called bin, but it can be in any directory.
    const root = join(directory.path, "cli");
    mkdirSync(root);
    symlinkSync(dirname(cli.command), join(root, "bin"));
    const workspace = await LocalWorkspace.create({
      workDir: directory.path,
      pulumiCommand: await PulumiCommand.get({ root }),
      envVars: {
        ...definedOnly(cli.environment),
        ...backendIn(join(directory.path, "state")),
        ...compileCache(),
        ...definedOnly(environment),
      },
    });
    const stack = await Stack.create(STACK, workspace);
    const base = { ...workspace.envVars };

    async function run(
      command: (onOutput: (text: string) => void) => Promise<Partial<ScenarioOutcome>>,
    ): Promise<ScenarioOutcome> {
      const printed: string[] = [];
      const { changes = {}, outputs = {} } = await command((text) => printed.push(text));
      return { changes, outputs, printed: printed.join("") };
    }
    /** A command that the Automation API does not have. */
    async function command(...args: string[]): Promise<void> {
      await runPulumi(cli, [...args, "--yes", "--stack", STACK], {
        directory: workspace.workDir,
        environment: { ...process.env, ...definedOnly(workspace.envVars) },
      });
    }
    const common = (onOutput: (text: string) => void) => ({
      onOutput,
      color: "never" as const,
      suppressProgress: false,
    });

    return {
      program: directory.setProgram,
      urnOf: (type, name) => urnOf(host, type, name),
      async configure(config) {
        for (const [key, value] of Object.entries(config)) {
          await stack.setConfig(
            key,
            typeof value === "string" ? { value } : { value: value.secret, secret: true },
          );
        }
      },
      async environment(variables) {
        workspace.envVars = { ...base };
        for (const [name, value] of Object.entries(variables)) {
          // The Automation API cannot remove an inherited variable, only set it to an empty value.
          workspace.envVars[name] = value ?? "";
        }
      },
      preview: async (options) =>
        await run(async (onOutput) => {
          const { changeSummary } = await stack.preview({ ...common(onOutput), ...listed(options) });
          return { changes: definedOnly(changeSummary) };
        }),
      up: async (options) =>
        await run(async (onOutput) => {
          const { summary, outputs } = await stack.up({ ...common(onOutput), ...listed(options) });
          const plain = Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
          return { changes: definedOnly(summary.resourceChanges ?? {}), outputs: plain };
        }),
      refresh: async (options) =>
        await run(async (onOutput) => {
          const { summary } = await stack.refresh({ ...common(onOutput), ...options });
          return { changes: definedOnly(summary.resourceChanges ?? {}) };
        }),
      destroy: async () =>
        await run(async (onOutput) => {
          const { summary } = await stack.destroy(common(onOutput));
          return { changes: definedOnly(summary.resourceChanges ?? {}) };
        }),
      async importFile(file) {
        const path = join(directory.path, "import.json");
        writeFileSync(path, JSON.stringify(file));
        await command("import", "--file", path, "--generate-code=false", "--protect=false");
      },
      // Tests run one after the other, so this process has started no other providers.
      killProviders: async () => killAll(await providersOf(process.pid)),
      deleteFromState: async (urn) => await command("state", "delete", urn, "--force"),
      renameInState: async (urn, name) => await command("state", "rename", urn, name),
      resources: async () => resourcesIn(await stack.exportStack(), host),
      // Read from the file, because an export shows secrets.
      stateText: async () =>
        readFileSync(join(directory.path, "state/.pulumi/stacks", PROJECT, `${STACK}.json`), "utf8"),
      async close() {
        directory.remove();
      },
    };
  };
}

/** Creates a directory with a program that resolves the packages of this repository. */
export function programDirectory(host = DYNAMIC) {
  const prelude = preludeFor(host);
  const path = mkdtempSync(join(tmpdir(), "dynamiclink-scenario-"));
  const write = (name: string, text: string) => writeFileSync(join(path, name), text);
  mkdirSync(join(path, "state"));
  symlinkSync(resolve(__dirname, "..", "..", "..", "node_modules"), join(path, "node_modules"));
  write("package.json", JSON.stringify({ name: PROJECT, type: "module", main: "index.ts" }));
  write(
    "Pulumi.yaml",
    JSON.stringify({
      name: PROJECT,
      runtime: { name: "nodejs", options: { typescript: false } },
      ...host.project,
    }),
  );
  write("index.ts", prelude);
  return {
    path,
    setProgram: (source: string) => write("index.ts", prelude + source),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function urnOf({ typePrefix }: ScenarioHost, type: string, name: string): string {
  return `urn:pulumi:${STACK}::${PROJECT}::${typePrefix}${type}::${name}`;
}

function editState(
  stack: TestStack,
  edit: (resources: readonly ResourceState[]) => readonly ResourceState[],
): void {
  const { version, deployment } = stack.exportState({ showSecrets: true });
  const resources = [...edit(deployment.resources ?? [])];
  stack.importState({ version, deployment: { ...deployment, resources } });
}

interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly protect?: boolean;
}

function resourcesIn(deployment: unknown, host: ScenarioHost): ScenarioResource[] {
  const { resources = [] } = (deployment as { deployment: { resources?: StoredResource[] } }).deployment;
  return resources
    .filter(({ type }) => type.startsWith(host.typePrefix))
    .map(({ urn, type, id, inputs = {}, outputs = {}, protect = false }) => ({
      type: type.replace(host.typePrefix, ""),
      name: urn.slice(urn.lastIndexOf("::") + 2),
      id,
      inputs,
      outputs,
      protect,
    }))
    .sort((left, right) => left.name.localeCompare(right.name, "en"));
}

function definedOnly<Value>(values: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<
    string,
    Value
  >;
}

function listed({ replace, target, exclude, ...options }: ScenarioOptions = {}) {
  return {
    ...options,
    ...(replace && { replace: [...replace] }),
    ...(target && { target: [...target] }),
    ...(exclude && { exclude: [...exclude] }),
  };
}

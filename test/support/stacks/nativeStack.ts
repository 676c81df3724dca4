/**
 * A stack that may use both hosts, on a real CLI or on the test engine: its program imports the classes of either, and the
 * project names the plugin.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestResult, TestStack, TestStackOptions } from "../../../testing/engine";
import { compileCache } from "../../../testing/engine/process/compileCache";
import { backendIn, backendOf, type PulumiCli, runPulumi } from "../processes/pulumiCli";
import { PLUGIN_PROJECT } from "../providers/pluginProject";
import { programWith } from "./programFiles";

/** The modules that export the classes. */
export type Module = "pulumi-dynamiclink" | "pulumi-dynamiclink/native";

/** What a command did: how many resources met with what. */
export type Changes = Readonly<Record<string, number>>;

/** A resource in the state. */
export interface StoredResource {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
}

/** The stack. A command that fails rejects with an Error that contains all output. */
export interface NativeStack {
  /** Sets the program: TypeScript without its imports. */
  program(module: Module, source: string): void;
  preview(): Promise<Changes>;
  up(): Promise<Changes>;
  refresh(): Promise<Changes>;
  destroy(): Promise<Changes>;
  /** `pulumi state unprotect --all`. */
  unprotect(): Promise<void>;
  /** All resources in the state except the stack's own. */
  resources(): StoredResource[];
  close(): Promise<void>;
}

/** The stack on a real CLI. */
export interface NativeCliStack extends NativeStack {
  readonly directory: string;
  /** Runs a command. Resolves with its standard output. */
  pulumi(...args: string[]): Promise<string>;
  preview(...args: string[]): Promise<Changes>;
  up(...args: string[]): Promise<Changes>;
}

/** What a stack is created with. */
export interface NativeStackOptions {
  readonly config: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string>>;
}

/** Creates a stack, with its program and its state in a directory of its own. */
export async function nativeCliStack(
  cli: PulumiCli,
  { config, environment }: NativeStackOptions,
): Promise<NativeCliStack> {
  const program = programDirectory();
  const { directory } = program;
  const state = join(directory, "state");
  mkdirSync(state);

  const pulumi = (...args: string[]) =>
    runPulumi(cli, args, {
      directory,
      environment: { ...cli.environment, ...backendIn(state), ...compileCache(), ...environment },
    });
  const backend = backendOf(state, PROJECT);

  async function change(...args: string[]): Promise<Changes> {
    await pulumi(...args, "--yes", "--skip-preview");
    return backend.lastChanges() as Changes;
  }

  await pulumi("stack", "init", "test");
  for (const [key, value] of Object.entries(config)) await pulumi("config", "set", key, value);
  return {
    directory,
    pulumi,
    program: program.set,
    preview: async (...args) => JSON.parse(await pulumi("preview", "--json", ...args)).changeSummary ?? {},
    up: (...args) => change("up", ...args),
    refresh: () => change("refresh"),
    destroy: () => change("destroy"),
    unprotect: async () => void (await pulumi("state", "unprotect", "--all", "--yes")),
    resources: () => managedIn(backend.deployment()),
    close: async () => program.remove(),
  };
}

/** Creates the same stack on the test engine. */
export function nativeEngineStack(
  newStack: (options: TestStackOptions) => TestStack,
  { config, environment }: NativeStackOptions,
): NativeStack {
  const program = programDirectory();
  const stack = newStack({
    program: program.directory,
    project: PROJECT,
    config: { ...config },
    environment,
  });
  const changesOf = ({ changes }: TestResult) => changes as Changes;
  return {
    program: program.set,
    preview: async () => changesOf(await stack.preview()),
    up: async () => changesOf(await stack.up()),
    refresh: async () => changesOf(await stack.refresh()),
    destroy: async () => changesOf(await stack.destroy()),
    async unprotect() {
      const { version, deployment } = stack.exportState({ showSecrets: true });
      const resources = deployment.resources?.map((resource) => ({ ...resource, protect: false })) ?? [];
      stack.importState({ version, deployment: { ...deployment, resources } });
    },
    resources: () => managedIn(stack.exportState().deployment),
    async close() {
      await stack.close();
      program.remove();
    },
  };
}

const PROJECT = "moving";

/** A directory with a program, in a project that names the plugin. */
function programDirectory() {
  const runtime = { name: "nodejs", options: { typescript: false } };
  const { path: directory, remove } = programWith({
    "package.json": JSON.stringify({ name: PROJECT, type: "module", main: "index.ts" }),
    "Pulumi.yaml": JSON.stringify({ name: PROJECT, runtime, ...PLUGIN_PROJECT }),
    "index.ts": "",
  });
  return {
    directory,
    set: (module: Module, source: string) =>
      writeFileSync(
        join(directory, "index.ts"),
        `import * as pulumi from "@pulumi/pulumi";\nimport * as dynamiclink from "${module}";\n${source}`,
      ),
    remove,
  };
}

function managedIn({ resources = [] }: { readonly resources?: readonly StoredResource[] }): StoredResource[] {
  return resources.filter(({ type }) => type !== "pulumi:pulumi:Stack");
}

/**
 * A stack for scenarios: on the test engine, or on a real Pulumi CLI. Both run the same program text and return the same
 * results.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { DESCRIPTIONS } from "../../../provider/resources";
import type { Deployment, TestResult } from "../../../testing/engine";
import type { Processes } from "../../../testing/engine/commands/processes";
import { findProgram } from "../../../testing/engine/program/program";
import { STACK_TYPE } from "../../../testing/engine/protocol/urn";
import { createStack } from "../../../testing/engine/testStack";
import { programWith } from "../../release/package/unpackedProgram";
import { killAll, providersOf } from "../processes/processTree";
import { backendIn, backendOf, initStack, type PulumiCli, runPulumi } from "../processes/pulumiCli";
import { QUICK_START } from "../processes/quickStart";
import { PLUGIN_PROJECT } from "../providers/pluginProject";

const PROJECT = "scenario";
const STACK = "test";
const EMPTY_STATE: Deployment = { version: 3, deployment: {} };

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
function preludeFor(module: string): string {
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
  /** Sets the program: TypeScript without its imports. Its classes are those of the stack's host by default. */
  program(source: string, module?: string): void;
  /** The URN of a resource without a parent. */
  urnOf(type: string, name: string): string;
  /** Sets the configuration. What it had is gone. */
  configure(config: Record<string, string | { readonly secret: string }>): Promise<void>;
  environment(variables: Record<string, string | undefined>): Promise<void>;
  preview(options?: ScenarioOptions): Promise<ScenarioOutcome>;
  /** Sets the program and runs `up`. */
  deploy(source: string): Promise<ScenarioOutcome>;
  up(options?: ScenarioOptions): Promise<ScenarioOutcome>;
  refresh(options?: Pick<ScenarioOptions, "expectNoChanges">): Promise<ScenarioOutcome>;
  destroy(): Promise<ScenarioOutcome>;
  /** Empties the state, as if it were lost. The objects stay in the service. */
  loseState(): Promise<void>;
  /** Kills the provider processes of the running command. */
  killProviders(): Promise<void>;
  /** The dynamic resources in the state, sorted by name. */
  resources(): Promise<ScenarioResource[]>;
  /** The deployment as it is stored, with encrypted secrets. */
  stateText(): Promise<string>;
  close(): Promise<void>;
}

/** Creates the stack of a scenario. */
export type StackFactory = (environment: Record<string, string | undefined>) => Promise<ScenarioStack>;

/** Stacks on the test engine, whose programs and providers are started by `processes`. */
export function engineStacks(processes: Processes, host = DYNAMIC, timeoutMs?: number): StackFactory {
  return async (environment) => {
    const directory = programDirectory(host);
    const program = findProgram(directory.path, PROJECT);
    const options = { program, stack: STACK, environment, ...(timeoutMs !== undefined && { timeoutMs }) };
    const stack = createStack(options, processes);
    const expanded = (options?: ScenarioOptions) => withUrns(options, stack.exportState().deployment);
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
      preview: async (options) => outcome(await stack.preview(expanded(options))),
      async deploy(source) {
        directory.setProgram(source);
        return outcome(await stack.up());
      },
      up: async (options) => outcome(await stack.up(expanded(options))),
      refresh: async (options) => outcome(await stack.refresh(options)),
      destroy: async () => outcome(await stack.destroy()),
      loseState: async () => stack.importState(EMPTY_STATE),
      killProviders: async () => stack.killHosts(),
      resources: async () => resourcesIn(stack.exportState({ showSecrets: true }).deployment, host),
      stateText: async () => JSON.stringify(stack.exportState().deployment),
      async close() {
        await stack.close();
        directory.remove();
      },
    };
  };
}

/** Stacks on a real CLI, each with its state in a temporary directory. */
export function cliStacks(cli: PulumiCli, host = DYNAMIC): StackFactory {
  return async (environment) => {
    const directory = programDirectory(host);
    const state = join(directory.path, "state");
    const settings = initStack({ directory: directory.path, state, project: PROJECT });
    const backend = backendOf(state, PROJECT);
    let variables = environment;

    async function pulumi(...args: string[]): Promise<string> {
      return await runPulumi(cli, [...args, "--stack", STACK], {
        directory: directory.path,
        environment: { ...cli.environment, ...backendIn(state), ...QUICK_START, ...variables },
      });
    }

    /** Runs a command that reports changes. */
    async function run(name: string, options: ScenarioOptions = {}): Promise<ScenarioOutcome> {
      const log = join(directory.path, "events.json");
      rmSync(log, { force: true });
      const confirmation = name === "preview" ? [] : ["--yes", "--skip-preview"];
      const printed = await pulumi(name, ...flags(options), ...confirmation, "--event-log", log);
      return {
        changes: changesIn(readFileSync(log, "utf8")),
        outputs: outputsIn(backend.deployment()),
        printed,
      };
    }

    return {
      program: directory.setProgram,
      urnOf: (type, name) => urnOf(host, type, name),
      async configure(config) {
        const { encryptionsalt } = parse(readFileSync(settings, "utf8"));
        const plain = Object.entries(config).filter(([, value]) => typeof value === "string");
        writeFileSync(settings, JSON.stringify({ encryptionsalt, config: Object.fromEntries(plain) }));
        for (const [key, value] of Object.entries(config)) {
          if (typeof value !== "string") await pulumi("config", "set", "--secret", key, value.secret);
        }
      },
      async environment(changed) {
        variables = { ...environment, ...changed };
      },
      preview: (options) => run("preview", options),
      async deploy(source) {
        directory.setProgram(source);
        return await run("up");
      },
      up: (options) => run("up", options),
      refresh: (options) => run("refresh", options),
      destroy: () => run("destroy"),
      async loseState() {
        const file = join(directory.path, "empty.json");
        writeFileSync(file, JSON.stringify(EMPTY_STATE));
        await pulumi("stack", "import", "--file", file);
      },
      // Tests run one after the other, so this process has started no other providers.
      killProviders: async () => killAll(await providersOf(process.pid)),
      async resources() {
        const deployment = backend.deployment();
        // Only the CLI can decrypt secrets.
        if (!JSON.stringify(deployment).includes("ciphertext")) return resourcesIn(deployment, host);
        return resourcesIn(JSON.parse(await pulumi("stack", "export", "--show-secrets")).deployment, host);
      },
      stateText: async () => JSON.stringify(backend.deployment()),
      async close() {
        directory.remove();
      },
    };
  };
}

/** The options with the URNs that their patterns match, as the CLI has them. */
function withUrns(options: ScenarioOptions = {}, { resources = [] }: Deployment["deployment"]) {
  const matching = (pattern: string) => {
    if (!pattern.includes("*")) return pattern;
    const text = new RegExp(`^${pattern.replaceAll(/\*+/g, ".*")}$`);
    return resources.map(({ urn }) => urn).filter((urn) => text.test(urn));
  };
  const expanded = (value: unknown) => (Array.isArray(value) ? value.flatMap(matching) : value);
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, expanded(value)]));
}

/** The number of resources for each operation, from the events of a command. */
function changesIn(events: string): Record<string, number> {
  const [summary = {}] = events
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => JSON.parse(line).summaryEvent ?? []);
  return summary.resourceChanges ?? {};
}

/** The stack outputs in a state. */
function outputsIn({ resources = [] }: Deployment["deployment"]): Record<string, unknown> {
  return resources.find(({ type }) => type === STACK_TYPE)?.outputs ?? {};
}

function flags({ expectNoChanges, refresh, ...lists }: ScenarioOptions): string[] {
  return [
    ...(expectNoChanges ? ["--expect-no-changes"] : []),
    ...(refresh ? ["--refresh"] : []),
    ...Object.entries(lists).flatMap(([name, urns]) => urns.flatMap((urn) => [`--${name}`, urn])),
  ];
}

/**
 * Creates a directory with a program that resolves the packages of this repository. The program is in a directory of its
 * own, because the CLI searches all packages in there before each command.
 */
export function programDirectory(host = DYNAMIC) {
  const main = "program/index.ts";
  const runtime = { name: "nodejs", options: { typescript: false } };
  const { path, remove } = programWith({
    "package.json": JSON.stringify({ name: PROJECT, type: "module" }),
    "Pulumi.yaml": JSON.stringify({ name: PROJECT, main, runtime, ...host.project }),
    [main]: preludeFor(host.module),
  });
  return {
    path,
    setProgram: (source: string, module = host.module) =>
      writeFileSync(join(path, main), preludeFor(module) + source),
    remove,
  };
}

function urnOf({ typePrefix }: ScenarioHost, type: string, name: string): string {
  return `urn:pulumi:${STACK}::${PROJECT}::${typePrefix}${type}::${name}`;
}

function resourcesIn({ resources = [] }: Deployment["deployment"], host: ScenarioHost): ScenarioResource[] {
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

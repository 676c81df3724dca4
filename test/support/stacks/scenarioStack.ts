/**
 * A stack for scenarios: on the test engine, or on a real Pulumi CLI. Both run the same program text and return the same
 * results.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DYNAMIC_HOST, NATIVE_HOST } from "../../../provider/hosts/hosts";
import { DESCRIPTIONS } from "../../../provider/resources";
import type { Deployment, TestResult, UpdateOptions } from "../../../testing/engine";
import type { Processes } from "../../../testing/engine/commands/processes";
import { findProgram } from "../../../testing/engine/program/program";
import { STACK_TYPE } from "../../../testing/engine/protocol/urn";
import { createStack } from "../../../testing/engine/testStack";
import { programWith } from "../../release/package/programs";
import type { PulumiCli } from "../processes/pulumiCli";
import { QUICK_START } from "../processes/quickStart";
import { PLUGIN_PROJECT } from "../providers/pluginProject";
import { cliStack, STACK, type StackCommand } from "./cliStack";

const PROJECT = "scenario";
const EMPTY_STATE: Deployment = { version: 3, deployment: {} };

/** What manages the resources of a stack: Pulumi's dynamic-provider host, or the native plugin. */
export type ScenarioHost = typeof DYNAMIC | typeof NATIVE;

export const DYNAMIC = {
  name: "dynamic" as const,
  module: DYNAMIC_HOST.module,
  /** What Pulumi.yaml has besides the name and the runtime. */
  project: {},
  /** The type token of a resource, without the name of its class. */
  typePrefix: DYNAMIC_HOST.typeToken({ type: "" }),
};

export const NATIVE = {
  name: "native" as const,
  module: NATIVE_HOST.module,
  project: PLUGIN_PROJECT,
  typePrefix: NATIVE_HOST.typeToken({ type: "" }),
};

function preludeFor(module: string): string {
  return `
import * as pulumi from "@pulumi/pulumi";
import * as dynamiclink from "${module}";
import { ${[...Object.keys(DESCRIPTIONS), "Provider"].join(", ")} } from "${module}";
`;
}

/** A resource in the state, with plain values. */
export type ScenarioResource = ReturnType<typeof resourcesIn>[number];

type ScenarioOutcome = Pick<TestResult, "changes" | "outputs"> & { readonly printed: string };

/** What a stack does in its own way. */
interface StackActions {
  run(command: StackCommand, options?: UpdateOptions): Promise<ScenarioOutcome>;
  /** Sets the configuration. What it had is gone. */
  configure(config: Record<string, string | { readonly secret: string }>): Promise<void>;
  environment(variables: Record<string, string | undefined>): Promise<void>;
  /** Empties the state, as if it were lost. The objects stay in the service. */
  loseState(): Promise<void>;
  /** The deployment, with plain secrets. */
  deployment(): Promise<Deployment["deployment"]>;
  /** The deployment as it is stored, with encrypted secrets. */
  stateText(): Promise<string>;
  close(): Promise<void>;
}

export type StackFactory = ReturnType<typeof stacksWith>;

/** A stack for scenarios. A command that fails rejects with an Error that contains all output. */
export type ScenarioStack = Awaited<ReturnType<StackFactory>>;

/** Stacks on the test engine, whose programs and providers are started by `processes`. */
export function engineStacks(processes: Processes, host: ScenarioHost = DYNAMIC, timeoutMs?: number) {
  return stacksWith(host, (directory, environment) => {
    const program = findProgram(directory, PROJECT);
    const options = { program, stack: STACK, environment, ...(timeoutMs !== undefined && { timeoutMs }) };
    const stack = createStack(options, processes);
    return {
      async run(command, options) {
        const given = withUrns(options, stack.exportState().deployment);
        const { changes, outputs, diagnostics } = await stack[command](given);
        return { changes, outputs, printed: diagnostics.map(({ message }) => message).join("\n") };
      },
      configure: async (config) => stack.setConfig(config),
      environment: async (variables) => stack.setEnvironment({ ...environment, ...variables }),
      loseState: async () => stack.importState(EMPTY_STATE),
      deployment: async () => stack.exportState({ showSecrets: true }).deployment,
      stateText: async () => JSON.stringify(stack.exportState().deployment),
      close: () => stack.close(),
    };
  });
}

export function cliStacks(cli: PulumiCli, host: ScenarioHost = DYNAMIC): StackFactory {
  return stacksWith(host, (directory, environment) => {
    let variables = environment;
    const stack = cliStack(cli, {
      directory,
      name: PROJECT,
      environment: () => ({ ...QUICK_START, ...variables }),
    });
    return {
      async run(command, options) {
        const { changes, printed } = await stack.run(command, options);
        const root = stack.deployment().resources?.find(({ type }) => type === STACK_TYPE);
        return { changes, outputs: root?.outputs ?? {}, printed };
      },
      configure: stack.configure,
      async environment(changed) {
        variables = { ...environment, ...changed };
      },
      loseState: () => stack.importState(EMPTY_STATE),
      deployment: async () => (await stack.exportState()).deployment,
      stateText: async () => JSON.stringify(stack.deployment()),
      close: async () => {},
    };
  });
}

/** Stacks whose programs are in directories of their own. */
function stacksWith(
  host: ScenarioHost,
  actionsIn: (directory: string, environment: Record<string, string | undefined>) => StackActions,
) {
  return async (environment: Record<string, string | undefined>) => {
    const { path, setProgram, remove } = programDirectory(host);
    const { run, deployment, close, ...others } = actionsIn(path, environment);
    return {
      ...others,
      /** Sets the program: TypeScript without its imports. Its classes are those of the stack's host by default. */
      program: setProgram,
      /** The URN of a resource without a parent. */
      urnOf: (type: string, name: string) =>
        `urn:pulumi:${STACK}::${PROJECT}::${host.typePrefix}${type}::${name}`,
      preview: (options?: UpdateOptions) => run("preview", options),
      /** Sets the program and runs `up`. */
      async deploy(source: string) {
        setProgram(source);
        return await run("up");
      },
      up: (options?: UpdateOptions) => run("up", options),
      refresh: (options?: Pick<UpdateOptions, "expectNoChanges">) => run("refresh", options),
      destroy: () => run("destroy"),
      /** The resources of the host in the state, sorted by name. */
      resources: async () => resourcesIn(await deployment(), host),
      async close() {
        await close();
        remove();
      },
    };
  };
}

/** The options with the URNs that their patterns match, as the CLI has them. */
function withUrns(options: UpdateOptions = {}, { resources = [] }: Deployment["deployment"]) {
  const matching = (pattern: string) => {
    if (!pattern.includes("*")) return pattern;
    const text = new RegExp(`^${pattern.replaceAll(/\*+/g, ".*")}$`);
    return resources.map(({ urn }) => urn).filter((urn) => text.test(urn));
  };
  const expanded = (value: unknown) => (Array.isArray(value) ? value.flatMap(matching) : value);
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, expanded(value)]));
}

/**
 * Creates a directory with a program that resolves the packages of this repository. The program is in a directory of its
 * own, because the CLI searches all packages in there before each command.
 */
export function programDirectory(host: ScenarioHost = DYNAMIC) {
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

function resourcesIn({ resources = [] }: Deployment["deployment"], host: ScenarioHost) {
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

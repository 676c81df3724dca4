/** A stack under test: a program, its configuration and its state, and Pulumi's commands on them. */
import type { Command, UpdateOptions } from "./commands/command";
import { type Processes, SEPARATE_PROCESSES } from "./commands/processes";
import { refreshState } from "./commands/refresh";
import { type FinishedCommand, type RunningCommand, startCommand } from "./commands/runCommand";
import { unexpectedChanges } from "./commands/unexpectedChanges";
import { deleteRest } from "./planning/deletions";
import { findProgram, type Program } from "./program/program";
import type { EngineMessage } from "./protocol/grpc";
import type { Diagnostic } from "./protocol/monitor";
import { type Properties, secret, type Value } from "./protocol/values";
import type { Mocks } from "./providers/mocks";
import { StackFailure, type TestResult } from "./run/result";
import type { Run } from "./run/run";
import type { Snapshot } from "./state/snapshot";
import { type Deployment, exportSnapshot, importSnapshot } from "./state/stateFile";

/** A value of the stack configuration. Numbers, booleans, objects and lists become text, as in a stack's file. */
export type TestConfigValue = string | number | boolean | object;

/** Stack configuration: values, or `{ secret: value }`, by `namespace:key`. The default namespace is the project. */
export type TestConfig = Record<string, TestConfigValue | { secret: TestConfigValue }>;

/** Options of a stack under test. */
export interface TestStackOptions {
  /**
   * The program: its main file, or its directory. In a directory, the main file is `main` in Pulumi.yaml or
   * package.json, otherwise index.ts or index.js. The options of `runtime` in Pulumi.yaml apply: without
   * `typescript: false`, ts-node compiles the program and reports type errors, as in Pulumi. Without a Pulumi.yaml,
   * Node.js strips the types.
   */
  readonly program: string;
  /** The project's name. Default: the name in the nearest Pulumi.yaml or package.json. */
  readonly project?: string;
  /** The stack's name. Default: `test`. */
  readonly stack?: string;
  /** The stack configuration. Default: none. */
  readonly config?: TestConfig;
  /** Environment variables for program and hosts, added to those of this process. `undefined` removes a variable. */
  readonly environment?: Record<string, string | undefined>;
  /** Mocks for the resources and functions of other packages. Default: resources return their inputs, functions fail. */
  readonly mocks?: Mocks;
  /** The maximum number of parallel operations. Default: 16. */
  readonly parallel?: number;
  /** The time limit of a command, in milliseconds. Its error names what the command waited for. Default: 300000. */
  readonly timeoutMs?: number;
  /** Called with every message between program, engine and hosts, as plain data, except debug messages. */
  readonly trace?: (message: EngineMessage) => void;
}

/**
 * A stack under test. Every command resolves with its result, or rejects with a `StackFailure`. A preview does not
 * change the state. Only one command can run at a time.
 */
export interface TestStack {
  /** Shows what `up` would do. Sends no write. */
  preview(options?: UpdateOptions): Promise<TestResult>;
  /** Creates, updates and deletes what the program requires. */
  up(options?: UpdateOptions): Promise<TestResult>;
  /** Reads everything in the state. Does not run the program. */
  refresh(options?: Pick<UpdateOptions, "expectNoChanges">): Promise<TestResult>;
  /** Deletes everything in the state. Does not run the program. */
  destroy(options?: Pick<UpdateOptions, "refresh">): Promise<TestResult>;
  /**
   * The state in Pulumi's format. Without `showSecrets`, it contains references to secrets that only this process can
   * resolve.
   */
  exportState(options?: { readonly showSecrets?: boolean }): Deployment;
  /** Replaces the state by one in Pulumi's format. Throws if it is the state of another stack. */
  importState(deployment: Deployment): void;
  /** Replaces the whole configuration, from the next command on. */
  setConfig(config: TestConfig): void;
  /** Replaces the additional environment variables, from the next command on. */
  setEnvironment(environment: Record<string, string | undefined>): void;
  /** Switches to another program of the same project, from the next command on. */
  setProgram(program: string): void;
  /**
   * Ends the running command as Ctrl-C does: nothing else is started, the providers are asked to stop, and the operations
   * in progress end and are saved. Does nothing if no command is running.
   */
  cancel(): void;
  /**
   * Kills the provider hosts of the running command. Their operations fail, as if a host had no more memory, and the state
   * does not show that they had started. Does nothing if no command is running.
   */
  killHosts(): void;
  /**
   * Ends the running command as a crash of the machine would: hosts and program are killed, and operations in progress
   * remain in the state as pending operations. Does nothing if no command is running.
   */
  crash(): void;
  /** Ends the running command, if any, and waits for it. The stack's resources are left unchanged. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

const DEFAULT_PARALLEL = 16;
const DEFAULT_TIMEOUT_MS = 300_000;

/**
 * Creates a stack under test. Its commands run the real program and the real providers, with a test engine between them,
 * without the Pulumi CLI. Providers are the dynamic-provider host of the installed `@pulumi/pulumi`, and the plugins in
 * `plugins.providers` of Pulumi.yaml, whose `path` is a folder with the executable. Other packages are mocked.
 *
 * Providers, components and their options behave as with Pulumi's engine. An unsupported feature (transforms, hooks,
 * remote components, parameterized packages, assets, policies, `replaceWith`, `replacementTrigger`, `envVarMappings`)
 * fails with an error that names it. The state omits properties that are only for display, such as source positions.
 *
 * @throws Error if there is no program, or if the project has no name.
 * @example
 * ```ts
 * const stack = await testStack({ program: "examples/quickstart", config: { "site:name": "demo" } });
 * try {
 *   const { changes } = await stack.up();
 *   expect(changes).toEqual({ create: 3 });
 *   await stack.preview({ expectNoChanges: true });
 *   await stack.destroy();
 * } finally {
 *   await stack.close();
 * }
 * ```
 */
export async function testStack(options: TestStackOptions): Promise<TestStack> {
  const program = findProgram(options.program, options.project);
  return createStack({ ...options, program }, SEPARATE_PROCESSES);
}

/** Creates a stack whose program and hosts are started by `processes`. */
export function createStack(
  options: Omit<TestStackOptions, "program" | "project"> & { readonly program: Program },
  processes: Processes,
): TestStack {
  const { stack = "test", mocks = {}, parallel = DEFAULT_PARALLEL, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const trace = options.trace ?? (() => {});
  let { program } = options;
  const { project } = program;
  const identity = { stack, project };
  let config = configInputs(project, options.config);
  let environment = options.environment ?? {};
  let state: Snapshot = { resources: [], pendingOperations: [] };
  let running: RunningCommand | undefined;

  /** Runs a command and keeps the state after it. */
  const run = async (command: Command): Promise<TestResult> => {
    if (running) throw new Error("Another command of this stack is running.");
    const context = { program, processes, identity, environment, mocks, parallel, timeoutMs, trace, state };
    running = startCommand({ ...context, config }, command);
    const finished = await running.finished.finally(() => {
      running = undefined;
    });
    if (!command.dryRun) state = finished.state;
    return successOf(command, finished);
  };

  async function close(): Promise<void> {
    running?.crash("The stack was closed.");
    await running?.finished;
  }

  return {
    preview: async (given) => await run(updateCommand("preview", true, given)),
    up: async (given) => await run(updateCommand("up", false, given)),
    refresh: (given) => run({ ...given, name: "refresh", execute: (run) => refreshState(run, true) }),
    destroy: (given) => run(destroyCommand(given)),
    exportState: ({ showSecrets = false } = {}) => exportSnapshot(state, showSecrets),
    importState: (deployment) => {
      state = importSnapshot(deployment, identity);
    },
    setConfig: (newConfig) => {
      config = configInputs(project, newConfig);
    },
    setEnvironment: (newEnvironment) => {
      environment = newEnvironment;
    },
    setProgram: (path) => {
      program = findProgram(path, project);
    },
    cancel: () => running?.cancel(),
    killHosts: () => running?.killHosts(),
    crash: () => running?.crash("The command was ended as by a crash."),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function updateCommand(name: string, dryRun: boolean, given: UpdateOptions = {}): Command {
  return {
    ...given,
    name,
    dryRun,
    async execute(run, runProgram) {
      if (given.refresh) await refreshState(run);
      else if (!dryRun) warnOfPending(run);
      if (!run.outcome.failed) await runProgram();
    },
  };
}

function destroyCommand({ refresh = false }: Pick<UpdateOptions, "refresh"> = {}): Command {
  return {
    name: "destroy",
    async execute(run) {
      if (refresh) await refreshState(run);
      if (!run.outcome.failed) await deleteRest(run, () => false);
    },
  };
}

/** The result of a command. @throws StackFailure if it failed, or made changes that were not expected. */
function successOf({ name, expectNoChanges }: Command, { result, failed }: FinishedCommand): TestResult {
  if (failed) throw new StackFailure(name, result);
  const message = expectNoChanges ? unexpectedChanges(result) : undefined;
  if (message === undefined) return result;
  const diagnostics: Diagnostic[] = [...result.diagnostics, { severity: "error", message }];
  throw new StackFailure(name, { ...result, diagnostics });
}

/** The configuration as the engine has it, with the names of its namespaces. */
function configInputs(project: string, config: TestConfig = {}): Properties {
  const nameOf = (key: string) => (key.includes(":") ? key : `${project}:${key}`);
  return Object.fromEntries(Object.entries(config).map(([key, value]) => [nameOf(key), configValue(value)]));
}

/** A value of the configuration as the engine has it. */
function configValue(value: TestConfig[string]): Value {
  const text = (plain: unknown) => (typeof plain === "object" ? JSON.stringify(plain) : String(plain));
  const isMarked = typeof value === "object" && value !== null && Object.keys(value).join() === "secret";
  return isMarked ? secret(text((value as { secret: unknown }).secret)) : text(value);
}

function warnOfPending(run: Run): void {
  const { pendingOperations } = run.base;
  if (pendingOperations.length === 0) return;
  const pending = pendingOperations.map(({ resource, type }) => `${resource.urn}, interrupted while ${type}`);
  const message = `The state has operations whose outcome is not known: ${pending.join("; ")}.`;
  run.outcome.report({ severity: "warning", message });
}

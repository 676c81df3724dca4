/**
 * A stack under test: a program, its configuration and its state, and what Pulumi's commands would do with them.
 */

import type { ImportFile } from "../../provider/hosts/dynamic/importFile";
import { type Command, type FinishedCommand, type RunningCommand, startCommand } from "./command";
import { deleteRest } from "./deletions";
import { type Deployment, exportSnapshot, importSnapshot, type Snapshot } from "./deployment";
import { importEntries } from "./importFile";
import type { Mocks } from "./mocks";
import type { Diagnostic } from "./monitor";
import { type Processes, SEPARATE_PROCESSES } from "./processes";
import { findProgram, type Program } from "./program";
import type { EngineMessage } from "./protocol";
import { refreshState } from "./refresh";
import { StackFailure, type TestResult } from "./result";
import type { Run } from "./run";
import { type Properties, secret } from "./values";

/** Stack configuration: a text, or a secret one, by `namespace:key`. A key without namespace is the project's. */
export type TestConfig = Record<string, string | { secret: string }>;

/** What a stack under test is made of. */
export interface TestStackOptions {
  /**
   * The program: its directory (Pulumi.yaml's or package.json's `main`, else index.ts or index.js) or its main file.
   * TypeScript runs through Node's own type stripping.
   */
  readonly program: string;
  /** The project's name. Default: what the nearest Pulumi.yaml or package.json says. */
  readonly project?: string;
  /** The stack's name. Default: `test`. */
  readonly stack?: string;
  /** The stack configuration. Default: none. */
  readonly config?: TestConfig;
  /** Environment variables laid over those of this process, for program and hosts; `undefined` takes one away. */
  readonly environment?: Record<string, string | undefined>;
  /** Stands in for other packages' resources and functions. Default: resources are echoed, functions fail by name. */
  readonly mocks?: Mocks;
  /** How many operations go on at the same time. Default: 16. */
  readonly parallel?: number;
  /** After how many milliseconds a command is ended and fails, naming what it waited for. Default: 60000. */
  readonly timeoutMs?: number;
  /** Sees every message between program, engine and hosts, as plain data; debug messages excepted. */
  readonly trace?: (message: EngineMessage) => void;
}

/** Options of preview and up. */
export interface UpdateOptions {
  /** Whether to refresh the state first. Default: no. */
  readonly refresh?: boolean;
  /** URNs of resources to replace, changed or not. Default: none. */
  readonly replace?: readonly string[];
  /** Whether to fail when anything changes. Default: no. */
  readonly expectNoChanges?: boolean;
}

/**
 * A stack under test. Every command resolves with what it did and rejects with a `StackFailure` when it failed;
 * preview leaves the state alone. One command runs at a time.
 */
export interface TestStack {
  preview(options?: UpdateOptions): Promise<TestResult>;
  up(options?: UpdateOptions): Promise<TestResult>;
  /** Reads everything in the state; does not run the program. */
  refresh(options?: Pick<UpdateOptions, "expectNoChanges">): Promise<TestResult>;
  /** Deletes everything in the state; does not run the program. */
  destroy(options?: Pick<UpdateOptions, "refresh">): Promise<TestResult>;
  /** Imports the entries of an import file; `protect` (default: yes) protects them from deletion. */
  importFile(file: ImportFile, options?: { readonly protect?: boolean }): Promise<TestResult>;
  /**
   * The state in Pulumi's format. Secrets are shown only when asked for; otherwise a text stands for them that this
   * process alone resolves.
   */
  exportState(options?: { readonly showSecrets?: boolean }): Deployment;
  /** Takes a state in Pulumi's format in place of the present one. Throws for one that is not this stack's. */
  importState(deployment: Deployment): void;
  /** Replaces the whole configuration, from the next command on. */
  setConfig(config: TestConfig): void;
  /** Replaces the variables laid over the environment, from the next command on. */
  setEnvironment(environment: Record<string, string | undefined>): void;
  /** Switches to another program of the same project, from the next command on. */
  setProgram(program: string): void;
  /**
   * Ends the running command as a crash of the machine would: hosts and program are killed, and operations that were
   * under way stay in the state as pending ones. Does nothing when no command is running.
   */
  killHosts(): void;
  /** Ends whatever is running and waits for it. The stack's resources are left as they are. */
  close(): Promise<void>;
}

const DEFAULT_PARALLEL = 16;
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Makes a stack under test. Its commands run the real program and the real dynamic-provider host of the installed
 * `@pulumi/pulumi`, and play the part of the engine between them, without the Pulumi CLI.
 *
 * It is a test double: it follows the engine in what dynamic providers, components and their options can observe, and
 * fails by name where it does not (remote components, `import`, transforms, hooks, `replaceWith`, assets, policies,
 * targets). Properties that only serve display, such as source positions, are left out of the state.
 *
 * @throws Error when there is no program, or nothing names the project.
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
  return createStack(
    { ...options, program: findProgram(options.program, options.project) },
    SEPARATE_PROCESSES,
  );
}

/** A stack whose program and hosts are started by `processes`. */
export function createStack(
  options: Omit<TestStackOptions, "program" | "project"> & { readonly program: Program },
  processes: Processes,
): TestStack {
  const { stack = "test", mocks = {}, parallel = DEFAULT_PARALLEL, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const trace = options.trace ?? (() => {});
  let { program } = options;
  const { project } = program;
  const identity = { stack, project };
  let config = options.config ?? {};
  let environment = options.environment ?? {};
  let state: Snapshot = { resources: [], pendingOperations: [] };
  let running: RunningCommand | undefined;

  const configInputs = (): Properties =>
    Object.fromEntries(
      Object.entries(config).map(([key, value]) => [
        key.includes(":") ? key : `${project}:${key}`,
        typeof value === "string" ? value : secret(value.secret),
      ]),
    );

  /** Runs a command and keeps the state after it. */
  const run = async (command: Command, { expectNoChanges = false } = {}): Promise<TestResult> => {
    if (running) throw new Error("Another command of this stack is running.");
    const context = { program, processes, identity, environment, mocks, parallel, timeoutMs, trace, state };
    running = startCommand({ ...context, config: configInputs() }, command);
    let finished: FinishedCommand;
    try {
      finished = await running.finished;
    } finally {
      running = undefined;
    }
    if (!command.dryRun) state = finished.state;
    const { result, failed } = finished;
    const changed = Object.entries(result.changes).filter(([operation]) => !UNCHANGING.includes(operation));
    if (!failed && !(expectNoChanges && changed.length > 0)) return result;
    if (!failed) {
      const counts = changed.map(([operation, count]) => `${operation}: ${count}`).join(", ");
      const message = `No changes were expected, but there are some (${counts}).`;
      const diagnostics: Diagnostic[] = [...result.diagnostics, { severity: "error", message }];
      throw new StackFailure(command.name, { ...result, diagnostics });
    }
    throw new StackFailure(command.name, result);
  };

  const update = (name: string, dryRun: boolean, updateOptions: UpdateOptions = {}): Promise<TestResult> =>
    run(
      {
        name,
        dryRun,
        execute: async (run, runProgram) => {
          if (updateOptions.refresh) await refreshState(run);
          else if (!dryRun) warnOfPending(run);
          if (!run.failed) await runProgram({ replace: new Set(updateOptions.replace) });
        },
      },
      updateOptions,
    );

  return {
    preview: (updateOptions) => update("preview", true, updateOptions),
    up: (updateOptions) => update("up", false, updateOptions),
    refresh: (refreshOptions = {}) =>
      run({ name: "refresh", countsRefresh: true, execute: refreshState }, refreshOptions),
    destroy: ({ refresh = false } = {}) =>
      run({
        name: "destroy",
        execute: async (run) => {
          if (refresh) await refreshState(run);
          if (!run.failed) await deleteRest(run, () => false);
        },
      }),
    importFile: (file, { protect = true } = {}) =>
      run({ name: "import", execute: (run) => importEntries(run, file, { protect }) }),
    exportState: ({ showSecrets = false } = {}) => exportSnapshot(state, showSecrets),
    importState: (deployment) => {
      state = importSnapshot(deployment, identity);
    },
    setConfig: (newConfig) => {
      config = newConfig;
    },
    setEnvironment: (newEnvironment) => {
      environment = newEnvironment;
    },
    setProgram: (path) => {
      program = findProgram(path, project);
    },
    killHosts: () => running?.crash("The provider hosts were killed."),
    close: async () => {
      running?.crash("The stack was closed.");
      await running?.finished;
    },
  };
}

/** Operations that `expectNoChanges` does not mind. */
const UNCHANGING: readonly string[] = ["same", "read", "discard", "read-replacement"];

function warnOfPending(run: Run): void {
  if (run.base.pendingOperations.length === 0) return;
  const pending = run.base.pendingOperations.map(
    ({ resource, type }) => `${resource.urn}, interrupted while ${type}`,
  );
  run.report({
    severity: "warning",
    message: `The state has operations of which no end is known: ${pending.join("; ")}.`,
  });
}

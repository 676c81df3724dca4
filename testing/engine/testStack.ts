/**
 * A stack under test: a program, its configuration and its state, and what Pulumi's commands would do with them.
 */

import { deleteRest } from "./deletions";
import { type Deployment, exportSnapshot, importSnapshot, type Snapshot } from "./deployment";
import { startHost } from "./host";
import { type ImportFile, importEntries } from "./importFile";
import { type Mocks, mockCall } from "./mocks";
import { startMonitor } from "./monitor";
import { DYNAMIC_PACKAGE, providerType } from "./names";
import { findProgram, startProgram } from "./program";
import type { EngineMessage } from "./protocol";
import { openProviders } from "./providers";
import { refreshState } from "./refresh";
import { acceptRegistrations, type Registrations } from "./registrations";
import { describeRun, StackFailure, type TestResult } from "./result";
import { beginRun, type Run } from "./run";
import { type Properties, secret } from "./values";

/** Stack configuration: a text, or a secret one, by `namespace:key`. A key without namespace is the project's. */
export type TestConfig = Record<string, string | { secret: string }>;

/** What a stack under test is made of. */
export interface TestStackOptions {
  /**
   * The program: its directory (Pulumi.yaml's or package.json's `main`, else index.ts or index.js) or its main file.
   * TypeScript runs through Node's own type stripping.
   */
  program: string;
  /** The project's name. Default: what the nearest Pulumi.yaml or package.json says. */
  project?: string;
  /** The stack's name. Default: `test`. */
  stack?: string;
  /** The stack configuration. Default: none. */
  config?: TestConfig;
  /** Environment variables laid over those of this process, for program and hosts; `undefined` takes one away. */
  environment?: Record<string, string | undefined>;
  /** Stands in for other packages' resources and functions. Default: resources are echoed, functions fail by name. */
  mocks?: Mocks;
  /** How many operations go on at the same time. Default: 16. */
  parallel?: number;
  /** After how many milliseconds a command is ended and fails, naming what it waited for. Default: 60000. */
  timeoutMs?: number;
  /** Sees every message between program, engine and hosts, as plain data; debug messages excepted. */
  trace?: (message: EngineMessage) => void;
}

/** Options of preview and up. */
export interface UpdateOptions {
  /** Whether to refresh the state first. Default: no. */
  refresh?: boolean;
  /** URNs of resources to replace, changed or not. Default: none. */
  replace?: readonly string[];
  /** Whether to fail when anything changes. Default: no. */
  expectNoChanges?: boolean;
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
  importFile(file: ImportFile, options?: { protect?: boolean }): Promise<TestResult>;
  /**
   * The state in Pulumi's format. Secrets are shown only when asked for; otherwise a text stands for them that this
   * process alone resolves.
   */
  exportState(options?: { showSecrets?: boolean }): Deployment;
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

/** What a command does once everything is set up. */
interface Command {
  name: string;
  dryRun?: boolean;
  options?: UpdateOptions;
  countsRefresh?: boolean;
  execute(run: Run, tools: { runProgram: () => Promise<void> }): Promise<void>;
}

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
  const { stack = "test", mocks = {}, parallel = DEFAULT_PARALLEL, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const trace = options.trace ?? (() => {});
  let program = findProgram(options.program, options.project);
  const { project } = program;
  const place = { stack, project };
  let config = options.config ?? {};
  let environment = options.environment ?? {};
  let state: Snapshot = { resources: [], pendingOperations: [] };
  let running: { done: Promise<unknown>; crash: (reason: string) => void } | undefined;

  const configInputs = (): Properties =>
    Object.fromEntries(
      Object.entries(config).map(([key, value]) => [
        key.includes(":") ? key : `${project}:${key}`,
        typeof value === "string" ? value : secret(value.secret),
      ]),
    );

  /** Sets everything up for a command, sees it through, and takes everything down again. */
  async function carryOut({
    dryRun = false,
    options: update = {},
    ...command
  }: Command): Promise<TestResult> {
    const base = structuredClone(state);
    const stdout: string[] = [];
    const variables = { ...process.env, ...environment };
    const lines =
      (sink?: string[]) =>
      (line: string, stream: "stdout" | "stderr"): void => {
        if (stream === "stdout") sink?.push(line);
        run.report({ severity: stream === "stdout" ? "info" : "info#err", message: line });
      };
    let finish: Promise<void> | undefined;
    const finishOnce = (): Promise<void> => (finish ??= afterProgram());

    const monitor = await startMonitor(
      {
        register: (goal) => registrations.register(goal),
        read: (goal) => registrations.read(goal),
        registerOutputs: (urn, outputs) => registrations.registerOutputs(urn, outputs),
        invoke: (token, inputs) =>
          token === "pulumi:pulumi:getResource"
            ? Promise.resolve(registrations.describe(String(inputs.urn)))
            : mockCall(mocks, token, inputs),
        finish: finishOnce,
        log: (diagnostic) => run.report(diagnostic),
        unsupported: (what) => run.fail(`${what} is not supported by the test engine.`),
      },
      trace,
    );
    const dynamicProviders = base.resources.filter(
      ({ type }) => type === providerType(DYNAMIC_PACKAGE),
    ).length;
    const providers = openProviders({
      start: () =>
        startHost({
          directory: program.directory,
          environment: variables,
          project,
          engineAddress: monitor.address,
          onLine: lines(),
          trace,
        }),
      spares: Math.max(1, dynamicProviders),
      mocks,
    });
    const run = beginRun({
      place,
      base,
      dryRun,
      parallel,
      providers,
      config: configInputs(),
      countsRefresh: command.countsRefresh ?? false,
      onStop: () => monitor.stop(),
    });
    // Taken up when the program starts: a refresh before it may change the state.
    let registrations!: Registrations;

    /** What remains once the program is through: deletions, unless something went wrong before. */
    async function afterProgram(): Promise<void> {
      if (run.failed) return;
      await deleteRest(run, registrations.isRegistered);
    }

    const children: { kill: () => void; exited: Promise<unknown> }[] = [];
    async function runProgram(): Promise<void> {
      registrations = acceptRegistrations(run, { replace: new Set(update.replace) });
      const secretKeys = Object.keys(configInputs()).filter((key) => typeof configInputs()[key] !== "string");
      const child = startProgram(program, {
        stack,
        dryRun,
        parallel,
        address: monitor.address,
        environment: variables,
        config: plainConfig(configInputs()),
        secretKeys,
        onLine: lines(stdout),
      });
      children.push(child);
      const code = await child.exited;
      if (code === 0) await finishOnce().catch(() => {});
      await run.settled();
      if (code !== 0 && !run.stopped) run.fail(programFailure(code), undefined);
      registrations.finishOutputs();
    }

    let crashed = (_: string): void => {};
    const crash = new Promise<void>((resolve) => {
      crashed = (reason) => {
        run.fail(reason);
        // What is noted as pending now is what such a crash leaves behind.
        if (!dryRun) state = run.journal.snapshot();
        dryRun = true;
        run.stop();
        for (const child of children) child.kill();
        void providers.close();
        resolve();
      };
    });
    const deadline = setTimeout(
      () => crashed(`The ${command.name} did not end within ${timeoutMs} ms.`),
      timeoutMs,
    );
    const work = command.execute(run, { runProgram }).catch((error: unknown) => {
      if (error instanceof Error && !run.failed) run.fail(error.message);
    });
    running = { done: work, crash: crashed };
    try {
      await Promise.race([work, crash]);
      await run.settled();
      await work;
    } finally {
      clearTimeout(deadline);
      for (const child of children) child.kill();
      await providers.close();
      await Promise.all(children.map((child) => child.exited));
      monitor.close();
      running = undefined;
    }
    if (!dryRun) state = run.journal.snapshot();
    const result = describeRun(run, stdout);
    const changed = Object.keys(result.changes).filter((operation) => !UNCHANGING.includes(operation));
    if (update.expectNoChanges && !run.failed && changed.length > 0) {
      const counts = changed.map((operation) => `${operation}: ${result.changes[operation as "create"]}`);
      result.diagnostics.push({
        severity: "error",
        message: `No changes were expected, but there are some (${counts.join(", ")}).`,
      });
      throw new StackFailure(command.name, result);
    }
    if (run.failed) throw new StackFailure(command.name, result);
    return result;
  }

  const exclusively = async (command: Command): Promise<TestResult> => {
    if (running) throw new Error("Another command of this stack is running.");
    return carryOut(command);
  };

  const update = (name: string, dryRun: boolean, updateOptions: UpdateOptions = {}): Promise<TestResult> =>
    exclusively({
      name,
      dryRun,
      options: updateOptions,
      execute: async (run, { runProgram }) => {
        if (run.base.pendingOperations.length > 0 && !dryRun) warnOfPending(run);
        if (updateOptions.refresh) await refreshState(run);
        if (!run.failed) await runProgram();
      },
    });

  return {
    preview: (updateOptions) => update("preview", true, updateOptions),
    up: (updateOptions) => update("up", false, updateOptions),
    refresh: (updateOptions = {}) =>
      exclusively({ name: "refresh", options: updateOptions, countsRefresh: true, execute: refreshState }),
    destroy: (updateOptions = {}) =>
      exclusively({
        name: "destroy",
        execute: async (run) => {
          if (updateOptions.refresh) await refreshState(run);
          if (!run.failed) await deleteRest(run, () => false);
        },
      }),
    importFile: (file, { protect = true } = {}) =>
      exclusively({ name: "import", execute: (run) => importEntries(run, file, { protect }) }),
    exportState: ({ showSecrets = false } = {}) => exportSnapshot(state, showSecrets),
    importState: (deployment) => {
      state = importSnapshot(deployment, place);
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
      await running?.done;
    },
  };
}

/** Operations that `expectNoChanges` does not mind. */
const UNCHANGING: readonly string[] = ["same", "read", "discard", "read-replacement"];

const plainConfig = (inputs: Properties): Record<string, string> =>
  Object.fromEntries(
    Object.entries(inputs).map(([key, value]) => [
      key,
      typeof value === "string" ? value : String((value as Properties).value),
    ]),
  );

/** The error of a program that ended with an exit code; with 32 it has reported its own error before. */
const programFailure = (code: number | null): string =>
  code === 32
    ? "The program failed; it reported its error above."
    : `The program ended with exit code ${code}.`;

function warnOfPending(run: Run): void {
  const pending = run.base.pendingOperations.map(
    ({ resource, type }) => `${resource.urn}, interrupted while ${type}`,
  );
  run.report({
    severity: "warning",
    message: `The state has operations of which no end is known: ${pending.join("; ")}.`,
  });
}

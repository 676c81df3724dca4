/** The program under test: finds it, and runs it as Pulumi's language host does. */
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { type OnLine, pulumiScript, type RunningProcess, startNode } from "../process/nodeProcess";
import type { MonitorHandlers } from "../protocol/monitor";
import { nodeRuntime, STRIPPING_RUNTIME } from "./nodeRuntime";

export type Program = ReturnType<typeof findProgram>;

export interface ProgramRequest {
  readonly program: Program;
  readonly stack: string;
  readonly dryRun: boolean;
  readonly parallel: number;
  /** The address of monitor and engine, for a program in another process. */
  readonly address: string;
  /** The monitor's handlers, for a program in this process. */
  readonly monitor: MonitorHandlers;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly config: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
  readonly onLine: OnLine;
}

/** The organization that every program runs in. */
export const ORGANIZATION = "organization";

/** The Pulumi.yaml of a directory, if there is one. */
function pulumiYaml(directory: string) {
  return read(join(directory, "Pulumi.yaml"), parse);
}

/** A value in a directory's Pulumi.yaml, or in its package.json if it is not there. */
function declared(directory: string, key: "main" | "name"): string | undefined {
  const value = pulumiYaml(directory)?.[key] ?? read(join(directory, "package.json"), JSON.parse)?.[key];
  return value == null ? undefined : String(value);
}

function read(file: string, parseText: (text: string) => unknown) {
  return existsSync(file) ? (parseText(readFileSync(file, "utf8")) as Record<string, unknown>) : undefined;
}

function isDirectory(path: string): boolean {
  return statSync(path).isDirectory();
}

/** The entry point of a directory: `main` in Pulumi.yaml or package.json, otherwise index.ts or index.js. */
function mainFile(directory: string): string {
  const named = declared(directory, "main");
  const candidates = named ? [named] : ["index.ts", "index.js"];
  for (const candidate of candidates) {
    const path = resolve(directory, candidate);
    if (existsSync(path)) return isDirectory(path) && path !== directory ? mainFile(path) : path;
  }
  throw new Error(
    named
      ? `${directory} has no file ${named}, which its Pulumi.yaml or package.json declares as main.`
      : `There is no program in ${directory}: looked for ${candidates.join(" and ")}.`,
  );
}

/** The nearest Pulumi.yaml or package.json with a name, in this directory or above it: its directory and that name. */
function projectOf(directory: string): { root: string; project: string } {
  const project = declared(directory, "name");
  if (project) return { root: directory, project: project.replace(/^@[^/]*\//, "") };
  const parent = dirname(directory);
  if (parent === directory)
    throw new Error("No Pulumi.yaml and no package.json names the project; pass `project`.");
  return projectOf(parent);
}

export function findProgram(path: string, project?: string) {
  const absolute = resolve(path);
  if (!existsSync(absolute)) throw new Error(`There is no program at ${absolute}.`);
  const main = isDirectory(absolute) ? mainFile(absolute) : absolute;
  const start = isDirectory(absolute) ? absolute : dirname(main);
  const found = project === undefined ? projectOf(start) : { root: start, project };
  const settings = pulumiYaml(found.root);
  return {
    /** The directory it runs in. */
    directory: dirname(main),
    /** The file name of its entry point, in that directory. */
    main: basename(main),
    ...found,
    /** The executables of the plugins in Pulumi.yaml (`plugins.providers`), by package. */
    plugins: pluginsOf(found.root, settings?.plugins),
    runtime: settings === undefined ? STRIPPING_RUNTIME : nodeRuntime(settings.runtime),
  };
}

/** The plugins of a project. Throws for one that cannot be started. */
function pluginsOf(root: string, plugins: unknown): ReadonlyMap<string, string> {
  const { providers = [] } = (plugins ?? {}) as { providers?: readonly { name?: unknown; path?: unknown }[] };
  return new Map(
    providers.map(({ name, path }) => {
      const executable = resolve(root, String(path), `pulumi-resource-${name}${EXECUTABLE_SUFFIX}`);
      if (!existsSync(executable))
        throw new Error(`Pulumi.yaml names the plugin ${name}, but there is no ${executable}.`);
      try {
        accessSync(executable, constants.X_OK);
      } catch {
        throw new Error(
          `The plugin ${name} cannot be started, because ${executable} is not executable. Copies of node_modules, such as artifacts of CI jobs, can lose the permission. Install the packages again, or run: chmod +x ${executable}`,
        );
      }
      return [String(name), executable];
    }),
  );
}

const EXECUTABLE_SUFFIX = process.platform === "win32" ? ".cmd" : "";

/**
 * Starts a program in a separate process, as Pulumi's language host does. It exits with 0, with 32 if it has reported its
 * error, or with another code.
 */
export function startProgram({ program, ...request }: ProgramRequest): RunningProcess {
  const { PULUMI_NODEJS_TYPESCRIPT: _, ...environment } = request.environment;
  const { runtime } = program;
  const parameters = {
    monitor: request.address,
    engine: request.address,
    organization: ORGANIZATION,
    project: program.project,
    "root-directory": program.root,
    stack: request.stack,
    pwd: program.directory,
    parallel: request.parallel,
  };
  return startNode(
    [
      ...runtime.nodeArguments,
      pulumiScript(program.directory, "cmd/run/index.js"),
      ...Object.entries(parameters).flatMap(([name, value]) => [`--${name}`, String(value)]),
      ...(request.dryRun ? ["--dry-run"] : []),
      program.main,
    ],
    {
      directory: program.directory,
      environment: {
        ...environment,
        ...runtime.environment,
        PULUMI_CONFIG: JSON.stringify(request.config),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.secretKeys),
      },
      onLine: request.onLine,
    },
  );
}

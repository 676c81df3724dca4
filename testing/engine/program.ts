/**
 * The program under test: where it is, and running it as Pulumi's language host would.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { type NodeProcess, pulumiScript, startNode } from "./nodeProcess";

/** A program on disk. */
export interface Program {
  /** The directory it runs in. */
  directory: string;
  /** The file name of its entry point, in that directory. */
  main: string;
  /** The directory of Pulumi.yaml, else of package.json. */
  root: string;
  /** The name in Pulumi.yaml, else in package.json. */
  project: string;
}

/** What the Pulumi.yaml of a directory says, else its package.json. */
function declared(directory: string, key: "main" | "name"): string | undefined {
  const project = read(join(directory, "Pulumi.yaml"), parse);
  const value = project?.[key] ?? read(join(directory, "package.json"), JSON.parse)?.[key];
  return value == null ? undefined : String(value);
}

function read(
  file: string,
  parseText: (text: string) => unknown,
): Readonly<Record<string, unknown>> | undefined {
  return existsSync(file) ? (parseText(readFileSync(file, "utf8")) as Record<string, unknown>) : undefined;
}

function isDirectory(path: string): boolean {
  return statSync(path).isDirectory();
}

/** The entry point of a directory: what Pulumi.yaml or package.json names, else index.ts or index.js. */
function mainFile(directory: string): string {
  const named = declared(directory, "main");
  const candidates = named ? [named] : ["index.ts", "index.js"];
  for (const candidate of candidates) {
    const path = resolve(directory, candidate);
    if (existsSync(path)) return isDirectory(path) && path !== directory ? mainFile(path) : path;
  }
  throw new Error(`There is no program in ${directory}: looked for ${candidates.join(" and ")}.`);
}

/** The nearest directory upwards that names a project. */
function projectOf(directory: string): { root: string; project: string } {
  const project = declared(directory, "name");
  if (project) return { root: directory, project: project.replace(/^@[^/]*\//, "") };
  const parent = dirname(directory);
  if (parent === directory)
    throw new Error("No Pulumi.yaml and no package.json names the project; pass `project`.");
  return projectOf(parent);
}

/** Finds a program by its directory or its main file. */
export function findProgram(path: string, project?: string): Program {
  const absolute = resolve(path);
  if (!existsSync(absolute)) throw new Error(`There is no program at ${absolute}.`);
  const main = isDirectory(absolute) ? mainFile(absolute) : absolute;
  const place = project === undefined ? projectOf(dirname(main)) : { root: dirname(main), project };
  return { directory: dirname(main), main: basename(main), ...place };
}

/** Starts a program. Its exit code is 0, 32 (it reported its error itself), or another one. */
export function startProgram(
  program: Program,
  options: {
    stack: string;
    dryRun: boolean;
    parallel: number;
    /** The address of the engine. */
    address: string;
    environment: Record<string, string | undefined>;
    config: Record<string, string>;
    secretKeys: string[];
    onLine: (line: string, stream: "stdout" | "stderr") => void;
  },
): NodeProcess {
  const { PULUMI_NODEJS_TYPESCRIPT: _, ...environment } = options.environment;
  const parameters = {
    monitor: options.address,
    engine: options.address,
    organization: "organization",
    project: program.project,
    "root-directory": program.root,
    stack: options.stack,
    pwd: program.directory,
    parallel: options.parallel,
  };
  return startNode(
    [
      pulumiScript(program.directory, "cmd/run/index.js"),
      ...Object.entries(parameters).flatMap(([name, value]) => [`--${name}`, String(value)]),
      ...(options.dryRun ? ["--dry-run"] : []),
      program.main,
    ],
    {
      directory: program.directory,
      environment: {
        ...environment,
        PULUMI_CONFIG: JSON.stringify(options.config),
        PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(options.secretKeys),
      },
      onLine: options.onLine,
    },
  );
}

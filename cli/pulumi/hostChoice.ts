/** Chooses the host: by option, else from what the stack has, else from the Pulumi project. */
import { resolve } from "node:path";
import { Option } from "commander";
import { UserError } from "../../provider/errors";
import { PACKAGE_NAME } from "../../provider/hosts/nativeNames";
import { namesPlugin, projectFileOf } from "../../provider/hosts/projectFile";
import { isRecord } from "../../provider/values/walk";
import { HOSTS, type Host } from "../objects/hosts";
import { readText } from "../terminal/readText";
import { objectsIn, type PulumiStack } from "./stack";

/** The runtime for which this package has classes. */
export const NODE_RUNTIME = "nodejs";

/** The options of the command line that choose a host. */
export interface HostOptions {
  readonly native?: boolean | undefined;
  readonly cwd?: string | undefined;
}

export interface HostChoice {
  readonly host: Host;
  readonly runtime: string;
  /** Why the stack or the project requires a host; absent without an option that says which, and for the default. */
  readonly reason?: string;
}

interface PulumiProject {
  /** Absent without a project. */
  readonly file?: string;
  readonly runtime: string;
  readonly hasPlugin: boolean;
}

export function hostOptions(): readonly Option[] {
  return [
    new Option(
      "--native",
      `use native resources (default if the stack has them, or if Pulumi.yaml has the plugin ${PACKAGE_NAME} or a runtime other than ${NODE_RUNTIME})`,
    ),
    new Option("--no-native", "use dynamic resources (default otherwise)"),
  ];
}

/**
 * Chooses the host.
 *
 * @param stack the stack, whose resources decide in a project that can have both hosts.
 * @throws UserError when the project file or the stack cannot be read.
 */
export async function chooseHost({ native, cwd }: HostOptions, stack?: PulumiStack): Promise<HostChoice> {
  // Dynamic resources need nothing from the project.
  if (native === false) return { host: HOSTS.dynamic, runtime: NODE_RUNTIME };
  const project = await findProject(resolve(cwd ?? "."));
  const chosen = native ? { host: HOSTS.native } : await hostFor(project, stack);
  return { ...chosen, runtime: project.runtime };
}

/** The host that the resources in the stack have, unless the program needs the native one; else that of the project. */
async function hostFor(
  { file, runtime, hasPlugin }: PulumiProject,
  stack: PulumiStack | undefined,
): Promise<Pick<HostChoice, "host" | "reason">> {
  const native = (fact: string) => ({
    host: HOSTS.native,
    reason: `${fact}, so native resources are used. For dynamic resources, add --no-native.`,
  });
  if (runtime !== NODE_RUNTIME) return native(`${file} has the runtime ${runtime}`);
  const managed = objectsIn((await stack?.resources()) ?? []).filter(({ isManaged }) => isManaged);
  const hosts = new Set(managed.map(({ host }) => host));
  const [host, another] = hosts;
  if (stack !== undefined && host !== undefined && another === undefined) {
    const fact = `Stack ${stack.name} has ${host.name} resources`;
    if (host === HOSTS.native) return native(fact);
    const reason = `${fact}, so dynamic resources are used. For native resources, add --native.`;
    return { host, ...(hasPlugin && { reason }) };
  }
  return hasPlugin ? native(`${file} has the plugin ${PACKAGE_NAME}`) : { host: HOSTS.dynamic };
}

/** Finds the project of a directory, as Pulumi does: in it or in one above it. */
async function findProject(directory: string): Promise<PulumiProject> {
  const file = projectFileOf(directory);
  if (file === undefined) return { runtime: NODE_RUNTIME, hasPlugin: false };
  const project = parsedObject(await readText(file), file);
  const runtime = isRecord(project.runtime) ? project.runtime.name : project.runtime;
  return {
    file,
    runtime: typeof runtime === "string" ? runtime : NODE_RUNTIME,
    hasPlugin: namesPlugin(project),
  };
}

/** The content of a project file. A file of Pulumi may contain secrets, so no message contains any of it. */
function parsedObject(text: string, file: string): Readonly<Record<string, unknown>> {
  // Only for a project, since it takes long to load.
  const { parse, YAMLError } = require("yaml") as typeof import("yaml");
  let place = "";
  try {
    const project: unknown = parse(text, { logLevel: "error" });
    if (isRecord(project)) return project;
  } catch (error) {
    const [start] = (error instanceof YAMLError && error.linePos) || [];
    place = start === undefined ? "" : ` (line ${start.line})`;
  }
  throw new UserError(`${file} is not a Pulumi project file${place}. Correct it, or add --no-native.`);
}

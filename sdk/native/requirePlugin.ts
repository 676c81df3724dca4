/**
 * Checks that Pulumi can find the plugin, whose own error does not say what is missing: see
 * docs/internals/native-host.md#finding-the-plugin.
 */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
import { NATIVE_HOST, PACKAGE_NAME } from "../../provider/hosts/hosts";
import { isRecord, valueAt } from "../../provider/values/walk";
import { runError } from "../program/runError";
import { RELEASED_PLUGIN } from "./releasedPlugin";

/** The names of a project file, in Pulumi's order. */
const PROJECT_FILES = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

const EXECUTABLE = `pulumi-resource-${PACKAGE_NAME}`;

/** Environment variables with which Pulumi finds plugins elsewhere. */
const OVERRIDES = ["PULUMI_DEBUG_PROVIDERS", "PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES"];

/** The directories of projects that have the plugin. */
const found = new Set<string>();

/**
 * Requires that Pulumi.yaml names the plugin or that it is installed, and that it may be executed. A success is
 * remembered for the process. Without a project file, as in tests, nothing is required.
 *
 * @param pluginDownloadURL the resource option, with which Pulumi installs the plugin. Default: that of this release.
 * @throws RunError with the lines to add to Pulumi.yaml, or the command that makes the plugin executable.
 */
export function requirePlugin({
  pluginDownloadURL = RELEASED_PLUGIN.pluginDownloadURL,
}: {
  readonly pluginDownloadURL?: unknown;
} = {}): void {
  const directory = process.env.PULUMI_NODEJS_ROOT_DIRECTORY;
  if (directory === undefined || found.has(directory)) return;
  const file = PROJECT_FILES.map((name) => join(directory, name)).find(existsSync);
  if (file === undefined) return;
  if (pluginDownloadURL === undefined && !namesPlugin(file) && !isInstalled()) throw runError(missing(file));
  found.add(directory);
}

/** Whether a project file names the native plugin. Pulumi itself reports what it cannot read or find. */
function namesPlugin(file: string): boolean {
  const text = readFileSync(file, "utf8");
  // Without the name in the text, there is no need to load the parser.
  if (!text.includes(PACKAGE_NAME)) return false;
  const { parse } = require("yaml") as typeof import("yaml");
  let project: unknown;
  try {
    project = parse(text, { logLevel: "error" });
  } catch {
    return true;
  }
  const providers = [valueAt(project, ["plugins", "providers"])].flat();
  const named = providers.filter((one) => valueAt(one, ["name"]) === PACKAGE_NAME);
  const packages = valueAt(project, ["packages"]);
  const inPackages = isRecord(packages) && Object.hasOwn(packages, PACKAGE_NAME);
  const sources = [...named.map((one) => valueAt(one, ["path"])), valueAt(packages, [PACKAGE_NAME])];
  isExecutable(sources.map((source) => resolve(dirname(file), String(source))));
  return !isRecord(project) || named.length > 0 || inPackages;
}

/** Whether one of the folders has the plugin. @throws RunError if it is there, and Pulumi may not execute it. */
function isExecutable(folders: readonly string[]): boolean {
  const files = folders.map((folder) => join(folder, EXECUTABLE)).filter(existsSync);
  const refused = files.find((file) => !mayExecute(file));
  if (refused === undefined || files.some(mayExecute)) return files.length > 0;
  throw runError(
    `The plugin ${PACKAGE_NAME} cannot be started, because ${refused} is not executable. Copies of node_modules, such as artifacts of CI jobs, can lose the permission. Install the packages again, or run: chmod +x ${refused}`,
  );
}

function mayExecute(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isInstalled(): boolean {
  const { PULUMI_HOME = join(homedir(), ".pulumi"), PATH = "" } = process.env;
  const plugins = join(PULUMI_HOME, "plugins");
  return (
    OVERRIDES.some((name) => process.env[name] !== undefined) ||
    (existsSync(plugins) &&
      readdirSync(plugins).some((name) => name.startsWith(`resource-${PACKAGE_NAME}-`))) ||
    isExecutable(PATH.split(delimiter))
  );
}

function missing(file: string): string {
  return `Pulumi cannot find the plugin ${PACKAGE_NAME}, which ${NATIVE_HOST.module} needs. Add this to ${file}:

plugins:
  providers:
    - name: ${PACKAGE_NAME}
      path: ${pluginPath(dirname(file))}
`;
}

/** The path of the plugin's folder for a project file: through node_modules, in the project or above it, if possible. */
function pluginPath(project: string): string {
  for (let directory = project; ; directory = dirname(directory)) {
    const folder = join(directory, "node_modules", "pulumi-dynamiclink", "plugin");
    if (existsSync(folder)) return relativePath(project, folder);
    if (directory === dirname(directory)) break;
  }
  return relativePath(project, join(__dirname, "..", "..", "..", "plugin"));
}

function relativePath(from: string, to: string): string {
  const path = relative(from, to).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}

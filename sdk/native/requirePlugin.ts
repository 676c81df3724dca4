/**
 * Checks that Pulumi can find the plugin, whose own error does not say what is missing: see
 * docs/internals/native-host.md#finding-the-plugin.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
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
 * Requires that Pulumi.yaml names the plugin or that it is installed. A success is remembered for the process. Without
 * a project file, as in tests, nothing is required.
 *
 * @param pluginDownloadURL the resource option, with which Pulumi installs the plugin. Default: that of this release.
 * @throws RunError with the lines to add to Pulumi.yaml.
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

/** Whether a project file names the native plugin. Pulumi itself reports errors of a file that cannot be read. */
function namesPlugin(file: string): boolean {
  const text = readFileSync(file, "utf8");
  // Without the name in the text, there is no need to load the parser.
  if (!text.includes(PACKAGE_NAME)) return false;
  const { parse } = require("yaml") as typeof import("yaml");
  try {
    const project: unknown = parse(text, { logLevel: "error" });
    const providers = [valueAt(project, ["plugins", "providers"])].flat();
    const packages = valueAt(project, ["packages"]);
    return (
      !isRecord(project) ||
      providers.some((one) => valueAt(one, ["name"]) === PACKAGE_NAME) ||
      (isRecord(packages) && Object.hasOwn(packages, PACKAGE_NAME))
    );
  } catch {
    return true;
  }
}

function isInstalled(): boolean {
  const { PULUMI_HOME = join(homedir(), ".pulumi"), PATH = "" } = process.env;
  const plugins = join(PULUMI_HOME, "plugins");
  return (
    OVERRIDES.some((name) => process.env[name] !== undefined) ||
    (existsSync(plugins) &&
      readdirSync(plugins).some((name) => name.startsWith(`resource-${PACKAGE_NAME}-`))) ||
    PATH.split(delimiter).some((each) => existsSync(join(each, EXECUTABLE)))
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

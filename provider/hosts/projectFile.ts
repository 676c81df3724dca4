/** Finds and reads the file of a Pulumi project. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord, valueAt } from "../values/walk";
import { PACKAGE_NAME } from "./nativeNames";

/** The names of a project file, in Pulumi's order. */
const PROJECT_FILES = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

/** Matches a project file with the runtime Python, in any form. A parser would be a dependency of the plugin. */
const PYTHON =
  /(?:^|[{,])\s*["']?runtime["']?\s*:\s*(\{\s*["']?name["']?\s*:\s*)?["']?python\b|^\s+["']?name["']?\s*:\s*["']?python["']?\s*,?\s*$/m;

/** The project file in a directory. */
export function projectFileIn(directory: string): string | undefined {
  return PROJECT_FILES.map((name) => join(directory, name)).find(existsSync);
}

/** The project file of a program, as Pulumi finds it: in its directory or in one above it. */
export function projectFileOf(directory: string): string | undefined {
  const parent = dirname(directory);
  return projectFileIn(directory) ?? (parent === directory ? undefined : projectFileOf(parent));
}

/** Whether a project file says that its program is in Python. */
export function runsPython(file: string): boolean {
  return PYTHON.test(readFileSync(file, "utf8"));
}

/** Whether a project file names the native plugin. Pulumi itself reports errors of a file that cannot be read. */
export function namesPlugin(file: string): boolean {
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

/** The files of a Pulumi project around a program. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import { jsonDocument, parseJson } from "../terminal/json";

const PACKAGE = "pulumi-dynamiclink";

/** For editors and type checks. Node.js itself runs the program by stripping its types. */
const TYPE_SCRIPT_OPTIONS = {
  compilerOptions: {
    target: "es2023",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
  },
  include: ["*.ts"],
};

/**
 * The texts of the files, by name.
 *
 * @param settings settings for the configuration of the project, by name.
 */
export function projectFiles(
  directory: string,
  program: string,
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  // Only for a program, since it takes long to load.
  const { stringify } = require("yaml") as typeof import("yaml");
  const name = projectName(directory);
  const config = Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [`${CONFIGURATION_NAMESPACE}:${setting}`, { value }]),
  );
  return {
    "Pulumi.yaml": stringify({
      name,
      main: "index.ts",
      runtime: { name: "nodejs", options: { typescript: false } },
      ...(Object.keys(config).length > 0 && { config }),
    }),
    "package.json": jsonDocument({
      name,
      private: true,
      type: "module",
      main: "index.ts",
      dependencies: dependenciesIn(directory),
    }),
    "tsconfig.json": jsonDocument(TYPE_SCRIPT_OPTIONS),
    "index.ts": program,
  };
}

/** Derives a valid name of a Pulumi project from the directory. */
function projectName(directory: string): string {
  const allowed = basename(resolve(directory)).replaceAll(/[^A-Za-z0-9._-]+/g, "-");
  return allowed.replace(/^[^A-Za-z0-9]+/, "").slice(0, 100) || "dynamiclink";
}

/** The parts of a package.json that say which packages it installs. */
interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * This package and its peer dependencies. If the current directory or one above installs this package from a file or an
 * address, so does the program: a registry may have another one of that version, or none.
 */
function dependenciesIn(directory: string): Readonly<Record<string, string>> {
  const { version, peerDependencies } = require(`${PACKAGE}/package.json`);
  return { ...peerDependencies, [PACKAGE]: installedFrom(directory) ?? `^${version}` };
}

/** Where the package of this command comes from, as a program in a directory has to write it. */
function installedFrom(directory: string, from = process.cwd()): string | undefined {
  const path = join(from, "package.json");
  const { dependencies, devDependencies } = (
    existsSync(path) ? parseJson(readFileSync(path, "utf8"), path) : {}
  ) as PackageFile;
  const spec = dependencies?.[PACKAGE] ?? devDependencies?.[PACKAGE];
  if (spec === undefined) return dirname(from) === from ? undefined : installedFrom(directory, dirname(from));
  const [, local] = /^(?:file|link|portal):(.+)$/.exec(spec) ?? [];
  if (local !== undefined) return `file:${relative(directory, resolve(from, local)).replaceAll("\\", "/")}`;
  // An address, or the package under another name. Others, such as `workspace:`, have a meaning only where they are.
  return /^(?:https?|git|npm)[\w+]*:/.test(spec) ? spec : undefined;
}

/** The files of a Pulumi project around a program. */
import { basename, resolve } from "node:path";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import { jsonDocument } from "../terminal/json";

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
      dependencies: dependencies(),
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

/** This package and its peer dependencies. */
function dependencies(): Readonly<Record<string, string>> {
  const { version, peerDependencies } = require(`${PACKAGE}/package.json`) as {
    version: string;
    peerDependencies: Record<string, string>;
  };
  return { ...peerDependencies, [PACKAGE]: `^${version}` };
}

/** A complete program for the objects of an organization, and its import file. */
import { stringify } from "yaml";
import { PACKAGE_NAME } from "../provider/hosts/nativeNames";
import { CONFIGURATION_NAMESPACE } from "../provider/session/service";
import type { Estate, EstateObject } from "./estate";
import { HOSTS, type Host } from "./host";
import { entriesForCode, type ImportedObject, importEntry, importFileText } from "./importFile";
import { hyphenated, hyphenatedHostname, uniqueNames, variableName } from "./logicalNames";
import { CLASS_NAMES, type Code, code, type Declaration, programSource } from "./programSource";

/** From this number of resources on, each project has its own file. */
const RESOURCES_IN_ONE_FILE = 60;

/** The name of the import file. */
export const IMPORT_FILE_NAME = "import.json";

/** What a program contains besides the estate. */
export interface ProgramOptions {
  /** The name of the Pulumi project. */
  readonly name: string;
  readonly organizationId: string;
  readonly host: Host;
  /** Whether Pulumi generates the program from the import file, so that it is the only file. */
  readonly isImportFileOnly: boolean;
  /** Settings for the configuration of the Pulumi project, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Versions of the packages that the program uses, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** A generated program: its files by name, and the objects that it declares. */
export interface EstateProgram {
  readonly files: Readonly<Record<string, string>>;
  readonly objects: readonly ImportedObject[];
}

/** Generates the program. The same estate gives the same text. */
export function estateProgram(estate: Estate, options: ProgramOptions): EstateProgram {
  const { host } = options;
  const names = logicalNames(estate);
  const variables = uniqueNames(
    estate.projects,
    ({ uuid }) => [variableName(nameOf(names, uuid), { taken: CLASS_NAMES })],
    (name, uuid) => `${name}_${uuid}`,
  );
  const objects = [...estate.projects, ...estate.applications, ...estate.customDomains];
  const declare = ({ kind, uuid, reading: { inputs } }: EstateObject): Declaration => ({
    kind,
    name: nameOf(names, uuid),
    variable: variables.get(uuid),
    inputs: kind === "project" ? inputs : { ...inputs, projectId: reference(variables, inputs.projectId) },
    ...(kind === "project" && { options: { protect: true } }),
  });

  const inProject = Map.groupBy(objects, ({ kind, uuid, reading: { inputs } }) =>
    kind === "project" ? uuid : String(inputs.projectId),
  );
  const modules = estate.projects.map(({ uuid }) => ({
    file: `project-${nameOf(names, uuid)}.ts`,
    declarations: (inProject.get(uuid) ?? []).map(declare),
  }));
  const imported = objects.map(({ kind, uuid, reading }) => ({
    kind,
    host,
    name: nameOf(names, uuid),
    reading,
  }));
  if (options.isImportFileOnly) {
    const text = importFileText({ resources: entriesForCode(imported) });
    return { objects: imported, files: { [IMPORT_FILE_NAME]: text } };
  }
  // Objects of a project that was omitted refer to it by UUID.
  const others = objects
    .filter(({ kind, reading: { inputs } }) => kind !== "project" && !variables.has(String(inputs.projectId)))
    .map(declare);
  const comment = [`The objects of organization ${options.organizationId} in dynamiclink.`];
  const sources: Record<string, string> = {};
  if (objects.length < RESOURCES_IN_ONE_FILE) {
    const declarations = [...modules.flatMap((module) => module.declarations), ...others];
    sources["index.ts"] = programSource(declarations, { comment, host });
  } else {
    const imports = modules.map(({ file }) => `./${file}`);
    sources["index.ts"] = programSource(others, { comment, imports, host });
    for (const { file, declarations } of modules) sources[file] = programSource(declarations, { host });
  }

  return {
    objects: imported,
    files: {
      "Pulumi.yaml": stringify(projectFile(options)),
      "package.json": json({
        name: options.name,
        private: true,
        type: "module",
        main: "index.ts",
        dependencies: options.dependencies,
      }),
      "tsconfig.json": json(TYPE_SCRIPT_OPTIONS),
      ...sources,
      [IMPORT_FILE_NAME]: importFileText({ resources: imported.map(importEntry) }),
    },
  };
}

/** How a project names the plugin that npm installs. */
const PLUGIN = { name: PACKAGE_NAME, path: "./node_modules/pulumi-dynamiclink/plugin" };

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

/** The logical names of all objects, by UUID. They are unique among the objects of a kind. */
function logicalNames({ projects, applications, customDomains }: Estate): Map<string, string> {
  const projectNames = uniqueNames(projects, ({ reading: { inputs } }) => [
    hyphenated(String(inputs.name)) || "project",
  ]);
  const applicationNames = uniqueNames(applications, ({ reading: { inputs } }) => {
    const project = projectNames.get(String(inputs.projectId)) ?? "application";
    const platform = `${project}-${String(inputs.appType).toLowerCase()}`;
    const info = (inputs.appleInfo ?? inputs.androidInfo ?? {}) as { readonly appName?: string };
    const title = hyphenated(info.appName ?? "");
    return title === "" ? [platform] : [platform, `${platform}-${title}`];
  });
  const domainNames = uniqueNames(customDomains, ({ reading: { inputs } }) => [
    hyphenatedHostname(String(inputs.hostname)) || "domain",
  ]);
  return new Map([...projectNames, ...applicationNames, ...domainNames]);
}

function nameOf(names: ReadonlyMap<string, string>, uuid: string): string {
  return names.get(uuid) ?? uuid;
}

function reference(variables: ReadonlyMap<string, string>, projectId: unknown): Code | unknown {
  const variable = variables.get(String(projectId));
  return variable === undefined ? projectId : code(`${variable}.id`);
}

function projectFile({ name, organizationId, host, settings }: ProgramOptions): object {
  const config = Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [`${CONFIGURATION_NAMESPACE}:${setting}`, { value }]),
  );
  return {
    name,
    description: `The objects of organization ${organizationId} in dynamiclink.`,
    main: "index.ts",
    runtime: { name: "nodejs", options: { typescript: false } },
    ...(host === HOSTS.native && { plugins: { providers: [PLUGIN] } }),
    ...(Object.keys(config).length > 0 && { config }),
  };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

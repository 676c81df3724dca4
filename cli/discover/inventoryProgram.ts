/** A complete program for the objects of an organization, and its import file. */
import { stringify } from "yaml";
import { PACKAGE_NAME } from "../../provider/hosts/nativeNames";
import type { Properties } from "../../provider/lifecycle/properties";
import { CONFIGURATION_NAMESPACE } from "../../provider/session/service";
import { HOSTS, type Host } from "../objects/hosts";
import { KINDS, type KindName } from "../objects/kinds";
import { hyphenated, hyphenatedHostname, uniqueNames, variableName } from "../objects/logicalNames";
import { keptNames, type NamedObject, type StackObject } from "../program/keptNames";
import { CLASS_NAMES, code, type Declaration, programSource } from "../program/programSource";
import { type ProjectReference, referenceSource } from "../program/projectReferences";
import { entriesForCode, type ImportedObject, importEntry, importFileText } from "../pulumi/importFile";
import { nameOf as nameInUrn, parseUrn } from "../pulumi/urn";
import type { Inventory, InventoryObject } from "../service/inventory";

/** From this number of resources on, each project has its own file. */
const RESOURCES_IN_ONE_FILE = 60;

/** The name of the import file. */
export const IMPORT_FILE_NAME = "import.json";

/** Which resources a program protects from deletion. */
export type Protection = "all" | "projects" | "none";

/** What a program contains besides the inventory. */
export interface ProgramOptions {
  /** The name of the Pulumi project. */
  readonly name: string;
  readonly organizationId: string;
  readonly host: Host;
  /** Whether Pulumi generates the program from the import file, so that it is the only file. */
  readonly isImportFileOnly: boolean;
  /** Settings for the configuration of the Pulumi project, by name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly protect: Protection;
  /** The names that objects have in the program so far, those that count more first. */
  readonly named: readonly NamedObject[];
  /** The objects in the stack of the program; empty if it has none yet. */
  readonly inStack: readonly StackObject[];
  /** The UUIDs of the objects to declare. The others only give their names to what is in them. Default: all. */
  readonly only?: ReadonlySet<string> | undefined;
  /**
   * The URN of the provider that imports the objects, if Pulumi generates the program. Default: the default provider. Other
   * programs are for a stack of their own, with the settings in its configuration.
   */
  readonly provider?: string | undefined;
  /** Projects that other stacks manage. Default: none; objects in such a project refer to it by UUID. */
  readonly references?: readonly ProjectReference[] | undefined;
  /** Versions of the packages that the program uses, by name. */
  readonly dependencies: Readonly<Record<string, string>>;
}

/** A generated program: its files by name, and the objects that it declares. */
export interface InventoryProgram {
  readonly files: Readonly<Record<string, string>>;
  readonly objects: readonly ImportedObject[];
  /** The programs that it consists of, by directory, if it was split. */
  readonly parts?: Readonly<Record<string, InventoryProgram>>;
}

/** Generates the program. The same inventory gives the same text. */
export function inventoryProgram(inventory: Inventory, options: ProgramOptions): InventoryProgram {
  const { host, only } = options;
  const names = logicalNames(inventory, options.named);
  const chosen = (objects: readonly InventoryObject[]) => objects.filter(({ uuid }) => only?.has(uuid) ?? true);
  const projects = chosen(inventory.projects);
  const variables = uniqueNames(
    projects,
    ({ uuid }) => [variableName(nameOf(names, uuid), { taken: CLASS_NAMES })],
    { join: (name, uuid) => `${name}_${uuid}` },
  );
  const objects = [...projects, ...chosen(inventory.applications), ...chosen(inventory.customDomains)];
  const used = new Set(objects.map(({ reading: { inputs } }) => inputs.projectId));
  const { statements, codes } = referenceSource(
    (options.references ?? []).filter(({ uuid }) => used.has(uuid) && !variables.has(uuid)),
    { names, taken: [...variables.values()] },
  );
  const references = new Map([
    ...codes,
    ...[...variables].map(([uuid, variable]) => [uuid, code(`${variable}.id`)] as const),
  ]);
  const elsewhere = urnsElsewhere(objects, { names, ...options });
  const declare = ({ kind, uuid, reading: { inputs } }: InventoryObject): Declaration => ({
    kind,
    name: nameOf(names, uuid),
    variable: variables.get(uuid),
    inputs:
      kind === "project"
        ? inputs
        : { ...inputs, projectId: references.get(String(inputs.projectId)) ?? inputs.projectId },
    options: { aliases: elsewhere.get(uuid), ...(isProtected(kind, options.protect) && { protect: true }) },
  });

  const inProject = Map.groupBy(objects, ({ kind, uuid, reading: { inputs } }) =>
    kind === "project" ? uuid : String(inputs.projectId),
  );
  // A name from a stack may contain anything.
  const files = uniqueNames(projects, ({ uuid }) => [hyphenated(nameOf(names, uuid)) || "project"]);
  const modules = projects.map(({ uuid }) => ({
    file: `project-${nameOf(files, uuid)}.ts`,
    declarations: (inProject.get(uuid) ?? []).map(declare),
  }));
  const imported = objects.map(({ kind, uuid, reading }) => ({
    kind,
    host,
    name: nameOf(names, uuid),
    reading,
  }));
  // What the stack has in another place would be in it twice.
  const toImport = imported.filter(({ reading: { uuid } }) => !elsewhere.has(uuid));
  if (options.isImportFileOnly) {
    const text = importFileOf(toImport, options);
    return { objects: imported, files: { [IMPORT_FILE_NAME]: text } };
  }
  // Objects of a project that was omitted refer to it by UUID, or by the output of another stack.
  const others = objects
    .filter(({ kind, reading: { inputs } }) => kind !== "project" && !variables.has(String(inputs.projectId)))
    .map(declare);
  const comment = [`The objects of organization ${options.organizationId} in dynamiclink.`];
  const sources: Record<string, string> = {};
  if (objects.length < RESOURCES_IN_ONE_FILE) {
    const declarations = [...modules.flatMap((module) => module.declarations), ...others];
    sources["index.ts"] = programSource(declarations, { comment, statements, host });
  } else {
    const imports = modules.map(({ file }) => `./${file}`);
    sources["index.ts"] = programSource(others, { comment, imports, statements, host });
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
      [IMPORT_FILE_NAME]: importFileText({ resources: toImport.map(importEntry) }),
    },
  };
}

/** The import file from which Pulumi generates a program. It uses the provider of the objects, by its name in the file. */
function importFileOf(objects: readonly ImportedObject[], { provider: urn }: ProgramOptions): string {
  if (urn === undefined) return importFileText({ resources: entriesForCode(objects) });
  const provider = nameInUrn(urn);
  return importFileText({
    nameTable: { [provider]: urn },
    resources: entriesForCode(
      objects.map((object) => ({ ...object, provider })),
      { taken: [provider] },
    ),
  });
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
function logicalNames(
  { projects, applications, customDomains }: Inventory,
  named: readonly NamedObject[],
): Map<string, string> {
  const namesOf = (
    kind: KindName,
    objects: readonly InventoryObject[],
    proposals: (inputs: Properties) => readonly string[],
  ) =>
    uniqueNames(objects, ({ reading: { inputs } }) => proposals(inputs), {
      kept: keptNames(kind, named),
      reserved: named.filter((one) => one.kind === kind).map(({ name }) => name),
    });
  const projectNames = namesOf("project", projects, ({ name }) => [hyphenated(String(name)) || "project"]);
  const applicationNames = namesOf("application", applications, (inputs) => {
    const project = projectNames.get(String(inputs.projectId)) ?? "application";
    const platform = `${project}-${String(inputs.appType).toLowerCase()}`;
    const info = (inputs.appleInfo ?? inputs.androidInfo ?? {}) as { readonly appName?: string };
    const title = hyphenated(info.appName ?? "");
    return title === "" ? [platform] : [platform, `${platform}-${title}`];
  });
  const domainNames = namesOf("customDomain", customDomains, ({ hostname }) => [
    hyphenatedHostname(String(hostname)) || "domain",
  ]);
  return new Map([...projectNames, ...applicationNames, ...domainNames]);
}

/** The URNs of objects that the stack has in another place than the program: in a component, or for another host. */
function urnsElsewhere(
  objects: readonly InventoryObject[],
  { names, host, inStack }: ProgramOptions & { readonly names: ReadonlyMap<string, string> },
): Map<string, readonly string[]> {
  const found = objects.map(({ kind, uuid }) => {
    const urns = inStack.filter((one) => one.kind === kind && one.uuid === uuid).map(({ urn }) => urn);
    const token = host.typeToken(KINDS[kind].description);
    const isInPlace = (urn: string) => {
      const { path, name } = parseUrn(urn);
      return path === token && name === nameOf(names, uuid);
    };
    return [uuid, urns.some(isInPlace) ? [] : urns] as const;
  });
  return new Map(found.filter(([, urns]) => urns.length > 0));
}

function isProtected(kind: KindName, protection: Protection): boolean {
  return protection === "all" || (protection === "projects" && kind === "project");
}

function nameOf(names: ReadonlyMap<string, string>, uuid: string): string {
  return names.get(uuid) ?? uuid;
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

/** A complete program for the objects of an organization, and its import file. */
import { PACKAGE_NAME } from "../../provider/hosts/nativeNames";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import { HOSTS, type Host } from "../objects/hosts";
import { keyOf, type ObjectId, parentKeyOf, withParent } from "../objects/identity";
import { KIND_NAMES, KINDS, type KindName, PARENT_KINDS } from "../objects/kinds";
import { hyphenated, uniqueNames, variableName } from "../objects/logicalNames";
import { proposedNames } from "../objects/objectName";
import { keptNames, type NamedObject, type StackObject } from "../program/keptNames";
import { CLASS_NAMES, code, type Declaration, programSource } from "../program/programSource";
import { type ProjectReference, referenceSource } from "../program/projectReferences";
import { entriesForCode, type ImportedObject, importEntry, importFileText } from "../pulumi/importFile";
import { nameOf as nameInUrn, parseUrn } from "../pulumi/urn";
import type { Inventory, InventoryObject } from "../service/inventory";
import { jsonText } from "../terminal/json";

/** From this number of resources on, each project has its own file. */
const RESOURCES_IN_ONE_FILE = 60;

export const IMPORT_FILE_NAME = "import.json";

/** Which resources a program protects from deletion. */
export type Protection = "all" | "projects" | "none";

/** What a program contains besides the inventory. */
export interface ProgramOptions {
  readonly name: string;
  readonly organizationId: string;
  readonly host: Host;
  /** Whether Pulumi generates the program from the import file, so that it is the only file. */
  readonly isImportFileOnly: boolean;
  /** The packages of the program, as in package.json. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** The directory with its `node_modules`, relative to that of the program. */
  readonly installation: string;
  /** Settings for the configuration of the Pulumi project, by name. */
  readonly settings: Readonly<Record<string, string>>;
  readonly protect: Protection;
  /** The names that objects have in the program so far, those that count more first. */
  readonly named: readonly NamedObject[];
  /** The objects in the stack of the program; empty if it has none yet. */
  readonly inStack: readonly StackObject[];
  /** The keys of the objects to declare. The others only give their names to what is in them. Default: all. */
  readonly only?: ReadonlySet<string> | undefined;
  /**
   * The URN of the provider that imports the objects, if Pulumi generates the program. Default: the default provider. Other
   * programs are for a stack of their own, with the settings in its configuration.
   */
  readonly provider?: string | undefined;
  /** Projects that other stacks manage. Default: none; objects in such a project refer to it by UUID. */
  readonly references?: readonly ProjectReference[] | undefined;
}

/** A generated program: its files by name, and the objects that it declares. */
export interface InventoryProgram {
  readonly files: Readonly<Record<string, string>>;
  readonly objects: readonly ImportedObject[];
}

/** Generated programs, by their directory: the empty one, if there is one program for all projects. */
export type Programs = ReadonlyMap<string, InventoryProgram>;

/** Generates the program. The same inventory gives the same text. */
export function inventoryProgram(inventory: Inventory, options: ProgramOptions): InventoryProgram {
  const { host, only } = options;
  const names = logicalNames(inventory, options.named);
  const objects = inventory.objects.filter((object) => only?.has(keyOf(object)) ?? true);
  const parents = objects.filter(({ kind }) => PARENT_KINDS.includes(kind));
  const variables = uniqueNames(
    parents,
    (object) => [variableName(nameOf(names, object), { taken: CLASS_NAMES })],
    { key: keyOf, join: (name, uuid) => `${name}_${uuid}` },
  );
  const used = new Set(objects.flatMap((object) => parentKeyOf(object) ?? []));
  const { statements, codes } = referenceSource(
    (options.references ?? []).filter((one) => used.has(keyOf(one)) && !variables.has(keyOf(one))),
    { names, taken: [...variables.values()] },
  );
  const references = new Map([
    ...codes,
    ...[...variables].map(([key, variable]) => [key, code(`${variable}.id`)] as const),
  ]);
  const elsewhere = urnsElsewhere(objects, { names, ...options });
  const declare = (object: InventoryObject): Declaration => ({
    kind: object.kind,
    name: nameOf(names, object),
    variable: variables.get(keyOf(object)),
    inputs: withParent(object, references.get(parentKeyOf(object) ?? "")),
    options: {
      aliases: elsewhere.get(keyOf(object)),
      ...(isProtected(object.kind, options.protect) && { protect: true }),
    },
  });

  const inParent = Map.groupBy(objects, (object) => parentKeyOf(object) ?? keyOf(object));
  // A name from a stack may contain anything.
  const files = uniqueNames(parents, (object) => [hyphenated(nameOf(names, object)) || "project"], {
    key: keyOf,
  });
  const modules = parents.map((parent) => ({
    file: `project-${nameOf(files, parent)}.ts`,
    declarations: (inParent.get(keyOf(parent)) ?? []).map(declare),
  }));
  const imported = objects.map((object) => ({
    kind: object.kind,
    host,
    name: nameOf(names, object),
    reading: object.reading,
  }));
  // What the stack has in another place would be in it twice.
  const toImport = imported.filter(({ kind, reading: { uuid } }) => !elsewhere.has(keyOf({ kind, uuid })));
  if (options.isImportFileOnly) {
    const text = importFileOf(toImport, options);
    return { objects: imported, files: { [IMPORT_FILE_NAME]: text } };
  }
  // Objects of a project that was omitted refer to it by UUID, or by the output of another stack.
  const others = objects
    .filter((object) => !variables.has(parentKeyOf(object) ?? keyOf(object)))
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
      "Pulumi.yaml": yaml(projectFile(options)),
      "package.json": jsonText({
        name: options.name,
        private: true,
        type: "module",
        main: "index.ts",
        dependencies: options.dependencies,
      }),
      "tsconfig.json": jsonText(TYPE_SCRIPT_OPTIONS),
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

/** The logical names of all objects, by key. They are unique among the objects of a kind. */
function logicalNames({ objects }: Inventory, named: readonly NamedObject[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  // Content is named after what it is in, which comes first.
  for (const kind of KIND_NAMES) {
    const own = uniqueNames(
      objects.filter((object) => object.kind === kind),
      (object) => proposedNames(object, names.get(parentKeyOf(object) ?? "")),
      {
        kept: keptNames(kind, named),
        reserved: named.filter((one) => one.kind === kind).map(({ name }) => name),
      },
    );
    for (const [uuid, name] of own) names.set(keyOf({ kind, uuid }), name);
  }
  return names;
}

/** The URNs of objects that the stack has in another place than the program: in a component, or for another host. */
function urnsElsewhere(
  objects: readonly InventoryObject[],
  { names, host, inStack }: ProgramOptions & { readonly names: ReadonlyMap<string, string> },
): ReadonlyMap<string, readonly string[]> {
  const urns = Map.groupBy(inStack, keyOf);
  const found = objects.map((object) => {
    const token = host.typeToken(KINDS[object.kind].description);
    const own = (urns.get(keyOf(object)) ?? []).map(({ urn }) => urn);
    const isInPlace = (urn: string) => {
      const { path, name } = parseUrn(urn);
      return path === token && name === nameOf(names, object);
    };
    return [keyOf(object), own.some(isInPlace) ? [] : own] as const;
  });
  return new Map(found.filter(([, own]) => own.length > 0));
}

function isProtected(kind: KindName, protection: Protection): boolean {
  return protection === "all" || (protection === "projects" && PARENT_KINDS.includes(kind));
}

function nameOf(names: ReadonlyMap<string, string>, object: ObjectId): string {
  return names.get(keyOf(object)) ?? object.uuid;
}

function projectFile({ name, organizationId, host, settings, installation }: ProgramOptions): object {
  const config = Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [`${CONFIGURATION_NAMESPACE}:${setting}`, { value }]),
  );
  const plugin = { name: PACKAGE_NAME, path: `${installation}/node_modules/pulumi-dynamiclink/plugin` };
  return {
    name,
    description: `The objects of organization ${organizationId} in dynamiclink.`,
    main: "index.ts",
    runtime: { name: "nodejs", options: { typescript: false } },
    ...(host === HOSTS.native && { plugins: { providers: [plugin] } }),
    ...(Object.keys(config).length > 0 && { config }),
  };
}

function yaml(value: unknown): string {
  // Only for a program, since it takes long to load.
  return (require("yaml") as typeof import("yaml")).stringify(value);
}

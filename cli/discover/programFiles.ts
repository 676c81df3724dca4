/** The files of a program: its sources, the files of its Pulumi project, and the import file. */
import { PACKAGE_NAME } from "../../provider/hosts/nativeNames";
import { CONFIGURATION_NAMESPACE } from "../../provider/service";
import { HOSTS, type Host } from "../objects/hosts";
import { type Declaration, programSource } from "../program/programSource";
import { entriesForCode, type ImportedObject, importEntry, importFileText } from "../pulumi/importFile";
import { nameInUrn } from "../pulumi/urn";
import { jsonText } from "../terminal/json";

/** From this number of resources on, each project has its own file. */
const RESOURCES_IN_ONE_FILE = 60;

export const IMPORT_FILE_NAME = "import.json";

/** What a program declares, in whatever files. */
export interface ProgramContent {
  /** The objects without those that the stack has in another place: they would be in it twice. */
  readonly toImport: readonly ImportedObject[];
  /** Each project with what is in it, and the name of a file for them. */
  readonly modules: readonly { readonly file: string; readonly declarations: readonly Declaration[] }[];
  /** What is in other projects. It refers to them by UUID, or by the output of another stack. */
  readonly others: readonly Declaration[];
  /** The statements that read projects of other stacks, to which the declarations refer. */
  readonly statements: readonly string[];
}

/** What the files contain besides the declarations. */
export interface FileOptions {
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
  /**
   * The URN of the provider that imports the objects, if Pulumi generates the program. Default: the default provider. Other
   * programs are for a stack of their own, with the settings in its configuration.
   */
  readonly provider?: string | undefined;
}

/** The texts of the files, by name. */
export function programFiles(
  content: ProgramContent,
  options: FileOptions,
): Readonly<Record<string, string>> {
  if (options.isImportFileOnly) return { [IMPORT_FILE_NAME]: importFileOf(content.toImport, options) };
  return {
    "Pulumi.yaml": yaml(projectFile(options)),
    "package.json": jsonText({
      name: options.name,
      private: true,
      type: "module",
      main: "index.ts",
      dependencies: options.dependencies,
    }),
    "tsconfig.json": jsonText(TYPE_SCRIPT_OPTIONS),
    ...sourcesOf(content, options),
    [IMPORT_FILE_NAME]: importFileText({ resources: content.toImport.map(importEntry) }),
  };
}

/** One file, or for many resources one for each project. */
function sourcesOf(
  { modules, others, statements }: ProgramContent,
  { organizationId, host }: FileOptions,
): Readonly<Record<string, string>> {
  const all = [...modules.flatMap(({ declarations }) => declarations), ...others];
  const [declared, separate] = all.length < RESOURCES_IN_ONE_FILE ? [all, []] : [others, modules];
  return {
    "index.ts": programSource(declared, {
      comment: [`The objects of organization ${organizationId} in dynamiclink.`],
      imports: separate.map(({ file }) => `./${file}`),
      statements,
      host,
    }),
    ...Object.fromEntries(
      separate.map(({ file, declarations }) => [file, programSource(declarations, { host })]),
    ),
  };
}

/** The import file from which Pulumi generates a program. It uses the provider of the objects, by its name in the file. */
function importFileOf(objects: readonly ImportedObject[], { provider: urn }: FileOptions): string {
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

function projectFile({ name, organizationId, host, settings, installation }: FileOptions): object {
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

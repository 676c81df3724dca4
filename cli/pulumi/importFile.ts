/**
 * The import file, which `pulumi import --file` reads. Entries of dynamic resources contain inputs and outputs, because
 * Pulumi cannot read a dynamic resource by its id alone.
 */
import type { ImportEntry, ImportFile } from "../../provider/hosts/importFileFormat";
import type { Reading } from "../../provider/lifecycle/operations/objects";
import type { Host } from "../objects/hosts";
import { KINDS, type KindName } from "../objects/kinds";
import { jsonText } from "../terminal/json";
import { entryName } from "./entryNames";

/** The first version of the Pulumi CLI that reads inputs and outputs from an import file. */
export const FIRST_CLI_VERSION = "3.254.0";

/** The import file that is written if the CLI cannot import it, unless `--out` specifies another. */
export const DEFAULT_FILE = "dynamiclink-import.json";

/** What users need to know after an import. */
export const AFTER_IMPORT =
  "The state has no dependencies between the imported resources until the next `pulumi up`. Run it before you destroy anything.";

/** An imported object, and its name in the stack. */
export interface ImportedObject {
  readonly kind: KindName;
  readonly host: Host;
  readonly name: string;
  readonly reading: Reading;
  readonly logicalName?: string | undefined;
  readonly parent?: string | undefined;
  readonly provider?: string | undefined;
}

export function importEntry({
  kind,
  host,
  name,
  reading,
  logicalName,
  parent,
  provider,
}: ImportedObject): ImportEntry {
  const { description } = KINDS[kind];
  return {
    type: host.typeToken(description),
    name,
    ...(logicalName !== undefined && { logicalName }),
    id: reading.uuid,
    ...(parent !== undefined && { parent }),
    ...(provider !== undefined && { provider }),
    ...host.entryProperties(description, reading),
  };
}

/**
 * The entries of objects for which Pulumi generates code: each has a unique name that can be a variable.
 *
 * @param taken the names in the name table.
 */
export function entriesForCode(
  objects: readonly ImportedObject[],
  { taken = [] }: { readonly taken?: readonly string[] } = {},
): ImportEntry[] {
  const used = new Set(taken);
  const named = objects.map((object) => {
    const name = entryName(object.name, (one) => used.has(one));
    used.add(name);
    return { object, name };
  });
  // A parent is in the name table, or is another object.
  const parentName = (parent: string | undefined) =>
    parent === undefined || taken.includes(parent)
      ? parent
      : named.find(({ object }) => object.name === parent)?.name;
  return named.map(({ object, name }) => {
    const logicalName = object.logicalName ?? object.name;
    return importEntry({
      ...object,
      name,
      logicalName: logicalName === name ? undefined : logicalName,
      parent: parentName(object.parent),
    });
  });
}

export function importFileText({ nameTable = {}, resources }: ImportFile): string {
  return jsonText({ ...(Object.keys(nameTable).length > 0 && { nameTable }), resources });
}

/** Parses an import file. Undefined if the text is none. */
export function parseImportFile(content: string): Required<ImportFile> | undefined {
  try {
    const { nameTable, resources } = JSON.parse(content) as {
      readonly nameTable?: ImportFile["nameTable"] | null;
      readonly resources: readonly ImportEntry[];
    };
    const table = nameTable ?? {};
    if (isNameTable(table) && resources.every(isEntry)) return { nameTable: table, resources };
  } catch {
    // It is not JSON, or not an object with a list of entries.
  }
  return undefined;
}

function isNameTable(value: object): boolean {
  return !Array.isArray(value) && Object.values(value).every((urn) => typeof urn === "string");
}

function isEntry({ type, name, logicalName, parent, provider }: ImportEntry): boolean {
  return (
    [type, name].every((each) => typeof each === "string") &&
    [logicalName, parent, provider].every((each) => each === undefined || typeof each === "string")
  );
}

/** The arguments of `pulumi` that import a file. */
export function importArguments(
  file: string,
  {
    stack,
    cwd,
    protect,
    yes,
    code = false,
  }: {
    stack?: string | undefined;
    cwd?: string | undefined;
    protect?: boolean | undefined;
    yes?: boolean | undefined;
    /** Whether Pulumi generates code, or the file that it writes the code to. */
    code?: boolean | string;
  } = {},
): string[] {
  return [
    "import",
    "--file",
    file,
    ...(code === false ? ["--generate-code=false"] : []),
    ...(typeof code === "string" ? ["--out", code] : []),
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    ...(protect === undefined ? [] : [`--protect=${protect}`]),
    ...(yes ? ["--yes"] : []),
  ];
}

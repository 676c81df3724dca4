/**
 * The import file, which `pulumi import --file` reads. Its entries contain inputs and outputs, because Pulumi cannot read
 * a dynamic resource by its id alone. Both contain the text of the provider, as in the state.
 */
import type { ImportEntry, ImportFile } from "../provider/hosts/dynamic/importFile";
import { PROVIDER_PROPERTY, providerText, typeToken } from "../provider/hosts/dynamic/names";
import type { Reading } from "../provider/lifecycle/operations";
import { KINDS, type KindName } from "./kinds";

/** The first version of the Pulumi CLI that reads inputs and outputs from an import file. */
export const FIRST_CLI_VERSION = "3.254.0";

/** What users need to know after an import. */
export const AFTER_IMPORT =
  "The state has no dependencies between the imported resources until the next `pulumi up`. Run it before you destroy anything.";

/** An imported object, and its name in the stack. */
export interface ImportedObject {
  readonly kind: KindName;
  readonly name: string;
  readonly reading: Reading;
  readonly logicalName?: string | undefined;
  readonly parent?: string | undefined;
  readonly provider?: string | undefined;
}

/** The entry of an object. */
export function importEntry({
  kind,
  name,
  reading,
  logicalName,
  parent,
  provider,
}: ImportedObject): ImportEntry {
  const { description } = KINDS[kind];
  const text = { [PROVIDER_PROPERTY]: providerText(description) };
  return {
    type: typeToken(description),
    name,
    ...(logicalName !== undefined && { logicalName }),
    id: reading.uuid,
    ...(parent !== undefined && { parent }),
    ...(provider !== undefined && { provider }),
    inputs: { ...reading.inputs, ...text },
    outputs: { ...reading.state, ...text },
  };
}

/** The text of an import file. */
export function importFileText({ nameTable = {}, resources }: ImportFile): string {
  const file = { ...(Object.keys(nameTable).length > 0 && { nameTable }), resources };
  return `${JSON.stringify(file, null, 2)}\n`;
}

/** The arguments of `pulumi` that import a file. */
export function importArguments(
  file: string,
  {
    stack,
    cwd,
    protect,
    yes,
  }: {
    stack?: string | undefined;
    cwd?: string | undefined;
    protect?: boolean;
    yes?: boolean | undefined;
  } = {},
): string[] {
  return [
    "import",
    "--file",
    file,
    "--generate-code=false",
    ...(stack === undefined ? [] : ["--stack", stack]),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    ...(protect === undefined ? [] : [`--protect=${protect}`]),
    ...(yes ? ["--yes"] : []),
  ];
}

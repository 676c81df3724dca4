/**
 * The file that `pulumi preview --import-file` writes for a program that declares existing objects. With UUIDs filled in
 * for its placeholders, it lists what to import with which name, parent and provider.
 */

import { UserError } from "../../../provider/errors";
import type { ImportEntry, ImportFile } from "../../../provider/hosts/importFileFormat";
import { enumerated, withArticle } from "../../../provider/values/phrases";
import { importableType } from "../../objects/hosts";
import { KIND_NAMES, KINDS } from "../../objects/kinds";
import { parseImportFile } from "../../pulumi/importFile";
import { isProviderType } from "../../pulumi/urn";
import { type ImportRequest, importRequest } from "./request";

/** All kinds, as in `a project, application or custom domain`. */
const KIND_TITLES = withArticle(
  enumerated(KIND_NAMES.map((kind) => KINDS[kind].description.title)).replace(" and ", " or "),
);

/** The placeholder for an id that is not filled in. */
const PLACEHOLDER = "<PLACEHOLDER>";

/** Whether the id of an entry is still to be filled in. */
export function isUnfilled({ id }: Pick<ImportEntry, "id">): boolean {
  return id === undefined || id === PLACEHOLDER;
}

/** The parts of such a file that concern this package's resources. */
export interface PreviewSelection {
  readonly requests: readonly ImportRequest[];
  /** Components and providers that the requests refer to. */
  readonly support: readonly ImportEntry[];
  readonly nameTable: Readonly<Record<string, string>>;
  /** Why the file cannot be used. */
  readonly problems: readonly string[];
  /** Which entries are not imported, and why. */
  readonly leftOut: readonly string[];
}

/** Parses such a file. @throws UserError with its name when it is not one. */
export function parsePreviewFile(content: string, file: string): Required<ImportFile> {
  const parsed = parseImportFile(content);
  if (parsed === undefined)
    throw new UserError(`${file} is not a file from \`pulumi preview --import-file\`.`);
  return parsed;
}

/**
 * Selects what is imported from such a file. What refers to each other in a cycle is not imported.
 *
 * @param file its name, for messages.
 */
export function previewSelection(
  { nameTable, resources }: Required<ImportFile>,
  file: string,
): PreviewSelection {
  const examined = resources.filter((entry) => !isSupport(entry)).map((entry) => examine(entry, file));
  const requests = examined.flatMap(({ request }) => request ?? []);
  const byName = new Map(resources.map((entry) => [entry.name, entry]));
  const imported = new Set(requests.map(({ name }) => name));
  const available = new Set(Object.keys(nameTable));
  const missingFor = (one: Pick<ImportRequest, "parent" | "provider">) =>
    [one.parent, one.provider].filter((name) => name !== undefined).filter((name) => !available.has(name));
  // What an entry refers to can be behind it in the file.
  for (let before = -1; before < available.size; ) {
    before = available.size;
    for (const entry of resources)
      if ((isSupport(entry) || imported.has(entry.name)) && missingFor(entry).length === 0)
        available.add(entry.name);
  }
  const missing = requests.flatMap((request) => {
    const [name] = missingFor(request);
    return name === undefined ? [] : [{ request, name }];
  });
  const used = new Set<string>();
  const open = requests.flatMap(({ parent, provider }) => [parent, provider]);
  for (const name of open) {
    const entry = byName.get(name ?? "");
    if (entry === undefined || used.has(entry.name)) continue;
    used.add(entry.name);
    open.push(entry.parent, entry.provider);
  }
  const repeated = [...Map.groupBy(resources, ({ name }) => name)].filter(([, { length }]) => length > 1);
  return {
    requests,
    support: resources.filter((entry) => isSupport(entry) && used.has(entry.name)),
    nameTable,
    problems: [
      ...repeated.map(
        ([name]) =>
          `${file}, ${name}: more than one entry has this name. Give each a unique name, and set logicalName to its name in the program.`,
      ),
      ...examined.flatMap(({ problems = [] }) => problems),
      ...missing.map(
        ({ request, name }) =>
          `${file}, ${request.name}: ${name}, which it refers to, is not imported. Fill in its UUID as well, or write the file again with \`pulumi preview --import-file\`.`,
      ),
    ],
    leftOut: examined.flatMap(({ leftOut }) => leftOut ?? []),
  };
}

/** What to import for an entry, or why it is not imported. */
interface Examined {
  readonly request?: ImportRequest;
  readonly problems?: readonly string[];
  readonly leftOut?: string;
}

function examine(entry: ImportEntry, file: string): Examined {
  const { type, name, id, logicalName, parent, provider } = entry;
  const known = importableType(type);
  if (known === undefined) return { leftOut: `${name} (${type}) is not imported: it is not ${KIND_TITLES}.` };
  if (isUnfilled(entry)) {
    return {
      leftOut: `${name} (${type}) has no UUID yet, so it is not imported: the next \`pulumi up\` would create it.`,
    };
  }
  const { request, problems } = importRequest({ type: known.kind, name, uuid: id }, `${file}, ${name}`);
  return {
    ...(request && { request: { ...request, host: known.host, logicalName, parent, provider } }),
    problems,
  };
}

/** Whether an entry is a component or provider, which the import itself creates. */
function isSupport({ type, component }: ImportEntry): boolean {
  return component === true || isProviderType(type);
}

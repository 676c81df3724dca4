/**
 * The file that `pulumi preview --import-file` writes for a program that declares existing objects. With UUIDs filled in
 * for its placeholders, it lists what to import with which name, parent and provider.
 */

import { UserError } from "../../../provider/errors";
import type { ImportEntry, ImportFile } from "../../../provider/hosts/importFile";
import { enumerated, withArticle } from "../../../provider/shapes/words";
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
 * Selects what is imported from such a file.
 *
 * @param file its name, for messages.
 * @throws UserError when its entries refer to each other in a cycle.
 */
export function previewSelection(
  { nameTable, resources }: Required<ImportFile>,
  file: string,
): PreviewSelection {
  const entries = new Map(resources.map((entry) => [entry.name, entry]));
  const problems: string[] = [...Map.groupBy(resources, ({ name }) => name)]
    .filter(([, group]) => group.length > 1)
    .map(
      ([name]) =>
        `${file}, ${name}: more than one entry has this name. Give each a unique name, and set logicalName to its name in the program.`,
    );
  const leftOut: string[] = [];
  const requests = new Map<string, ImportRequest>();

  for (const entry of resources.filter((one) => !isSupport(one))) {
    const { type, name, id, logicalName, parent, provider } = entry;
    const subject = `${name} (${type})`;
    const known = importableType(type);
    if (known === undefined) {
      leftOut.push(`${subject} is not imported: it is not ${KIND_TITLES}.`);
    } else if (isUnfilled(entry)) {
      leftOut.push(
        `${subject} has no UUID yet, so it is not imported: the next \`pulumi up\` would create it.`,
      );
    } else {
      const checked = importRequest({ type: known.kind, name, uuid: id }, `${file}, ${name}`);
      problems.push(...checked.problems);
      if (checked.request)
        requests.set(name, { ...checked.request, host: known.host, logicalName, parent, provider });
    }
  }

  /** What the requests refer to, and whether it is in the state or is imported as well. */
  const reachable = new Map<string, boolean>();
  const visiting: string[] = [];
  function isReachable(name: string | undefined): boolean {
    if (name === undefined || Object.hasOwn(nameTable, name)) return true;
    const known = reachable.get(name);
    if (known !== undefined) return known;
    const entry = entries.get(name);
    if (entry === undefined) return false;
    if (visiting.includes(name)) {
      throw new UserError(
        `${file}: ${visiting.slice(visiting.indexOf(name)).join(", ")} form a cycle of parents and providers. Write the file again with \`pulumi preview --import-file\`.`,
      );
    }
    visiting.push(name);
    const missing = missingReferences(entry);
    visiting.pop();
    const found = missing.length === 0 && (isSupport(entry) || requests.has(name));
    reachable.set(name, found);
    return found;
  }
  function missingReferences({ parent, provider }: Pick<ImportRequest, "parent" | "provider">) {
    return [parent, provider].filter((one) => !isReachable(one));
  }
  for (const request of requests.values()) {
    const [missing] = missingReferences(request);
    if (missing === undefined) continue;
    problems.push(
      `${file}, ${request.name}: ${missing}, which it refers to, is not imported. Fill in its UUID as well.`,
    );
  }
  return {
    requests: [...requests.values()],
    support: resources.filter((entry) => isSupport(entry) && reachable.has(entry.name)),
    nameTable,
    problems,
    leftOut,
  };
}

/** Whether an entry is a component or provider, which the import itself creates. */
function isSupport({ type, component }: ImportEntry): boolean {
  return component === true || isProviderType(type);
}

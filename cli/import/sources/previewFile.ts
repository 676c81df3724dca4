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
export interface PreviewFile {
  readonly requests: readonly ImportRequest[];
  /** Components and providers that the requests refer to. */
  readonly support: readonly ImportEntry[];
  readonly nameTable: Readonly<Record<string, string>>;
  /** Why the file cannot be used. */
  readonly problems: readonly string[];
  /** Which entries are not imported, and why. */
  readonly leftOut: readonly string[];
}

/** Options of {@link parsePreviewFile}. */
interface PreviewFileOptions {
  readonly file: string;
  readonly fill?: (parsed: Required<ImportFile>) => readonly ImportEntry[];
}

/**
 * Parses such a file.
 *
 * @param file its name, for messages.
 * @param fill fills in UUIDs. Default: the file has them.
 * @throws UserError when it is not such a file.
 */
export function parsePreviewFile(
  content: string,
  { file, fill = (parsed) => parsed.resources }: PreviewFileOptions,
): PreviewFile {
  const parsed = parseImportFile(content);
  if (parsed === undefined)
    throw new UserError(`${file} is not a file from \`pulumi preview --import-file\`.`);
  const { nameTable } = parsed;
  const resources = fill(parsed);
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

  const reachable = new Map<string, boolean>();
  const visiting: string[] = [];

  /** Whether an entry that another one refers to is in the state, or is imported as well. */
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
    const found =
      (isSupport(entry) || requests.has(name)) && isReachable(entry.parent) && isReachable(entry.provider);
    visiting.pop();
    reachable.set(name, found);
    return found;
  }
  for (const { name, parent, provider } of requests.values()) {
    const missing = [parent, provider].find((one) => !isReachable(one));
    if (missing === undefined) continue;
    problems.push(
      `${file}, ${name}: ${missing}, which it refers to, is not imported. Fill in its UUID as well.`,
    );
  }

  const needed = new Set<string>();
  function need(name: string | undefined): void {
    const entry = name === undefined ? undefined : entries.get(name);
    if (entry === undefined || needed.has(entry.name)) return;
    needed.add(entry.name);
    need(entry.parent);
    need(entry.provider);
  }
  for (const { name } of requests.values()) need(name);
  return {
    requests: [...requests.values()],
    support: resources.filter((entry) => isSupport(entry) && needed.has(entry.name)),
    nameTable,
    problems,
    leftOut,
  };
}

/** Whether an entry is a component or provider, which the import itself creates. */
function isSupport({ type, component }: ImportEntry): boolean {
  return component === true || isProviderType(type);
}

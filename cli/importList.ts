/** A list of objects to import: CSV with a header line, or JSON. */
import { CsvError, parse } from "csv-parse/sync";
import { UserError } from "../provider/lifecycle/errors";
import { canonicalValues } from "../provider/shapes/canonical";
import { checkValue } from "../provider/shapes/check";
import { choice, object, optional, text, uuid, type ValueOf } from "../provider/shapes/shape";
import type { Host } from "./host";
import { KIND_NAMES, type KindName } from "./kinds";
import { parseJson } from "./readText";

/** An object to import, as the user specified it. */
export interface ImportRequest {
  readonly kind: KindName;
  /** Default: the host that the command line or the project chooses. */
  readonly host?: Host;
  /** The name by which other entries refer to it, and its logical name unless `logicalName` is set. */
  readonly name: string;
  readonly uuid: string;
  readonly logicalName?: string | undefined;
  /** A name or a URN. */
  readonly parent?: string | undefined;
  /** A name or a URN. */
  readonly provider?: string | undefined;
}

/** An entry of a list. */
const lineShape = object({
  type: choice(KIND_NAMES),
  name: text({ minLength: 1 }),
  uuid: uuid(),
  parent: optional(text({ minLength: 1 })),
  provider: optional(text({ minLength: 1 })),
});

/** The entries of a list, and what is wrong with it. */
export interface ImportList {
  readonly requests: readonly ImportRequest[];
  readonly problems: readonly string[];
}

/**
 * Parses a list.
 *
 * @param file its name, for messages and to distinguish JSON from CSV.
 * @throws UserError when it is neither.
 */
export function parseImportList(content: string, { file }: { readonly file: string }): ImportList {
  const lines = /\.json$/i.test(file) ? jsonLines(content, file) : csvLines(content, file);
  if (lines.length === 0) return { requests: [], problems: [`${file} lists nothing to import.`] };
  const checked = lines.map((line, index) => importRequest(line, `${file}, entry ${index + 1}`));
  return {
    requests: checked.flatMap(({ request }) => request ?? []),
    problems: checked.flatMap(({ problems }) => problems),
  };
}

/** Validates an object to import. */
export function importRequest(
  line: unknown,
  place: string,
): { readonly request?: ImportRequest; readonly problems: readonly string[] } {
  const problems = checkValue(lineShape, line, { isUnknown: () => false });
  if (problems.length > 0) {
    return {
      problems: problems.map(({ path, reason }) => `${place}: ${path === "" ? "it" : path} ${reason}.`),
    };
  }
  const { type, ...rest } = canonicalValues(lineShape.fields, line as ValueOf<typeof lineShape>);
  return { request: { kind: type, ...rest }, problems: [] };
}

function jsonLines(content: string, file: string): unknown[] {
  const value = parseJson(content, file);
  if (!Array.isArray(value))
    throw new UserError(`${file} must contain a list of objects with type, name and uuid.`);
  return value;
}

function csvLines(content: string, file: string): unknown[] {
  // An empty cell is an omitted value.
  return csvRecords(content, file).map((line) =>
    Object.fromEntries(Object.entries(line).filter(([, cell]) => cell !== "")),
  );
}

// Spreadsheets use semicolons in locales where the comma is the decimal separator.
const CSV_OPTIONS = { delimiter: [",", ";"], bom: true, trim: true, skip_empty_lines: true };

/** The names of the columns. Duplicates are refused, because the parser would silently drop one. */
function columnsOf(header: readonly string[], file: string): string[] {
  // Spreadsheets also export empty columns, with an empty header.
  const names = header.map((name, index) => (name === "" ? `column ${index + 1}` : name));
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  if (repeated.length === 0) return names;
  throw new UserError(
    `${file} has more than one column ${[...new Set(repeated)].join(", ")}. Keep one of each.`,
  );
}

/** The lines as objects, by column name. */
function csvRecords(content: string, file: string): Record<string, string>[] {
  try {
    return parse(content, { ...CSV_OPTIONS, columns: (header) => columnsOf(header, file) });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UserError(`${file} is not CSV: ${error.message}.`, { cause: error });
  }
}

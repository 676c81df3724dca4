/** A list of objects to import: CSV with a header line, or JSON. */
import { CsvError, parse } from "csv-parse/sync";
import { checkValue } from "../provider/schema";
import { choice, object, optional, text, uuid } from "../provider/shape";
import { UserError } from "../provider/userError";
import { KIND_NAMES, type KindName } from "./kinds";

/** An object to import, as the user names it. */
export interface ImportRequest {
  readonly kind: KindName;
  /** The name by which other entries refer to it, and its logical name unless that is given. */
  readonly name: string;
  readonly uuid: string;
  readonly logicalName?: string | undefined;
  /** A name or a URN. */
  readonly parent?: string | undefined;
  /** A name or a URN. */
  readonly provider?: string | undefined;
}

/** What a line of a list holds. */
const lineShape = object({
  type: choice(KIND_NAMES),
  name: text({ minLength: 1 }),
  uuid: uuid(),
  parent: optional(text({ minLength: 1 })),
  provider: optional(text({ minLength: 1 })),
});

/** What was read from a list, and what is wrong with it. */
export interface ImportList {
  readonly requests: readonly ImportRequest[];
  readonly problems: readonly string[];
}

/**
 * Reads a list.
 *
 * @param file its name, for messages and to tell JSON from CSV.
 * @throws UserError when it is neither.
 */
export function parseImportList(content: string, { file }: { readonly file: string }): ImportList {
  const lines = /\.json$/i.test(file) ? jsonLines(content, file) : csvLines(content, file);
  if (lines.length === 0) return { requests: [], problems: [`${file} names nothing to import.`] };
  const checked = lines.map((line, index) => importRequest(line, `${file}, entry ${index + 1}`));
  return {
    requests: checked.flatMap(({ request }) => request ?? []),
    problems: checked.flatMap(({ problems }) => problems),
  };
}

/** Checks one object to import. */
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
  const { type, ...rest } = line as { type: KindName; name: string; uuid: string };
  return { request: { kind: type, ...rest, uuid: rest.uuid.toLowerCase() }, problems: [] };
}

function jsonLines(content: string, file: string): unknown[] {
  const value = parsed(() => JSON.parse(content), file, "JSON");
  if (!Array.isArray(value))
    throw new UserError(`${file} must hold a list of objects with type, name and uuid.`);
  return value;
}

function csvLines(content: string, file: string): unknown[] {
  const lines = parsed(() => parse(content, CSV_OPTIONS), file, "CSV") as Record<string, string>[];
  // An empty cell is a value that is not given.
  return lines.map((line) => Object.fromEntries(Object.entries(line).filter(([, cell]) => cell !== "")));
}

// Where a comma is the decimal sign, spreadsheets separate by semicolons.
const CSV_OPTIONS = { delimiter: [",", ";"], columns: true, bom: true, trim: true, skip_empty_lines: true };

function parsed(parse: () => unknown, file: string, format: string): unknown {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof SyntaxError)) throw error;
    throw new UserError(`${file} is not ${format}: ${error.message}.`, { cause: error });
  }
}

/** A list of objects to import: CSV with a header line, or JSON. */
import { CsvError, type Info, parse } from "csv-parse/sync";
import { sanitized } from "../../../provider/client/sanitized";
import { UserError } from "../../../provider/errors";
import { counted, enumerated } from "../../../provider/values/phrases";
import { parseJson } from "../../terminal/json";
import { type ImportRequest, importRequest, lineShape } from "./request";

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
  const checked = lines.map(({ place, value, problem }) =>
    problem === undefined ? importRequest(value, place) : { problems: [`${place}: ${problem}`] },
  );
  return {
    requests: checked.flatMap(({ request }) => request ?? []),
    problems: checked.flatMap(({ problems }) => problems),
  };
}

/** An entry of a list, before it is validated. */
interface Line {
  readonly place: string;
  readonly value?: unknown;
  /** Why it cannot be read. */
  readonly problem?: string;
}

function jsonLines(content: string, file: string): Line[] {
  const value = parseJson(content, file);
  if (!Array.isArray(value))
    throw new UserError(`${file} must contain a list of objects with type, name and uuid.`);
  return value.map((entry, index) => ({ place: `${file}, entry ${index + 1}`, value: entry }));
}

function csvLines(content: string, file: string): Line[] {
  const [header, ...records] = csvRecords(content, file);
  if (header === undefined) return [];
  const columns = columnsOf(header.record, file);
  return records.map(({ record: cells, info }) => {
    // The parser has the number of its last line.
    const place = `${file}, line ${info.lines - cells.join("").split("\n").length + 1}`;
    if (cells.length !== columns.length) {
      return {
        place,
        problem: `it has ${counted(cells.length, "cell")}, but the header has ${columns.length}. Check its separators and quotes.`,
      };
    }
    // An empty cell is an omitted value.
    const filled = cells.map((cell, index) => [columns[index], cell]).filter(([, cell]) => cell !== "");
    return { place, value: Object.fromEntries(filled) };
  });
}

const CSV_OPTIONS = {
  // Spreadsheets use semicolons in locales where the comma is the decimal separator.
  delimiter: [",", ";"],
  bom: true,
  trim: true,
  skip_empty_lines: true,
  // Reported with all other problems.
  relax_column_count: true,
  info: true,
};

/** The names of the columns. Duplicates are refused, because the parser would silently drop one. */
function columnsOf(header: readonly string[], file: string): string[] {
  const known = Object.keys(lineShape.fields);
  const required = known.filter((name) => !lineShape.fields[name as keyof typeof lineShape.fields].optional);
  const unknown = header.filter((name) => name !== "" && !known.includes(name));
  if (unknown.length > 0 || !required.every((name) => header.includes(name))) {
    throw new UserError(
      `${file} must begin with a line of column names: ${enumerated(required)}, and optionally ${enumerated(known.filter((name) => !required.includes(name)))}. Its first line has ${enumerated(header.map(sanitized))}.`,
    );
  }
  // Spreadsheets also export empty columns, with an empty header.
  const names = header.map((name, index) => (name === "" ? `column ${index + 1}` : name));
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  if (repeated.length === 0) return names;
  throw new UserError(
    `${file} has more than one column ${[...new Set(repeated)].join(", ")}. Keep one of each.`,
  );
}

function csvRecords(content: string, file: string) {
  try {
    // The parser counts \r\n in a cell as two lines.
    return parse(content.replaceAll(/\r\n?/g, "\n"), CSV_OPTIONS) as unknown as {
      record: string[];
      info: Info;
    }[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UserError(`${file} is not CSV: ${error.message}.`, { cause: error });
  }
}

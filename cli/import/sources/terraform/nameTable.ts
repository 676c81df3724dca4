/** The table of addresses in a Terraform state and the names of the imported resources. */
import { dirname, join, parse } from "node:path";
import { sanitized } from "../../../../provider/client/sanitized";
import { DEFAULT_FILE } from "../../../pulumi/importFile";
import type { ImportRequest } from "../request";

const COLUMNS = ["address", "type", "name", "uuid", "provider"] as const;

/** The table: a file, and lines for people. */
export interface NameTable {
  /** Its path: next to the import file. */
  readonly file: string;
  /** Its text: a list that `--file` accepts, so that names can be edited before an import. */
  readonly text: string;
  readonly lines: readonly string[];
}

export function nameTable(
  requests: readonly ImportRequest[],
  { out = DEFAULT_FILE }: { readonly out?: string | undefined },
): NameTable {
  const file = join(dirname(out), `${parse(out).name}.names.csv`);
  const rows = requests.map(({ origin, kind, name, uuid, provider = "" }) => ({
    cells: [origin?.address ?? "", kind, name, uuid, provider],
    line: `  ${sanitized(origin?.address ?? "")} -> ${kind} ${name}${provider && ` (provider ${sanitized(provider)})`}`,
  }));
  return {
    file,
    text: [COLUMNS, ...rows.map(({ cells }) => cells)]
      .map((cells) => `${cells.map(cellText).join(",")}\n`)
      .join(""),
    lines: [
      `Names in the program, also in ${file}, which --file reads after you have edited it:`,
      ...rows.map(({ line }) => line),
    ],
  };
}

/** A cell, in quotes unless its text is plain. */
function cellText(text: string): string {
  return /^[\p{L}\p{N}_.:/-]*$/u.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

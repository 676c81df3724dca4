/** Tables in the output of commands. */
import stringWidth from "string-width";

/**
 * The lines of a table, indented, with columns that blanks separate. Wide characters keep their columns. A cell can have
 * several lines.
 */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].flatMap(linesOf);
  const widths = head.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column] ?? ""))));
  return lines
    .map((line) => widths.map((width, column) => padded(line[column] ?? "", width)).join("  "))
    .map((text) => `  ${text.trimEnd()}\n`)
    .join("");
}

/** A heading with a table; nothing without rows. */
export function tableSection(
  heading: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return rows.length === 0 ? "" : `\n${heading}\n${tableText(head, rows)}`;
}

/** The lines of a row: as many as its longest cell has. */
function linesOf(row: readonly string[]): readonly (readonly string[])[] {
  const cells = row.map((cell) => cell.split("\n"));
  const height = Math.max(...cells.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => cells.map((cell) => cell[line] ?? ""));
}

function padded(text: string, width: number): string {
  return text + " ".repeat(width - stringWidth(text));
}

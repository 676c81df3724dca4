/** Tables in the output of commands. */
import stringWidth from "string-width";

/** The lines of a table, indented, with columns that blanks separate. Wide characters keep their columns. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  // A cell with a line break would look like a row of its own.
  const lines = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll(/\s+/g, " ").trim()));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column] ?? ""))));
  const padded = (text: string, width: number) => text + " ".repeat(Math.max(0, width - stringWidth(text)));
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

/** Tables in the output of commands. */
import Table from "cli-table3";

/** The lines of a table, indented. Wide characters keep their columns. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ head: [...head], chars: NO_LINES, style: PLAIN });
  table.push(...rows.map((row) => [...row]));
  const lines = table.toString().split("\n");
  return lines.map((line) => `  ${line.trimEnd()}\n`).join("");
}

/** Columns are separated by blanks only. */
const EDGES = ["top", "bottom", "left", "right", "mid"].flatMap((edge) =>
  ["", "-mid", "-left", "-right"].map((place) => edge + place),
);
const NO_LINES = { ...Object.fromEntries(EDGES.map((edge) => [edge, ""])), middle: "  " };
const PLAIN = { head: [], border: [], "padding-left": 0, "padding-right": 0 };

/** Output that replaces what it has printed before. */
import type { WriteStream } from "node:tty";
import stringWidth from "string-width";

/** A stream that may be a terminal. */
export type TerminalStream = Pick<WriteStream, "write"> &
  Partial<Pick<WriteStream, "isTTY" | "columns" | "rows">>;

/**
 * Returns a function that prints a text of whole lines in place of the last one. A text that is higher than the terminal
 * cannot be replaced, and the next one follows it.
 */
export function redrawing(terminal: TerminalStream): (text: string) => void {
  let height = 0;
  return (text) => {
    const { columns = 80, rows = 24 } = terminal;
    terminal.write(`${height > 0 ? `\u001b[${height}A\u001b[J` : ""}${text}`);
    const lines = text.split("\n").slice(0, -1);
    const total = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);
    height = total < rows ? total : 0;
  };
}

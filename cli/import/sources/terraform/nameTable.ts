/** What becomes of the addresses in a Terraform state: the names of the imported resources, and their removal. */
import { dirname, join, parse } from "node:path";
import { sanitized } from "../../../../provider/client/sanitized";
import { counted } from "../../../../provider/values/phrases";
import { DEFAULT_FILE } from "../../../pulumi/importFile";
import type { ImportRequest } from "../request";

const COLUMNS = ["address", "type", "name", "uuid", "provider"] as const;

/**
 * The table: a file next to the import file, and lines for people. Its text is a list that `--file` accepts, so that names
 * can be edited before an import.
 */
export type NameTable = ReturnType<typeof nameTable>;

export function nameTable(
  requests: readonly ImportRequest[],
  { out = DEFAULT_FILE }: { readonly out?: string | undefined },
) {
  const file = join(dirname(out), `${parse(out).name}.names.csv`);
  const rows = requests.map(
    ({ origin, kind, name, uuid, provider = "" }) =>
      [origin?.address ?? "", kind, name, uuid, provider] as const,
  );
  return {
    file,
    text: [COLUMNS, ...rows].map((cells) => `${cells.map(cellText).join(",")}\n`).join(""),
    lines: [
      `Names in the program, also in ${file}, which --file reads after you have edited it:`,
      ...rows.map(
        ([address, kind, name, , provider]) =>
          `  ${sanitized(address)} -> ${kind} ${name}${provider && ` (provider ${sanitized(provider)})`}`,
      ),
    ],
  };
}

/** A cell, in quotes unless its text is plain. */
function cellText(text: string): string {
  return /^[\p{L}\p{N}_.:/-]*$/u.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

/**
 * The lines that say how to remove objects from the state.
 *
 * @param list the file with all addresses.
 */
export function removalLines(addresses: readonly string[], { list }: { readonly list: string }): string[] {
  // Text that is not safe to print, or very long, would not be the address any more.
  const [shown, others] = [true, false].map((isShown) =>
    addresses.filter((address) => (sanitized(address) === address) === isShown),
  ) as [string[], string[]];
  const command = ["  terraform state rm", ...shown.map(quotedForShell)].join(" \\\n    ");
  return [
    "The Terraform state was not changed. Once the objects are in the stack, remove them from it; this does not destroy them:",
    ...(shown.length === 0 ? [] : [command]),
    ...(others.length === 0
      ? []
      : [
          `Also remove ${counted(others.length, "object")} whose addresses cannot be shown here. They are in ${list}.`,
        ]),
    "With OpenTofu, run tofu instead of terraform. Then remove their resource blocks from the configuration, before anyone runs apply: apply would create them again.",
  ];
}

/** A word for a POSIX shell. */
function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

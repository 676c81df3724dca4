/** The table of addresses in a Terraform state and the names of the imported resources. */
import { printable } from "../../provider/client/printable";
import type { ImportRequest } from "../importList";

const COLUMNS = ["address", "type", "name", "uuid", "provider"] as const;

/** The table as CSV. It is a list that `--file` accepts, so that names can be edited before an import. */
export function nameTableCsv(requests: readonly ImportRequest[]): string {
  const rows = requests.map(({ origin, kind, name, uuid, provider = "" }) => [
    origin?.address ?? "",
    kind,
    name,
    uuid,
    provider,
  ]);
  return [COLUMNS, ...rows].map((cells) => `${cells.map(cellText).join(",")}\n`).join("");
}

/** The table as lines for people. */
export function nameTableLines(requests: readonly ImportRequest[]): string[] {
  return requests.map(({ origin, kind, name, provider }) => {
    const detail = provider === undefined ? "" : ` (provider ${printable(provider)})`;
    return `  ${printable(origin?.address ?? "")} -> ${kind} ${name}${detail}`;
  });
}

/** A cell, in quotes unless its text is plain. */
function cellText(text: string): string {
  return /^[\p{L}\p{N}_.:/-]*$/u.test(text) ? text : `"${text.replaceAll('"', '""')}"`;
}

/** The records of custom domains as lines of a zone file (RFC 1035). */

import { type DnsRecord, type DomainRecord, recordText } from "../../provider/resources/domainRecords";
import { canonicalHostname } from "../../provider/values/hostname";

/** Short, because the records are being set up. */
const TTL_SECONDS = 300;
const MAX_LABEL_BYTES = 63;
const MAX_NAME_BYTES = 253;
const MAX_STRING_BYTES = 255;

/**
 * The line of a record. What a zone file cannot contain is a comment: a response of a web server, a name that no zone can
 * have, and types other than CNAME and TXT. Everything outside printable ASCII is escaped.
 */
export function zoneLine(record: DomainRecord): string {
  return ("url" in record ? undefined : resourceRecord(record)) ?? comment(recordText(record));
}

/** A comment in one line. */
export function comment(text: string): string {
  return `; ${text}`;
}

function resourceRecord({ type, name, value }: DnsRecord): string | undefined {
  const owner = zoneName(name);
  const data = type === "CNAME" ? zoneName(value) : type === "TXT" ? strings(value) : undefined;
  return owner === undefined || data === undefined
    ? undefined
    : [owner, TTL_SECONDS, "IN", type, data].join(" ");
}

/** An absolute name, in punycode; undefined if it cannot be one. */
function zoneName(text: string): string | undefined {
  const name = canonicalHostname(text);
  const labels = name.split(".");
  const isName =
    name.length <= MAX_NAME_BYTES &&
    labels.every((label) => /^(?:\*|[\w-]+)$/.test(label) && label.length <= MAX_LABEL_BYTES);
  return isName ? `${name}.` : undefined;
}

/** A text as strings of at most 255 bytes, of which readers join the content. */
function strings(text: string): string {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / MAX_STRING_BYTES));
  const parts = Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * MAX_STRING_BYTES, (index + 1) * MAX_STRING_BYTES),
  );
  return parts.map((part) => `"${[...part].map(character).join("")}"`).join(" ");
}

function character(byte: number): string {
  const text = String.fromCharCode(byte);
  if (/["\\]/.test(text)) return `\\${text}`;
  return /[ -~]/.test(text) ? text : `\\${byte.toString().padStart(3, "0")}`;
}

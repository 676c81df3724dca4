/** Hostnames, compared in normalized form: lower case, punycode, no final dot. */
import { domainToASCII } from "node:url";

/** A hostname in lower case, in punycode and without a final dot; empty for an invalid hostname. */
export function normalizedHostname(hostname: string): string {
  // `domainToASCII` drops everything after the host, such as a port or a path.
  if (/[\s/\\?#:@%]/.test(hostname)) return "";
  const ascii = domainToASCII(hostname).replace(/\.$/, "");
  const label = "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?";
  return new RegExp(`^(?!.{254})${label}(\\.${label})*$`).test(ascii) ? ascii : "";
}

/** Whether two hostnames are the same in normalized form. An invalid one is the same as itself only. */
export function sameHostname(one: string, other: string): boolean {
  const normalized = normalizedHostname(one);
  return one === other || (normalized !== "" && normalized === normalizedHostname(other));
}

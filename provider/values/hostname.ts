/** Hostnames: their canonical form, and whether they are loopback. */
import { domainToASCII } from "node:url";

/** The canonical form of a hostname: lower case, in punycode, without trailing dots. */
export function canonicalHostname(hostname: string): string {
  const spelled = hostname.toLowerCase().replace(/\.+$/, "");
  // Only names outside ASCII are converted: the converter parses `1.1` as an address and truncates at a slash.
  if (/^[\x20-\x7e]*$/.test(spelled) || /[/\\?#@:]/.test(spelled)) return spelled;
  return domainToASCII(spelled).replace(/\.+$/, "") || spelled;
}

/** Whether the host of a URL is a loopback address. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

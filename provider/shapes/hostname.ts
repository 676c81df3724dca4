/** Host names: compared as DNS does, and those of this machine. */
import { domainToASCII } from "node:url";

/** The one spelling of a host name: lower case, in punycode, without the trailing dot. */
export function canonicalHostname(hostname: string): string {
  const spelled = hostname.toLowerCase().replace(/\.$/, "");
  // Only names beyond ASCII are converted: the converter reads `1.1` as an address and cuts at a slash.
  if (/^[\x20-\x7e]*$/.test(spelled) || /[/\\?#@:]/.test(spelled)) return spelled;
  return domainToASCII(spelled).replace(/\.$/, "") || spelled;
}

/** Whether the host of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

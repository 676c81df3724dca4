/** Host names compared as DNS does. */
import { domainToASCII } from "node:url";

/** The one spelling of a host name: lower case, in punycode, without the trailing dot. */
export function canonicalHostname(hostname: string): string {
  const spelled = hostname.toLowerCase().replace(/\.$/, "");
  // Only names beyond ASCII are converted: the converter reads `1.1` as an address and cuts at a slash.
  if (/^[\x20-\x7e]*$/.test(spelled) || /[/\\?#@:]/.test(spelled)) return spelled;
  return domainToASCII(spelled).replace(/\.$/, "") || spelled;
}

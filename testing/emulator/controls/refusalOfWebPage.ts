import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { errorReply, type Reply } from "../wire/reply";

/**
 * The response to a request from a web page. Undefined for other requests. Any page can send requests to this machine. The
 * browser then sends the page's origin in Origin, except for a read whose response the page cannot see. The owner of a site
 * can also resolve its name to this machine. Such requests have that name in Host.
 */
export function refusalOfWebPage({ host = "", origin }: IncomingHttpHeaders): Reply | undefined {
  if (origin !== undefined) return errorReply(403, "The controls accept no requests from web pages.");
  const name = URL.parse(`http://${host}`)?.hostname ?? "";
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  if (isAddress || /^(.+\.)?localhost$/.test(name)) return undefined;
  return errorReply(
    403,
    "The controls accept requests for localhost or an IP address only, because a web page could use any other name. Use one of them, or send the header Host: localhost.",
  );
}

import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { ServiceError } from "../wire/serviceError";

/**
 * Refuses requests from web pages other than the emulator's own. Any page can send requests to this machine. The browser
 * then sends the page's origin in Origin, except for a read whose response the page cannot see. The owner of a site can
 * also resolve its name to this machine. Such requests have no Origin, or one with that name, but have that name in Host.
 */
export function refuseWebPages({ host = "", origin }: IncomingHttpHeaders): void {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : "";
  const isAddress = isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
  if (!isAddress && !/^(.+\.)?localhost$/.test(name)) {
    throw new ServiceError(
      403,
      "The controls accept requests for localhost or an IP address only, because a web page could use any other name. Use one of them, or send the header Host: localhost.",
    );
  }
  if (origin !== undefined && origin !== `http://${host}`)
    throw new ServiceError(403, "The controls do not accept requests from other web pages.");
}

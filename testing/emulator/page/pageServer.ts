/** The emulator's page for browsers, and what it asks for. Nothing of it is in the log, and no fault applies to it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlRequest } from "../controls/controls";
import type { Emulator } from "../controls/emulator";
import { refusalOfWebPage } from "../controls/refusalOfWebPage";
import type { Reply } from "../wire/reply";
import type { Service } from "../world/world";
import { overview } from "./overview";

/** The files of the page, by their paths, with their types. */
const FILES: Readonly<Record<string, readonly [file: string, contentType: string]>> = {
  "/": ["page.html", "text/html; charset=utf-8"],
  "/_emulator/page.css": ["page.css", "text/css; charset=utf-8"],
  "/_emulator/page.js": ["page.js", "text/javascript; charset=utf-8"],
};

const OVERVIEW = "/_emulator/overview";

/** Nothing from elsewhere, nothing inline, and not within another page, which could trick a user into a click. */
const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Creates the page of one emulator. It returns nothing for a request that is not for it. */
export function createPageServer(
  emulator: Emulator,
  service: Service,
): (request: ControlRequest) => Reply | undefined {
  const texts = new Map<string, string>();
  return ({ method, path, headers }) => {
    const served = FILES[path];
    if (method !== "GET" || (served === undefined && path !== OVERVIEW)) return undefined;
    // The service has no operation at this path, and other clients than browsers see just that.
    if (path === "/" && !headers.accept?.includes("text/html")) return undefined;
    const refusal = refusalOfWebPage(headers);
    if (refusal !== undefined) return refusal;
    if (served === undefined) return latest(emulator, service, headers["if-none-match"]);
    const [file, contentType] = served;
    const text = texts.get(file) ?? readFileSync(join(__dirname, file), "utf8");
    texts.set(file, text);
    return { status: 200, text, headers: { ...HEADERS, "content-type": contentType } };
  };
}

/** The overview, if it is not the one that the page has. The time is apart from it, because it always changes. */
function latest(emulator: Emulator, service: Service, known: string | undefined): Reply {
  const text = JSON.stringify(overview(emulator, service));
  const etag = `"${createHash("sha256").update(text).digest("base64url")}"`;
  const headers = { ...HEADERS, etag, "x-emulator-time": emulator.clock.now().toISOString() };
  return known === etag ? { status: 304, headers } : { status: 200, text, headers };
}

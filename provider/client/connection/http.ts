/** HTTP exchanges over a pool of connections to one origin, by the only file that uses the HTTP library. Failures are outcomes. */
import { isIP } from "node:net";
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { isLoopback } from "../../values/hostname";
import { descriptionOf, type PermanentCause, ProxyError, permanentCauseIn } from "./connectionErrors";
import { MAX_IN_FLIGHT } from "./gate";
import { statusText, TRANSIENT_STATUSES } from "./statuses";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** There was no response. `sent` is false if no byte of the request can have reached the service. */
export interface NoResponse {
  readonly kind: "failure" | "timeout" | "cancellation";
  readonly sent: boolean;
  /** What went wrong, in the system's own text. */
  readonly reason: string;
  readonly permanentCause?: PermanentCause | undefined;
}

export interface HttpRequest {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** How long to wait for the complete response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type HttpOutcome = HttpResponse | NoResponse;

export interface HttpResponse {
  readonly kind: "response";
  readonly status: number;
  /** The value of a header, by name in lower case. */
  header(name: string): string | undefined;
  /** The body as text; undefined if it is larger than {@link MAX_RESPONSE_BYTES}. */
  readonly body: string | undefined;
}

/** The timeout for connecting, including TLS. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The maximum size of a response, which is far larger than the longest list. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Creates a pool, which connects on the first exchange. @throws TypeError if HTTPS_PROXY is needed and is not a valid URL. */
export function connectTo(origin: string, timeoutMs: number) {
  const pool = poolFor(origin, Math.min(CONNECT_TIMEOUT_MS, timeoutMs));
  const underWay = new Set<Promise<HttpOutcome>>();
  return {
    async exchange(request: HttpRequest): Promise<HttpOutcome> {
      const outcome = exchange(pool, origin, request);
      underWay.add(outcome);
      return await outcome.finally(() => underWay.delete(outcome));
    },
    async close(): Promise<void> {
      await Promise.all(underWay);
      // The remaining requests timed out or were cancelled while they waited for a connection.
      await pool.destroy();
    },
  };
}

function poolFor(origin: string, timeout: number): Dispatcher {
  // Always verify certificates, whatever NODE_TLS_REJECT_UNAUTHORIZED is: otherwise any server could receive the key.
  const connect = { timeout, rejectUnauthorized: true };
  const options = {
    connections: MAX_IN_FLIGHT,
    connect,
    // One request per connection at a time, so that a connection failure affects one request only.
    allowH2: false,
    pipelining: 1,
    // The timeout of an exchange replaces these.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const httpsProxy = proxyFor(origin);
  if (httpsProxy === undefined) return new Pool(origin, options);
  return new EnvHttpProxyAgent({
    ...options,
    httpsProxy,
    httpProxy: "",
    noProxy: process.env.no_proxy || process.env.NO_PROXY || "",
    requestTls: connect,
    clientFactory: (proxy) =>
      tunnelsThrough(new Pool(proxy, { connect: connectorTo(connect), headersTimeout: timeout })),
  });
}

/** Connects to a proxy. The library names it by its host in TLS, which Node.js 26 refuses if that is an IP address. */
function connectorTo(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector({ ...options, allowH2: false });
  return (proxy, callback) => connect(isIP(proxy.hostname) ? { ...proxy, servername: "" } : proxy, callback);
}

/** The proxy for an origin, regardless of NO_PROXY: only for https, through a tunnel, because it could read the key otherwise. */
function proxyFor(origin: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  const given = process.env.https_proxy || process.env.HTTPS_PROXY;
  // Other tools also accept it without a scheme.
  const proxy = given && (/^https?:/i.test(given) ? given : `http://${given}`);
  if (!proxy || protocol !== "https:" || isLoopback(hostname)) return undefined;
  if (!isProxyUrl(proxy)) {
    // The variable may contain a password, so it is not shown.
    throw new TypeError(
      "HTTPS_PROXY must be an http or https URL, such as http://proxy.example:3128. Percent-encode special characters in its user name and password, such as # as %23.",
    );
  }
  return proxy;
}

function isProxyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  // A password with one of the characters /, ? and # ends the address before the host.
  if (url.pathname + url.search + url.hash !== "/") return false;
  try {
    decodeURIComponent(`${url.username}${url.password}`);
    return true;
  } catch {
    return false;
  }
}

/** Marks failures of the proxy itself as such. Otherwise they would look like failures of the service. */
function tunnelsThrough(proxy: Pool): Dispatcher {
  const open: (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> =
    proxy.connect.bind(proxy);
  const connect = async (options: Dispatcher.ConnectOptions) => {
    const tunnel = await open(options).catch((error: Error) => {
      throw new ProxyError(`cannot be used: ${descriptionOf(error)}`, permanentCauseIn(error));
    });
    const { statusCode, socket } = tunnel;
    if (statusCode === 200) return tunnel;
    socket.on("error", () => {}).destroy();
    throw new ProxyError(
      `responded with ${statusText(statusCode)}`,
      TRANSIENT_STATUSES.includes(statusCode) ? undefined : "proxy",
    );
  };
  return Object.assign(proxy, { connect });
}

function exchange(pool: Dispatcher, origin: string, request: HttpRequest): Promise<HttpOutcome> {
  const { method, path, headers, body, timeoutMs, signal } = request;
  return new Promise((resolve) => {
    let sent = false;
    let settled = false;
    let controller: Dispatcher.DispatchController | undefined;

    const settle = (outcome: HttpOutcome) => {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      // Only the first outcome counts.
      resolve(outcome);
      // Stops what is still in progress. After a complete response, this has no effect.
      controller?.abort(new Error("The exchange is over."));
    };
    const onAbort = () => settle({ kind: "cancellation", sent, reason: "cancelled" });
    const onTimeout = () => settle({ kind: "timeout", sent, reason: `no response within ${limit} s` });
    const limit = Number((timeoutMs / 1_000).toPrecision(2));
    const timer = setTimeout(onTimeout, timeoutMs);
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) return onAbort();
    const handler: Dispatcher.DispatchHandler = {
      ...collecting(settle),
      // The library calls this when it has a connection, before it writes. Without a connection, it is never called.
      onRequestStart(started) {
        controller = started;
        if (settled) return started.abort(new Error("The exchange is over."));
        sent = true;
      },
      onResponseError(_, error) {
        const reason = descriptionOf(error);
        settle({ kind: "failure", sent, reason, permanentCause: permanentCauseIn(error) });
      },
    };
    // The library reports an invalid request to the handler, too.
    pool.dispatch({ origin, method, path, headers, body: body ?? null }, handler);
  });
}

/** The part of a handler that collects a response, until that is complete or too large. */
function collecting(respond: (response: HttpResponse) => void): Dispatcher.DispatchHandler {
  let status = 0;
  let headers: Readonly<Record<string, string | string[] | undefined>> = {};
  const chunks: Buffer[] = [];
  let size = 0;
  const end = (body: string | undefined) =>
    respond({ kind: "response", status, header: (name) => [headers[name]].flat()[0], body });
  return {
    onResponseStart(_, statusCode, responseHeaders) {
      status = statusCode;
      headers = responseHeaders;
    },
    onResponseData(_, chunk) {
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) return end(undefined);
      chunks.push(chunk);
    },
    onResponseEnd() {
      end(new TextDecoder().decode(Buffer.concat(chunks)));
    },
  };
}

/**
 * One HTTP exchange over a pool of connections to one origin: the only file that knows the HTTP library.
 *
 * An exchange never throws: what became of it is its value. Redirects are answers like any other.
 */

import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { isLoopback } from "../shapes/hostname";
import { statusText } from "./errors";
import type { Method } from "./retry";

/** What to send. */
export interface HttpRequest {
  readonly method: Method;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** How long to wait for the whole answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What became of a request. */
export type HttpOutcome =
  | HttpAnswer
  /** No answer. `sent` is false when not a byte of the request can have reached the service. */
  | {
      readonly kind: "failure" | "timeout" | "cancellation";
      readonly sent: boolean;
      /** What went wrong, in the words of the system. */
      readonly reason: string;
    };

/** An answer of the service. */
export interface HttpAnswer {
  readonly kind: "answer";
  readonly status: number;
  /** The value of a header by its name in lower case. */
  header(name: string): string | undefined;
  /** The content as text; undefined when it is larger than the cap. */
  readonly body: string | undefined;
}

/** A pool of connections to one origin. */
export interface HttpConnections {
  exchange(request: HttpRequest): Promise<HttpOutcome>;
  /** Waits for the exchanges under way, and closes the connections. */
  close(): Promise<void>;
}

/** How many connections there are at once; further requests queue for one. More than an engine keeps busy. */
const MAX_CONNECTIONS = 16;

/** How long it may take to connect, TLS included. */
const CONNECT_TIMEOUT_MS = 10_000;

/** How large an answer may be: far more than the longest list. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Opens a pool. Nothing is connected before the first exchange, and idle connections keep no process alive.
 *
 * @param timeoutMs how long the longest exchange may take, in milliseconds.
 * @throws TypeError when HTTPS_PROXY is needed and names no proxy.
 */
export function connectTo(origin: string, timeoutMs: number): HttpConnections {
  const pool = poolFor(origin, Math.min(CONNECT_TIMEOUT_MS, timeoutMs));
  const underWay = new Set<Promise<HttpOutcome>>();
  return {
    async exchange(request) {
      const outcome = exchange(pool, origin, request);
      underWay.add(outcome);
      await outcome;
      underWay.delete(outcome);
      return outcome;
    },
    async close() {
      await Promise.all(underWay);
      // What is left are requests given up while they waited for a connection.
      await pool.destroy();
    },
  };
}

function poolFor(origin: string, timeout: number): Dispatcher {
  // A check that Node could be told to leave out would send the key to whoever answers.
  const connect = { timeout, rejectUnauthorized: true };
  const options = {
    connections: MAX_CONNECTIONS,
    connect,
    // One request a connection: a failure then is the failure of one request.
    allowH2: false,
    pipelining: 1,
    // The deadline of an exchange covers these.
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
    proxyTls: connect,
    requestTls: connect,
    clientFactory: (proxy, proxyOptions) =>
      tunnelsThrough(new Pool(proxy, { ...proxyOptions, headersTimeout: timeout })),
  });
}

/**
 * The proxy for an origin, NO_PROXY aside. Only tunnels count: what a proxy forwards without one it can read, the key
 * included. What listens on this machine no other machine could reach.
 */
function proxyFor(origin: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  const proxy = process.env.https_proxy || process.env.HTTPS_PROXY;
  if (!proxy || protocol !== "https:" || isLoopback(hostname)) return undefined;
  if (!isProxyUrl(proxy)) {
    // The variable may hold a password, so it is not shown.
    throw new TypeError("HTTPS_PROXY must be an http or https URL, such as http://proxy.example:3128.");
  }
  return proxy;
}

function isProxyUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return false;
  try {
    decodeURIComponent(`${url.username}${url.password}`);
    return true;
  } catch {
    return false;
  }
}

/** Has a proxy's own failures named as such: on their own they read like those of the service. */
function tunnelsThrough(proxy: Pool): Dispatcher {
  const open: (options: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> =
    proxy.connect.bind(proxy);
  const connect = async (options: Dispatcher.ConnectOptions) => {
    const tunnel = await open(options).catch((error: Error) => {
      throw new Error(`the proxy that HTTPS_PROXY names cannot be used: ${reasonOf(error)}`);
    });
    if (tunnel.statusCode === 200) return tunnel;
    tunnel.socket.on("error", () => {}).destroy();
    throw new Error(`the proxy that HTTPS_PROXY names answered ${statusText(tunnel.statusCode)}`);
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
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
      // Whatever is still under way is of no use to anybody. After a complete answer this does nothing.
      controller?.abort(new Error("The exchange is over."));
    };
    const onAbort = () => settle({ kind: "cancellation", sent, reason: "cancelled" });
    const timer = setTimeout(
      () => settle({ kind: "timeout", sent, reason: `no answer within ${timeoutMs / 1000} s` }),
      timeoutMs,
    );
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) return onAbort();

    let status = 0;
    let answerHeaders: Readonly<Record<string, string | string[] | undefined>> = {};
    const chunks: Buffer[] = [];
    let size = 0;
    const answer = (text: string | undefined) =>
      settle({ kind: "answer", status, header: (name) => [answerHeaders[name]].flat()[0], body: text });
    const fail = (error: Error) => settle({ kind: "failure", sent, reason: reasonOf(error) });

    const handler: Dispatcher.DispatchHandler = {
      // The library calls this when it has a connection and before it writes, and never without a connection.
      onRequestStart(started) {
        controller = started;
        if (settled) return started.abort(new Error("The exchange is over."));
        sent = true;
      },
      onResponseStart(_, statusCode, responseHeaders) {
        status = statusCode;
        answerHeaders = responseHeaders;
      },
      onResponseData(_, chunk) {
        size += chunk.length;
        if (size > MAX_ANSWER_BYTES) return answer(undefined);
        chunks.push(chunk);
      },
      onResponseEnd() {
        answer(new TextDecoder().decode(Buffer.concat(chunks)));
      },
      onResponseError(_, error) {
        fail(error);
      },
    };
    try {
      pool.dispatch({ origin, method, path, headers: { ...headers }, body: body ?? null }, handler);
    } catch (error) {
      fail(error as Error);
    }
  });
}

/** The words of a connection error. The error itself is left behind: it may hold what was sent or answered. */
/** What Node's codes mean. */
const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  EAI_AGAIN: "the host name could not be looked up",
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was broken off",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENOTFOUND: "there is no such host",
  EPIPE: "the connection was broken off",
  UND_ERR_SOCKET: "the connection was broken off",
};

interface CodedError extends Error {
  readonly code?: unknown;
}

function reasonOf(error: CodedError & { readonly errors?: readonly CodedError[] }): string {
  // When several addresses were tried, the words stand in the errors of the single ones.
  const { code, message } = error.errors?.[0] ?? error;
  const words = CONNECTION_ERRORS[String(code)];
  if (words !== undefined) return [words, message || code].join(", ");
  return message || String(code ?? "the connection failed");
}

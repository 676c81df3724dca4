/**
 * One HTTP exchange over a pool of connections to one origin: the only file that knows the HTTP library.
 *
 * An exchange never throws: what became of it is its value. Redirects are answers like any other.
 */

import { type Dispatcher, Pool } from "undici";
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
 */
export function connectTo(origin: string, timeoutMs: number): HttpConnections {
  const pool = new Pool(origin, {
    connections: MAX_CONNECTIONS,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutMs) },
    // One request a connection: a failure then is the failure of one request.
    allowH2: false,
    pipelining: 1,
    // The deadline of an exchange covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const underWay = new Set<Promise<HttpOutcome>>();
  return {
    async exchange(request) {
      const outcome = exchange(pool, request);
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

function exchange(pool: Pool, request: HttpRequest): Promise<HttpOutcome> {
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
      pool.dispatch({ method, path, headers: { ...headers }, body: body ?? null }, handler);
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

/** A real HTTP server on a free port that answers as a test says and keeps what it was asked. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A request as the server saw it. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** The content as it came; empty when there was none. */
  readonly body: string;
}

/** What to answer: an object is sent as JSON, text as it is. The request id is echoed unless a header says otherwise. */
export interface StubAnswer {
  readonly status?: number;
  /** Undefined leaves a header out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** An answer, or a function that does something else with the response. */
export type Answering = StubAnswer | ((response: ServerResponse, request: SeenRequest) => unknown);

/** A server that answers as it is told. */
export interface StubServer {
  readonly url: string;
  /** What was asked, in order. */
  // biome-ignore lint/plugin/readonlyArrays: tests empty it.
  readonly requests: SeenRequest[];
  /** Sets what the next requests are answered, in order; the last answer is given again and again. */
  answer(...answers: Answering[]): void;
  close(): Promise<void>;
}

/** Starts a server. Without further orders it answers 204. */
export async function startStubServer(): Promise<StubServer> {
  const requests: SeenRequest[] = [];
  let answers: Answering[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = "", url = "", headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    const answering = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 204 };
    if (typeof answering === "function") return void answering(response, request);
    send(response, request, answering);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (...next) => {
      answers = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(
  response: ServerResponse,
  request: SeenRequest,
  { status = 200, headers = {}, body }: StubAnswer,
): void {
  const json = typeof body === "object" && body !== null;
  const all = {
    ...(json && { "content-type": "application/json" }),
    "x-request-id": request.headers["x-request-id"],
    ...headers,
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) response.setHeader(name, value);
  response.writeHead(status);
  if (body === undefined) response.end();
  else response.end(json ? JSON.stringify(body) : String(body));
}

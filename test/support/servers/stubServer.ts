/** A real HTTP server on a free port. Tests set its responses and read the requests that it received. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "./listening";

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** The content. Empty if there was none. */
  readonly body: string;
}

/** A response. An object is sent as JSON, a text as it is. The request id is returned unless a header overrides it. */
export interface StubAnswer {
  readonly status?: number;
  /** Undefined omits a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** A response, or a function that handles the request. */
export type Answering = StubAnswer | ((response: ServerResponse, request: SeenRequest) => unknown);

export type StubServer = Awaited<ReturnType<typeof startStubServer>>;

/** Starts a server. Until responses are set, it responds with 204. */
export async function startStubServer() {
  const requests: SeenRequest[] = [];
  let answers: Answering[] = [];
  const server = createServer(async (incoming, response) => {
    const { method = "", url = "", headers } = incoming;
    const request = { method, url, headers, body: await text(incoming) };
    requests.push(request);
    const answering = (answers.length > 1 ? answers.shift() : answers[0]) ?? { status: 204 };
    if (typeof answering === "function") return void answering(response, request);
    send(response, request, answering);
  });
  const { port, close } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    /** Sets the responses to the next requests, in order. The last one is repeated. */
    answer: (...next: Answering[]) => {
      answers = next;
    },
    close,
  };
}

function send(response: ServerResponse, request: SeenRequest, answer: StubAnswer): void {
  const { status = 200, headers = {}, body } = answer;
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

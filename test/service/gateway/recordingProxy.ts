/** A proxy on loopback for the processes of a stack, with a function between them and the service. */
import { createServer, type IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import { listening } from "../../support/servers/listening";

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** Sends a request to the service, and resolves with the response. If it throws, the connection breaks. */
export type Pass = (
  method: string,
  target: string,
  headers: Headers,
  content: string,
) => Promise<{ readonly status: number; readonly headers: Headers; readonly received: string }>;

/** The headers that pass in both directions. */
const PASSED = /^(?:accept|content-type|date|location|retry-after|user-agent|x-api-key|x-request-id)$/;

/** Starts the proxy on a free port. */
export async function startRecordingProxy(pass: Pass) {
  const pending = new Set<Promise<unknown>>();
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const { method = "", url = "", headers } = request;
    const passing = text(request).then((content) => pass(method, url, passed(headers), content));
    pending.add(passing);
    try {
      const answer = await passing;
      response.sendDate = false;
      response.writeHead(answer.status, passed(answer.headers)).end(answer.received);
    } catch {
      response.destroy();
    } finally {
      pending.delete(passing);
    }
  });
  const { port, close } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    /** Resolves when no request is in progress, even if its sender is gone. */
    async close(): Promise<void> {
      await close();
      await Promise.allSettled(pending);
    },
  };
}

function passed(headers: IncomingHttpHeaders | Headers): Record<string, string> {
  const chosen = Object.entries(headers).filter(([name, value]) => PASSED.test(name) && value !== undefined);
  return Object.fromEntries(chosen.map(([name, value]) => [name, `${value}`]));
}

/** A service with a self-signed certificate, and a proxy that connects to it. */
import { createServer, type IncomingMessage } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { generate } from "selfsigned";
import { listening } from "../../support/servers/listening";

/** The host of the certificate, besides 127.0.0.1. It has no address, so only the proxy can connect to it. */
export const PRIVATE_HOST = "api.private.example";

export type PrivateService = Awaited<ReturnType<typeof startPrivateService>>;

/** Starts a service that responds to the lookup of the key. */
export async function startPrivateService(credential: object) {
  const { private: key, cert } = await generate([{ name: "commonName", value: PRIVATE_HOST }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: PRIVATE_HOST },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  const identity = { key, cert };
  const requests: Pick<IncomingMessage, "headers" | "httpVersion">[] = [];
  // It also supports HTTP/2.
  const options = { ...identity, allowHTTP1: true };
  const server = createSecureServer(options, ({ headers, httpVersion }, response) => {
    requests.push({ headers, httpVersion });
    if (httpVersion === "1.1") response.setHeader("keep-alive", "timeout=600");
    response.end(JSON.stringify(credential));
  });
  // A client that keeps an idle connection open for as long would keep its process alive.
  Object.assign(server, { keepAliveTimeout: 600_000, keepAliveTimeoutBuffer: 0 });
  return { ...(await listening(server)), identity, requests };
}

export type TunnelProxy = Awaited<ReturnType<typeof startTunnelProxy>>;

/**
 * Starts a proxy whose tunnels all connect to a port of this machine. With an identity, clients connect to it over TLS.
 */
export async function startTunnelProxy(to: number, identity?: PrivateService["identity"]) {
  const asked: { target: string | undefined; authorization: string | undefined }[] = [];
  let refusal: number | "silently" | undefined;
  // Only HTTP/1.1, although it offers HTTP/2 as well.
  const offered = { ALPNProtocols: ["h2", "http/1.1"] };
  const server = identity === undefined ? createServer() : createTlsServer({ ...identity, ...offered });
  server.on("connect", ({ url, headers }: IncomingMessage, socket: Socket) => {
    asked.push({ target: url, authorization: headers["proxy-authorization"] });
    socket.on("error", () => {});
    if (refusal === "silently") return;
    if (refusal !== undefined)
      return void socket.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(to, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    target.on("error", () => socket.destroy());
  });
  return {
    ...(await listening(server)),
    /** The requested tunnels: host and port, and the credentials of the client. */
    asked,
    /** Refuses tunnels with a status from now on, or does not respond. */
    refuse(answer: number | "silently") {
      refusal = answer;
    },
  };
}

/** A service with a certificate of its own making, and a proxy that leads to it. */
import type { IncomingHttpHeaders } from "node:http";
import { createServer as createProxy } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { generate } from "selfsigned";

/** The host that the certificate is for, besides 127.0.0.1. It has no address: only a proxy leads there. */
export const PRIVATE_HOST = "api.private.example";

/** A service that answers the look-up of the key. */
export interface PrivateService {
  readonly port: number;
  /** Its certificate, in PEM. */
  readonly certificate: string;
  /** The headers of the requests that arrived. */
  readonly requests: IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** Starts the service on a free port. */
export async function startPrivateService(credential: object): Promise<PrivateService> {
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
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer({ key, cert }, ({ headers }, response) => {
    requests.push(headers);
    response.end(JSON.stringify(credential));
  });
  return { ...(await listening(server)), certificate: cert, requests };
}

/** A proxy for tunnels. */
export interface TunnelProxy {
  readonly port: number;
  /** What it was asked for: a host with its port, and who asked. */
  readonly asked: { readonly target: string | undefined; readonly authorization: string | undefined }[];
  /** Refuses with a status from now on. */
  refuse(status: number): void;
  close(): Promise<void>;
}

/** Starts a proxy whose tunnels all lead to a port of this machine. */
export async function startTunnelProxy(to: number): Promise<TunnelProxy> {
  const asked: TunnelProxy["asked"] = [];
  let refusal: number | undefined;
  const server = createProxy((_request, response) => response.writeHead(400).end());
  server.on("connect", ({ url, headers }, socket: Socket) => {
    asked.push({ target: url, authorization: headers["proxy-authorization"] });
    socket.on("error", () => {});
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(to, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      socket.pipe(target).pipe(socket);
    });
    target.on("error", () => socket.destroy());
    return undefined;
  });
  return {
    ...(await listening(server)),
    asked,
    refuse(status) {
      refusal = status;
    },
  };
}

/** Lets a server listen, and closes it with all its connections: those of tunnels are not its own to close. */
async function listening(server: Server): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket.once("close", () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

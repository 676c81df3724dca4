/** Starts servers on free ports of this machine. */
import type { AddressInfo, Server, Socket } from "node:net";

/** A server that listens. */
export interface Listening {
  readonly port: number;
  /** Stops to listen, and closes all connections, also those of tunnels. */
  close(): Promise<void>;
}

/** Starts to listen. */
export async function listening(server: Server): Promise<Listening> {
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

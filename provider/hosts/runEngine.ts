/**
 * The engine of a run: what identifies the run, and whether the engine still runs. The engine starts each provider
 * process with its address, at which it listens until the run ends.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";

export type RunEngine = ReturnType<typeof engineAt>;

/** What connections to the engine have in common. It is on this machine, so a proxy cannot reach it. */
export const ENGINE_CHANNEL_OPTIONS = { "grpc.enable_http_proxy": 0 } as const;

/** How long a connection to the engine may take. */
const CONNECT_TIMEOUT_MS = 2_000;

/** The tables of the sockets of this machine, or of this container, and what identifies the start of the system. */
const LINUX = { sockets: ["/proc/net/tcp", "/proc/net/tcp6"], boot: "/proc/sys/kernel/random/boot_id" };

/**
 * The local addresses, in the notation of the tables, that connections to a loopback address reach: itself, in both
 * byte orders and mapped to IPv6, and those that stand for all addresses. The most specific come first.
 */
const LISTENING_ADDRESSES = [
  "0100007F",
  "7F000001",
  "0000000000000000FFFF00000100007F",
  "0000000000000000000000007F000001",
  "00000000000000000000000001000000",
  "00000000000000000000000000000001",
  "00000000",
  "00000000000000000000000000000000",
];
const LISTEN = "0A";

/**
 * The engine at an address, which must be running now.
 *
 * Linux shows which socket listens at the address, by a number that no other socket gets before the system restarts.
 * Elsewhere, an engine is known by its address alone.
 */
export function engineAt(address: string) {
  const socket = listeningSocket(address);
  let connection: Socket | undefined;
  return {
    /** Identifies the run. It is the same in all provider processes of the run. */
    run: [address, contentOf(LINUX.boot)?.trim(), socket].join(" "),
    /** Whether the engine still runs. A later engine at the same address is another one, where the system shows it. */
    async isRunning(): Promise<boolean> {
      // A connection ends with the engine, however that ends. To look for the socket takes milliseconds.
      if (connection !== undefined && (await isOpen(connection))) return true;
      const next = await connectionTo(address);
      const isSame = socket === undefined ? next !== undefined : listeningSocket(address) === socket;
      const unused = isSame ? connection : next;
      unused?.destroy();
      if (isSame) connection = next;
      return isSame;
    },
  };
}

/** Whether a connection is open, after everything that the system has received for it. */
async function isOpen(connection: Socket): Promise<boolean> {
  // The event loop may already have looked for events in its current turn, so that it does only in the next one.
  await setImmediate();
  await setImmediate();
  return !connection.readableEnded && !connection.destroyed;
}

/** Connects as gRPC does, since the engine would wait for any other connection before it ends. Undefined if that fails. */
async function connectionTo(address: string): Promise<Socket | undefined> {
  const connection = connect({ host: hostnameOf(address), port: Number(portOf(address)) });
  const session = connectHttp2(`http://${address}`, { createConnection: () => connection });
  session.on("error", () => {});
  try {
    await once(connection, "connect", { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
    session.unref();
    return connection;
  } catch {
    session.destroy();
    return undefined;
  }
}

/** The number of the socket that listens at an address; undefined where the system does not show it. */
function listeningSocket(address: string): string | undefined {
  const port = Number(portOf(address)).toString(16).toUpperCase().padStart(4, "0");
  const found = new Map<string, string>();
  for (const file of LINUX.sockets) {
    for (const line of contentOf(file)?.split("\n") ?? []) {
      const [, local = "", , state, , , , , , socket] = line.trim().split(/\s+/);
      const [ip = "", localPort] = local.split(":");
      if (state === LISTEN && localPort === port && socket !== undefined) found.set(ip, socket);
    }
  }
  return LISTENING_ADDRESSES.map((ip) => found.get(ip)).find((each) => each !== undefined);
}

/** The content of a file that only Linux has. */
function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // Containers may hide it. Any other failure may pass, and then the processes of a run would not agree.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EACCES") return undefined;
    throw error;
  }
}

function portOf(address: string): string {
  return address.slice(address.lastIndexOf(":") + 1);
}

function hostnameOf(address: string): string {
  return address.slice(0, address.lastIndexOf(":")).replace(/^\[|\]$/g, "");
}

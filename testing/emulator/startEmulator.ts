/** Starts an emulator: creates its parts, and listens. */
import type { AddressInfo, Server } from "node:net";
import { loadContract } from "./contract/contract";
import { type ControlRequest, createControls } from "./controls/controls";
import { type Emulator, type EmulatorOptions, emulatorOf } from "./controls/emulator";
import { createFaults } from "./controls/faults";
import { openService } from "./controls/openService";
import { newRecords } from "./controls/requestLog";
import { createEmulatorServer } from "./server/server";
import type { Reply } from "./wire/reply";
import { UsageError } from "./world/world";

/** The addresses that stand for all of the machine. No client connects to them. */
const UNSPECIFIED: readonly string[] = ["0.0.0.0", "::"];

/**
 * Starts an emulator of the service: all operations over HTTP, in memory. It validates every request and response
 * against the service's API description.
 *
 * @example
 * ```ts
 * const service = await startEmulator({ seed: { organizations: [{ keys: [{ key: "test-key-1" }] }] } });
 * // … run a client against service.url …
 * expect(service.requests.map(({ operationId }) => operationId)).toEqual(["getCurrentApiCredential"]);
 * await service.close();
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { host = "127.0.0.1", port = 0, tls } = options;
  if (host === "")
    throw new UsageError(
      "The host is empty, which would be all addresses of this machine. For these, specify 0.0.0.0 or ::.",
    );
  const opened = openService(options);
  const recorded = newRecords();
  const faults = createFaults();
  const closing = new AbortController();
  let controls: ((request: ControlRequest) => Reply | undefined) | undefined;
  const server = createEmulatorServer({
    contract: loadContract("openapi.yaml"),
    service: opened.service,
    faults,
    tls,
    recorded,
    onRequest: options.onRequest,
    control: (request) => controls?.(request),
    signal: closing.signal,
  });
  const address = await listening(server, host, port);
  async function close(): Promise<void> {
    closing.abort();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
  const url = `${tls === undefined ? "http" : "https"}://${address}`;
  const emulator = emulatorOf(opened, { url, recorded, faults, close });
  if (options.controls) controls = createControls(emulator);
  return emulator;
}

/** Starts to listen. Resolves with the host and the port for clients. */
async function listening(server: Server, host: string, port: number): Promise<string> {
  // A test that does not close the emulator must not keep the test runner alive.
  server.unref().on("connection", (socket) => socket.unref());
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const { address, family, port: bound } = server.address() as AddressInfo;
  if (UNSPECIFIED.includes(address)) return `127.0.0.1:${bound}`;
  return family === "IPv6" ? `[${address}]:${bound}` : `${address}:${bound}`;
}

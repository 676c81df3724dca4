/** The part of an engine that providers call: it listens at an address, and collects their messages. */
import { EventEmitter, once } from "node:events";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** An engine that listens. */
export interface LogEngine {
  readonly address: string;
  readonly port: number;
  /** Resolves with the first message of a provider, of all so far and later ones, that has a text. */
  messageWith(text: string): Promise<string>;
  /** Stops to listen at once, as if it were killed. */
  kill(): void;
}

/** Starts an engine, on a free port unless one is given. */
export async function startLogEngine(wanted = 0): Promise<LogEngine> {
  const messages: string[] = [];
  const waiting = new EventEmitter();
  const server = new Server();
  server.addService(EngineService as never, {
    log({ request }: ServerUnaryCall<LogRequest, Empty>, callback: sendUnaryData<Empty>) {
      messages.push(request.getMessage());
      waiting.emit("message");
      callback(null, new Empty());
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${wanted}`, ServerCredentials.createInsecure(), (error, found) =>
      error ? reject(error) : resolve(found),
    );
  });
  return {
    address: `127.0.0.1:${port}`,
    port,
    async messageWith(text) {
      for (;;) {
        const found = messages.find((message) => message.includes(text));
        if (found !== undefined) return found;
        await once(waiting, "message");
      }
    },
    kill: () => server.forceShutdown(),
  };
}

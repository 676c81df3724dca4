/** The part of an engine that providers call: it listens at an address, and collects their messages. */
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";

/** An engine that listens. */
export interface LogEngine {
  readonly address: string;
  readonly port: number;
  /** Resolves with the next message of a provider. */
  nextMessage(): Promise<string>;
  /** Stops to listen at once, as if it were killed. */
  kill(): void;
}

/** Starts an engine, on a free port unless one is given. */
export async function startLogEngine(wanted = 0): Promise<LogEngine> {
  let waiting = Promise.withResolvers<string>();
  const server = new Server();
  server.addService(EngineService as never, {
    log({ request }: ServerUnaryCall<LogRequest, Empty>, callback: sendUnaryData<Empty>) {
      waiting.resolve(request.getMessage());
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
    nextMessage() {
      waiting = Promise.withResolvers();
      return waiting.promise;
    },
    kill: () => server.forceShutdown(),
  };
}

/**
 * Typed gRPC: calls a method, serves methods, and converts messages to plain data. Only this file handles what the
 * generated modules leave untyped.
 */
import {
  type Client,
  type handleUnaryCall,
  Metadata,
  type MethodDefinition,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Properties } from "./values";

/** One message between program, engine and provider host, as plain data. */
export interface EngineMessage {
  readonly from: "program" | "engine" | "host";
  readonly to: "program" | "engine" | "host";
  /** The method, such as `RegisterResource` or `Check`. */
  readonly method: string;
  /** Whether it is the response. */
  readonly answer: boolean;
  /** The message. Secrets are marked between program and engine, and in plain text between engine and host. */
  readonly payload: unknown;
}

/** Options of every channel. The limits allow large resources. */
export const CHANNEL_OPTIONS = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": -1,
};

export function rpcError(code: status, details: string): Partial<ServiceError> {
  return { code, details };
}

/** The response that ends a program without a message: see docs/internals/engine.md#shutdown. */
export function shuttingDown(): Partial<ServiceError> {
  return rpcError(status.UNAVAILABLE, "The engine is shutting down.");
}

/** The error of a call to a process that ended before it responded: see docs/internals/engine.md#dead-processes. */
export function processEnded(): Error {
  return new Error("error reading from server: EOF");
}

/** Calls a method; rejects with a `ServiceError`. */
export function call<Request, Response>(
  client: Client,
  method: MethodDefinition<Request, Response>,
  request: Request,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      new Metadata(),
      {},
      (error, response) => (error || response === undefined ? reject(error) : resolve(response)),
    );
  });
}

/** Handles a request to the method with a name. Rejects with a `ServiceError`. */
export type Handler<Request, Response> = (request: Request, method: string) => Promise<Response>;

/** The implementation of a gRPC service by handlers. `missing` is called with the name of a method that has none. */
export function serve(
  methods: Record<string, MethodDefinition<unknown, unknown>>,
  handlers: Record<string, Handler<never, unknown>>,
  missing: (method: string) => Promise<never>,
): UntypedServiceImplementation {
  const implementation: UntypedServiceImplementation = {};
  for (const [name, { path }] of Object.entries(methods)) {
    const handler = handlers[name] as Handler<unknown, unknown> | undefined;
    const method = path.split("/").at(-1) as string;
    const answer: handleUnaryCall<unknown, unknown> = ({ request }, callback) => {
      const answering = handler ? handler(request, method) : missing(method);
      answering.then(
        (response) => callback(null, response),
        (error: ServiceError) => callback(error),
      );
    };
    implementation[name] = answer;
  }
  return implementation;
}

/** The fields of a message, which are named after its setters: `urn` after `setUrn`. */
export type Fields<Message> = {
  readonly [Setter in keyof Message as Setter extends `set${infer Name}`
    ? Uncapitalize<Name>
    : never]?: Message[Setter] extends (value: infer Value) => unknown ? Value : never;
};

export function withFields<Message extends object>(message: Message, fields: Fields<Message>): Message {
  for (const [name, value] of Object.entries(fields)) {
    const set = Reflect.get(message, `set${name.charAt(0).toUpperCase()}${name.slice(1)}`) as () => unknown;
    Reflect.apply(set, message, [value]);
  }
  return message;
}

export function toStruct(properties: Properties): Struct {
  return Struct.fromJavaScript(properties);
}

/** The properties of a message, empty if there is no message. */
export function fromStruct(struct: Struct | undefined): Properties {
  return (struct?.toJavaScript() ?? {}) as Properties;
}

export function fromMap<Message>(map: { toArray(): unknown[] }): [string, Message][] {
  return map.toArray() as [string, Message][];
}

/**
 * Typed gRPC: calls a method, serves methods, and converts messages to plain data. Only this file handles what the
 * generated modules leave untyped.
 */
import {
  type Client,
  type handleUnaryCall,
  Metadata,
  type MethodDefinition,
  type ServiceDefinition,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { isObject, type Properties, type Value } from "./values";

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

/** Called with every message. */
export type Trace = (message: EngineMessage) => void;

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

/** Handles a request to the method with a name, and returns the fields of the response. Rejects with a `ServiceError`. */
export type Handler<Request, Response> = (request: Request, method: string) => Promise<Fields<Response>>;

/** The handlers of methods of a gRPC service. */
export type Handlers<Service> = {
  readonly [Name in keyof Service]?: Service[Name] extends MethodDefinition<infer Request, infer Response>
    ? Handler<Request, Response>
    : never;
};

/** The implementation of a gRPC service by handlers. `missing` is called with the name of a method that has none. */
export function serve<Service extends ServiceDefinition>(
  methods: Service,
  handlers: Handlers<Service>,
  missing: (method: string) => Promise<never>,
): UntypedServiceImplementation {
  const implementation: UntypedServiceImplementation = {};
  for (const [name, definition] of Object.entries<MethodDefinition<unknown, object>>(methods)) {
    const handler = handlers[name] as Handler<unknown, object> | undefined;
    const method = nameOf(definition);
    const answer: handleUnaryCall<unknown, unknown> = ({ request }, callback) => {
      const answering = handler ? handler(request, method) : missing(method);
      answering.then(
        (fields) => callback(null, withFields(definition.responseDeserialize(EMPTY), fields)),
        (error: ServiceError) => callback(error),
      );
    };
    implementation[name] = answer;
  }
  return implementation;
}

/** The name of a method, such as `Create`. */
export function nameOf({ path }: Pick<MethodDefinition<unknown, unknown>, "path">): string {
  return path.split("/").at(-1) as string;
}

/** A message without fields. */
const EMPTY = Buffer.of();

/** The request of a method with these fields. */
export function requestOf<Request extends object>(
  { requestDeserialize }: Pick<MethodDefinition<Request, unknown>, "requestDeserialize">,
  fields: Fields<Request>,
): Request {
  return withFields(requestDeserialize(EMPTY), fields);
}

/** The fields of a message, which are named after its setters: `urn` after `setUrn`. Those that are structs are plain data. */
export type Fields<Message> = {
  readonly [Setter in keyof Message as Setter extends `set${infer Name}`
    ? Uncapitalize<Name>
    : never]?: Message[Setter] extends (value: infer Value) => unknown ? Plain<Value> : never;
};

type Plain<Value> = Struct extends Value ? Properties : Value;

export function withFields<Message extends object>(message: Message, fields: Fields<Message>): Message {
  for (const [name, value] of Object.entries<Value | undefined>(fields)) {
    const set = Reflect.get(message, `set${name.charAt(0).toUpperCase()}${name.slice(1)}`) as () => unknown;
    Reflect.apply(set, message, [isObject(value) ? Struct.fromJavaScript(value) : value]);
  }
  return message;
}

/** The properties of a message, empty if there is no message. */
export function fromStruct(struct: Struct | undefined): Properties {
  return (struct?.toJavaScript() ?? {}) as Properties;
}

export function fromMap<Message>(map: { toArray(): unknown[] }): [string, Message][] {
  return map.toArray() as [string, Message][];
}

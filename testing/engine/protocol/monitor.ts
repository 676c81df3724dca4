/**
 * The server side of the engine: the two gRPC services that programs and hosts call. Handlers receive the messages as
 * plain data.
 */
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import { ReadResourceResponse, type ResourceMonitorFeature } from "@pulumi/pulumi/proto/resource_pb";
import { type Goal, readGoal, readReadGoal } from "./goal";
import {
  CHANNEL_OPTIONS,
  type Fields,
  fromStruct,
  type Handler,
  type Handlers,
  rpcError,
  serve,
  shuttingDown,
  type Trace,
} from "./grpc";
import { requestedPlugin } from "./plugin";
import { fromProgram, type Properties } from "./values";

/** The severity of a message. `info#err` is a line that a process wrote to its standard error stream. */
export type Severity = "debug" | "info" | "info#err" | "warning" | "error";

/** A message of a run. */
export interface Diagnostic {
  /** How important it is. */
  readonly severity: Severity;
  /** The text. */
  readonly message: string;
  /** The resource that the message is shown on. Default: the stack. */
  readonly urn?: string;
  /** Whether it is progress, which is not shown after the command. */
  readonly ephemeral?: boolean;
}

/** A resource as the program gets it. */
export interface Registered {
  readonly urn: string;
  readonly id: string;
  readonly outputs: Properties;
  /** Whether the command does not create it, so that all its outputs are unknown. Default: no. */
  readonly skipped?: boolean;
}

export interface MonitorHandlers {
  register(goal: Goal): Promise<Registered>;
  read(goal: Goal): Promise<Registered>;
  registerOutputs(urn: string, outputs: Properties): Promise<void>;
  /** `provider` is the reference of the provider, empty for the default one. */
  invoke(token: string, args: Properties, requested: Pick<Goal, "provider" | "plugin">): Promise<Properties>;
  /** The program has registered everything. Resolves when the deletions are done. */
  finish(): Promise<void>;
  log(diagnostic: Diagnostic): void;
  /** Called for a method that is not supported. */
  unsupported(what: string): void;
}

/**
 * The features that the engine supports, by the names that older SDKs request one by one. The numbers are those of the
 * protocol, because older SDKs lack the generated enumeration.
 */
const FEATURES: Record<string, ResourceMonitorFeature> = {
  secrets: 0,
  resourceReferences: 1,
  outputValues: 2,
  aliasSpecs: 3,
  deletedWith: 5,
  // Not supported: the engine refuses the request. See docs/internals/engine.md#features.
  replaceWith: 6,
  transforms: 7,
  invokeTransforms: 8,
  resourceHooks: 10,
  errorHooks: 11,
};

/** The functions of the SDK whose calls the engine does not support, by the name of the call. */
const UNSUPPORTED_CALLS: Readonly<Record<string, string>> = {
  RegisterStackTransform: "registerResourceTransform",
  RegisterStackInvokeTransform: "registerInvokeTransform",
  RegisterResourceHook: "ResourceHook",
  RegisterErrorHook: "ErrorHook",
};

/** By their numbers in the protocol. */
const SEVERITIES: readonly Severity[] = ["debug", "info", "warning", "error"];

export async function startMonitor(handlers: MonitorHandlers, trace: Trace) {
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {});
  const missing = async (name: string): Promise<never> => {
    handlers.unsupported(UNSUPPORTED_CALLS[name] ?? `The call ${name}`);
    throw rpcError(status.UNIMPLEMENTED, `The call ${name} is not supported by the test engine.`);
  };
  const server = new Server(CHANNEL_OPTIONS);
  const plain = plainMethods(stopped.promise, trace);
  server.addService(
    ResourceMonitorService,
    serve(ResourceMonitorService, monitorMethods(handlers, plain), missing),
  );
  server.addService(EngineService, serve(EngineService, engineMethods(handlers, trace), missing));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    /** The address for programs and hosts. */
    address: `127.0.0.1:${port}`,
    /** Answers all pending and later calls of the program with "unavailable", so that it ends without a message. */
    stop: () => stopped.reject(shuttingDown()),
    close: () => server.forceShutdown(),
  };
}

/** Methods whose handlers work on plain data, which is traced. They fail as soon as the monitor stops. */
function plainMethods(stopped: Promise<never>, trace: Trace) {
  return <Request, Sent, Result, Response>(
    read: (request: Request) => Sent,
    handle: (sent: Sent) => Promise<Result>,
    write: (result: Result) => Fields<Response>,
  ): Handler<Request, Response> =>
    async (request, name) => {
      const answer = async (): Promise<Result> => {
        const sent = read(request);
        trace({ from: "program", to: "engine", method: name, answer: false, payload: sent });
        return handle(sent);
      };
      const result = await Promise.race([stopped, answer()]).catch((error: unknown) => {
        if (error instanceof Error) throw rpcError(status.UNKNOWN, error.message);
        throw error;
      });
      trace({ from: "engine", to: "program", method: name, answer: true, payload: result });
      return write(result);
    };
}

/** The service that programs call. */
function monitorMethods(
  handlers: MonitorHandlers,
  method: ReturnType<typeof plainMethods>,
): Handlers<typeof ResourceMonitorService> {
  const nothing = () => ({});
  return {
    getDeploymentInfo: method(
      nothing,
      async () => {},
      () => ({ supportedfeaturesList: Object.values(FEATURES) }),
    ),
    supportsFeature: method(
      (request) => request.getId(),
      async (id) => id in FEATURES,
      (hassupport) => ({ hassupport }),
    ),
    registerResource: method(readGoal, handlers.register, ({ urn, id, outputs, skipped = false }) => ({
      urn,
      id,
      object: outputs,
      ...(skipped && { unknown: true }),
    })),
    readResource: method(readReadGoal, handlers.read, ({ urn, id, outputs }) => ({
      urn,
      properties: outputs,
      // Older SDKs have no field for the id.
      ...("setId" in ReadResourceResponse.prototype && { id }),
    })),
    registerResourceOutputs: method(
      (request) => ({ urn: request.getUrn(), outputs: fromProgram(fromStruct(request.getOutputs())) }),
      ({ urn, outputs }) => handlers.registerOutputs(urn, outputs),
      nothing,
    ),
    invoke: method(
      (request) => ({
        token: request.getTok(),
        inputs: fromProgram(fromStruct(request.getArgs())),
        provider: request.getProvider(),
        plugin: requestedPlugin(request),
      }),
      ({ token, inputs, ...requested }) => handlers.invoke(token, inputs, requested),
      (result) => ({ return: result }),
    ),
    signalAndWaitForShutdown: method(nothing, handlers.finish, nothing),
  };
}

/** The service that programs and hosts call. */
function engineMethods(handlers: MonitorHandlers, trace: Trace): Handlers<typeof EngineService> {
  let rootResource = "";
  return {
    // Debug messages are neither traced nor reported: see docs/internals/engine.md#secrets-on-the-wire.
    async log(request) {
      const severity = SEVERITIES[request.getSeverity()] ?? "info";
      if (severity === "debug") return {};
      const diagnostic: Diagnostic = {
        severity,
        message: request.getMessage(),
        ...(request.getUrn() && { urn: request.getUrn() }),
        ...(request.getEphemeral() && { ephemeral: true }),
      };
      trace({ from: "program", to: "engine", method: "Log", answer: false, payload: diagnostic });
      handlers.log(diagnostic);
      return {};
    },
    async setRootResource(request) {
      rootResource = request.getUrn();
      return {};
    },
    getRootResource: async () => ({ urn: rootResource }),
    requirePulumiVersion: async () => ({}),
  };
}

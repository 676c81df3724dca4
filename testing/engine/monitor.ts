/**
 * The engine's side of the connection: serves the two services that a program (and a host) calls, and turns their
 * messages into plain data.
 */
import { type MethodDefinition, Server, ServerCredentials, status } from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import {
  type GetRootResourceRequest,
  GetRootResourceResponse,
  type LogRequest,
  LogSeverity,
  RequirePulumiVersionResponse,
  type SetRootResourceRequest,
  SetRootResourceResponse,
} from "@pulumi/pulumi/proto/engine_pb";
import { ResourceMonitorService } from "@pulumi/pulumi/proto/resource_grpc_pb";
import {
  DeploymentInfo,
  type ReadResourceRequest,
  ReadResourceResponse,
  type RegisterResourceOutputsRequest,
  type RegisterResourceRequest,
  RegisterResourceResponse,
  type ResourceInvokeRequest,
  ResourceInvokeResponse,
  type ResourceMonitorFeature,
  type SupportsFeatureRequest,
  SupportsFeatureResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Alias } from "./names";
import {
  CHANNEL_OPTIONS,
  type EngineMessage,
  fromMap,
  fromStruct,
  type Handler,
  rpcError,
  serve,
  shuttingDown,
  toStruct,
} from "./protocol";
import { fromProgram, type Properties } from "./values";

/** What a program wants of one resource. */
export interface Goal {
  readonly type: string;
  readonly name: string;
  readonly custom: boolean;
  /** The URN of the parent; empty for the stack alone. */
  readonly parent: string;
  readonly properties: Properties;
  readonly dependencies: readonly string[];
  readonly propertyDependencies: Record<string, readonly string[]>;
  /** The reference of its provider; empty to inherit one or take the default. */
  readonly provider: string;
  /** References of the providers that its children inherit, by package. */
  readonly providers: Record<string, string>;
  readonly aliases: readonly Alias[];
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deleteBeforeReplace?: boolean;
  readonly deletedWith: string;
  readonly ignoreChanges: readonly string[];
  readonly replaceOnChanges: readonly string[];
  readonly additionalSecretOutputs: readonly string[];
  readonly hideDiffs: readonly string[];
  readonly customTimeouts: Record<string, number>;
}

/** What a program wants to read. */
export type ReadGoal = Pick<
  Goal,
  "type" | "name" | "parent" | "properties" | "dependencies" | "provider" | "additionalSecretOutputs"
> & { id: string };

/** How loud a message is. `info#err` is a line that a process wrote to its standard error stream. */
export type Severity = "debug" | "info" | "info#err" | "warning" | "error";

/** A message of a run. */
export interface Diagnostic {
  readonly severity: Severity;
  readonly message: string;
  /** The resource it stands at; the stack when left out. */
  readonly urn?: string;
  /** Whether it is progress that leaves nothing behind. */
  readonly ephemeral?: boolean;
}

/** What a monitor hands its messages to. */
export interface MonitorHandlers {
  register(goal: Goal): Promise<{ readonly urn: string; readonly id: string; readonly outputs: Properties }>;
  read(goal: ReadGoal): Promise<{ readonly urn: string; readonly outputs: Properties }>;
  registerOutputs(urn: string, outputs: Properties): Promise<void>;
  invoke(token: string, inputs: Properties): Promise<Properties>;
  /** The program is through; answered when everything that remains is done. */
  finish(): Promise<void>;
  log(diagnostic: Diagnostic): void;
  /** A method or an option that is not supported. */
  unsupported(what: string): void;
}

/** A running monitor. */
export interface Monitor {
  /** Where programs and hosts reach it. */
  readonly address: string;
  /** Answers all pending and later calls of the program with "unavailable", upon which it ends without a word. */
  stop(): void;
  close(): void;
}

/**
 * The features that the engine has, by the names under which older SDKs ask for them one by one. The numbers are the
 * protocol's; the generated enumeration is missing in those SDKs.
 */
const FEATURES: Record<string, ResourceMonitorFeature> = {
  secrets: 0,
  resourceReferences: 1,
  outputValues: 2,
  aliasSpecs: 3,
  deletedWith: 5,
};

const SEVERITIES: Record<number, Severity> = {
  [LogSeverity.DEBUG]: "debug",
  [LogSeverity.INFO]: "info",
  [LogSeverity.WARNING]: "warning",
  [LogSeverity.ERROR]: "error",
};

/** Starts a monitor on a port of its own. */
export async function startMonitor(
  handlers: MonitorHandlers,
  trace: (message: EngineMessage) => void,
): Promise<Monitor> {
  let stop = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(shuttingDown());
  });
  stopped.catch(() => {});

  /** A method whose request and answer are plain data; it gives way when the monitor stops. */
  const method =
    <Request, Sent, Result, Response>(
      name: string,
      read: (request: Request) => Sent,
      handle: (sent: Sent) => Promise<Result>,
      write: (result: Result) => Response,
    ): Handler<Request, Response> =>
    async (request) => {
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
  const empty = (): Empty => new Empty();
  const nothing = async (): Promise<void> => {};

  const monitor = {
    getDeploymentInfo: method(
      "GetDeploymentInfo",
      () => ({}),
      nothing,
      () => {
        const info = new DeploymentInfo();
        info.setSupportedfeaturesList(Object.values(FEATURES));
        return info;
      },
    ),
    supportsFeature: method(
      "SupportsFeature",
      (request: SupportsFeatureRequest) => request.getId(),
      async (id) => id in FEATURES,
      (has) => {
        const response = new SupportsFeatureResponse();
        response.setHassupport(has);
        return response;
      },
    ),
    registerResource: method("RegisterResource", readGoal, handlers.register, ({ urn, id, outputs }) => {
      const response = new RegisterResourceResponse();
      response.setUrn(urn);
      response.setId(id);
      response.setObject(toStruct(outputs));
      return response;
    }),
    readResource: method("ReadResource", readReadGoal, handlers.read, ({ urn, outputs }) => {
      const response = new ReadResourceResponse();
      response.setUrn(urn);
      response.setProperties(toStruct(outputs));
      return response;
    }),
    registerResourceOutputs: method(
      "RegisterResourceOutputs",
      (request: RegisterResourceOutputsRequest) => ({
        urn: request.getUrn(),
        outputs: fromProgram(fromStruct(request.getOutputs())) as Properties,
      }),
      ({ urn, outputs }) => handlers.registerOutputs(urn, outputs),
      empty,
    ),
    invoke: method(
      "Invoke",
      (request: ResourceInvokeRequest) => ({
        token: request.getTok(),
        inputs: fromProgram(fromStruct(request.getArgs())) as Properties,
      }),
      ({ token, inputs }) => handlers.invoke(token, inputs),
      (result) => {
        const response = new ResourceInvokeResponse();
        response.setReturn(toStruct(result));
        return response;
      },
    ),
    signalAndWaitForShutdown: method("SignalAndWaitForShutdown", () => ({}), handlers.finish, empty),
  };

  let rootResource = "";
  const engine = {
    // Debug messages carry secrets in clear, in the real engine too: they end here, untraced.
    log: async (request: LogRequest) => {
      const severity = SEVERITIES[request.getSeverity()] ?? "info";
      if (severity !== "debug") {
        const diagnostic: Diagnostic = {
          severity,
          message: request.getMessage(),
          ...(request.getUrn() && { urn: request.getUrn() }),
          ...(request.getEphemeral() && { ephemeral: true }),
        };
        trace({ from: "program", to: "engine", method: "Log", answer: false, payload: diagnostic });
        handlers.log(diagnostic);
      }
      return empty();
    },
    setRootResource: async (request: SetRootResourceRequest) => {
      rootResource = request.getUrn();
      return new SetRootResourceResponse();
    },
    getRootResource: async (_: GetRootResourceRequest) => {
      const response = new GetRootResourceResponse();
      response.setUrn(rootResource);
      return response;
    },
    requirePulumiVersion: async () => new RequirePulumiVersionResponse(),
  };

  const missing = async (name: string): Promise<never> => {
    handlers.unsupported(`The call ${name}`);
    throw rpcError(status.UNIMPLEMENTED, `The call ${name} is not supported by the test engine.`);
  };
  const server = new Server(CHANNEL_OPTIONS);
  const methods = (service: unknown) => service as Record<string, MethodDefinition<unknown, unknown>>;
  server.addService(
    methods(ResourceMonitorService),
    serve(methods(ResourceMonitorService), monitor, missing),
  );
  server.addService(methods(EngineService), serve(methods(EngineService), engine, missing));
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return { address: `127.0.0.1:${port}`, stop, close: () => server.forceShutdown() };
}

/** Options that change what the engine would have to do, and that it cannot do. */
function refuseUnsupported(request: RegisterResourceRequest): void {
  const unsupported: Record<string, boolean> = {
    "a remote component": request.getRemote(),
    "the option import": request.getImportid() !== "",
    "the option transforms": request.getTransformsList().length > 0,
    "the option hooks": request.hasHooks(),
    "the option replaceWith": (request.getReplaceWithList?.() ?? []).length > 0,
    "the option replacementTrigger": request.hasReplacementTrigger?.() ?? false,
    "the option envVarMappings": (request.getEnvvarmappingsMap?.().getLength() ?? 0) > 0,
    "a parameterized package": request.getPackageref() !== "",
  };
  const found = Object.keys(unsupported).find((option) => unsupported[option]);
  if (found)
    throw new Error(
      `${request.getType()} "${request.getName()}" uses ${found}, which the test engine does not support.`,
    );
}

function readGoal(request: RegisterResourceRequest): Goal {
  refuseUnsupported(request);
  const timeouts = request.getCustomtimeouts()?.toObject();
  return {
    type: request.getType(),
    name: request.getName(),
    custom: request.getCustom(),
    parent: request.getParent(),
    properties: fromProgram(fromStruct(request.getObject())) as Properties,
    dependencies: request.getDependenciesList(),
    propertyDependencies: Object.fromEntries(
      fromMap<string[][]>(request.getPropertydependenciesMap()).map(([name, [urns]]) => [name, urns ?? []]),
    ),
    provider: request.getProvider(),
    providers: Object.fromEntries(fromMap<string>(request.getProvidersMap())),
    aliases: [
      ...request.getAliasurnsList().map((urn) => ({ urn })),
      ...request.getAliasesList().map((alias) => {
        const spec = alias.getSpec();
        if (spec === undefined) return { urn: alias.getUrn() };
        return {
          name: spec.getName(),
          type: spec.getType(),
          stack: spec.getStack(),
          project: spec.getProject(),
          parent: spec.getParenturn(),
          noParent: spec.getNoparent(),
        };
      }),
    ],
    ...(request.hasProtect() && { protect: request.getProtect() ?? false }),
    ...(request.hasRetainondelete() && { retainOnDelete: request.getRetainondelete() ?? false }),
    ...(request.getDeletebeforereplacedefined() && { deleteBeforeReplace: request.getDeletebeforereplace() }),
    deletedWith: request.getDeletedwith(),
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    hideDiffs: request.getHidediffsList?.() ?? [],
    customTimeouts: Object.fromEntries(
      Object.entries({
        create: timeouts?.create,
        update: timeouts?.update,
        delete: timeouts?.pb_delete,
        read: timeouts?.read,
      }).flatMap(([name, duration]) => (duration ? [[name, seconds(duration)]] : [])),
    ),
  };
}

function readReadGoal(request: ReadResourceRequest): ReadGoal {
  return {
    id: request.getId(),
    type: request.getType(),
    name: request.getName(),
    parent: request.getParent(),
    properties: fromProgram(fromStruct(request.getProperties())) as Properties,
    dependencies: request.getDependenciesList(),
    provider: request.getProvider(),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
  };
}

const SECONDS_PER_UNIT: Record<string, number> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** The seconds of a duration such as `1h30m`. */
function seconds(duration: string): number {
  return [...duration.matchAll(/([\d.]+)(ms|h|m|s)/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (SECONDS_PER_UNIT[unit as string] as number),
    0,
  );
}

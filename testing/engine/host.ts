/**
 * The real dynamic-provider host of `@pulumi/pulumi`: one process for each provider, called over gRPC.
 */
import { Client, credentials, type MethodDefinition, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  CheckRequest,
  ConfigureRequest,
  CreateRequest,
  DeleteRequest,
  DiffRequest,
  DiffResponse,
  ErrorResourceInitFailed,
  ReadRequest,
  UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Diagnostic } from "./monitor";
import { nameOf, parseUrn } from "./names";
import { type OnLine, pulumiScript, type RunningProcess, startNode } from "./nodeProcess";
import { CHANNEL_OPTIONS, call, type EngineMessage, fromStruct, toStruct } from "./protocol";
import { InitFailure, type Provider } from "./provider";
import { forProvider, markSecrets, type Properties } from "./values";

/** What a provider process is started with. */
export interface ProviderProcessRequest {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly project: string;
  /** The address of the engine, to which the process sends log messages. */
  readonly engineAddress: string;
  /** Reports a message, for a host that runs in this process. */
  readonly log: (diagnostic: Diagnostic) => void;
  readonly onLine: OnLine;
  readonly trace: (message: EngineMessage) => void;
}

/** A running provider host. It can be configured once. */
export interface ProviderProcess extends RunningProcess {
  configure(inputs: Properties): Promise<Provider>;
}

/** Starts a dynamic-provider host in a separate process. */
export function startHost(options: ProviderProcessRequest): ProviderProcess {
  let announcePort: (port: string) => void;
  const port = new Promise<string>((resolve) => {
    announcePort = resolve;
  });
  let announced = false;
  const script = pulumiScript(options.directory, "cmd/dynamic-provider/index.js");
  const node = startNode([script, options.engineAddress], {
    directory: options.directory,
    environment: {
      ...options.environment,
      PULUMI_NODEJS_PROJECT: options.project,
      PULUMI_PROJECT: options.project,
      PULUMI_CONFIG: "{}",
    },
    onLine: (line, stream) => {
      if (announced || stream === "stderr") return options.onLine(line, stream);
      announced = true;
      announcePort(line.trim());
    },
  });
  const connected = Promise.race([
    port,
    node.exited.then((code): never => {
      throw new Error(`The provider host ended with code ${code} before it announced its port.`);
    }),
  ]).then((number) => new Client(`127.0.0.1:${number}`, credentials.createInsecure(), CHANNEL_OPTIONS));
  // A host that is never configured may end early.
  connected.catch(() => {});
  return {
    ...node,
    kill: () => {
      node.kill();
      connected.then((client) => client.close()).catch(() => {});
    },
    configure: async (inputs) => dynamicProvider(await connected, inputs, options.trace),
  };
}

/** The setters that most requests have. */
interface Addressed {
  setUrn(urn: string): unknown;
  setName(name: string): unknown;
  setType(type: string): unknown;
}

function addressed<Request extends Addressed>(request: Request, urn: string): Request {
  request.setUrn(urn);
  request.setName(nameOf(urn));
  request.setType(parseUrn(urn).type);
  return request;
}

function clear(properties: Properties): Properties {
  return forProvider(properties) as Properties;
}

/** Configures the host at the other end of a connection and returns its provider. */
async function dynamicProvider(
  client: Client,
  inputs: Properties,
  trace: (message: EngineMessage) => void,
): Promise<Provider> {
  /** Calls a method, and traces the request and the response as plain data. */
  const ask = async <Request, Response, Answer>(
    method: MethodDefinition<Request, Response>,
    request: Request,
    sent: Record<string, unknown>,
    read: (response: Response) => Answer,
  ): Promise<Answer> => {
    const name = method.path.split("/").at(-1) as string;
    trace({ from: "engine", to: "host", method: name, answer: false, payload: sent });
    try {
      const answer = read(await call(client, method, request));
      trace({ from: "host", to: "engine", method: name, answer: true, payload: answer });
      return answer;
    } catch (error) {
      const failure = hostError(error as ServiceError);
      trace({ from: "host", to: "engine", method: name, answer: true, payload: { error: failure.message } });
      throw failure;
    }
  };
  const service = ResourceProviderService;

  const configuration = new ConfigureRequest();
  configuration.setArgs(toStruct(inputs));
  configuration.setAcceptsecrets(true);
  configuration.setAcceptresources(true);
  await ask(service.configure, configuration, { args: inputs }, () => ({}));

  return {
    known: true,

    async check({ urn, olds, news }) {
      const sent = { urn, olds: clear(olds), news: clear(news) };
      const request = addressed(new CheckRequest(), urn);
      request.setOlds(toStruct(sent.olds));
      request.setNews(toStruct(sent.news));
      const answer = await ask(service.check, request, sent, (response) => ({
        inputs: fromStruct(response.getInputs()),
        failures: response.getFailuresList().map((failure) => failure.toObject()),
      }));
      return { ...answer, inputs: markSecrets(answer.inputs, news) };
    },

    async diff({ urn, id, oldInputs, oldOutputs, news, ignoreChanges }) {
      const sent = { urn, id, olds: clear(oldOutputs), news: clear(news) };
      const request = addressed(new DiffRequest(), urn);
      request.setId(id);
      request.setOlds(toStruct(sent.olds));
      request.setNews(toStruct(sent.news));
      request.setOldInputs(toStruct(clear(oldInputs)));
      request.setIgnorechangesList([...ignoreChanges]);
      return ask(service.diff, request, sent, (response) => {
        const changes = response.getChanges();
        return {
          ...(changes !== DiffResponse.DiffChanges.DIFF_UNKNOWN && {
            changes: changes === DiffResponse.DiffChanges.DIFF_SOME,
          }),
          replaces: response.getReplacesList(),
          deleteBeforeReplace: response.getDeletebeforereplace(),
        };
      });
    },

    async create({ urn, inputs: news }) {
      const sent = { urn, properties: clear(news) };
      const request = addressed(new CreateRequest(), urn);
      request.setProperties(toStruct(sent.properties));
      const answer = await ask(service.create, request, sent, (response) => ({
        id: response.getId(),
        outputs: fromStruct(response.getProperties()),
      })).catch(markFailure(news));
      if (answer.id === "") throw new Error(`The provider returned no id for ${urn}.`);
      return { ...answer, outputs: markSecrets(answer.outputs, news) };
    },

    async update({ urn, id, oldInputs, oldOutputs, news }) {
      const sent = { urn, id, olds: clear(oldOutputs), news: clear(news) };
      const request = addressed(new UpdateRequest(), urn);
      request.setId(id);
      request.setOlds(toStruct(sent.olds));
      request.setNews(toStruct(sent.news));
      request.setOldInputs(toStruct(clear(oldInputs)));
      const answer = await ask(service.update, request, sent, (response) => ({
        outputs: fromStruct(response.getProperties()),
      })).catch(markFailure(news));
      return { outputs: markSecrets(answer.outputs, news) };
    },

    async read({ urn, id, inputs: oldInputs, state }) {
      const sent = { urn, id, inputs: clear(oldInputs), properties: clear(state) };
      const request = addressed(new ReadRequest(), urn);
      request.setId(id);
      request.setInputs(toStruct(sent.inputs));
      request.setProperties(toStruct(sent.properties));
      const answer = await ask(service.read, request, sent, (response) => ({
        id: response.getId(),
        ...(response.hasInputs() && { inputs: fromStruct(response.getInputs()) }),
        outputs: fromStruct(response.getProperties()),
      }));
      return {
        ...answer,
        ...(answer.inputs && { inputs: markSecrets(answer.inputs, oldInputs) }),
        outputs: markSecrets(answer.outputs, state),
      };
    },

    async delete({ urn, id, inputs: oldInputs, outputs }) {
      const sent = { urn, id, properties: clear(outputs) };
      const request = addressed(new DeleteRequest(), urn);
      request.setId(id);
      request.setProperties(toStruct(sent.properties));
      request.setOldInputs(toStruct(clear(oldInputs)));
      await ask(service.delete, request, sent, () => ({}));
    },
  };
}

/** The error that a host returned: the resource is not ready, or the call failed. */
function hostError(error: ServiceError): Error {
  const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (details instanceof Uint8Array) {
    for (const detail of Status.deserializeBinary(details).getDetailsList()) {
      if (!detail.getTypeUrl().endsWith("pulumirpc.ErrorResourceInitFailed")) continue;
      const failure = ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
      return new InitFailure(failure.getId(), fromStruct(failure.getProperties()), failure.getReasonsList());
    }
  }
  return new Error(error.details || error.message);
}

/** Marks the outputs of a resource that is not ready as secret where its inputs are. */
function markFailure(news: Properties) {
  return (error: unknown): never => {
    if (!(error instanceof InitFailure)) throw error;
    throw new InitFailure(error.id, markSecrets(error.outputs, news), error.reasons);
  };
}

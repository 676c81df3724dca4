/** Calls a provider over gRPC: Pulumi's dynamic-provider host, or a plugin. */
import { Client, credentials, type MethodDefinition, type ServiceError, status } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import {
  type CheckRequest,
  type CheckResponse,
  DiffResponse,
  ErrorResourceInitFailed,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import {
  CHANNEL_OPTIONS,
  call,
  type Fields,
  fromMap,
  fromStruct,
  nameOf,
  processEnded,
  requestOf,
  type Trace,
} from "../protocol/grpc";
import { parseUrn } from "../protocol/urn";
import { forPlugin, forProvider, markSecrets, type Properties } from "../protocol/values";
import {
  type CheckedInputs,
  InitFailure,
  type InputChange,
  type Provider,
  type ResourceChange,
} from "./provider";

/**
 * What a provider process is. A plugin takes and returns secrets, previews creates and updates, and checks its
 * configuration. The dynamic-provider host gets the plain text of secrets, and the engine marks what it returns.
 */
export type ProviderKind = "dynamic host" | "plugin";

/** Connects to a provider process at a port of this machine. */
export function connect(port: number | string): Client {
  return new Client(`127.0.0.1:${port}`, credentials.createInsecure(), CHANNEL_OPTIONS);
}

/** Calls methods with the fields of requests, and traces requests and responses as plain data. */
function asking(connected: Promise<Client>, trace: Trace) {
  return async <Request extends object, Response, Answer>(
    method: MethodDefinition<Request, Response>,
    fields: Fields<Request>,
    read: (response: Response) => Answer,
  ): Promise<Answer> => {
    const client = await connected;
    const name = nameOf(method);
    trace({ from: "engine", to: "host", method: name, answer: false, payload: fields });
    try {
      const answer = read(await call(client, method, requestOf(method, fields)));
      trace({ from: "host", to: "engine", method: name, answer: true, payload: answer });
      return answer;
    } catch (error) {
      const failure = providerError(error as ServiceError);
      trace({ from: "host", to: "engine", method: name, answer: true, payload: { error: failure.message } });
      throw failure;
    }
  };
}

type Ask = ReturnType<typeof asking>;

/** Asks a process to check inputs, in the form that it takes. */
async function askCheck(
  ask: Ask,
  method: MethodDefinition<CheckRequest, CheckResponse>,
  { urn, olds, news }: InputChange,
): Promise<CheckedInputs> {
  return await ask(method, { ...identityOf(urn), olds, news }, (response) => ({
    inputs: fromStruct(response.getInputs()),
    failures: response.getFailuresList().map((failure) => failure.toObject()),
  }));
}

function withoutMarks({ urn, olds, news }: InputChange): InputChange {
  return { urn, olds: forProvider(olds), news: forProvider(news) };
}

/** A provider behind a connection. It can be configured once. */
export type ConnectedProvider = ReturnType<typeof connectedProvider>;

/** The provider behind a connection, in whatever process it is. */
export function connectedProvider(connected: Promise<Client>, kind: ProviderKind, trace: Trace) {
  const ask = asking(connected, trace);
  const isPlugin = kind === "plugin";
  return {
    /** Checks a configuration. Pulumi passes it without marks, and marks what was secret in the response. */
    async check(configuration: InputChange): Promise<CheckedInputs> {
      if (!isPlugin) return { inputs: configuration.news, failures: [] };
      const checked = await askCheck(ask, service.checkConfig, withoutMarks(configuration));
      return { ...checked, inputs: markSecrets(checked.inputs, configuration.news) };
    },
    /** Whether a checked configuration changes the provider. Undefined if the process does not decide. */
    async changes(configuration: InputChange): Promise<boolean | undefined> {
      if (!isPlugin) return undefined;
      const { urn, olds, news } = withoutMarks(configuration);
      return await ask(service.diffConfig, { ...identityOf(urn), oldInputs: olds, olds, news }, changesIn);
    },
    configure: (inputs: Properties) => configuredProvider(ask, isPlugin, inputs),
    /** Asks the process to stop, which ends the calls in progress. As in Pulumi, one that cannot be asked need not stop. */
    cancel: () => ask(service.cancel, {}, () => {}).catch(() => {}),
  };
}

/** Whether there are changes. Undefined if the provider does not decide. */
function changesIn(response: DiffResponse): boolean | undefined {
  const { DIFF_SOME, DIFF_UNKNOWN } = DiffResponse.DiffChanges;
  const changes = response.getChanges();
  return changes === DIFF_UNKNOWN ? undefined : changes === DIFF_SOME;
}

const service = ResourceProviderService;

/** The fields with which most requests say which resource they are about. */
function identityOf(urn: string) {
  const { name, type } = parseUrn(urn);
  return { urn, name, type };
}

async function configuredProvider(ask: Ask, isPlugin: boolean, config: Properties): Promise<Provider> {
  const { sendable, received, marked, changing } = formOf(isPlugin);
  const args = isPlugin ? sendable(config) : config;
  await ask(service.configure, { args, acceptsecrets: true, acceptresources: true }, () => ({}));
  return {
    known: true,

    async check({ urn, olds, news }) {
      const sent = { urn, olds: sendable(olds), news: sendable(news) };
      const checked = await askCheck(ask, service.check, sent);
      return { ...checked, inputs: received(checked.inputs, news) };
    },

    diff: (change) =>
      ask(service.diff, changing(change), (response) => {
        const changes = changesIn(response);
        return {
          ...(changes !== undefined && { changes }),
          replaces: response.getReplacesList(),
          deleteBeforeReplace: response.getDeletebeforereplace(),
          ...(response.getHasdetaileddiff() && {
            paths: fromMap(response.getDetaileddiffMap()).map(([path]) => path),
          }),
        };
      }),

    async create({ urn, inputs, preview = false, timeoutSeconds: timeout = 0 }) {
      if (preview && !isPlugin) return { id: "", outputs: inputs };
      const fields = { ...identityOf(urn), properties: sendable(inputs), preview, timeout };
      const asked = ask(service.create, fields, (response) => ({
        id: response.getId(),
        outputs: fromStruct(response.getProperties()),
      }));
      const answer = await marked(asked, inputs);
      if (answer.id === "" && !preview) throw new Error(`The provider returned no id for ${urn}.`);
      return answer;
    },

    async update({ preview = false, timeoutSeconds: timeout = 0, ...change }) {
      if (preview && !isPlugin) return { outputs: change.news };
      const asked = ask(service.update, { ...changing(change), preview, timeout }, (response) => ({
        outputs: fromStruct(response.getProperties()),
      }));
      return await marked(asked, change.news);
    },

    async delete({ urn, id, inputs, outputs, timeoutSeconds: timeout = 0 }) {
      const [properties, oldInputs] = [sendable(outputs), sendable(inputs)];
      await ask(service.delete, { ...identityOf(urn), id, properties, oldInputs, timeout }, () => ({}));
    },

    async read({ urn, id, inputs = {}, state, timeoutSeconds: timeout = 0 }) {
      const properties = state && { properties: sendable(state) };
      const fields = { ...identityOf(urn), id, inputs: sendable(inputs), ...properties, timeout };
      const asked = ask(service.read, fields, (response) => ({
        id: response.getId(),
        ...(response.hasInputs() && { inputs: fromStruct(response.getInputs()) }),
        outputs: fromStruct(response.getProperties()),
      }));
      const answer = await marked(asked, state ?? {});
      return { ...answer, ...(answer.inputs && { inputs: received(answer.inputs, inputs) }) };
    },

    invoke: (token, args) =>
      ask(service.invoke, { tok: token, args: sendable(args) }, (response) => {
        const [failure] = response.getFailuresList();
        if (failure) throw new Error(`${token}: ${failure.getReason()}`);
        return fromStruct(response.getReturn());
      }),
  };
}

/** The form in which a process takes and returns properties. */
function formOf(isPlugin: boolean) {
  /** Properties as they are sent. */
  const sendable = isPlugin ? forPlugin : forProvider;
  /** Properties as they are received, marked where what was sent was secret. */
  const received = (properties: Properties, sent: Properties): Properties =>
    isPlugin ? properties : markSecrets(properties, sent);
  return {
    sendable,
    received,
    /** Marks the outputs of an answer, or of a resource that is not ready. */
    async marked<Answer extends { readonly outputs: Properties }>(
      answer: Promise<Answer>,
      sent: Properties,
    ): Promise<Answer> {
      try {
        const { outputs, ...rest } = await answer;
        return { ...rest, outputs: received(outputs, sent) } as Answer;
      } catch (error) {
        if (!(error instanceof InitFailure)) throw error;
        throw new InitFailure(error.id, received(error.outputs, sent), error.reasons, error.inputs);
      }
    },
    /** The fields that the requests to compare and to update a resource have in common. */
    changing: ({ urn, id, oldInputs, oldOutputs, news, ignoreChanges }: ResourceChange) => ({
      ...identityOf(urn),
      id,
      olds: sendable(oldOutputs),
      news: sendable(news),
      oldInputs: sendable(oldInputs),
      ignorechangesList: [...ignoreChanges],
    }),
  };
}

/** The codes of calls to a process that ends. Providers do not respond with them, and the engine cancels no call. */
const PROCESS_ENDED: readonly status[] = [status.UNAVAILABLE, status.CANCELLED];

/** The error that a provider returned: the resource is not ready, or the call failed. */
function providerError(error: ServiceError): Error {
  if (PROCESS_ENDED.includes(error.code)) return processEnded();
  const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (details instanceof Uint8Array) {
    for (const detail of Status.deserializeBinary(details).getDetailsList()) {
      if (!detail.getTypeUrl().endsWith("pulumirpc.ErrorResourceInitFailed")) continue;
      const failure = ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
      return new InitFailure(
        failure.getId(),
        fromStruct(failure.getProperties()),
        failure.getReasonsList(),
        failure.hasInputs() ? fromStruct(failure.getInputs()) : undefined,
      );
    }
  }
  return new Error(error.details || error.message);
}

/**
 * Provider hosts in this process, for the test engine: they do what Pulumi's dynamic-provider host does between the
 * engine and the provider objects. test/protocol/hosts and the tests with separate processes test the real host.
 */
import { type ServiceError, status } from "@grpc/grpc-js";
import type { dynamic } from "@pulumi/pulumi";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { dynamicProvider, type ProcessContext } from "../../../provider/hosts/dynamic/dynamicProvider";
import { providerText } from "../../../provider/hosts/dynamicNames";
import { failureOf, UnreadyResource } from "../../../provider/hosts/plugin/failures";
import { newRunMemory } from "../../../provider/lifecycle/run/runMemory";
import type { Report } from "../../../provider/report";
import { DESCRIPTIONS } from "../../../provider/resources";
import { fromStruct, toStruct, withFields } from "../../../testing/engine/protocol/grpc";
import { forProvider, type Properties } from "../../../testing/engine/protocol/values";
import { connectedProvider } from "../../../testing/engine/providers/providerClient";
import type {
  ProviderProcess,
  ProviderProcessRequest,
} from "../../../testing/engine/providers/providerProcess";
import { inProcessClient, type Methods, type Respond } from "./inProcessClient";
import type { Surrogate } from "./inProcessSurrogate";

type HostedProvider = Required<Omit<dynamic.ResourceProvider, "__pulumiPreventCapture">>;
type ProviderNamed = (text: string) => HostedProvider;

/** Starts a host in this process. It is configured once, and runs until it is killed. */
export function inProcessHost(
  surrogate: Surrogate,
  request: ProviderProcessRequest,
  providerNamed = packageProviders(surrogate, request),
): ProviderProcess {
  const ended = Promise.withResolvers<null>();
  const client = inProcessClient(methodsOf(providerNamed), surrogate.killed);
  return {
    exited: ended.promise,
    kill: () => void surrogate.kill().then(() => ended.resolve(null)),
    ...connectedProvider(client, "dynamic host", request.trace),
  };
}

function packageProviders(
  { killed, clock, session }: Surrogate,
  { environment, log }: ProviderProcessRequest,
): ProviderNamed {
  const report: Report = (message, { persistent = false, warning = false } = {}) =>
    log({ severity: warning ? "warning" : "info", message, ephemeral: !persistent });
  const process: ProcessContext = {
    environment,
    signal: killed,
    clock,
    memory: newRunMemory(),
    report,
    session: (settings) => session(settings, report),
  };
  return (text) => {
    const description = Object.values(DESCRIPTIONS).find((each) => providerText(each) === text);
    if (description === undefined) throw new Error(`There is no provider with the text ${text}.`);
    return dynamicProvider<never, never>(description as never, process);
  };
}

/** What Pulumi's host does: each method finds the provider in the properties, and returns its text with the results. */
function methodsOf(providerNamed: ProviderNamed): Methods {
  let config: Properties = {};
  const byText = new Map<unknown, Promise<HostedProvider>>();

  async function configured(text: unknown): Promise<HostedProvider> {
    const provider = providerNamed(String(text));
    await provider.configure({ config: { get: (key: string) => config[key] } as never });
    return provider;
  }

  function providerOf({ __provider: text }: Properties): Promise<HostedProvider> {
    const provider = byText.get(text) ?? configured(text);
    byText.set(text, provider);
    return provider;
  }

  return {
    configure: answering(async (request: messages.ConfigureRequest) => {
      config = forProvider(fromStruct(request.getArgs()));
      return new messages.ConfigureResponse();
    }),
    // Pulumi's host does nothing either.
    cancel: answering(async () => new Empty()),
    check: answering(async (request: messages.CheckRequest) => {
      const news = fromStruct(request.getNews());
      const provider = await providerOf(news);
      const { inputs, failures = [] } = await provider.check(fromStruct(request.getOlds()), news);
      const failuresList = failures.map((failure) => withFields(new messages.CheckFailure(), failure));
      return withFields(new messages.CheckResponse(), { inputs: answered(inputs, news), failuresList });
    }),
    diff: answering(async (request: messages.DiffRequest) => {
      const news = fromStruct(request.getNews());
      const provider = await providerOf(news);
      const {
        changes,
        replaces = [],
        deleteBeforeReplace: deletebeforereplace = false,
      } = await provider.diff(request.getId(), fromStruct(request.getOlds()), news);
      const { DIFF_UNKNOWN, DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
      return withFields(new messages.DiffResponse(), {
        changes: changes === undefined ? DIFF_UNKNOWN : changes ? DIFF_SOME : DIFF_NONE,
        replacesList: replaces,
        deletebeforereplace,
      });
    }),
    create: answering(async (request: messages.CreateRequest) => {
      const sent = fromStruct(request.getProperties());
      const { id, outs } = await (await providerOf(sent)).create(sent);
      return withFields(new messages.CreateResponse(), { id, properties: answered(outs, sent) });
    }),
    update: answering(async (request: messages.UpdateRequest) => {
      const news = fromStruct(request.getNews());
      const provider = await providerOf(news);
      const { outs } = await provider.update(request.getId(), fromStruct(request.getOlds()), news);
      return withFields(new messages.UpdateResponse(), { properties: answered(outs, news) });
    }),
    read: answering(async (request: messages.ReadRequest) => {
      const state = fromStruct(request.getProperties());
      const sent = Object.keys(state).length === 0 ? fromStruct(request.getInputs()) : state;
      const { id = "", props, inputs } = await (await providerOf(sent)).read(request.getId(), sent);
      return withFields(new messages.ReadResponse(), {
        id,
        properties: answered(props, sent),
        ...(inputs && { inputs: answered(inputs, sent) }),
      });
    }),
    delete: answering(async (request: messages.DeleteRequest) => {
      const sent = fromStruct(request.getProperties());
      await (await providerOf(sent)).delete(request.getId(), sent);
      return new Empty();
    }),
  };
}

/** The result of a provider in wire form, with the provider's text. */
function answered(properties: object | undefined, { __provider = null }: Properties): Struct {
  return toStruct({ ...json(properties), __provider });
}

function json(properties: object = {}): Properties {
  return JSON.parse(JSON.stringify(properties));
}

/** A method of the host. An error with an id means "created, but not ready". */
function answering<Request>(answer: (request: Request) => Promise<unknown>) {
  return ({ request }: { readonly request: Request }, respond: Respond) =>
    answer(request).then(
      (response) => respond(null, response),
      ({ id, properties, reasons, message }) =>
        respond(
          id === undefined
            ? ({ code: status.UNKNOWN, details: message } satisfies Partial<ServiceError>)
            : failureOf(
                new UnreadyResource(id, reasons, { outputs: { values: json(properties), secrets: [] } }),
                "",
              ),
        ),
    );
}

/** Runs the plugin in this process and calls it over gRPC, as the engine does. Properties have the engine's encoding. */
import type { MethodDefinition, ServiceError } from "@grpc/grpc-js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService as methods } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import type { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { systemClock } from "../../../../provider/client/client";
import type { PluginProcess } from "../../../../provider/hosts/plugin/run";
import { startPlugin } from "../../../../provider/hosts/plugin/server";
import { createSession } from "../../../../provider/session/session";
import { call, type Fields, withFields } from "../../../../testing/engine/protocol/grpc";
import { connect } from "../../../../testing/engine/providers/providerClient";

type Values = Record<string, unknown>;

/** What the plugin returns for a resource that is not ready. */
export type InitFailure = NonNullable<CallError["initFailure"]>;

export class CallError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly initFailure?: { id: string; reasons: string[]; properties: Values; inputs: Values | undefined },
  ) {
    super(message);
  }
}

/** A client of the plugin, in the role of the engine. */
export type PluginClient = Awaited<ReturnType<typeof connectPlugin>>;

export async function connectPlugin(overrides: Partial<PluginProcess> = {}) {
  const reports: { urn: string; message: string; persistent: boolean }[] = [];
  const events = { reports, attached: [] as string[], ended: 0 };
  const plugin = await startPlugin({
    environment: {},
    clock: systemClock,
    session: (settings) => createSession(settings, { random: () => 0 }),
    schema: () => JSON.stringify({ name: "dynamiclink" }),
    terraformMapping: () => JSON.stringify({ name: "dynamiclink", version: "0.4.0" }),
    version: "1.2.3",
    attach: (address) => void events.attached.push(address),
    reportTo:
      (urn) =>
      (message, { persistent = false } = {}) =>
        void reports.push({ urn, message, persistent }),
    end: () => {
      events.ended++;
    },
    ...overrides,
  });
  const client = connect(plugin.port);

  async function ask<Request, Response>(method: MethodDefinition<Request, Response>, request: Request) {
    return await call(client, method, request).catch((error: ServiceError) => {
      throw callError(error);
    });
  }

  /** Calls a method with these fields, and reads the response. */
  async function send<Request extends object, Response, Result>(
    method: MethodDefinition<Request, Response>,
    { urn, ...fields }: Values,
    read: (response: Response) => Result,
  ): Promise<Result> {
    const { requestType } = method as unknown as { readonly requestType: new () => Request };
    const about = urn === undefined ? {} : { urn, type: String(urn).split("::")[2] };
    return read(await ask(method, filled(new requestType(), { ...about, ...fields })));
  }

  return {
    /** What the plugin did besides responding to calls, in order. */
    events,
    ask,
    cancelBySignal: plugin.cancel,
    close() {
      client.close();
      plugin.close();
    },
    configure: (args: Values) => send(methods.configure, { args }, (response) => response.toObject()),
    checkConfig: (news: Values, olds: Values = {}) => send(methods.checkConfig, { olds, news }, checkedIn),
    diffConfig: (oldInputs: Values, news: Values) =>
      send(methods.diffConfig, { oldInputs, news }, differenceOf),
    check: (urn: string, news: Values) => send(methods.check, { urn, olds: {}, news }, checkedIn),
    diff: (urn: string, id: string, values: Record<"olds" | "news" | "oldInputs", Values>) =>
      send(methods.diff, { urn, id, ...values }, differenceOf),
    create: (urn: string, properties: Values, options: WriteOptions = {}) =>
      send(methods.create, { urn, properties, ...options }, (response) => ({
        id: response.getId(),
        outputs: plain(response.getProperties()),
      })),
    read: (urn: string, id: string, options: ReadOptions = {}) =>
      send(methods.read, { urn, id, ...options }, (response) => ({
        id: response.getId(),
        outputs: response.hasProperties() ? plain(response.getProperties()) : undefined,
        inputs: response.hasInputs() ? plain(response.getInputs()) : undefined,
      })),
    update: (urn: string, id: string, olds: Values, news: Values, options: WriteOptions = {}) =>
      send(methods.update, { urn, id, olds, news, ...options }, (reply) => plain(reply.getProperties())),
    delete: (urn: string, id: string, properties: Values, options: WriteOptions = {}) =>
      send(methods.delete, { urn, id, properties, ...options }, () => {}),
    invoke: (tok: string, args: Values) =>
      send(methods.invoke, { tok, args }, (response) => plain(response.getReturn())),
    cancel: () => ask(methods.cancel, new Empty()),
    attach: (address: string) => ask(methods.attach, filled(new PluginAttach(), { address })),
  };
}

type WriteOptions = { timeout?: number; preview?: boolean; oldInputs?: Values | undefined };
type ReadOptions = { timeout?: number; properties?: Values; inputs?: Values };

/** A secret in the engine's encoding. */
export function secret(value: unknown): unknown {
  return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

/** The encoding of a value that is not known yet. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The URN of a resource of the package. */
export function urnOf(type: string): string {
  return `urn:pulumi:dev::shop::dynamiclink:index:${type}::it`;
}

/** A request with these fields, except undefined ones. Objects are properties, as structs. */
function filled<Request extends object>(request: Request, fields: Values): Request {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return withFields(request, Object.fromEntries(given) as Fields<Request>);
}

function plain(properties: Struct | undefined): Values {
  return (properties?.toJavaScript() ?? {}) as Values;
}

function checkedIn(response: messages.CheckResponse) {
  const failures = response.getFailuresList().map((failure) => {
    // If a property is given, the engine prints its value.
    if (failure.getProperty() !== "")
      throw new Error(`The failure has the property ${failure.getProperty()}.`);
    return failure.getReason();
  });
  return { inputs: plain(response.getInputs()), failures };
}

function differenceOf(response: messages.DiffResponse) {
  const kinds = Object.entries(messages.PropertyDiff.Kind);
  const entries = response.getDetaileddiffMap().toArray() as unknown as [string, [number?, boolean?]][];
  // The kinds of change, by path. The prefix `~` marks an output.
  const changes = entries.map(([path, [kind = 0, isInput = false]]) => [
    `${isInput ? "" : "~"}${path}`,
    kinds.find(([, number]) => number === kind)?.[0] ?? "",
  ]);
  return {
    some: response.getChanges() === messages.DiffResponse.DiffChanges.DIFF_SOME,
    changes: Object.fromEntries(changes),
    changed: response.getDiffsList(),
    replaces: response.getReplacesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
    stable: response.getStablesList(),
  };
}

function callError(error: ServiceError): CallError {
  const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (!(details instanceof Uint8Array)) return new CallError(error.code, error.details);
  const response = Status.deserializeBinary(details);
  const [detail] = response.getDetailsList() as [Any];
  // gRPC libraries compare them.
  expect([response.getCode(), response.getMessage()]).toEqual([error.code, error.details]);
  expect(detail.getTypeUrl()).toBe("type.googleapis.com/pulumirpc.ErrorResourceInitFailed");
  const failure = messages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
  return new CallError(error.code, error.details, {
    id: failure.getId(),
    properties: plain(failure.getProperties()),
    reasons: failure.getReasonsList(),
    inputs: failure.hasInputs() ? plain(failure.getInputs()) : undefined,
  });
}

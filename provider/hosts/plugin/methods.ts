/** Implements Pulumi's ResourceProvider protocol: decodes each request, runs it, and encodes the response. */
import type { handleUnaryCall, ServiceError } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import type { IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { hiding } from "../../client/sanitized";
import { UserError } from "../../errors";
import type { ResourceDescription } from "../../lifecycle/description";
import { ORGANIZATION_PROPERTY } from "../../lifecycle/hiddenProperties";
import type { ResourceRun } from "../../lifecycle/run/runContext";
import { unlessAborted } from "../../lifecycle/unlessAborted";
import type { Report } from "../../report";
import { EVERY_DESCRIPTION } from "../../resources";
import { callFunction, FUNCTIONS, type FunctionName } from "../../resources/functions";
import { propertyAt } from "../../values/walk";
import { nativeToken, PACKAGE_NAME } from "../hosts";
import { TERRAFORM_PROVIDER } from "../terraform/names";
import { parseUrn } from "../urn";
import { isUnknown, withoutHidden } from "../values";
import { type Calls, StoppedError } from "./calls";
import { configurationFailures, organizationOf } from "./configuration";
import { failureOf, sanitizedError, UnreadyResource } from "./failures";
import { filled } from "./filled";
import * as resource from "./pluginResource";
import { detailedDiff, type ResourceDiff } from "./resourceDiff";
import { newPluginRun, type PluginProcess, type PluginRun } from "./run";
import { fromStruct, type PropertyValues, secretTexts, toStruct } from "./wire";

const DESCRIPTIONS: ReadonlyMap<string, ResourceDescription> = new Map(
  EVERY_DESCRIPTION.map((description) => [nativeToken(description.type), description]),
);

const FUNCTION_NAMES: ReadonlyMap<string, FunctionName> = new Map(
  Object.keys(FUNCTIONS).map((name) => [nativeToken(name), name as FunctionName]),
);

/** The key of the mapping that Pulumi requests to convert a Terraform configuration. */
const MAPPING_KEY = "terraform";

type Methods = Partial<IResourceProviderServer>;

/** The state that the methods of a plugin process share. */
interface Running {
  readonly plugin: PluginProcess;
  readonly run: PluginRun;
  readonly calls: Calls;
}

export function methodsOf(plugin: PluginProcess, calls: Calls): Methods {
  const running = { plugin, run: newPluginRun(plugin), calls };
  return {
    ...packageMethods(plugin),
    ...providerMethods(running),
    ...resourceMethods(running),
    ...functionMethods(running),
    cancel: unary("Cancel", async () => {
      calls.cancel();
      return new Empty();
    }),
  };
}

function packageMethods(plugin: PluginProcess): Methods {
  return {
    handshake: unary("Handshake", async (request) => {
      plugin.attach(request.getEngineAddress());
      const accepts = { acceptSecrets: true, acceptResources: true, acceptOutputs: true };
      return filled(new messages.ProviderHandshakeResponse(), accepts);
    }),

    attach: unary("Attach", async (request) => {
      plugin.attach(request.getAddress());
      return new Empty();
    }),

    getPluginInfo: unary("GetPluginInfo", async () => filled(new PluginInfo(), { version: plugin.version })),

    getSchema: unary("GetSchema", async () =>
      filled(new messages.GetSchemaResponse(), { schema: plugin.schema() }),
    ),

    getMappings: unary("GetMappings", async (request) => {
      const providersList = request.getKey() === MAPPING_KEY ? [TERRAFORM_PROVIDER] : [];
      return filled(new messages.GetMappingsResponse(), { providersList });
    }),

    getMapping: unary("GetMapping", async (request) => {
      const response = new messages.GetMappingResponse();
      // Without a name, Pulumi asks every plugin for the mapping that it has.
      const isAsked = ["", TERRAFORM_PROVIDER].includes(request.getProvider());
      if (request.getKey() !== MAPPING_KEY || !isAsked) return response;
      const data = Buffer.from(plugin.terraformMapping());
      return filled(response, { provider: TERRAFORM_PROVIDER, data });
    }),
  };
}

/** The methods about a provider: its settings, and the organization of its key. */
function providerMethods({ plugin, run, calls }: Running): Methods {
  return {
    // Saves the owner: see docs/internals/native-host.md#owner.
    checkConfig: unary("CheckConfig", async (request) => {
      const { values, secrets } = fromStruct(request.getNews());
      const { [ORGANIZATION_PROPERTY]: owner } = fromStruct(request.getOlds()).values;
      const { environment } = plugin;
      const failures = configurationFailures(values, { environment, isUnknown });
      let organization = owner;
      if (failures.length === 0) {
        const call = { title: "provider", timeoutSeconds: 0 };
        organization = await calls
          .run(call, async (limits) => {
            run.configure(values);
            return await organizationOf(() => run.session(limits), owner);
          })
          .catch((error: unknown) => {
            if (!(error instanceof UserError)) throw error;
            failures.push(error.message);
          });
      }
      const inputs = { ...values, [ORGANIZATION_PROPERTY]: organization };
      // A key from plain configuration is encrypted in the state, too. One from the environment is never in the state.
      return checkResponse({ values: inputs, secrets: [...secrets, "apiKey"] }, failures);
    }),

    diffConfig: unary("DiffConfig", async (request) => {
      const before = withoutHidden(fromStruct(request.getOldInputs() ?? request.getOlds()).values);
      const after = withoutHidden(fromStruct(request.getNews()).values);
      const changes = detailedDiff(before, after, []);
      // A new key replaces nothing: see docs/internals/native-host.md#moving. CheckConfig has refused one of another organization.
      return diffResponse({ changes, replaces: [], deleteBeforeReplace: false, stable: [], outputs: [] });
    }),

    configure: unary("Configure", async (request) => {
      run.configure(fromStruct(request.getArgs()).values);
      const accepts = { acceptsecrets: true, acceptresources: true, acceptoutputs: true };
      return filled(new messages.ConfigureResponse(), { ...accepts, supportspreview: true });
    }),
  };
}

function resourceMethods(running: Running): Methods {
  const forResource = resourceCalls(running);
  const withEarlierError = createErrors();
  return {
    check: unary("Check", async (request) => {
      try {
        const { inputs, failures } = await forResource(request, resource.check);
        return checkResponse(inputs, failures);
      } catch (error) {
        // A failure is shown only on the resource.
        if (!(error instanceof UserError)) throw error;
        const failuresList = [failure(error.message)];
        return filled(new messages.CheckResponse(), { inputs: request.getNews(), failuresList });
      }
    }),

    diff: unary("Diff", async (request) => diffResponse(await forResource(request, resource.diff))),

    create: unary("Create", async (request) => {
      const { id, ...outputs } = await forResource(request, resource.create).catch((error: Error) => {
        throw withEarlierError(request.getUrn(), error);
      });
      return filled(new messages.CreateResponse(), { id, properties: toStruct(outputs) });
    }),

    read: unary("Read", async (request) => {
      const reading = await forResource(request, resource.read);
      const response = new messages.ReadResponse();
      if (reading === undefined) return response;
      const { id, outputs, inputs } = reading;
      return filled(response, { id, properties: toStruct(outputs), inputs: toStruct(inputs) });
    }),

    update: unary("Update", async (request) => {
      const properties = toStruct(await forResource(request, resource.update));
      return filled(new messages.UpdateResponse(), { properties });
    }),

    delete: unary("Delete", async (request) => {
      await forResource(request, resource.remove);
      return new Empty();
    }),
  };
}

function functionMethods({ run, calls }: Running): Methods {
  return {
    invoke: unary("Invoke", async (request) => {
      const name = known(FUNCTION_NAMES, request.getTok(), "function");
      const args = fromStruct(request.getArgs());
      const call = { title: "function", timeoutSeconds: 0 };
      const result = await calls.run(call, async (limits) =>
        unlessAborted(() => callFunction(name, args.values, () => run.contextFor("", limits)), limits.waits),
      );
      // If an argument is secret, everything in the result may be secret.
      const secrets = args.secrets.length > 0 ? Object.keys(result) : [];
      return filled(new messages.InvokeResponse(), { return: toStruct({ values: { ...result }, secrets }) });
    }),
  };
}

/** Creates a function that runs a call for a resource, within the call's limits. */
function resourceCalls({ run, calls }: Running) {
  return async <Value>(
    message: ResourceMessage,
    operation: (run: ResourceRun, request: resource.Request) => Promise<Value>,
  ): Promise<Value> => {
    const type = message.getType() || parseUrn(message.getUrn()).type;
    const description = known(DESCRIPTIONS, type, "resource type");
    const timeoutSeconds = message.getTimeout?.() ?? 0;
    const request = requestIn(message);
    const sanitized = sanitizerFor(run, description, request);
    try {
      return await calls.run({ title: description.title, timeoutSeconds }, (limits) => {
        const context = run.contextFor(message.getUrn(), limits);
        const report: Report = (text, options) => context.report(sanitized(text), options);
        return operation({ ...context, description, report }, request);
      });
    } catch (error) {
      throw sanitizedError(error, sanitized);
    }
  };
}

/** Hides the secret values of a request, which the service quotes if it refuses them, and adds the object's name to its id. */
function sanitizerFor(run: PluginRun, description: ResourceDescription, request: resource.Request) {
  const { uniqueBy = "" } = description;
  const { id, fields } = request;
  const sent = Object.values(fields).filter((each) => each !== undefined);
  const withoutSecrets = hiding(sent.flatMap(secretTexts));
  const { [uniqueBy]: name } = (fields.olds ?? fields.properties)?.values ?? {};
  // The dynamic host adds no name: it does not know whether that is secret.
  const isSecret = sent.some(({ secrets }) => secrets.includes(uniqueBy));
  if (name === undefined || id === "" || isSecret) return withoutSecrets;
  return (text: string) =>
    withoutSecrets(text.replace(` ${id}`, () => ` ${run.open().client.sanitized(name)} (${id})`));
}

/** Adds earlier errors of the same create to an error: see docs/internals/engine.md#repeated-calls. */
function createErrors(): (urn: string, error: Error) => Error {
  const failures = new Map<string, Error>();
  // The engine saves and shows only the result of the last call, so that one repeats the earlier error.
  return (urn, error) => {
    const earlier = failures.get(urn);
    if (earlier instanceof UnreadyResource && !(error instanceof UnreadyResource))
      return new UnreadyResource(earlier.id, [error.message, ...earlier.reasons], earlier.saved);
    if (earlier !== undefined && error instanceof StoppedError)
      return new UserError(`${error.message}\n${earlier.message}`, { cause: earlier });
    failures.set(urn, error);
    return error;
  };
}

interface ResourceMessage
  extends Partial<Record<`get${Capitalize<resource.FieldName>}`, () => Struct | undefined>> {
  getUrn(): string;
  getType(): string;
  getId?(): string;
  getTimeout?(): number;
  getPreview?(): boolean;
}

/** Decodes a message, each property once. @throws UserError for a value that no property can have. */
function requestIn(message: ResourceMessage): resource.Request {
  const decoded = (struct: Struct | undefined) => struct && fromStruct(struct);
  return {
    id: message.getId?.() ?? "",
    isPreview: message.getPreview?.() ?? false,
    fields: {
      news: decoded(message.getNews?.()),
      olds: decoded(message.getOlds?.()),
      oldInputs: decoded(message.getOldInputs?.()),
      properties: decoded(message.getProperties?.()),
      inputs: decoded(message.getInputs?.()),
    },
  };
}

/** @throws UserError for a token that the package does not have. */
function known<Value>(all: ReadonlyMap<string, Value>, token: string, noun: string): Value {
  const value = all.get(token);
  if (value !== undefined) return value;
  throw new UserError(
    `The package ${PACKAGE_NAME} has no ${noun} "${token}"; it has ${[...all.keys()].join(", ")}.`,
  );
}

function checkResponse(inputs: PropertyValues, failures: readonly string[]): messages.CheckResponse {
  const response = new messages.CheckResponse();
  return filled(response, { inputs: toStruct(inputs), failuresList: failures.map(failure) });
}

function failure(reason: string): messages.CheckFailure {
  // The reason starts with the path: see docs/internals/dynamic-host.md#check-failures.
  return filled(new messages.CheckFailure(), { property: "", reason });
}

function diffResponse(diff: ResourceDiff): messages.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const { changes, outputs } = diff;
  const response = filled(new messages.DiffResponse(), {
    changes: changes.size > 0 ? DIFF_SOME : DIFF_NONE,
    replacesList: [...diff.replaces],
    deletebeforereplace: diff.deleteBeforeReplace,
    stablesList: [...diff.stable],
    diffsList: [...new Set([...changes.keys()].map(propertyAt))],
    hasdetaileddiff: true,
  });
  for (const [path, kind] of changes) {
    const change = { kind: messages.PropertyDiff.Kind[kind], inputdiff: !outputs.includes(path) };
    response.getDetaileddiffMap().set(path, filled(new messages.PropertyDiff(), change));
  }
  return response;
}

/** Creates a gRPC method from an async function, and converts its errors. */
function unary<Request, Response>(
  method: string,
  respond: (request: Request) => Promise<Response>,
): handleUnaryCall<Request, Response> {
  return ({ request }, callback) => {
    respond(request).then(
      (response) => callback(null, response),
      (error: unknown) => {
        const urn = (request as Partial<ResourceMessage>).getUrn?.() ?? "";
        const subject = urn === "" ? method : `${method} of ${urn}`;
        callback(failureOf(error, subject) as ServiceError);
      },
    );
  };
}

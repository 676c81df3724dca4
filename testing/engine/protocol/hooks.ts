/**
 * Resource hooks: functions of a program that the engine calls before and after an operation, or when one has failed. The
 * program serves them while it runs, and registers them under names.
 */
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { CallbacksService } from "@pulumi/pulumi/proto/callback_grpc_pb";
import { type Callback, CallbackInvokeRequest } from "@pulumi/pulumi/proto/callback_pb";
import {
  ErrorHookRequest,
  ErrorHookResponse,
  type RegisterErrorHookRequest,
  type RegisterResourceHookRequest,
  type RegisterResourceRequest,
  ResourceHookRequest,
  ResourceHookResponse,
} from "@pulumi/pulumi/proto/resource_pb";
import { CHANNEL_OPTIONS, call, type EngineMessage, type Fields, toStruct, withFields } from "./grpc";
import { parseUrn } from "./urn";
import type { Properties } from "./values";

/** The operations that have hooks, as an error hook gets them. */
export type HookedOperation = "create" | "update" | "delete";

/** When a hook is called. The names are those in Pulumi's state. */
export type HookTime = "OnError" | `${"Before" | "After"}${Capitalize<HookedOperation>}`;

/** The names of the hooks of a resource, in the order of their calls. */
export type HookNames = Readonly<Partial<Record<HookTime, readonly string[]>>>;

/** What a hook is called with. Properties that the operation does not have are absent. */
export interface HookEvent {
  readonly urn: string;
  /** Empty for a resource that does not exist. */
  readonly id: string;
  readonly newInputs?: Properties;
  readonly oldInputs?: Properties;
  readonly newOutputs?: Properties;
  readonly oldOutputs?: Properties;
}

/** What an error hook is called with. */
export interface ErrorHookEvent extends Omit<HookEvent, "newOutputs"> {
  readonly failedOperation: HookedOperation;
  /** The errors of all attempts, the last one first. */
  readonly errors: readonly string[];
}

/** A hook that is called before or after an operation. It fails with an `Error`. */
export interface ResourceHook {
  readonly kind: "resource";
  readonly name: string;
  /** Whether previews call it. */
  readonly onDryRun: boolean;
  /** Whether its failure is only a warning. */
  readonly ignoreErrors: boolean;
  call(event: HookEvent): Promise<void>;
}

/** A hook that is called when an operation has failed. It resolves with whether to call the operation again. */
export interface ErrorHook {
  readonly kind: "error";
  readonly name: string;
  call(event: ErrorHookEvent): Promise<boolean>;
}

/** A hook that a program has registered. */
export type Hook = ResourceHook | ErrorHook;

/** The hooks that a registration names. */
export function readHookNames(request: RegisterResourceRequest): HookNames {
  const hooks = request.getHooks?.();
  if (!hooks) return {};
  const names: Record<HookTime, readonly string[]> = {
    BeforeCreate: hooks.getBeforeCreateList(),
    AfterCreate: hooks.getAfterCreateList(),
    BeforeUpdate: hooks.getBeforeUpdateList(),
    AfterUpdate: hooks.getAfterUpdateList(),
    BeforeDelete: hooks.getBeforeDeleteList(),
    AfterDelete: hooks.getAfterDeleteList(),
    // Older versions of the SDK have no error hooks.
    OnError: hooks.getOnErrorList?.() ?? [],
  };
  return Object.fromEntries(Object.entries(names).filter(([, list]) => list.length > 0));
}

/** The registration of a hook as plain data. */
export type HookRegistration = ReturnType<typeof readResourceHook> | ReturnType<typeof readErrorHook>;

/** Reads the registration of a hook that is called before or after an operation. */
export function readResourceHook(request: RegisterResourceHookRequest) {
  return {
    kind: "resource" as const,
    name: request.getName(),
    onDryRun: request.getOnDryRun(),
    ignoreErrors: request.getIgnoreErrors(),
    callback: readCallback(request.getCallback()),
  };
}

/** Reads the registration of a hook that is called when an operation has failed. */
export function readErrorHook(request: RegisterErrorHookRequest) {
  return {
    kind: "error" as const,
    name: request.getName(),
    callback: readCallback(request.getCallback()),
  };
}

/** A function that the program serves. */
interface ServedFunction {
  readonly target: string;
  readonly token: string;
}

function readCallback(callback: Callback | undefined): ServedFunction {
  return { target: callback?.getTarget() ?? "", token: callback?.getToken() ?? "" };
}

/** Calls the hooks that the program of one command serves. */
export function hookCalls(trace: (message: EngineMessage) => void) {
  const clients = new Map<string, Client>();

  function clientOf(target: string): Client {
    const client = clients.get(target) ?? new Client(target, credentials.createInsecure(), CHANNEL_OPTIONS);
    clients.set(target, client);
    return client;
  }

  /** Calls a function with a message, and reads its response. Throws an `Error` if it failed. */
  async function invoke<Response extends { getError(): string }>(
    { target, token }: ServedFunction,
    request: { serializeBinary(): Uint8Array },
    sent: HookEvent | ErrorHookEvent,
    read: (bytes: Uint8Array) => Response,
  ): Promise<Response> {
    const message = withFields(new CallbackInvokeRequest(), { token, request: request.serializeBinary() });
    trace({ from: "engine", to: "program", method: "Invoke", answer: false, payload: sent });
    const answer = await call(clientOf(target), CallbacksService.invoke, message).catch(
      ({ code, details }: ServiceError) => {
        throw new Error(code === status.UNAVAILABLE ? "The program has ended." : details);
      },
    );
    const response = read(answer.getResponse_asU8());
    const error = response.getError();
    trace({ from: "program", to: "engine", method: "Invoke", answer: true, payload: error ? { error } : {} });
    if (error !== "") throw new Error(error);
    return response;
  }

  return {
    /** A registered hook. */
    hook(registration: HookRegistration): Hook {
      const { callback } = registration;
      if (registration.kind === "resource") {
        return {
          ...registration,
          async call(event: HookEvent) {
            const { newOutputs } = event;
            const request = withFields(withEvent(new ResourceHookRequest(), event), {
              ...(newOutputs && { newOutputs: toStruct(newOutputs) }),
            });
            await invoke(callback, request, event, ResourceHookResponse.deserializeBinary);
          },
        };
      }
      return {
        ...registration,
        async call(event: ErrorHookEvent) {
          const { failedOperation, errors } = event;
          const request = withFields(withEvent(new ErrorHookRequest(), event), {
            failedOperation,
            errorsList: [...errors],
          });
          const response = await invoke(callback, request, event, ErrorHookResponse.deserializeBinary);
          return response.getRetry();
        },
      };
    },
    close(): void {
      for (const client of clients.values()) client.close();
    },
  };
}

/** Sets what the requests of all hooks have in common. */
function withEvent<Request extends ResourceHookRequest | ErrorHookRequest>(
  request: Request,
  { urn, id, newInputs, oldInputs, oldOutputs }: HookEvent,
): Request {
  const { name, type } = parseUrn(urn);
  withFields<ResourceHookRequest | ErrorHookRequest>(request, {
    urn,
    id,
    name,
    type,
    ...(newInputs && { newInputs: toStruct(newInputs) }),
    ...(oldInputs && { oldInputs: toStruct(oldInputs) }),
    ...(oldOutputs && { oldOutputs: toStruct(oldOutputs) }),
  } satisfies Fields<ResourceHookRequest>);
  return request;
}

/**
 * Error hooks: functions of a program that the engine calls when an operation has failed. The program serves them while
 * it runs, and registers them under names.
 */
import { Client, credentials, type ServiceError, status } from "@grpc/grpc-js";
import { CallbacksService } from "@pulumi/pulumi/proto/callback_grpc_pb";
import { CallbackInvokeRequest } from "@pulumi/pulumi/proto/callback_pb";
import {
  ErrorHookRequest,
  ErrorHookResponse,
  type RegisterErrorHookRequest,
  type RegisterResourceRequest,
} from "@pulumi/pulumi/proto/resource_pb";
import { CHANNEL_OPTIONS, call, type EngineMessage, toStruct, withFields } from "./grpc";
import { parseUrn } from "./urn";
import type { Properties } from "./values";

/** The operations that have error hooks. */
export type HookedOperation = "create" | "update" | "delete";

/** The names of the hooks of a resource, in the order of their calls. The key is that in Pulumi's state. */
export interface HookNames {
  readonly OnError?: readonly string[];
}

/** What an error hook is called with. Properties that the operation does not have are absent. */
export interface ErrorHookEvent {
  readonly urn: string;
  /** Empty for a resource that does not exist. */
  readonly id: string;
  readonly newInputs?: Properties;
  readonly oldInputs?: Properties;
  readonly oldOutputs?: Properties;
  readonly failedOperation: HookedOperation;
  /** The errors of all attempts, the last one first. */
  readonly errors: readonly string[];
}

/** A hook that a program has registered. It resolves with whether to call the operation again. */
export interface ErrorHook {
  readonly name: string;
  call(event: ErrorHookEvent): Promise<boolean>;
}

/** The hooks that a registration names. */
export function readHookNames(request: RegisterResourceRequest): HookNames {
  // Older versions of the SDK have no error hooks.
  const names = request.getHooks?.()?.getOnErrorList?.() ?? [];
  return names.length === 0 ? {} : { OnError: names };
}

/** The registration of a hook as plain data. */
export type HookRegistration = ReturnType<typeof readErrorHook>;

/** Reads the registration of a hook. */
export function readErrorHook(request: RegisterErrorHookRequest) {
  const callback = request.getCallback();
  return {
    name: request.getName(),
    target: callback?.getTarget() ?? "",
    token: callback?.getToken() ?? "",
  };
}

/** Calls the hooks that the program of one command serves. */
export function hookCalls(trace: (message: EngineMessage) => void) {
  const clients = new Map<string, Client>();

  function clientOf(target: string): Client {
    const client = clients.get(target) ?? new Client(target, credentials.createInsecure(), CHANNEL_OPTIONS);
    clients.set(target, client);
    return client;
  }

  return {
    /** A registered hook. */
    hook({ name, target, token }: HookRegistration): ErrorHook {
      return {
        name,
        async call(event) {
          const request = requestOf(event).serializeBinary();
          const message = withFields(new CallbackInvokeRequest(), { token, request });
          trace({ from: "engine", to: "program", method: "Invoke", answer: false, payload: event });
          const answer = await call(clientOf(target), CallbacksService.invoke, message).catch(
            ({ code, details }: ServiceError) => {
              throw new Error(code === status.UNAVAILABLE ? "The program has ended." : details);
            },
          );
          const response = ErrorHookResponse.deserializeBinary(answer.getResponse_asU8());
          const error = response.getError();
          const payload = error ? { error } : {};
          trace({ from: "program", to: "engine", method: "Invoke", answer: true, payload });
          if (error !== "") throw new Error(error);
          return response.getRetry();
        },
      };
    },
    close(): void {
      for (const client of clients.values()) client.close();
    },
  };
}

function requestOf({
  urn,
  id,
  newInputs,
  oldInputs,
  oldOutputs,
  failedOperation,
  errors,
}: ErrorHookEvent): ErrorHookRequest {
  const { name, type } = parseUrn(urn);
  return withFields(new ErrorHookRequest(), {
    urn,
    id,
    name,
    type,
    ...(newInputs && { newInputs: toStruct(newInputs) }),
    ...(oldInputs && { oldInputs: toStruct(oldInputs) }),
    ...(oldOutputs && { oldOutputs: toStruct(oldOutputs) }),
    failedOperation,
    errorsList: [...errors],
  });
}

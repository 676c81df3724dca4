/** Errors as the engine understands them. */
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { NotReadyError, UserError } from "../../lifecycle/errors";
import { explain } from "../../lifecycle/explain";
import type { Properties } from "../../lifecycle/properties";
import { type SecretPath, toStruct } from "./wire";

/** A resource that exists but is not ready, as the engine saves it. */
export class InitFailure extends UserError {
  constructor(
    readonly id: string,
    readonly reasons: readonly string[],
    readonly saved: {
      readonly outputs: Properties;
      readonly secrets: readonly SecretPath[];
      /** The inputs, where a refresh reads them. */
      readonly inputs?: Properties;
      readonly inputSecrets?: readonly SecretPath[];
    },
  ) {
    super(reasons.join("\n"));
  }
}

/** Runs an operation that may leave a resource which is not ready. */
export async function savingUnready<Value>(
  {
    ownState = (state) => state,
    secrets,
  }: { readonly ownState?: (state: Properties) => Properties; readonly secrets: readonly SecretPath[] },
  operation: () => Promise<Value>,
): Promise<Value> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof NotReadyError)) throw error;
    throw new InitFailure(error.uuid, error.reasons, { outputs: ownState(error.state), secrets });
  }
}

/**
 * The answer to a call that failed. A message for users has no stack; anything else is a bug, and asks for a report.
 *
 * @param subject what the call was about, as in `Create of urn:…`.
 */
export function failureOf(error: unknown, subject: string): Partial<ServiceError> {
  const known = explain(error);
  if (known instanceof InitFailure) return initFailure(known);
  // Codes other than UNKNOWN and INTERNAL mean that the resource is as the state has it.
  if (known instanceof UserError) return { code: status.FAILED_PRECONDITION, details: known.message };
  return {
    code: status.INTERNAL,
    details: `Unexpected error: ${known.message}\n${subject}. This is a bug in pulumi-dynamiclink: please report it, with this message and the versions of pulumi-dynamiclink and Pulumi.`,
  };
}

function initFailure({ id, reasons, saved, message }: InitFailure): Partial<ServiceError> {
  const failed = new ErrorResourceInitFailed();
  failed.setId(id);
  failed.setReasonsList([...reasons]);
  failed.setProperties(toStruct(saved.outputs, saved.secrets));
  if (saved.inputs !== undefined) failed.setInputs(toStruct(saved.inputs, saved.inputSecrets));
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const answer = new Status();
  answer.setCode(status.UNKNOWN);
  answer.setMessage(message);
  answer.setDetailsList([detail]);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(answer.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}

/** Converts errors to the form that the engine expects: see docs/internals/native-host.md#error-codes. */
import { Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import type { Sanitizer } from "../../client/sanitized";
import { UserError } from "../../errors";
import { explain } from "../../lifecycle/explain";
import { filled } from "./filled";
import { type PropertyValues, toStruct } from "./wire";

/** The error for a resource that exists but is not ready. The engine saves the resource. */
export class UnreadyResource extends UserError {
  constructor(
    readonly id: string,
    readonly reasons: readonly string[],
    readonly saved: {
      readonly outputs: PropertyValues;
      /** The inputs, if a refresh has read them. */
      readonly inputs?: PropertyValues;
    },
  ) {
    super(reasons.join("\n"));
  }
}

/** An error whose message hides values that are secret in the program, for example where the service quotes them. */
export function sanitizedError(error: unknown, sanitized: Sanitizer): Error {
  const known = explain(error);
  if (known instanceof UnreadyResource)
    return new UnreadyResource(known.id, known.reasons.map(sanitized), known.saved);
  const message = sanitized(known.message);
  if (message === known.message) return known;
  return known instanceof UserError ? new UserError(message, { cause: known }) : new Error(message);
}

/** The gRPC error for a failed call, such as `Create of urn:…`. If it is not for users, it is a bug, and asks for a report. */
export function failureOf(error: unknown, subject: string): Partial<ServiceError> {
  const known = explain(error);
  if (known instanceof UnreadyResource) return unready(known);
  // With a code other than UNKNOWN and INTERNAL, the engine assumes that the resource still matches the state.
  if (known instanceof UserError) return { code: status.FAILED_PRECONDITION, details: known.message };
  return {
    code: status.INTERNAL,
    details: `Unexpected error: ${known.message}\n${subject} failed. This is a bug in pulumi-dynamiclink. Please report it with this message and the versions of pulumi-dynamiclink and Pulumi.`,
  };
}

function unready({ id, reasons, saved, message }: UnreadyResource): Partial<ServiceError> {
  const { outputs, inputs } = saved;
  const failed = filled(new ErrorResourceInitFailed(), {
    id,
    reasonsList: [...reasons],
    properties: toStruct(outputs),
    ...(inputs !== undefined && { inputs: toStruct(inputs) }),
  });
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const response = filled(new Status(), { code: status.UNKNOWN, message, detailsList: [detail] });
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(response.serializeBinary()));
  return { code: status.UNKNOWN, details: message, metadata };
}

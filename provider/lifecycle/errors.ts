/** The one error that users meet. */
import { SERVICE_NAME } from "../session/service";

/**
 * An error whose message is meant for the person who runs Pulumi: what failed, on what, why, and what to do.
 *
 * Pulumi's host prints `${error}: ${error.stack}` for the stack before it reports the message at the resource.
 * Both are short here, so that one quiet line precedes the message instead of a stack trace. It has no field
 * `id`: the host takes an error that has one for "created, but not ready".
 */
export class UserError extends Error {
  override readonly name = "UserError";

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    Object.defineProperty(this, "stack", { value: "details stand at the resource", enumerable: false });
  }

  override toString(): string {
    return SERVICE_NAME;
  }
}

/**
 * The object exists but is not ready: it is saved in the stack with what is known of it, the reasons are
 * shown, and the next `pulumi up` goes on from there.
 */
export class NotReadyError extends UserError {
  constructor(
    /** The UUID of the object. */
    readonly uuid: string,
    /** What the stack is to remember of it. */
    readonly state: Record<string, unknown>,
    /** Why it is not ready, for the user. */
    readonly reasons: readonly string[],
  ) {
    super(reasons.join("\n"));
  }
}

/** The errors that users meet. */

/** An error whose message is meant for the person who runs Pulumi: what failed, on what, why, and what to do. */
export class UserError extends Error {
  override readonly name: string = "UserError";
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

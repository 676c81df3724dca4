/** Errors that are shown to users. */

/** An error whose message is shown to the user: what failed, on which object, why, and what to do next. */
export class UserError extends Error {
  override readonly name: string = "UserError";
}

/** The object exists, but is not ready. It is saved in the state, the reasons are shown, and the next `pulumi up` resumes it. */
export class NotReadyError extends UserError {
  constructor(
    readonly uuid: string,
    readonly state: Record<string, unknown>,
    /** The reasons why it is not ready, as messages for the user. */
    readonly reasons: readonly string[],
  ) {
    super(reasons.join("\n"));
  }
}

/** The message of the {@link UserError} with which an operation fails; undefined if it succeeds. */
export function problemOf(operation: () => unknown): string | undefined {
  try {
    operation();
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** The message of anything that was thrown. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// A request that the service answers with an error of its own.

/** Thrown by an operation; becomes an ErrorResponse. A status 400 may have several messages. */
export class Refusal extends Error {
  readonly status: number;
  readonly messages: string | string[];

  constructor(status: number, messages: string | string[]) {
    super(typeof messages === "string" ? messages : messages.join("; "));
    this.status = status;
    this.messages = messages;
  }
}

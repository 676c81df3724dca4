/** The only message of an error that the service documents. */
export const SKIN_NOT_FOUND = "Skin not found.";

/** The error of a request that the service refuses: an ErrorResponse. A status 400 may have several messages. */
export class ServiceError extends Error {
  readonly status: number;
  readonly messages: string | readonly string[];

  constructor(status: number, messages: string | readonly string[]) {
    super(typeof messages === "string" ? messages : messages.join("; "));
    this.status = status;
    this.messages = messages;
  }
}

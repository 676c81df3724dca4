/** What a fault does to a request. */

/** Of effects that replace the response. */
interface Replacing {
  /** Whether the operation takes effect first. Default: `false`. */
  readonly afterEffect?: boolean;
}

/** Of effects that are errors. */
interface Refusing extends Replacing {
  /** The value of the header `Retry-After`. Default: no header. */
  readonly retryAfter?: string | number;
}

/** What goes wrong, and whether the operation still takes effect. */
export type FaultEffect =
  /** The service responds with an error. The operation has no effect, unless `afterEffect`. */
  | (Refusing & {
      /** The status of an ErrorResponse. */
      readonly status: number;
      /** The message of the ErrorResponse. Default: `"Injected fault."` */
      readonly message?: string | readonly string[];
    })
  /** The operation takes effect and responds late, after this many milliseconds. */
  | { readonly delayMs: number }
  /** There is no response. The operation has no effect, unless `afterEffect`. */
  | (Replacing & { readonly hang: true })
  /** The connection is reset, before or after the operation takes effect. */
  | { readonly reset: "before" | "after" }
  /** The operation takes effect, and the body of the response is not JSON. */
  | { readonly malformed: true }
  /** The operation takes effect, and the body of the response is cut off, after which the connection closes. */
  | { readonly truncated: true }
  /** The response is a redirect to this location, with status 302. The operation has no effect. */
  | { readonly redirect: string }
  /** The operation takes effect, and the response has another body, which is not validated. */
  | {
      /** The body, as JSON, such as that of an earlier read, or a function that returns it, given the body of the actual response. */
      readonly body: unknown;
      /** The status of the response. Default: that of the operation. */
      readonly status?: number;
    }
  /**
   * The response is that of a success, but shows another object, which exists: a create that claims to have created it,
   * or a read that mixes up two objects. The operation has no effect, unless `afterEffect`.
   */
  | (Replacing & {
      /** The UUID of a Project, Application, Custom Domain or Link. */
      readonly object: string;
    })
  /**
   * The response is not from the service, such as the error page of a proxy. The operation has no effect, unless
   * `afterEffect`.
   */
  | (Refusing & {
      /** The status. */
      readonly foreign: number;
      /** The body. Default: an HTML page. */
      readonly text?: string;
      /** Whether the response echoes the request id. Default: `false`. */
      readonly echoRequestId?: boolean;
    });

/** What the log does not repeat: a test may let the service quote anything there, such as a key. */
const NOT_LOGGED = ["message", "body", "text", "redirect"];

/** The effect in the form of the request log. */
export function loggedEffect(effect: FaultEffect): FaultEffect {
  const entries = Object.entries(effect);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, NOT_LOGGED.includes(name) ? "…" : value]),
  ) as unknown as FaultEffect;
}

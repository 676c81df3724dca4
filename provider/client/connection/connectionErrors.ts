/** Describes and classifies the errors of connections. */

/** What a retry cannot fix: an untrusted certificate, a server without TLS, or a proxy that refuses the tunnel. */
export type PermanentCause = "certificate" | "tls" | "proxy";

/** A failure of the proxy itself. */
export class ProxyError extends Error {
  constructor(
    problem: string,
    readonly permanentCause: PermanentCause | undefined,
  ) {
    super(`the proxy in HTTPS_PROXY ${problem}`);
  }
}

/** Descriptions of Node's error codes. */
const CONNECTION_ERRORS: Readonly<Record<string, string>> = {
  EAI_AGAIN: "the hostname could not be looked up",
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  ENOTFOUND: "the host does not exist",
  EPIPE: "the connection was closed",
  UND_ERR_SOCKET: "the connection was closed",
};

/** Node's error codes for a certificate that is not trusted. */
const CERTIFICATE_ERRORS =
  /^(?:CERT|CRL|DEPTH_ZERO_SELF_SIGNED|ERR_TLS_CERT_ALTNAME|ERROR_IN|HOSTNAME|INVALID|PATH_LENGTH|SELF_SIGNED|UNABLE_TO)_/;

/** Those for a server that does not speak TLS: what it sends is not a TLS record. */
const RECORD_ERRORS = /^(?:EPROTO|ERR_SSL_PACKET_LENGTH_TOO_LONG|ERR_SSL_WRONG_VERSION_NUMBER)$/;

interface CodedError extends Error {
  readonly code?: unknown;
}

/** Describes a connection error without the error itself, which may contain the request or the response. */
export function descriptionOf(error: CodedError & { readonly errors?: readonly CodedError[] }): string {
  // If several addresses were tried, each has an error of its own.
  const { code, message } = error.errors?.[0] ?? error;
  // Messages of OpenSSL contain addresses of its memory and source files.
  if (/^(?:ERR_SSL_|EPROTO$)/.test(String(code))) return `TLS failed, ${code}`;
  const description = CONNECTION_ERRORS[String(code)];
  if (description !== undefined) return [description, message || code].join(", ");
  return message || String(code ?? "the connection failed");
}

export function permanentCauseIn(error: CodedError): PermanentCause | undefined {
  if (error instanceof ProxyError) return error.permanentCause;
  const code = String(error.code);
  if (RECORD_ERRORS.test(code)) return "tls";
  return CERTIFICATE_ERRORS.test(code) ? "certificate" : undefined;
}

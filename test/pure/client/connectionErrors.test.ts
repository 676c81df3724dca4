/** How errors of connections are described, and which of them another attempt would fail with again. */
import {
  descriptionOf,
  ProxyError,
  permanentCauseIn,
} from "../../../provider/client/connection/connectionErrors";

function coded(code: unknown, message = "text") {
  return Object.assign(new Error(message), { code });
}

const CLOSED = "the connection was closed, text";

test.each<[string, Error, string, string | undefined]>([
  ["a refused connection", coded("ECONNREFUSED"), "the connection was refused, text", undefined],
  ["one without a message", coded("ECONNRESET", ""), "the connection was closed, ECONNRESET", undefined],
  ["a broken connection", coded("EPIPE"), CLOSED, undefined],
  ["one of the HTTP library", coded("UND_ERR_SOCKET"), CLOSED, undefined],
  ["an unknown host", coded("ENOTFOUND"), "the host does not exist, text", undefined],
  ["a failed lookup", coded("EAI_AGAIN"), "the hostname could not be looked up, text", undefined],
  ["an unreachable host", coded("EHOSTUNREACH"), "the host cannot be reached, text", undefined],
  ["an unreachable network", coded("ENETUNREACH"), "the network cannot be reached, text", undefined],
  ["an unknown code", coded("UNKNOWN"), "text", undefined],
  ["an unknown code without a message", coded("UNKNOWN", ""), "UNKNOWN", undefined],
  ["neither code nor message", new Error(""), "the connection failed", undefined],
  [
    "several addresses",
    Object.assign(coded("ECONNREFUSED", ""), { errors: [coded("ENETUNREACH"), coded("EPIPE")] }),
    "the network cannot be reached, text",
    undefined,
  ],
  ["no address after all", Object.assign(coded("UNKNOWN"), { errors: [] }), "text", undefined],
  ["no TLS record", coded("EPROTO"), "TLS failed, EPROTO", "tls"],
  ...["ERR_SSL_WRONG_VERSION_NUMBER", "ERR_SSL_PACKET_LENGTH_TOO_LONG"].map(
    (code): [string, Error, string, string] => [code, coded(code), `TLS failed, ${code}`, "tls"],
  ),
  ["another failure of TLS", coded("ERR_SSL_SSLV3_ALERT"), "TLS failed, ERR_SSL_SSLV3_ALERT", undefined],
  ["a code that ends like one of TLS", coded("NOT_ERR_SSL_EPROTO"), "text", undefined],
  ["a code that begins like one of TLS", coded("EPROTOTYPE"), "text", undefined],
  ...["CERT_HAS_EXPIRED", "PATH_LENGTH_EXCEEDED", "HOSTNAME_MISMATCH", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"].map(
    (code): [string, Error, string, string] => [code, coded(code), "text", "certificate"],
  ),
  ["a code that contains one of a certificate", coded("NO_CERT_HERE"), "text", undefined],
  ["a late proxy", new ProxyError("is late", undefined), "the proxy in HTTPS_PROXY is late", undefined],
  ["a proxy that will not", new ProxyError("refuses", "proxy"), "the proxy in HTTPS_PROXY refuses", "proxy"],
])("%s", (_, error, description, permanentCause) => {
  expect(descriptionOf(error)).toBe(description);
  expect(permanentCauseIn(error)).toBe(permanentCause);
});

/** What becomes of a failed call: the exception that Apache's client throws. */
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { ConnectTimeout } from "../../engine/net/connection.ts";
import { isUntrusted } from "../../engine/net/trust.ts";

/** How long a server may send nothing, and the settings for more time to connect and for a longer silence. */
export interface Patience {
  readonly silenceMs: number;
  readonly moreTime: { readonly connect: string; readonly silence: string };
}

const classes: Readonly<Record<string, readonly [type: string, what: string]>> = {
  ECONNREFUSED: ["org.apache.hc.client5.http.HttpHostConnectException", "Connection refused"],
  EHOSTUNREACH: ["java.net.NoRouteToHostException", "No route to host"],
  ENETUNREACH: ["java.net.NoRouteToHostException", "Network is unreachable"],
  ETIMEDOUT: ["org.apache.hc.client5.http.ConnectTimeoutException", "Connect timed out"],
  ECONNRESET: ["java.net.SocketException", "Connection reset"],
  EPIPE: ["java.net.SocketException", "Broken pipe"],
  UND_ERR_SOCKET: [
    "org.apache.hc.core5.http.NoHttpResponseException",
    "the server closed the connection without an answer",
  ],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ["java.io.IOException", "the answer is not as long as it says"],
  UND_ERR_HEADERS_OVERFLOW: ["java.io.IOException", "the head of the answer is too long"],
};

/** Codes of a server that has sent nothing for too long. */
const silences: Readonly<Record<string, string>> = {
  UND_ERR_HEADERS_TIMEOUT: "Read timed out",
  UND_ERR_BODY_TIMEOUT: "Read timed out in the middle of the answer",
};

/** Codes of failed DNS lookups. */
const unresolved: Readonly<Record<string, string>> = {
  ENOTFOUND: "Name or service not known",
  EAI_AGAIN: "Temporary failure in name resolution",
  EAI_FAIL: "Non-recoverable failure in name resolution",
};
/** Codes of attempts that have not reached the server. */
const unreached = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"];
const secure = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO$)/;
const trustByRuntime =
  ": start the runtime with NODE_EXTRA_CA_CERTS, a file with the certificate of the authority that has signed the server's";
const httpSyntax = /^(?:HPE_|HTTPParserError)/;

/** Codes of a session or a stream of HTTP/2 that the server has ended. */
const lostSessions = "STREAM_ERROR STREAM_CANCEL SESSION_ERROR GOAWAY_SESSION INVALID_SESSION INVALID_STREAM"
  .split(" ")
  .map((name) => `ERR_HTTP2_${name}`);

/** Whether the connection was closed during the call; the server may not have received the request. */
export function isLostConnection(error: unknown): boolean {
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE", ...lostSessions].includes(codeOf(error));
}

/** Returns a FlowException unchanged. `howToTrust`: what to do about a certificate of an unknown authority. */
export function failureOf(
  error: unknown,
  url: URL,
  { silenceMs, moreTime }: Patience,
  howToTrust = trustByRuntime,
): FlowException {
  if (error instanceof FlowException) return error;
  if (error instanceof ConnectTimeout) {
    return new FlowException(
      "org.apache.hc.client5.http.ConnectTimeoutException",
      `${error.message}: ${moreTime.connect}`,
    );
  }
  const code = codeOf(error);
  const unknown = unresolved[code];
  if (unknown !== undefined) return new FlowException("java.net.UnknownHostException", `${url.hostname}: ${unknown}`);
  const silence = silences[code];
  if (silence !== undefined) {
    const message = `The call of ${url.origin} failed: ${silence} after ${silenceMs} ms: ${moreTime.silence}`;
    return new FlowException("java.net.SocketTimeoutException", message);
  }
  const [type, what] = classes[code] ?? unlisted(code, error, howToTrust);
  const failed = unreached.includes(code) || secure.test(code) ? "Connect to" : "The call of";
  return new FlowException(type, `${failed} ${url.origin} failed: ${what}`);
}

function unlisted(code: string, error: unknown, howToTrust: string): readonly [type: string, what: string] {
  const message = exceptionMessage(error);
  if (lostSessions.includes(code)) return ["org.apache.hc.core5.http2.H2StreamResetException", message];
  if (secure.test(code))
    return ["javax.net.ssl.SSLHandshakeException", isUntrusted(message) ? message + howToTrust : message];
  if (httpSyntax.test(code)) return ["java.net.ProtocolException", `the answer is not HTTP: ${message}`];
  if (code.startsWith("UND_ERR_INVALID_ARG")) return ["java.lang.IllegalArgumentException", message];
  return ["java.io.IOException", message];
}

/** Returns the code of the first attempt. undici's parser errors have a name in place of a code. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  const { code, name } = (error ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  return String(code ?? name ?? "");
}

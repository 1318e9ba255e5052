/**
 * The HTTP client of a flow's thread: pooled connections whose addresses are checked, with bounds on their number and
 * on answers. A failed connection becomes the exception that Apache's client throws.
 */

import { type Egress, hostOf, httpScheme, portOf, urlProblem } from "../../../shared/egress.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { ConnectTimeout, openConnection, type Resolve, systemResolve } from "../../engine/net/connection.ts";
import { isUntrusted } from "../../engine/net/trust.ts";
import { ConnectionGate } from "./connection-gate.ts";
import { exchangeOnce, type MostBytes, type RawAnswer } from "./exchange-once.ts";
import type { HttpMethod } from "./options.ts";
import { Agent } from "./undici.ts";

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
const howToTrust =
  ": start the runtime with NODE_EXTRA_CA_CERTS, a file with the certificate of the authority that has signed the server's";
const httpSyntax = /^(?:HPE_|HTTPParserError)/;

/** Whether the connection was closed during the call; the server may not have received the request. */
export function isLostConnection(error: unknown): boolean {
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(codeOf(error));
}

/** Returns a FlowException unchanged. */
export function failureOf(error: unknown, url: URL, { silenceMs, moreTime }: Patience): FlowException {
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
  const [type, what] = classes[code] ?? unlisted(code, error);
  const failed = unreached.includes(code) || secure.test(code) ? "Connect to" : "The call of";
  return new FlowException(type, `${failed} ${url.origin} failed: ${what}`);
}

function unlisted(code: string, error: unknown): readonly [type: string, what: string] {
  const message = exceptionMessage(error);
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

export interface HttpRequest {
  readonly url: URL;
  readonly method: HttpMethod;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: Uint8Array | undefined;
}

export interface Delivery extends Patience {
  readonly connectMs: number;
  readonly leaseMs: number;
  readonly connections: number;
  readonly connectionsPerOrigin: number;
  readonly most: MostBytes;
  readonly ignoreBody: boolean;
  /** true: the connection is closed afterwards. */
  readonly close: boolean;
  readonly signal: AbortSignal;
}

/** How long an idle connection is kept, at most also if the server requests more. */
const idleMs = 4000;
const longestIdleMs = 30_000;
/**
 * With more requests under way, connections are not kept idle, so that there are few more connections than requests.
 */
const manyRequests = 100;
const headBytes = 32 * 1024;
/** The most pools with different settings. */
const maxAgents = 16;
/** RFC 9110 9.2.2: requests that can be repeated without harm. */
const idempotent: ReadonlySet<HttpMethod> = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]);

export class HttpClient {
  readonly #egress: Egress;
  readonly #resolve: Resolve;
  readonly #gate = new ConnectionGate();
  readonly #agents = new Map<string, Agent>();

  constructor(egress: Egress, resolve: Resolve = systemResolve) {
    this.#egress = egress;
    this.#resolve = resolve;
  }

  /**
   * Sends one request without redirects. If the connection is lost before anything was received, the request is sent
   * once more where the method allows it: the connection may have been idle for too long (Apache's client does the
   * same). Rejects with a FlowException, or with the signal's reason.
   */
  async send(request: HttpRequest, delivery: Delivery): Promise<RawAnswer> {
    const { url } = request;
    const problem = urlProblem(this.#egress, url);
    if (problem !== undefined) throw new FlowException("EgressDeniedException", problem);
    const { signal, leaseMs: waitMs, connections: total, connectionsPerOrigin: perOrigin } = delivery;
    const leave = await this.#gate.enter(url.origin, { total, perOrigin, waitMs }, signal);
    try {
      return await this.#deliver(request, delivery, idempotent.has(request.method));
    } catch (error) {
      throw signal.aborted ? signal.reason : failureOf(error, url, delivery);
    } finally {
      leave();
    }
  }

  /** Closes all connections immediately. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
  }

  async #deliver(request: HttpRequest, delivery: Delivery, again: boolean): Promise<RawAnswer> {
    const { url, method, headers, body } = request;
    const { silenceMs } = delivery;
    let answered = false;
    const options = {
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: [...headers],
      body: body === undefined ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      reset: delivery.close || this.#gate.total > manyRequests,
    };
    try {
      return await exchangeOnce(this.#agent(delivery), options, {
        ...delivery,
        onHead() {
          answered = true;
        },
      });
    } catch (error) {
      if (!again || answered || delivery.signal.aborted || !isLostConnection(error)) throw error;
      return this.#deliver(request, delivery, false);
    }
  }

  #agent({ connectMs, connectionsPerOrigin }: Delivery): Agent {
    const key = `${connectMs}/${connectionsPerOrigin}`;
    let agent = this.#agents.get(key);
    if (agent !== undefined) return agent;
    if (this.#agents.size >= maxAgents) {
      const message = `a flow has at most ${maxAgents} different settings of connectTimeout and connectionsPerRoute`;
      throw new FlowException("LimitExceededException", message);
    }
    agent = new Agent({
      connections: connectionsPerOrigin,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: longestIdleMs,
      maxHeaderSize: headBytes,
      connect: ({ hostname, port, protocol }, callback) => {
        const url = new URL(`${protocol}//${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}`);
        const tls = url.protocol === "https:" ? { tls: { ALPNProtocols: ["http/1.1"] } } : {};
        const server = { scheme: httpScheme, host: hostOf(url), port: portOf(url), ...tls };
        openConnection(this.#egress, server, connectMs, this.#resolve).then(
          (socket) => queueMicrotask(() => callback(null, socket)),
          (error: Error) => queueMicrotask(() => callback(error, null)),
        );
      },
    });
    this.#agents.set(key, agent);
    return agent;
  }
}

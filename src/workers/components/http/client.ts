/**
 * The HTTP client of a flow's thread: pooled connections whose addresses are checked, with bounds on their number and
 * on answers.
 */

import { type Egress, hostOf, httpScheme, portOf, urlProblem } from "../../../shared/egress.ts";
import { FlowException } from "../../engine/exception.ts";
import { openConnection, type Resolve, systemResolve } from "../../engine/net/connection.ts";
import { ConnectionGate } from "./connection-gate.ts";
import { exchangeOnce, type MostBytes, type RawAnswer } from "./exchange-once.ts";
import { failureOf, isLostConnection, type Patience } from "./failures.ts";
import type { HttpMethod } from "./options.ts";
import { Agent } from "./undici.ts";

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

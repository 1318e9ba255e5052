/**
 * The HTTP client of a flow's thread: pooled connections whose addresses are checked, with bounds on their number and
 * on answers.
 */

import type { Socket } from "node:net";
import { type Egress, hostOf, httpScheme, portOf, urlProblem } from "../../../shared/egress.ts";
import type { HttpAccess } from "../../connectors/http-access.ts";
import { FlowException } from "../../engine/exception.ts";
import { openConnection, systemResolve } from "../../engine/net/connection.ts";
import type { Resolve } from "../../engine/net/server.ts";
import { trustByConnection } from "../../engine/net/trust.ts";
import { accessProblem, egressOf } from "./access.ts";
import { ConnectionGate } from "./connection-gate.ts";
import { exchangeOnce, type MostBytes, type RawAnswer } from "./exchange-once.ts";
import { failureOf, isLostConnection, type Patience } from "./failures.ts";
import { Http2Sessions } from "./http2.ts";
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
  readonly #access: HttpAccess | undefined;
  readonly #http2 = new Http2Sessions();
  /** Sockets of HTTP/1.1 that were opened for HTTP/2, by their origins. */
  readonly #spare = new Map<string, Socket>();

  /** `access`: the connection by which servers are reached. */
  constructor(egress: Egress, resolve: Resolve = systemResolve, access?: HttpAccess) {
    this.#egress = access === undefined ? egress : egressOf(egress, access);
    this.#resolve = resolve;
    this.#access = access;
  }

  /**
   * Sends one request without redirects. If the connection is lost before anything was received, the request is sent
   * once more where the method allows it: the connection may have been idle for too long (Apache's client does the
   * same). Rejects with a FlowException, or with the signal's reason.
   */
  async send(request: HttpRequest, delivery: Delivery): Promise<RawAnswer> {
    const { url } = request;
    const problem = (this.#access && accessProblem(this.#access, url)) ?? urlProblem(this.#egress, url);
    if (problem !== undefined) throw new FlowException("EgressDeniedException", problem);
    const { signal, leaseMs: waitMs, connections: total, connectionsPerOrigin: perOrigin } = delivery;
    const leave = await this.#gate.enter(url.origin, { total, perOrigin, waitMs }, signal);
    try {
      return await this.#deliver(request, delivery, idempotent.has(request.method));
    } catch (error) {
      throw signal.aborted ? signal.reason : failureOf(error, url, delivery, this.#access && trustByConnection);
    } finally {
      leave();
    }
  }

  /** Closes all connections immediately. */
  async close(): Promise<void> {
    await Promise.all([...this.#agents.values()].map((agent) => agent.destroy()));
    this.#http2.close();
    for (const socket of this.#spare.values()) socket.destroy();
  }

  async #deliver(request: HttpRequest, delivery: Delivery, again: boolean): Promise<RawAnswer> {
    const { url, method, body } = request;
    const { silenceMs } = delivery;
    const closes = delivery.close || this.#gate.total > manyRequests;
    let answered = false;
    const reading = {
      ...delivery,
      onHead() {
        answered = true;
      },
    };
    const options = {
      origin: url.origin,
      ...this.#pathAndHeaders(request),
      method,
      body: body === undefined ? null : Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
      reset: closes,
    };
    try {
      const over2 = this.#access?.http2 === true && url.protocol === "https:";
      const answer =
        over2 && (await this.#http2.exchange(request, { ...reading, ...this.#negotiating(url, delivery), closes }));
      return answer || (await exchangeOnce(this.#agent(delivery), options, reading));
    } catch (error) {
      if (!again || answered || delivery.signal.aborted || !isLostConnection(error)) throw error;
      return this.#deliver(request, delivery, false);
    }
  }

  /** A proxy gets the whole address of what it fetches itself (RFC 9112 3.2.2). */
  #pathAndHeaders({ url, headers }: HttpRequest): { readonly path: string; readonly headers: string[] } {
    const path = `${url.pathname}${url.search}`;
    const { proxy } = this.#access ?? {};
    if (proxy === undefined || url.protocol === "https:") return { path, headers: [...headers] };
    const { authorization } = proxy;
    const own = authorization === undefined ? [] : ["Proxy-Authorization", authorization];
    return { path: `${url.origin}${path}`, headers: [...headers, ...own] };
  }

  #negotiating(url: URL, { connectMs }: Delivery) {
    return {
      open: () => this.#open(url, connectMs, ["h2", "http/1.1"]),
      other: (socket: Socket) => {
        // It may fail before a request takes it.
        socket.on("error", () => {});
        this.#spare.get(url.origin)?.destroy();
        this.#spare.set(url.origin, socket);
      },
    };
  }

  async #open(url: URL, connectMs: number, ALPNProtocols: string[]): Promise<Socket> {
    const spare = this.#spare.get(url.origin);
    this.#spare.delete(url.origin);
    if (spare !== undefined && !spare.destroyed) return spare;
    const { tls, proxy } = this.#access ?? {};
    const server = {
      scheme: httpScheme,
      host: hostOf(url),
      port: portOf(url),
      ...(url.protocol === "https:" && { tls: { ...tls, ALPNProtocols } }),
      ...(proxy !== undefined && { through: proxy }),
    };
    return openConnection(this.#egress, server, connectMs, this.#resolve);
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
        this.#open(url, connectMs, ["http/1.1"]).then(
          (socket) => queueMicrotask(() => callback(null, socket)),
          (error: Error) => queueMicrotask(() => callback(error, null)),
        );
      },
    });
    this.#agents.set(key, agent);
    return agent;
  }
}

/** A cluster, as one part of a client talks to it: connections of its own, one for each broker, and requests in them. */
import type { TLSSocket } from "node:tls";
import type { ConnectionSettings } from "../../../shared/connection.ts";
import type { Limits } from "../../../shared/limits.ts";
import { after, inTime, unlessAborted, wait } from "../../engine/waiting.ts";
import { kafkaFailure } from "./failure.ts";
import { FrameGuard } from "./frame-guard.ts";
import { Brokers, type ClusterMetadata, errorName, isStale } from "./library.ts";

/** What an answer may have at most, whatever the limits for bodies are: metadata of large clusters are that long. */
const leastAnswerBytes = 8 * 1024 * 1024;

const mostCloseMs = 1000;
/** A member that waits for the others sends nothing for minutes: this finds out that its connection is gone. */
const keepAliveMs = 10_000;
const coordinatorAttempts = 20;
const coordinatorPauseMs = 200;
const starting: ReadonlySet<string | undefined> = new Set([
  "COORDINATOR_NOT_AVAILABLE",
  "COORDINATOR_LOAD_IN_PROGRESS",
]);

/** How long brokers have for an answer. */
export function answerMsOf({ options }: ConnectionSettings): number {
  return Number(options["requestTimeoutMs"] ?? 30_000);
}

/** How long an answer may take, and the name by which a failure says so. */
export interface AnswerLimit {
  readonly ms: number;
  readonly name: string;
}

export class Cluster {
  readonly #brokers: Brokers;
  readonly #closed = new AbortController();
  readonly #coordinators = new Map<string, number>();
  /** Why an answer was refused. */
  #refused: string | undefined;
  readonly #late: () => void;

  /**
   * `late` is called when an answer is late by a limit of its own; the connection on which it was expected is ended then. `answerMs`: how long
   * other answers may take; absent: as the connection says.
   */
  constructor(settings: ConnectionSettings, limits: Limits, late: () => void, answerMs?: number) {
    this.#late = late;
    const { servers, options, tls, cert, key } = settings;
    this.#brokers = new Brokers({
      bootstrapBrokers: servers.map(({ host, port }) => ({ host, port })),
      clientId: String(options["clientId"] ?? "bulkhead"),
      metadataMaxAge: Number(options["metadataMaxAgeMs"] ?? 300_000),
      requestTimeout: answerMs ?? answerMsOf(settings),
      connectTimeout: limits.outboundConnectMs,
      // Requests of many runs; brokers answer one connection in its order.
      maxInflights: 100,
      // Attempts are made here, each in its time.
      retries: 0,
      strict: false,
      ...(tls !== undefined && {
        tls: {
          rejectUnauthorized: true,
          ...(tls.ca !== undefined && { ca: tls.ca }),
          ...(cert !== undefined && { cert }),
          ...(key !== undefined && { key }),
        },
        // An address is no name, and is checked as it is.
        tlsServerName: tls.serverName ?? servers.every(({ host }) => !/^[\d.]+$|:/.test(host)),
      }),
      ...loginOf(settings),
    });
    const mostBytes = Math.max(leastAnswerBytes, 2 * limits.outboundResponseBytes);
    this.#brokers.connections.on("connecting", ({ connection }) => {
      // An error that nobody waits for would end the thread.
      connection.on("error", () => {});
      connection.once("connecting", () =>
        queueMicrotask(() => {
          const { socket } = connection;
          if (socket === undefined) return;
          socket.setKeepAlive(true, keepAliveMs);
          const guard = new FrameGuard(socket, mostBytes, (problem) => {
            this.#refused = problem;
          });
          connection.once("connect", () => guard.loggedIn());
        }),
      );
    });
  }

  /** As of Brokers. */
  known(topic: string): ReturnType<Brokers["known"]> {
    return this.#brokers.known(topic);
  }

  async metadata(
    topics: readonly string[],
    how: { fresh?: boolean; creates?: boolean } = {},
  ): Promise<ClusterMetadata> {
    return await this.#open(this.#brokers.metadata(topics, how.fresh === true, how.creates === true));
  }

  /** Sends a request to a broker; `node` undefined: to any one. Rejects with the library's error. */
  async ask<Answer>(name: string, node: number | undefined, ...parameters: unknown[]): Promise<Answer> {
    return (await this.askWith<Answer>(name, node, () => parameters)).answer;
  }

  /** As `ask`, for requests that depend on the version, or whose answers have less time than others. */
  async askWith<Answer>(
    name: string,
    node: number | undefined,
    parametersOf: (version: number) => unknown[],
    limit?: AnswerLimit,
  ): Promise<{ readonly answer: Answer; readonly version: number }> {
    const connection = await this.#open(this.#brokers.connection(node));
    const request = await this.#open(this.#brokers.request<unknown[], Answer>(name));
    try {
      const pending = request.async(connection, ...parametersOf(request.version));
      const late = (): void => {
        connection.socket?.destroy();
        this.#late();
      };
      const answer = await this.#open(limit === undefined ? pending : answeredWithin(limit, pending, late));
      return { answer, version: request.version };
    } catch (error) {
      if (isStale(error)) this.#brokers.forget();
      throw error;
    }
  }

  /** Sends a request to the broker that coordinates the group. */
  async askCoordinator<Answer>(
    group: string,
    name: string,
    parametersOf: (version: number) => unknown[],
    limit?: AnswerLimit,
  ): Promise<Answer> {
    try {
      const node = this.#coordinators.get(group) ?? (await this.#coordinator(group, limit));
      return (await this.askWith<Answer>(name, node, parametersOf, limit)).answer;
    } catch (error) {
      const named = errorName(error);
      if (named === undefined || named === "NOT_COORDINATOR" || named === "COORDINATOR_NOT_AVAILABLE")
        this.#coordinators.delete(group);
      throw error;
    }
  }

  /** The version of TLS of an open connection; null: it is not encrypted. */
  tls(): string | null {
    for (const [, connection] of this.#brokers.connections) {
      const { socket } = connection;
      if (socket !== undefined && "getProtocol" in socket) return (socket as TLSSocket).getProtocol();
    }
    return null;
  }

  /** Ends its connections: all that waits for an answer fails, and the next request opens another one. */
  drop(): void {
    for (const [, { socket }] of this.#brokers.connections) socket?.destroy();
  }

  async close(): Promise<void> {
    this.#closed.abort(kafkaFailure("", new Error("the connection is closed")));
    // A connection that is lost meanwhile never says that it is closed.
    await inTime(this.#brokers.close(), mostCloseMs, new AbortController().signal);
  }

  async #coordinator(group: string, limit?: AnswerLimit): Promise<number> {
    interface Found {
      readonly nodeId: number;
    }
    interface Answer {
      readonly nodeId?: number;
      readonly coordinators?: readonly Found[];
    }
    let answer: Answer | undefined;
    for (let attempt = 1; answer === undefined; attempt += 1) {
      try {
        ({ answer } = await this.askWith<Answer>("FindCoordinator", undefined, () => [0, [group]], limit));
      } catch (error) {
        // The topic of positions is made with the first group, and coordinators move.
        if (attempt >= coordinatorAttempts || !starting.has(errorName(error))) throw error;
        await this.#open(wait(coordinatorPauseMs, this.#closed.signal));
      }
    }
    const node = answer.coordinators?.[0]?.nodeId ?? answer.nodeId;
    if (node === undefined) throw new Error(`no broker coordinates the group '${group}'`);
    // Its address is one of the cluster's.
    await this.metadata([], { fresh: true });
    this.#coordinators.set(group, node);
    return node;
  }

  /** The library leaves some requests without an answer when it is closed. */
  async #open<T>(pending: Promise<T>): Promise<T> {
    try {
      return await unlessAborted(pending, this.#closed.signal);
    } catch (error) {
      const refused = this.#refused;
      this.#refused = undefined;
      throw refused === undefined ? error : new Error(refused, { cause: error });
    }
  }
}

/** `late` ends what the answer is waited for on, so that it fails. */
async function answeredWithin<Answer>(
  { ms, name }: AnswerLimit,
  pending: Promise<Answer>,
  late: () => void,
): Promise<Answer> {
  let isLate = false;
  const cancel = after(ms, () => {
    isLate = true;
    late();
  });
  try {
    return await pending;
  } catch (error) {
    throw isLate ? new Error(`no broker has answered within ${name}, ${ms} ms`, { cause: error }) : error;
  } finally {
    cancel();
  }
}

type Login = {
  readonly sasl?: {
    readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | "OAUTHBEARER";
    readonly username?: string;
    readonly password?: string;
    readonly token?: string;
  };
};

function loginOf({ username, password, options }: ConnectionSettings): Login {
  if (password === undefined && username === undefined) return {};
  const mechanism = (options["saslMechanism"] ?? "PLAIN") as NonNullable<Login["sasl"]>["mechanism"];
  if (mechanism === "OAUTHBEARER") return { sasl: { mechanism, token: password ?? "" } };
  return { sasl: { mechanism, username: username ?? "", password: password ?? "" } };
}

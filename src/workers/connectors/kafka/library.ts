/** The parts of @platformatic/kafka that are used: its connections, and requests of the protocol. Groups and sending are here. */
import {
  type API,
  Base,
  type BaseOptions,
  type ClusterMetadata,
  type Connection,
  type ConnectionPool,
  findErrorBy,
  kGetApi,
  kGetBootstrapConnection,
  kGetConnection,
} from "@platformatic/kafka";

export {
  type ClusterMetadata,
  decodeConsumerProtocolAssignment,
  decodeConsumerProtocolSubscription,
  encodeConsumerProtocolAssignment,
  encodeConsumerProtocolSubscription,
  IS_CONTROL,
  type MessageRecord,
  murmur2,
  type RecordsBatch,
} from "@platformatic/kafka";

/** A request of the protocol in the highest version that both sides know. */
export type Request<Parameters extends unknown[], Answer> = API<Parameters, Answer>;

/** Clients of brokers, as the library opens them: one connection for each broker. */
export class Brokers {
  readonly #base: Base;
  readonly #mostAgeMs: number;

  constructor(options: BaseOptions & { readonly metadataMaxAge: number }) {
    this.#base = new Base(options);
    this.#mostAgeMs = options.metadataMaxAge;
  }

  get connections(): ConnectionPool {
    return this.#base.connections;
  }

  /** What the cluster has said of the topic, unless it is too old. For each record: to ask the library costs more than to send one. */
  known(topic: string): ReturnType<ClusterMetadata["topics"]["get"]> {
    const known = this.#base.currentMetadata?.topics.get(topic);
    return known !== undefined && known.lastUpdate > Date.now() - this.#mostAgeMs ? known : undefined;
  }

  /** Resolves with what the cluster says of these topics; `fresh`: asks in any case. */
  metadata(topics: readonly string[], fresh: boolean, creates: boolean): Promise<ClusterMetadata> {
    return this.#base.metadata({ topics: [...topics], forceUpdate: fresh, autocreateTopics: creates });
  }

  forget(): void {
    this.#base.clearMetadata();
  }

  /** The broker of this number as the last metadata name it; undefined: any one. */
  connection(node: number | undefined): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const done = (error: Error | null, connection?: Connection): void => {
        if (connection === undefined) reject(error ?? new Error("there is no connection"));
        else resolve(connection);
      };
      if (node === undefined) return this.#base[kGetBootstrapConnection](done);
      const broker = this.#base.currentMetadata?.brokers.get(node);
      if (broker === undefined) return reject(new Error(`broker ${node} is not known in the cluster now`));
      this.#base[kGetConnection](broker, done);
    });
  }

  request<Parameters extends unknown[], Answer>(name: string): Promise<Request<Parameters, Answer>> {
    return new Promise((resolve, reject) => {
      this.#base[kGetApi]<Parameters, Answer>(name, (error, api) => {
        if (api === undefined) reject(error ?? new Error(`the broker does not know ${name}`));
        else resolve(api);
      });
    });
  }

  async close(): Promise<void> {
    await this.#base.close();
  }
}

/** The name of the protocol's error that a failure has, such as `NOT_COORDINATOR`; undefined: it has none. */
export function errorName(error: unknown): string | undefined {
  const found = inner(error).find((one) => typeof (one as { apiId?: unknown }).apiId === "string");
  return (found as { readonly apiId: string } | undefined)?.apiId;
}

/** Whether the same request may succeed later: a lost connection, an election, a broker that is busy. */
export function mayPass(error: unknown): boolean {
  return !inner(error).some((one) => (one as { canRetry?: unknown }).canRetry === false || isDenied(one));
}

/** Whether the gate has refused the connection: the address that a broker announces is not among those of the connection. */
function isDenied(error: unknown): boolean {
  for (let at = error, depth = 0; typeof at === "object" && at !== null && depth < 8; depth += 1) {
    if ((at as { code?: unknown }).code === "ERR_ACCESS_DENIED") return true;
    at = (at as { cause?: unknown }).cause;
  }
  return false;
}

/** Whether the broker was not reached, or has not answered. */
export function isUnanswered(error: unknown): boolean {
  return inner(error).some((one) =>
    ["PLT_KFK_NETWORK", "PLT_KFK_TIMEOUT"].includes(String((one as { code?: unknown } | undefined)?.code)),
  );
}

/** Whether leaders of partitions have to be asked for again. */
export function isStale(error: unknown): boolean {
  return findErrorBy(error as Error, "hasStaleMetadata", true) !== null;
}

/** The error and those that it is made of. */
export function inner(error: unknown): readonly unknown[] {
  if (typeof error !== "object" || error === null) return [error];
  const { errors } = error as { readonly errors?: unknown };
  return Array.isArray(errors) ? [error, ...errors.flatMap(inner)] : [error];
}

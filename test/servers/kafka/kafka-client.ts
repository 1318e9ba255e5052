/** What tests do at a broker beside flows: topics, records that are sent and read, positions of groups. */
import { defaultLimits } from "../../../src/shared/limits.ts";
import type { KafkaClient } from "../../../src/workers/connectors/kafka/client.ts";
import { driver } from "../../../src/workers/connectors/kafka/driver.ts";
import { type InRecord, readRecords } from "../../../src/workers/connectors/kafka/records.ts";
import type { SenderOptions } from "../../../src/workers/connectors/kafka/sender.ts";
import { eventually, hanging } from "../../support/clock.ts";

interface Part {
  readonly partitionIndex: number;
  readonly highWatermark: bigint;
  readonly records: Parameters<typeof readRecords>[0] | null;
}

export interface TestRecord {
  readonly partition?: number;
  readonly key?: string | null;
  readonly value: string | Buffer | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How long a broker may take that has just started, on a machine that has other work. */
const patienceMs = 60_000;

const noDatabase = { ask: () => Promise.reject(new Error("none")), onLost() {} };

export class KafkaTester {
  readonly #port: number;
  #client: Promise<KafkaClient> | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** Opens anew what the server's end has closed. */
  async #with<T>(work: (client: KafkaClient) => Promise<T>): Promise<T> {
    const settings = {
      ...{ name: "tester", kind: "kafka", revision: 1, alsoServers: [], maxConnections: 1 },
      servers: [{ host: "127.0.0.1", port: this.#port }],
      options: { clientId: "tester" },
    };
    const opening = {
      signal: new AbortController().signal,
      limits: defaultLimits,
      database: noDatabase,
      session: {},
      lost() {},
    };
    this.#client ??= Promise.resolve(driver.open(settings, opening));
    const opened = this.#client;
    try {
      return await work(await opened);
    } catch (error) {
      if (this.#client === opened) this.#client = undefined;
      void opened.then((client) => client.close()).catch(() => {});
      throw error;
    }
  }

  /** As `#with`, again and again: a broker that has just started does not know its partitions yet. */
  async #asking<T>(work: (client: KafkaClient) => Promise<T>): Promise<T> {
    let last: unknown;
    const attempt = async (): Promise<{ readonly done: T } | undefined> => {
      try {
        return { done: await this.#with(work) };
      } catch (error) {
        last = error;
        return undefined;
      }
    };
    const { done } = await eventually(attempt, "the broker answers", patienceMs).catch((error: Error) => {
      throw new Error(`${error.message}: ${String(last)}`);
    });
    return done;
  }

  async create(name: string, numPartitions = 1, configs: Readonly<Record<string, string>> = {}): Promise<void> {
    const settings = Object.entries(configs).map(([key, value]) => ({ name: key, value }));
    const topic = { name, numPartitions, replicationFactor: 1, assignments: [], configs: settings };
    await this.#with((client) => client.cluster.ask("CreateTopics", undefined, [topic], 10_000, false));
  }

  async send(topic: string, records: readonly TestRecord[]): Promise<void> {
    const options: SenderOptions = {
      ...{ idempotent: true, acks: -1 as const, compression: "none" as const, requestBytes: 900_000, lingerMs: 0 },
      pauses: { firstMs: 50, mostMs: 500, mostReconnectMs: 500 },
      ...{ retries: 100, brokerMs: undefined, unknownMs: 5000, ignoresKeys: false },
    };
    const sent = records.map(({ partition, key = null, value, headers = {} }) => ({
      ...{ topic, partition, timestamp: undefined },
      key: key === null ? null : Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
      headers: Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)] as const),
    }));
    await this.#with((client) => client.sender(options).send(sent, hanging(patienceMs)));
  }

  /** Resolves with all records of the topic, by partition. */
  async read(topic: string): Promise<readonly (InRecord & { readonly partition: number })[]> {
    return await this.#asking(async ({ cluster }) => {
      const { topics } = await cluster.metadata([topic], { fresh: true });
      const { id = "", partitionsCount = 0, partitions = [] } = topics.get(topic) ?? {};
      const all: (InRecord & { readonly partition: number })[] = [];
      for (let partition = 0; partition < partitionsCount; partition += 1) {
        for (let position = 0n, end = 1n; position < end; ) {
          const asked = {
            partition,
            currentLeaderEpoch: -1,
            fetchOffset: position,
            lastFetchedEpoch: -1,
            partitionMaxBytes: 8_000_000,
          };
          const answer = await cluster.ask<{ readonly responses: readonly { readonly partitions: readonly Part[] }[] }>(
            "Fetch",
            partitions[partition]?.leader,
            ...[100, 1, 8_000_000, 0, 0, -1, [{ topicId: id, partitions: [asked] }], [], ""],
          );
          const [part] = answer.responses[0]?.partitions ?? [];
          if (part === undefined) break;
          end = part.highWatermark;
          const { records, next } = readRecords(part.records ?? [], position, []);
          all.push(...records.map((record) => ({ ...record, partition })));
          position = next;
        }
      }
      return all;
    });
  }

  /** Resolves with how many records the group has not committed yet. */
  async lag(topic: string, group: string): Promise<number> {
    return await this.#asking(async (client) => {
      const { topics } = await client.cluster.metadata([topic], { fresh: true });
      const list = Array.from({ length: topics.get(topic)?.partitionsCount ?? 0 }, (_, partition) => ({
        topic,
        partition,
      }));
      const identity = { memberId: "", epoch: -1, instanceId: null };
      const committed = await client.committed(group, identity, false, list);
      const lags = list.map(async ({ partition }) => {
        const end = await client.edge({ topic, partition }, "latest", 0);
        return Number(end - (committed.get(`${topic}/${partition}`) ?? 0n));
      });
      return (await Promise.all(lags)).reduce((sum, one) => sum + one, 0);
    });
  }

  /** Resolves with the number of members that a group of the older protocol has. */
  async members(group: string): Promise<number> {
    return (await this.instances(group)).length;
  }

  /** Resolves with the ids that the members of such a group have given themselves. */
  async instances(group: string): Promise<readonly (string | null)[]> {
    type Described = { readonly groupInstanceId: string | null };
    interface Answer {
      readonly groups: readonly { readonly members: ReadonlyMap<string, Described> | readonly Described[] }[];
    }
    return await this.#asking(async ({ cluster }) => {
      const answer = await cluster.askCoordinator<Answer>(group, "DescribeGroups", () => [[group], false]);
      return [...(answer.groups[0]?.members ?? []).values()].map(({ groupInstanceId }) => groupInstanceId);
    });
  }

  async close(): Promise<void> {
    await this.#client?.then((client) => client.close()).catch(() => {});
  }
}

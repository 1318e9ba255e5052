/**
 * Sends records, and resolves when the brokers have confirmed them. Records of a partition go one request after another,
 * each with all that has come meanwhile; with an idempotent sender each has a number, by which the broker knows one that is
 * sent again. What the caller does not wait for any more is not tried again.
 */

import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { wait } from "../../engine/waiting.ts";
import type { Cluster } from "./cluster.ts";
import { kafkaFailure, reasonOf } from "./failure.ts";
import { errorName, isStale, mayPass, murmur2 } from "./library.ts";
import { type Batch, PartitionQueue } from "./partition-queue.ts";
import { type Pauses, pauseAfter } from "./pauses.ts";
import type { Confirmed, OutRecord } from "./record.ts";

export interface SenderOptions {
  readonly idempotent: boolean;
  /** -1: all replicas; 0: none, the broker does not answer. */
  readonly acks: -1 | 0 | 1;
  readonly compression: "none" | "gzip" | "snappy" | "lz4" | "zstd";
  /** The most bytes of a request. */
  readonly requestBytes: number;
  readonly lingerMs: number;
  readonly retries: number;
  readonly pauses: Pauses;
  /** How long brokers have to confirm a request, their replicas included; undefined: as the connection says. */
  readonly brokerMs: number | undefined;
  /** How long a topic is looked for that does not exist. */
  readonly unknownMs: number;
  /** true: records are spread evenly over partitions, whatever their keys. */
  readonly ignoresKeys: boolean;
}

interface ProducerId {
  readonly producerId: bigint;
  readonly producerEpoch: number;
}

interface ProduceAnswer {
  readonly responses: readonly {
    readonly partitionResponses: readonly { readonly baseOffset: bigint; readonly logAppendTimeMs: bigint }[];
  }[];
}

export class Sender {
  readonly options: SenderOptions;
  readonly #cluster: Cluster;
  readonly #brokerMs: number;
  readonly #queues = new Map<string, PartitionQueue>();
  /** Why the last attempt has failed; "": it has not. */
  #problem = "";
  /** The partition of each topic that records without a key go to, until a request with it was sent. */
  readonly #sticky = new Map<string, number>();

  /** `brokerMs`: how long brokers have to confirm a request. */
  constructor(cluster: Cluster, options: SenderOptions, brokerMs: number) {
    this.#cluster = cluster;
    this.options = options;
    this.#brokerMs = brokerMs;
  }

  /** What records that are under way wait for: the failure that is tried again; "": an answer. */
  get problem(): string {
    return this.#problem;
  }

  /**
   * Rejects with the first failure, when the fate of all is known, and with the reason of `signal`. `enqueued`: called when the records are
   * behind all that was sent before, and ahead of all that is sent from then on.
   */
  async send(
    records: readonly OutRecord[],
    signal: AbortSignal,
    enqueued = (): void => {},
  ): Promise<readonly Confirmed[]> {
    const under = await this.#enqueue(records, signal);
    enqueued();
    const confirmed = await Promise.allSettled(under);
    return confirmed.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
  }

  async #enqueue(records: readonly OutRecord[], signal: AbortSignal): Promise<readonly Promise<Confirmed>[]> {
    const counts = new Map<string, number>();
    for (const { topic } of records) {
      if (counts.has(topic)) continue;
      const known = this.#cluster.known(topic)?.partitionsCount ?? 0;
      counts.set(topic, known > 0 ? known : await this.#partitionsOf(topic, signal));
    }
    // Without a wait between them, so that records of a message stay in their order.
    return records.map((record) => {
      const partition = this.#partitionOf(record, counts.get(record.topic) ?? 1);
      return this.#queueOf(record.topic, partition).add(record, signal);
    });
  }

  #queueOf(topic: string, partition: number): PartitionQueue {
    const key = `${topic}:${partition}`;
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const { requestBytes, lingerMs } = this.options;
    const queue = new PartitionQueue({ requestBytes, lingerMs }, (batch) => this.#produce(topic, partition, batch));
    this.#queues.set(key, queue);
    return queue;
  }

  async #partitionsOf(topic: string, signal: AbortSignal): Promise<number> {
    const count = await this.#again(signal, async (isFresh) => {
      const { topics } = await this.#cluster.metadata([topic], { fresh: isFresh, creates: true });
      return topics.get(topic)?.partitionsCount ?? 0;
    });
    if (count > 0) return count;
    throw new FlowException(
      "org.apache.kafka.common.errors.UnknownTopicOrPartitionException",
      `the topic '${topic}' does not exist`,
    );
  }

  #partitionOf({ topic, partition, key }: OutRecord, count: number): number {
    if (partition !== undefined) {
      if (partition >= 0 && partition < count) return partition;
      throw new FlowException(
        "org.apache.kafka.common.KafkaException",
        `the topic '${topic}' has the partitions 0 to ${count - 1}, and the record is for ${partition}`,
      );
    }
    if (key !== null && !this.options.ignoresKeys) return (murmur2(key) & 0x7fffffff) % count;
    const sticky = this.#sticky.get(topic) ?? Math.floor(Math.random() * count);
    this.#sticky.set(topic, sticky);
    return sticky % count;
  }

  /** Sends one request, again and again while its failure may pass and somebody waits for it. */
  async #produce(topic: string, partition: number, batch: Batch): Promise<Confirmed> {
    this.#sticky.delete(topic);
    const { acks, compression, idempotent } = this.options;
    return await this.#again(batch.signal, async (isFresh) => {
      const { topics } = await this.#cluster.metadata([topic], { fresh: isFresh, creates: true });
      const leader = topics.get(topic)?.partitions[partition]?.leader ?? -1;
      if (leader < 0) throw new Error(`the partition ${partition} of '${topic}' has no leader now`);
      const numbers = idempotent ? await this.#numbered(batch) : {};
      const messages = batch.records.map((record) => ({
        ...record,
        topic,
        partition,
        headers: new Map(record.headers),
      }));
      try {
        const answer = await this.#cluster.ask<ProduceAnswer | boolean>(
          "Produce",
          leader,
          ...[acks, this.#brokerMs, messages, { compression, ...numbers }],
        );
        if (typeof answer === "boolean") return { topic, partition, offset: -1n, timestamp: -1n };
        const [written] = answer.responses[0]?.partitionResponses ?? [];
        return { topic, partition, offset: written?.baseOffset ?? -1n, timestamp: written?.logAppendTimeMs ?? -1n };
      } catch (error) {
        const name = errorName(error);
        if (name === "DUPLICATE_SEQUENCE_NUMBER") return { topic, partition, offset: -1n, timestamp: -1n };
        // The broker has forgotten the sender, or the numbers before: they begin anew.
        if (
          name === "UNKNOWN_PRODUCER_ID" ||
          name === "OUT_OF_ORDER_SEQUENCE_NUMBER" ||
          name === "INVALID_PRODUCER_EPOCH"
        ) {
          batch.restart();
          throw Object.assign(new Error(name), { apiId: name, canRetry: true });
        }
        throw error;
      }
    });
  }

  async #numbered(batch: Batch): Promise<object> {
    const { producer, sequence } = await batch.number(() => this.#newProducer());
    return { ...producer, sequences: { getWithDefault: () => sequence } };
  }

  async #newProducer(): Promise<ProducerId> {
    return await this.#cluster.ask<ProducerId>("InitProducerId", undefined, null, 60_000, -1n, -1);
  }

  async #again<T>(signal: AbortSignal, attempt: (isFresh: boolean) => Promise<T>): Promise<T> {
    const { retries, pauses, unknownMs } = this.options;
    const began = performance.now();
    let isFresh = false;
    for (let failed = 0; ; failed += 1) {
      try {
        signal.throwIfAborted();
        const result = await attempt(isFresh);
        this.#problem = "";
        return result;
      } catch (error) {
        signal.throwIfAborted();
        this.#problem = reasonOf(error);
        // A topic that is created by its first use is there a moment later.
        const comes = performance.now() - began < unknownMs && isUnknownTopic(error);
        if (failed >= retries || !(comes || mayPass(error))) throw kafkaFailure("", error);
        isFresh = isStale(error) || errorName(error) === undefined;
        await wait(pauseAfter(error, failed + 1, pauses), signal);
      }
    }
  }
}

function isUnknownTopic(error: unknown): boolean {
  return errorName(error) === "UNKNOWN_TOPIC_OR_PARTITION" || /^Unknown topic/.test(exceptionMessage(error));
}

/** What a record, or a batch of them, is as a message (Camel: KafkaRecordProcessor, KafkaRecordBatchingProcessor). */

import type { Limits } from "../../../shared/limits.ts";
import type { TopicPartition } from "../../connectors/kafka/group.ts";
import type { InRecord } from "../../connectors/kafka/records.ts";
import { blankExchange } from "../../engine/blank-exchange.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { ManualCommit } from "../../engine/manual-commit.ts";
import type { NewMessage } from "../../engine/source.ts";
import { messageHeaders, traceparentOfRecord } from "./headers.ts";
import type { KafkaOptions } from "./options.ts";
import { type Deserializer, deserializerOf } from "./serializers.ts";

export interface TakenRecord {
  readonly from: TopicPartition;
  readonly record: InRecord;
  /** true: no further one is in memory. */
  readonly isLast: boolean;
}

export class ConsumedMessages {
  readonly #options: KafkaOptions;
  readonly #limits: Limits;
  readonly #key: Deserializer;
  readonly #value: Deserializer;
  readonly #form: "bytes" | "text";

  /** Throws an Error that names the fault of the endpoint. */
  constructor(options: KafkaOptions, limits: Limits) {
    this.#options = options;
    this.#limits = limits;
    this.#form = options.headerDeserializer === "text" ? "text" : "bytes";
    this.#key = deserializerOf("keyDeserializer", options.keyDeserializer);
    this.#value = deserializerOf("valueDeserializer", options.valueDeserializer);
  }

  /** `commit`: called when the message asks for it. A record that cannot be read is a message whose run fails. */
  ofRecord(taken: TakenRecord, commit: () => void): NewMessage {
    try {
      const headers = [...this.#headersOf(taken), ...this.#manual(commit)];
      return { body: this.#bodyOf(taken), headers, traceparent: traceparentOfRecord(taken.record) };
    } catch (error) {
      const { record } = taken;
      return {
        body: record.value === null ? null : Uint8Array.from(record.value),
        headers: this.#placeOf(taken),
        unreadable: { error },
      };
    }
  }

  ofBatch(taken: readonly TakenRecord[], commit: () => void): NewMessage {
    const parts: Exchange[] = [];
    try {
      for (const [index, one] of taken.entries()) {
        const exchange = blankExchange(this.#limits);
        exchange.message.body = this.#bodyOf(one);
        const manual = index === taken.length - 1 ? this.#manual(commit) : [];
        for (const [name, value] of [...this.#headersOf(one), ...manual]) exchange.message.headers.receive(name, value);
        parts.push(exchange);
      }
    } catch (error) {
      return { body: null, headers: this.#batchHeaders(taken), unreadable: { error } };
    }
    return { body: parts, headers: [...this.#batchHeaders(taken), ...this.#manual(commit)] };
  }

  #bodyOf({ record }: TakenRecord): unknown {
    return this.#value(record.value);
  }

  #headersOf(taken: TakenRecord): (readonly [string, unknown])[] {
    const { record } = taken;
    const headers: (readonly [string, unknown])[] = [...messageHeaders(record, this.#form), ...this.#placeOf(taken)];
    if (record.key !== null) headers.push(["CamelKafkaKey", this.#key(record.key)]);
    return headers;
  }

  #placeOf({ from, record, isLast }: TakenRecord): (readonly [string, unknown])[] {
    const { autoCommitEnable, allowManualCommit } = this.#options;
    return [
      ["CamelKafkaTopic", from.topic],
      ["CamelKafkaPartition", from.partition],
      ["CamelKafkaOffset", Number(record.offset)],
      ["CamelKafkaTimestamp", Number(record.timestamp)],
      ["CamelMessageTimestamp", Number(record.timestamp)],
      ["CamelKafkaHeaders", Object.fromEntries(messageHeaders(record, this.#form))],
      ...(autoCommitEnable ? [] : ([["CamelKafkaLastRecordBeforeCommit", isLast]] as const)),
      ...(autoCommitEnable && !allowManualCommit ? [] : ([["CamelKafkaLastPollRecord", isLast]] as const)),
    ];
  }

  /** Of a batch, topic and partition when all records agree. */
  #batchHeaders(taken: readonly TakenRecord[]): (readonly [string, unknown])[] {
    const topics = new Set(taken.map(({ from }) => from.topic));
    const partitions = new Set(taken.map(({ from }) => `${from.topic} ${from.partition}`));
    const [first] = taken;
    if (first === undefined || topics.size > 1) return [];
    const topic = ["CamelKafkaTopic", first.from.topic] as const;
    return partitions.size > 1 ? [topic] : [topic, ["CamelKafkaPartition", first.from.partition]];
  }

  #manual(commit: () => void): (readonly [string, unknown])[] {
    return this.#options.allowManualCommit ? [["CamelKafkaManualCommit", new ManualCommit(commit)]] : [];
  }
}

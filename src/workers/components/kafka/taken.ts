/** Records that are under way as one message: one record, or a batch. */
import { keyOf } from "../../connectors/kafka/group.ts";
import type { InRecord } from "../../connectors/kafka/records.ts";
import type { Ended, Taken } from "../../engine/attended/attended.ts";
import type { NewMessage } from "../../engine/source.ts";
import type { AssignedPartition } from "./assigned-partition.ts";
import type { ConsumedMessages } from "./consumed-message.ts";
import type { KafkaOptions } from "./options.ts";

/** Records of one partition. */
export interface Part {
  readonly partition: AssignedPartition;
  readonly records: readonly InRecord[];
}

export class KafkaTaken implements Taken {
  readonly lane: AssignedPartition;
  readonly consumer: object;
  readonly redelivered = false;
  readonly keeps: boolean;
  readonly #first: InRecord;
  readonly #parts: readonly Part[];
  readonly #options: KafkaOptions;
  readonly #messages: ConsumedMessages;
  /** Of a route that commits itself: it has asked for it. */
  #isCommitted = false;

  /** `parts`: at least one, with at least one record. */
  constructor(parts: readonly Part[], options: KafkaOptions, messages: ConsumedMessages) {
    const [{ partition, records }] = parts as readonly [Part];
    this.lane = partition;
    this.#first = records[0] as InRecord;
    this.consumer = partition.order?.groupOf(this.#first) ?? partition.consumer;
    this.#parts = parts;
    this.#options = options;
    this.#messages = messages;
    // One that comes again is kept where it is.
    this.keeps = !options.breakOnFirstError;
  }

  message(): NewMessage {
    this.#isCommitted = false;
    const commit = (): void => {
      this.#isCommitted = true;
    };
    const records = this.#parts.flatMap(({ partition, records: some }) =>
      some.map((record, index) => ({
        ...{ from: partition, record },
        isLast: partition.waiting === 0 && index === some.length - 1,
      })),
    );
    const [first] = records;
    if (this.#options.batching || first === undefined) return this.#messages.ofBatch(records, commit);
    return this.#messages.ofRecord(first, commit);
  }

  key(): string {
    return `${keyOf(this.lane)}/${this.#first.offset}`;
  }

  comesBack(): boolean {
    return this.#options.breakOnFirstError;
  }

  /** The partition belongs to another consumer now. */
  get comesAnew(): boolean {
    return this.#parts.every(({ partition }) => partition.closed);
  }

  settle(outcome: Ended<KafkaTaken>["outcome"]): void {
    const comesAgain = outcome === "lost" || (outcome === "failed" && this.#options.breakOnFirstError);
    const counts = this.#options.autoCommitEnable || outcome === "givenUp" || this.#isCommitted;
    for (const { partition, records } of this.#parts)
      if (comesAgain) partition.putBack(records);
      else partition.finish(records, counts);
  }
}

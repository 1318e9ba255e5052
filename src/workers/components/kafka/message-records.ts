/** The records that a message becomes: of its body, or of each element of it (Camel: KafkaProducer, KeyValueHolderIterator). */
import { bytesOf, type OutRecord } from "../../connectors/kafka/record.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import { Exchange } from "../../engine/exchange.ts";
import { elementsOf } from "../../engine/json-node.ts";
import { LazyList } from "../../engine/lazy-list.ts";
import { Message } from "../../engine/message.ts";
import { readable } from "../../engine/message-text.ts";
import { recordHeaders } from "./headers.ts";
import type { KafkaOptions } from "./options.ts";
import { type Serializer, serializerOf } from "./serializers.ts";

/** What a header or an option says of all records of a message. */
interface Address {
  readonly topic: string;
  readonly partition: number | undefined;
  readonly key: Buffer | null;
  readonly headers: OutRecord["headers"];
  readonly timestamp: bigint | undefined;
}

export class MessageRecords {
  readonly #options: KafkaOptions;
  readonly #key: Serializer;
  readonly #value: Serializer;

  /** Throws an Error that names the fault of the endpoint. */
  constructor(options: KafkaOptions) {
    this.#options = options;
    this.#key = serializerOf("keySerializer", options.keySerializer);
    this.#value = serializerOf("valueSerializer", options.valueSerializer);
  }

  of(exchange: Exchange): readonly OutRecord[] {
    const { message, run } = exchange;
    const { traceparent } = run;
    const address = this.#addressOf(message, traceparent);
    // As in Camel, steps behind this one do not send to that topic or with that time again.
    message.headers.delete("CamelKafkaOverrideTopic");
    message.headers.delete("CamelKafkaOverrideTimestamp");
    const elements = this.#options.useIterator ? listOf(message.body) : undefined;
    const { body } = message;
    if (elements === undefined)
      return [
        this.#record(
          address,
          this.#options.valueSerializer.endsWith(".StringSerializer") ? readable(exchange, body) : body,
        ),
      ];
    return elements.map((element) => this.#elementOf(address, element, traceparent));
  }

  #elementOf(address: Address, element: unknown, traceparent: string | undefined): OutRecord {
    const part = element instanceof Exchange ? element.message : element;
    if (!(part instanceof Message)) return this.#record(address, part);
    return this.#record(
      this.#options.batchWithIndividualHeaders ? this.#addressOf(part, traceparent) : address,
      part.body,
    );
  }

  #addressOf({ headers }: Message, traceparent: string | undefined): Address {
    const { key, partitionKey, topic } = this.#options;
    const override = headers.get("CamelKafkaOverrideTopic");
    const partition = partitionKey ?? wholeOf("CamelKafkaPartitionKey", headers.get("CamelKafkaPartitionKey"));
    const timestamp = wholeOf("CamelKafkaOverrideTimestamp", headers.get("CamelKafkaOverrideTimestamp"));
    return {
      topic: override === undefined || override === null ? topic : asText(override),
      partition,
      key: this.#key(key ?? headers.get("CamelKafkaKey")),
      headers: recordHeaders(headers.entries(), traceparent),
      timestamp: timestamp === undefined ? undefined : BigInt(timestamp),
    };
  }

  #record(address: Address, body: unknown): OutRecord {
    const record = { ...address, value: this.#value(body) };
    const { maxRequestSize } = this.#options;
    const bytes = bytesOf(record);
    if (bytes <= maxRequestSize) return record;
    throw new FlowException(
      "org.apache.kafka.common.errors.RecordTooLargeException",
      `the record has ${bytes} bytes, and maxRequestSize is ${maxRequestSize}`,
    );
  }
}

/** A text is one record, as bytes and maps are. */
function listOf(body: unknown): readonly unknown[] | undefined {
  return body instanceof LazyList ? body.toArray() : elementsOf(body);
}

function wholeOf(header: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = Number(asText(value).trim());
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new FlowException("java.lang.IllegalArgumentException", `the header ${header} is a whole number from 0 on`);
}

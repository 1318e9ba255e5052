/** Sends a message as a record, or as one for each element of its body (Camel: KafkaProducer 4.22). */
import type { Confirmed } from "../../connectors/kafka/record.ts";
import type { SenderOptions } from "../../connectors/kafka/sender.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { exceptionType, FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Processor } from "../../engine/processor.ts";
import { within } from "../../engine/waiting.ts";
import { connectionOf, type KafkaConnection } from "./connection.ts";
import { MessageRecords } from "./message-records.ts";
import type { KafkaOptions } from "./options.ts";
import { pausesOf } from "./session-options.ts";

/** Failures after which the next message gets another connection. */
const unanswered = /(?:Disconnect|Timeout|Authentication)Exception$/;

/** Throws an Error that names the fault of the endpoint. */
export function kafkaProducer(options: KafkaOptions, context: ProducerContext): Processor {
  const endpoint = new KafkaEndpoint(options, context);
  return (exchange) => endpoint.process(exchange);
}

class KafkaEndpoint {
  readonly #options: KafkaOptions;
  readonly #connection: KafkaConnection;
  readonly #records: MessageRecords;
  readonly #sending: SenderOptions;
  readonly #totalMs: number;

  constructor(options: KafkaOptions, context: ProducerContext) {
    this.#options = options;
    this.#records = new MessageRecords(options);
    this.#sending = sendingOf(options);
    this.#totalMs = Math.max(1, Math.min(options.deliveryTimeoutMs, context.limits.outboundTotalMs));
    this.#connection = connectionOf(options, context);
  }

  async process(exchange: Exchange): Promise<void> {
    const records = this.#records.of(exchange);
    let sender: { readonly problem: string } | undefined;
    const late = (): Error => timedOut(this.#totalMs, sender?.problem ?? "");
    const confirmed = await within(this.#totalMs, exchange.run.signal, late, async (signal) => {
      const lease = await this.#connection.share(exchange.run, signal);
      let isBroken = false;
      try {
        const opened = lease.client.sender(this.#sending);
        sender = opened;
        if (records.length === 0) return [];
        return await opened.send(records, signal, () => exchange.run.handedOver());
      } catch (error) {
        isBroken = unanswered.test(exceptionType(error));
        throw error;
      } finally {
        lease.release(isBroken);
      }
    });
    if (this.#options.recordMetadata) exchange.message.headers.set("CamelKafkaRecordMeta", confirmed.map(metadataOf));
  }
}

function metadataOf({ topic, partition, offset, timestamp }: Confirmed): Readonly<Record<string, unknown>> {
  return { topic, partition, offset: Number(offset), timestamp: timestamp < 0n ? null : Number(timestamp) };
}

/** `problem`: what it was waiting for. */
function timedOut(ms: number, problem: string): FlowException {
  const why = problem === "" ? "" : `${problem}: `;
  return new FlowException(
    "org.apache.kafka.common.errors.TimeoutException",
    `${why}the records were not confirmed after ${ms} ms: whether they were written is not known; deliveryTimeoutMs and the limit outboundTotalMs say how long it waits`,
  );
}

/** Throws an Error for options that contradict each other. */
function sendingOf(options: KafkaOptions): SenderOptions {
  const acks = ({ all: -1, "-1": -1, "1": 1, "0": 0 } as const)[options.requestRequiredAcks];
  if (options.partitionKey !== undefined && options.partitionKey < 0)
    throw new Error("partitionKey is the number of a partition, from 0 on");
  return {
    idempotent: options.enableIdempotence && acks === -1,
    acks,
    compression: options.compressionCodec,
    requestBytes: options.maxRequestSize,
    lingerMs: options.lingerMs,
    retries: options.retries ?? Number.MAX_SAFE_INTEGER,
    pauses: pausesOf(options),
    brokerMs: options.requestTimeoutMs,
    unknownMs: options.maxBlockMs,
    ignoresKeys: options.partitionerIgnoreKeys,
  };
}
